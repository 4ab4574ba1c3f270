"""Logs of harnesses among the words of a command: a file of samples, or the folder of a run, task by task."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from metrologue.cli.faults import shown_path
from metrologue.cli.help import Command
from metrologue.cli.whose import metrics_of

_DEPTH = 6  # folders of a run within each other: details/ORGANIZATION/MODEL/TIME
_FILES = ("*.jsonl", "*.parquet", "*.eval", "scenario_state.json")
_REFERENCES, _METRICS = ("-r", "--references"), ("-m", "--metric", "--metrics")
_OF_METRICS = "score"  # the command that needs a metric


class LogCommand(Command):
    """A command that takes logs without ``-p`` and ``-r``: they have predictions and references.

    Folders of runs are taken task by task. A command with metrics takes those that the logs name, if none is given.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line, with logs as the values of options."""
        words, logs = self._parted(args)
        if not logs:
            return super().parse_args(ctx, args)
        tasks = tasks_of(logs)
        made = {task: self._arguments(words, paths) for task, paths in tasks.items()}
        given = {task: own for task, own in made.items() if own is not None}
        nameless = [task for task in tasks if task not in given]
        if not given:
            raise click.UsageError(f"{', '.join(map(shown_path, nameless))} names no metric that is here; name one.")
        if nameless:
            click.echo(f"Left out, because no metric that is here is named: {', '.join(nameless)}.", err=True)
        ctx.meta[__name__] = [*given.items()][1:]
        ctx.meta[f"{__name__}.first"] = next(iter(given)) if len(given) > 1 else None
        return super().parse_args(ctx, next(iter(given.values())))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, once for each task."""
        if first := ctx.meta.get(f"{__name__}.first"):
            click.echo(f"# {first}")
        result = super().invoke(ctx)
        for task, words in ctx.meta.pop(__name__, ()):
            click.echo(f"\n# {task}")
            with self.make_context(ctx.info_name, words, parent=ctx.parent) as own:
                result = super().invoke(own)
        return result

    def _parted(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        """The words without the logs, and the logs."""
        free = self._free(args)
        logs = [args[place] for place in free if is_log(args[place])]
        return [word for place, word in enumerate(args) if place not in free or word not in logs], logs

    def _free(self, args: Sequence[str]) -> list[int]:
        """The places of the words that are no option, and no value of one."""
        options = [each for each in self.params if isinstance(each, click.Option)]
        flags = {name for each in options if each.is_flag or each.count for name in (*each.opts, *each.secondary_opts)}
        free = []
        for place, word in enumerate(args):
            before = args[place - 1] if place else ""
            takes_it = before.startswith("-") and before not in flags and "=" not in before
            if not (word.startswith("-") or takes_it):
                free.append(place)
        return free

    def _has_metric(self, words: Sequence[str]) -> bool:
        return bool(self._free(words)) or any(word in _METRICS for word in words)

    def _arguments(self, words: Sequence[str], paths: Sequence[str]) -> list[str] | None:
        """The words of a call for the logs of one task; None if it needs a metric, and the log names none."""
        from metrologue.files.recognized import read_log

        given = [*words, *(part for path in paths for part in ("-p", path))]
        if not any(word.partition("=")[0] in _REFERENCES for word in words):
            given += ["-r", paths[0]]
        if self.name == _OF_METRICS and not self._has_metric(words):
            named = [*metrics_of(paths[0], read_log(paths[0]))]
            if not named:
                return None
            given = [*named, *given]
        return given


def is_log(word: str) -> bool:
    """Whether a word is a log, or a folder with logs."""
    from metrologue.files.recognized import format_of

    if os.path.isdir(word):
        return bool(_logs_in(word))
    if not os.path.isfile(word):
        return False
    found = format_of(word)
    return found is not None and found.is_log


def _logs_in(folder: str) -> list[str]:
    """The logs in a folder, and in the folders in it, as deep as lighteval writes them."""
    from metrologue.files.recognized import format_of

    paths = sorted(
        {path for form in _FILES for depth in range(_DEPTH) for path in Path(folder).glob(depth * "*/" + form)}
    )
    return [str(path) for path in paths if path.is_file() and (found := format_of(path)) and found.is_log]


def tasks_of(logs: Sequence[str]) -> dict[str, list[str]]:
    """The logs of each task: those given, or those of folders, of which a task that one lacks is left out."""
    from metrologue.files.log_results import task_of

    folders = [each for each in logs if os.path.isdir(each)]
    if not folders:
        return {task_of(logs[0]): [*logs]}
    if len(folders) < len(logs):
        raise click.UsageError("a file and a folder of logs: give files, or folders.")
    found = [{task_of(path): path for path in _logs_in(each)} for each in folders]
    shared = [task for task in found[0] if all(task in each for each in found)]
    if left := sorted({task for each in found for task in each} - {*shared}):
        click.echo(f"Left out, because not every run has it: {', '.join(left)}.", err=True)
    if not shared:
        raise click.UsageError("the runs have no task in common.")
    return {task: [each[task] for each in found] for task in shared}
