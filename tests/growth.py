"""How the time of a computation grows with its input."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import TypeVar

__all__ = ["growth"]

T = TypeVar("T")


def growth(run: Callable[[T], object], small: T, large: T) -> float:
    """The processor time for the large input, divided by that for the small one; each is the better of two."""

    def seconds(given: T) -> float:
        begin = process_time()
        run(given)
        return process_time() - begin

    run(small)  # kernels are compiled, tables are read
    # A clock that stands still for a moment must not divide by zero.
    return min(seconds(large), seconds(large)) / max(min(seconds(small), seconds(small)), 1e-3)
