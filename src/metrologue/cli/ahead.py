"""Reading ahead: the next part of a stream is made while this one is used."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")

# Seconds to wait for the thread at an early end. It may wait itself, for a pipe that gives nothing.
_PATIENCE = 1.0


@contextmanager
def reading_ahead(items: Generator[T, None, None]) -> Iterator[Iterator[T]]:
    """The same items, each made by a thread while the one before it is used. No more than one is made ahead.

    An error of `items` is raised where the item would come. At the end, also an early one, `items` is closed and the
    thread is gone, unless it waits for more input.

    Examples
    --------
    >>> with reading_ahead(letter for letter in "abc") as letters:
    ...     "".join(letters)
    'abc'
    """
    wanted: SimpleQueue[bool] = SimpleQueue()
    # One item, none at the end of all, or an error.
    made: SimpleQueue[list[T] | BaseException] = SimpleQueue()

    def make() -> None:
        while wanted.get():
            try:
                made.put([next(items)])
            except StopIteration:
                made.put([])
            except BaseException as error:
                made.put(error)
        items.close()

    def taken() -> Iterator[T]:
        while True:
            found = made.get()
            if isinstance(found, BaseException):
                raise found
            if not found:
                return
            wanted.put(True)
            yield found.pop()

    wanted.put(True)
    thread = threading.Thread(target=make, name="reading ahead", daemon=True)
    thread.start()
    try:
        yield taken()
    finally:
        wanted.put(False)
        thread.join(_PATIENCE)
