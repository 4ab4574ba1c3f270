"""What variants say that they need, and the fixtures that provide it or skip the test and say what to install."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from metrologue.scorers import get_scorer

__all__ = ["PROGRAMS", "data_of", "provide"]

# What a live library needs, and we do not: programs, and data.
PROGRAMS = ("java", "perl")
_OF_LIBRARIES = (*PROGRAMS, "perluniprops")
_FIXTURES = {
    "java": "java",
    "meteor-1.5": "meteor_tables",
    "perl": "perl",
    "perluniprops": "perluniprops",
    "punkt": "punkt_data",
    "wordnet": "wordnet",
}


def data_of(*metrics: str) -> list[str]:
    """The lexical data that our numbers need, of all variants of these metrics."""
    variants = (variant for metric in metrics for variant in get_scorer(metric).variants().values())
    return sorted({need for variant in variants for need in variant.needs} - {*_OF_LIBRARIES})


def provide(request: pytest.FixtureRequest, needs: Iterable[str]) -> None:
    """Have each of these at hand, or skip the test."""
    for need in needs:
        request.getfixturevalue(_FIXTURES[need])
