"""The same work on several parts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["each_of"]

S = TypeVar("S")
T = TypeVar("T")


def each_of(function: Callable[[S], T], parts: Iterable[S], count: int) -> list[T]:
    """The results of `function` for all parts, from `count` threads."""
    if count == 1:
        return [*map(function, parts)]
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    with ThreadPoolExecutor(count) as pool:
        return [*pool.map(function, parts)]
