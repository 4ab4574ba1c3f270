"""What slow steps made of texts that are read in many ways."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from numpy.typing import NDArray

from metrologue.data.strings import buffers
from metrologue.text.reading.pages import Page, Step

__all__ = ["KEPT", "Kept", "keeping_pages"]

# A step that reads fewer bytes in a second is slow.
_SLOW = 1e8


class Kept:
    """The last pages after slow steps, as many as have so few bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._size = most_bytes, 0
        self._pages: dict[tuple[Any, ...], Page] = {}

    def after(self, page: Page, step: Step) -> Page:
        """The page after a step, which is not done again where its outcome is kept."""
        arrays = _arrays(page)
        key = step, tuple(hash(each.tobytes()) for each in arrays)
        if found := self._pages.pop(key, None):
            self._pages[key] = found  # it is the last one now
            return found
        start = time.perf_counter()
        found = step(page)
        if time.perf_counter() - start > len(arrays[0]) / _SLOW:
            self._keep(key, found)
        return found

    def _keep(self, key: tuple[Any, ...], page: Page) -> None:
        self._pages[key] = page
        self._size += _bytes_of(page)
        while self._size > self._most:
            self._size -= _bytes_of(self._pages.pop(next(iter(self._pages))))


def _arrays(page: Page) -> list[NDArray[Any]]:
    return [*buffers(page.parts.texts), page.parts.offsets, *(page.tokens or ())]


def _bytes_of(page: Page) -> int:
    return sum(each.nbytes for each in _arrays(page))


KEPT: ContextVar[Kept | None] = ContextVar("kept pages", default=None)


@contextmanager
def keeping_pages(most_bytes: int) -> Iterator[None]:
    """Inside, what slow steps made of the last texts is kept, up to this size, for other readings that begin so."""
    token = KEPT.set(Kept(most_bytes))
    try:
        yield
    finally:
        KEPT.reset(token)
