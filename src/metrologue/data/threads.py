"""The same work on several parts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Thread
from typing import TypeVar

__all__ = ["each_of"]

S = TypeVar("S")
T = TypeVar("T")


def each_of(function: Callable[[S], T], parts: Iterable[S], count: int) -> list[T]:
    """The results of `function` for all parts, from `count` threads, of which this one is the first.

    To wake another thread takes long, so this one works, too. If parts fail, the error of the first of them is raised,
    as without threads; parts that did not begin before do not begin.
    """
    if count == 1:
        return [*map(function, parts)]
    given = [*parts]
    found: dict[int, T] = {}
    failed: list[tuple[int, BaseException]] = []
    left = enumerate(given)

    def work() -> None:
        place = -1
        try:
            for place, part in left:
                found[place] = function(part)
        except BaseException as error:
            failed.append((place, error))
            _drop(left)

    others = [Thread(target=work) for _ in range(min(count, len(given)) - 1)]
    try:
        for thread in others:
            thread.start()
        work()
    finally:  # also after an interrupt
        _drop(left)
        for thread in others:
            thread.join()
    if failed:
        # An interrupt comes before the errors of parts.
        raise min(failed, key=lambda one: (isinstance(one[1], Exception), one[0]))[1]
    return [found[place] for place in range(len(given))]


def _drop(left: Iterable[object]) -> None:
    for _ in left:
        pass
