"""The same work on several parts at once, and what several threads share."""

from __future__ import annotations

from _thread import RLock  # the class: `threading.RLock` is a function around it
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

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
    results: dict[int, T] = {}
    failed: list[tuple[int, BaseException]] = []
    left = enumerate(given)

    def work() -> None:
        place = -1
        try:
            for place, part in left:
                results[place] = function(part)
        except BaseException as error:
            failed.append((place, error))
            _drop(left)

    # What is set for this thread and its call is set for the others, too.
    others = [Thread(target=copy_context().run, args=(work,)) for _ in range(min(count, len(given)) - 1)]
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
    return [results[place] for place in range(len(given))]


def _drop(left: Iterable[object]) -> None:
    for _ in left:
        pass


class Lock(RLock):  # type: ignore[misc]  # it is final in its stub only
    """A re-entrant lock. A deep copy of its owner, and another process that gets its owner, have a lock of their own.

    Examples
    --------
    >>> import copy
    >>> lock = Lock()
    >>> with lock, lock, copy.deepcopy(lock):
    ...     pass
    """

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()


class Memo:
    """Results that are computed once and kept, whichever thread asks first. Others that ask for it wait for it.

    A copy, and another process that gets one, compute them anew.

    Examples
    --------
    >>> memo = Memo()
    >>> memo.get("a", lambda: [1]) is memo.get("a", lambda: [1])
    True
    """

    def __init__(self) -> None:
        # A lock for each result, so that others can be made meanwhile; then the result, once it is made.
        self._cells: dict[Hashable, list[Any]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_cells": {}}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make` that is kept under `key`."""
        cell = self._cells.get(key)  # twice with the key at most: the hash of a reading takes long
        if cell is None:
            cell = self._cells.setdefault(key, [RLock()])
        if len(cell) == 1:
            with cell[0]:
                if len(cell) == 1:
                    cell.append(make())
        value: T = cell[1]
        return value

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """Forget afterwards what was kept inside."""
        known = dict(self._cells)
        try:
            yield
        finally:
            self._cells = known
