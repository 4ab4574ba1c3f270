"""How much is tried: everyday a part, and all of it by `make test-all`, which sets $METROLOGUE_EXAMPLES.

The parts are fixed, so that a failure on somebody's machine is one that everybody can see.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

__all__ = ["EXAMPLES", "FEW", "everyday", "nth"]

T = TypeVar("T")

# How many examples hypothesis makes.
EXAMPLES = int(os.environ.get("METROLOGUE_EXAMPLES", "8"))
# And how many for each of a hundred scorers, where all of them try the same code.
FEW = EXAMPLES if EXAMPLES >= 100 else min(EXAMPLES, 3)


def nth(step: int) -> int:
    """The step of a slice: everyday each `step`-th item is tried, otherwise each one."""
    return 1 if EXAMPLES >= 100 else step


def everyday(values: Iterable[T], chosen: Callable[[T], object], ids: Callable[[T], str] | None = None) -> list[Any]:
    """Parameters of a test; those that are not chosen wait for `make test-all`."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if chosen(value) else pytest.mark.slow,
            **({} if ids is None else {"id": ids(value)}),
        )
        for value in values
    ]
