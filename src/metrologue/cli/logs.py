"""Logs of harnesses among the words of a command: a file of samples, or the folder of a run, task by task."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from metrologue.cli.faults import shown_path
from metrologue.cli.help import Command
from metrologue.cli.whose import metrics_of

_DEPTH = 6  # folders of a run within each other: details/ORGANIZATION/MODEL/TIME
_FILES = ("*.jsonl", "*.parquet", "*.eval", "scenario_state.json")
_REFERENCES, _METRICS = ("-r", "--references"), ("-m", "--metric", "--metrics")
_TASKS, _NAMES = f"{__name__}.tasks", f"{__name__}.names"  # what a context keeps
_RATED = "--data"  # of the command that takes rated texts, which are the samples and the harness's scores of them
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
        ctx.meta[_NAMES] = _names_of(logs, tasks)
        made = {task: self._arguments(words, paths) for task, paths in tasks.items()}
        given = {task: own for task, own in made.items() if own is not None}
        nameless = [task for task in tasks if task not in given]
        if not given:
            raise click.UsageError(f"{', '.join(map(shown_path, nameless))} names no metric that is here; name one.")
        if nameless:
            click.echo(f"Left out, because no metric that is here is named: {', '.join(nameless)}.", err=True)
        ctx.meta[_TASKS] = given
        return super().parse_args(ctx, [*next(iter(given.values()))])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, once for each task."""
        tasks = ctx.meta.pop(_TASKS, {})
        with warnings.catch_warnings():
            if tasks:  # a log that is a word of the command is nothing else
                warnings.filterwarnings("ignore", ".*: read as .*; with `plain`, it is read as plain text")
            if len(tasks) < 2:
                return super().invoke(ctx)
            if ctx.params.get("out"):
                raise click.UsageError(f"--out takes one task, but the runs have {len(tasks)}: give the log of one.")
            from metrologue.cli.tasks import run_tasks

            run_tasks({task: partial(self._run, ctx, words) for task, words in tasks.items()}, _format_of(ctx))
        return None

    def _run(self, ctx: click.Context, words: Sequence[str]) -> Any:
        with self.make_context(ctx.info_name, [*words], parent=ctx.parent) as own:
            return super().invoke(own)

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

        if any(_RATED in each.opts for each in self.params):
            return [*words, *(part for path in paths for part in (_RATED, path))]
        given = [*words, *(part for path in paths for part in ("-p", path))]
        if not any(word.partition("=")[0] in _REFERENCES for word in words):
            given += ["-r", paths[0]]
        if self.name == _OF_METRICS and not self._has_metric(words):
            named = [*metrics_of(paths[0], read_log(paths[0]))]
            if not named:
                return None
            given = [*named, *given]
        return given


def _format_of(ctx: click.Context) -> str:
    return str(ctx.params.get("output_format", "text"))


def _names_of(logs: Sequence[str], tasks: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The names of runs by the paths of their logs, if folders are given whose names differ."""
    names = [shown_path(Path(os.path.abspath(each)).name) for each in logs]
    if len({*names}) < len(names) or not all(map(os.path.isdir, logs)):
        return {}
    return {path: name for paths in tasks.values() for path, name in zip(paths, names, strict=True)}


def name_of_run(path: str) -> str | None:
    """The name of the run whose folder was given, for the path of a log in it; None for any other file."""
    context = click.get_current_context(silent=True)
    name = context.meta.get(_NAMES, {}).get(path) if context else None
    return None if name is None else str(name)


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
