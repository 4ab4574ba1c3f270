"""What a harness itself has printed for a log: in the log, or in the results that it writes beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metrologue.errors import InputError
from metrologue.files.formats import inspect_ai
from metrologue.files.log_values import at
from metrologue.files.recognized import format_of
from metrologue.files.regular import read_json
from metrologue.files.values import finite

# What a harness calls a task, and the time of its run, in the names of its files.
_LM_EVAL = re.compile(r"samples_(?P<task>.+)_(?P<stamp>\d{4}-\d\d-\d\dT.*)\.jsonl")
_LIGHTEVAL = re.compile(r"details_(?P<task>.+)_(?P<stamp>\d{4}-.*)\.parquet")
_DETAILS = "details"  # the folder of lighteval, beside that of its results


def task_of(path: str) -> str:
    """What a harness calls the task of a log: part of the file's name, or all of it.

    Examples
    --------
    >>> task_of("run/samples_wmt16-en-de_2026-11-28T23-56-05.760497.jsonl"), task_of("run/a.eval")
    ('wmt16-en-de', 'a.eval')
    """
    name = Path(path).name
    found = _LM_EVAL.fullmatch(name) or _LIGHTEVAL.fullmatch(name)
    return name if found is None else found["task"]


def settings_of(path: str) -> dict[str, dict[str, Any]]:
    """The settings of the metrics of lm-evaluation-harness, by their names; empty if there are none."""
    held = at(_beside(path), "configs", task_of(path), "metric_list")
    return {str(each.get("metric")): each for each in held or () if isinstance(each, dict)}


def printed_in(path: str, filter_name: str | None = None) -> dict[str, float]:
    """The numbers that a harness has printed for a log, by its own names of them; empty if there are none.

    Parameters
    ----------
    path : str
    filter_name : str, optional
        The filter of lm-evaluation-harness; by default the one of the first number.
    """
    found = format_of(path)
    if found and found.name == "inspect":
        return inspect_ai.printed_in(path)
    held = at(_beside(path), "results", task_of(path))
    numbers: dict[str, float] = {}
    for name, value in held.items() if isinstance(held, dict) else ():
        metric, _, own = name.partition(",")
        if (number := finite(value)) is None or metric.endswith("_stderr") or metric == "sample_len":
            continue
        if own == (filter_name or own):
            numbers.setdefault(metric, number)
    return numbers


def _beside(path: str) -> Mapping[str, Any]:
    """The results that a harness has written beside a log; empty if there are none."""
    place = _results_of(Path(path))
    if place is None or not place.is_file():
        return {}
    try:
        held = read_json(place, "results")
    except (InputError, OSError):
        return {}
    return held if isinstance(held, dict) else {}


def _results_of(path: Path) -> Path | None:
    if found := _LM_EVAL.fullmatch(path.name):
        return path.with_name(f"results_{found['stamp']}.json")
    found = _LIGHTEVAL.fullmatch(path.name)
    folders = path.absolute().parent.parts
    if found is None or _DETAILS not in folders:
        return None
    place = len(folders) - 1 - folders[::-1].index(_DETAILS)
    return Path(*folders[:place], "results", *folders[place + 1 : -1], f"results_{found['stamp']}.json")
