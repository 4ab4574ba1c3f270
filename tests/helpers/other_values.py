"""For each field of a metric a value that differs from the default.

Most are derived from the field's declaration. What cannot be derived, or would make a test slow, is in the metric's
tests: ``VALUES`` of ``values.py`` beside them, where NAME is the metric or the family whose tests it shares.
``SETTINGS`` of that file has scorers that the tests of all metrics try besides the variants; ``ladders`` says what else
it may have.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.options import Option, options_of

__all__ = ["home_of_tests", "other_settings", "other_values", "written_of"]


@cache
def other_values(kind: type[Scorer]) -> dict[str, Any]:
    """A value for every field with more than one value, by the field's name; each differs from the default."""
    written = {name: value for each in _files(kind) for name, value in getattr(each, "VALUES", {}).items()}
    default = kind()
    options = {name: each for name, each in options_of(kind).items() if len(each.one_of or "ab") > 1}
    return {
        name: written[name] if name in written else _other(each, getattr(default, name), kind.name)
        for name, each in options.items()
    }


def written_of(kind: type[Scorer], what: str, default: Any) -> Any:
    """What the files of a metric say of this name; the metric's own counts before its family's."""
    return next((getattr(each, what) for each in _files(kind)[::-1] if hasattr(each, what)), default)


def other_settings() -> dict[str, Scorer]:
    """Scorers that all metrics' tests try besides the variants, by a name for each."""
    kinds = map(get_scorer, list_scorers())
    return {
        name: scorer
        for kind in kinds
        for each in _files(kind)
        for name, scorer in getattr(each, "SETTINGS", {}).items()
    }


def home_of_tests(name: str, part: str) -> str:
    """A module beside the tests of a metric, which lie in ``tests/metrics`` or ``research/tests/papers``; or ""."""
    tests = Path(__file__).parents[1]
    rooms = {"metrics": tests / "metrics", "papers": tests.parent / "research" / "tests" / "papers"}
    return next((f"{room}.{name}.{part}" for room in rooms if (rooms[room] / name / f"{part}.py").is_file()), "")


@cache
def _files(kind: type[Scorer]) -> list[ModuleType]:
    """The files of a metric: that of its family, then its own, whose values count."""
    folders = dict.fromkeys(part for each in kind.__mro__[::-1] for part in each.__module__.split("."))
    found = [home_of_tests(name, "values") for name in folders]
    return [importlib.import_module(module) for module in found if module]


def _other(option: Option, default: Any, metric: str) -> Any:
    """Another value, by what the field declares."""
    if isinstance(default, bool):
        return not default
    if option.one_of:
        return next(each for each in option.one_of if each != default)
    if option.kind == "tokenizer":
        return "whitespace" if default == "13a" else "13a"
    if option.kind == "trained":
        from small_trained import trained

        return trained(metric)
    if default is None:  # a limit that is not there
        return int(max(option.least or 0, 1) + 1)
    least = -float("inf") if option.least is None else option.least
    greatest = float("inf") if option.greatest is None else option.greatest
    candidates = (
        (100.0, 1.0) if default == 1 and isinstance(default, float) else (default + 1, default - 1, default / 2)
    )
    return next(type(default)(each) for each in candidates if least <= each <= greatest and each != default)
