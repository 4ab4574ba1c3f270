"""Logs of harnesses among the words of a command: a file of samples, or the folder of a run, task by task."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.faults import shown_path
from metrologue.cli.help import Command

if TYPE_CHECKING:
    from metrologue.scorers import Result, Scorer

# What a harness calls a task, in the names of its files.
_TASK = re.compile(r"samples_(?P<lm_eval>.+)_\d{4}-\d\d-\d\dT.*\.jsonl|details_(?P<lighteval>.+)_\d{4}-.*\.parquet")
_FILES = ("*.jsonl", "*.parquet", "*.eval", "scenario_state.json")
_REFERENCES, _METRICS = ("-r", "--references"), ("-m", "--metric", "--metrics")
# The options of metrics in the settings of lm-evaluation-harness, and ours.
_OPTIONS = {"ignore_case": "lowercase", "ignore_punctuation": "ignore_punctuation", "ignore_numbers": "ignore_numbers"}
_ABOUT_EQUAL = 1e-9
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
        given = [self._arguments(words, paths) for paths in tasks.values()]
        ctx.meta[__name__] = [*zip(tasks, given, strict=True)][1:]
        ctx.meta[f"{__name__}.first"] = next(iter(tasks)) if len(tasks) > 1 else None
        return super().parse_args(ctx, given[0])

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

    def _arguments(self, words: Sequence[str], paths: Sequence[str]) -> list[str]:
        """The words of a call for the logs of one task."""
        from metrologue.files.recognized import read_log

        given = [*words, *(part for path in paths for part in ("-p", path))]
        if not any(word.partition("=")[0] in _REFERENCES for word in words):
            given += ["-r", paths[0]]
        if self.name == _OF_METRICS and not self._has_metric(words):
            named = [*metrics_of(paths[0], read_log(paths[0]).metrics)]
            if not named:
                raise click.UsageError(f"{shown_path(paths[0])} names no metric that is here; name one.")
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
    """The logs in a folder, and in the folders in it."""
    from metrologue.files.recognized import format_of

    paths = sorted({path for form in _FILES for depth in ("", "*/") for path in Path(folder).glob(depth + form)})
    return [str(path) for path in paths if path.is_file() and (found := format_of(path)) and found.is_log]


def task_of(path: str) -> str:
    """What a harness calls the task of a log: part of the file's name, or all of it.

    Examples
    --------
    >>> task_of("run/samples_wmt16-en-de_2026-11-28T23-56-05.760497.jsonl"), task_of("run/a.eval")
    ('wmt16-en-de', 'a.eval')
    """
    found = _TASK.fullmatch(name := Path(path).name)
    return name if found is None else found["lm_eval"] or found["lighteval"]


def tasks_of(logs: Sequence[str]) -> dict[str, list[str]]:
    """The logs of each task: those given, or those of folders, of which a task that one lacks is left out."""
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


def metrics_of(path: str, names: Sequence[str]) -> dict[str, str]:
    """Our metrics for those that a log names, with the options that its settings have; each with the log's own name."""
    from metrologue.scorers import list_scorers

    known = {*list_scorers()}
    settings = {each.get("metric"): each for each in _settings(path)}
    made = {}
    for name in names:
        if name in known:
            own = settings.get(name, {})
            options = ",".join(f"{ours}=true" for theirs, ours in _OPTIONS.items() if own.get(theirs))
            made[f"{name}[{options}]" if options else name] = name
    return made


def _results(path: str) -> Mapping[str, Any]:
    """What the harness has written beside the samples of lm-evaluation-harness; empty if there is nothing."""
    from metrologue.errors import InputError
    from metrologue.files.regular import read_json

    name = Path(path).name
    stamp = name.partition(f"samples_{task_of(path)}_")[2].removesuffix(".jsonl")
    beside = Path(path).with_name(f"results_{stamp}.json")
    if not stamp or not beside.is_file():
        return {}
    try:
        held = read_json(beside, "results")
    except (InputError, OSError):
        return {}
    return held if isinstance(held, dict) else {}


def _settings(path: str) -> list[dict[str, Any]]:
    from metrologue.files.log_values import at

    held = at(_results(path), "configs", task_of(path), "metric_list")
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


def beside_printed(scorers: Sequence[Scorer], paths: Sequence[str], results: Sequence[Sequence[Result]]) -> list[str]:
    """What the harness itself has printed for a log, beside our numbers from its samples: a line for each number."""
    lines = []
    for path, row in zip(paths, results, strict=True):
        printed = _printed(path)
        for scorer, result in zip(scorers, row, strict=True):
            if (own := printed.get(scorer.name)) is None:
                continue
            scaled = (result.value, result.value / scorer.scale, 100 * result.value / scorer.scale)
            is_same = any(math.isclose(own, each, rel_tol=_ABOUT_EQUAL) for each in scaled)
            told = "reproduced from the samples" if is_same else (
                f"{result.value:.6g} from the samples: other options, or a mean of scores of samples")  # fmt: skip
            lines.append(f"{shown_path(Path(path).name)}: the harness printed {scorer.name} {own:.6g}; {told}.")
    return lines


def _printed(path: str) -> dict[str, float]:
    """The numbers of a task in the results beside a log."""
    from metrologue.files.log_values import at
    from metrologue.files.values import finite

    held = at(_results(path), "results", task_of(path))
    numbers = {key: finite(value) for key, value in held.items()} if isinstance(held, dict) else {}
    named = {key: value for key, value in numbers.items() if value is not None and "," in key and "_stderr" not in key}
    return {key.partition(",")[0]: value for key, value in named.items()}
