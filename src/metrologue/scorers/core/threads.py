"""Work on many segments, part by part and in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.data.columns import Column
from metrologue.data.strings import Form
from metrologue.errors import checked_int
from metrologue.scorers.core.options import parse_value
from metrologue.segments import Segments
from metrologue.text.reading import Reading, View
from metrologue.threads import Memo, each_of

__all__ = ["Part", "each_of", "each_part", "each_part_of_whole", "each_rows", "thread_count"]

T = TypeVar("T")

_MOST_THREADS = 1024
# The most text that is counted at once. Parts have a cost: a reference in several parts is read again in each.
_MOST_BYTES = 1 << 24
# The scores of so many segments are computed in less time than it takes to start a thread.
_FEW_ROWS = 1 << 12


def each_part(function: Callable[[Segments], T], segments: Segments, threads: int | None) -> list[T]:
    """The results of `function` for consecutive parts of the segments, from several threads.

    Kernels release the interpreter lock, so threads run in parallel. Python handles an interrupt only between two
    calls, so no call gets too much text. Raises an InputError if `threads` is out of range; see ``thread_count``.
    """
    wanted, count = _part_count(segments, threads)
    if wanted < 2:
        return [function(segments)]
    # The parts are kept, because each part remembers how it was read.
    parts = segments.memoize(("parts", wanted), lambda: segments.shards(wanted))
    return each_of(function, parts, count)


def each_part_of_whole(
    function: Callable[[Segments], T], prepare: Callable[[Segments, int], None], segments: Segments, threads: int | None
) -> list[T]:
    """As ``each_part``, for a function that takes something from all segments, such as weights of their n-grams.

    `prepare` makes it once, in a number of threads. Parts take it, and their views, from all segments.
    """
    wanted, count = _part_count(segments, threads)
    if wanted < 2:
        return [function(segments)]
    prepare(segments, count)
    limits = np.linspace(0, len(segments), wanted + 1).astype(np.int64).tolist()
    return each_of(function, [Part(segments, *ends) for ends in pairwise(limits)], count)


def each_rows(function: Callable[[Floats], T], rows: Floats, threads: int | None) -> list[T]:
    """The results of `function` for consecutive rows, one for each thread; few rows need one thread only."""
    count = thread_count(threads) if len(rows) > _FEW_ROWS else 1
    return each_of(function, np.array_split(rows, count), count)


class Part(Segments):
    """The segments `start` to `stop` of others: the texts of their view are those of all."""

    def __init__(self, collection: Segments, start: int, stop: int) -> None:
        self.collection, self.start, self.stop = collection, start, stop
        self.first, self._count = collection.first + start, stop - start
        self._memo = Memo()

    @cached_property
    def columns(self) -> dict[str, Column]:  # type: ignore[override]  # made when asked for: most need the view only
        """The columns of these segments."""
        return {**self.collection.slice(self.start, self.stop).columns}

    @property
    def reference_offsets(self) -> Offsets:
        """Offsets (n + 1,): the references of segment s are ``offsets[s]:offsets[s + 1]``."""
        all_offsets = self.collection.reference_offsets
        offsets: Offsets = all_offsets[self.start : self.stop + 1] - all_offsets[self.start]
        return offsets

    def in_form(self, form: Form) -> Part:
        """The part itself: it is one of segments that have the form already."""
        return self

    def read(self, reading: Reading, of_references: Reading | None = None, threads: int = 1) -> View:
        """The tokens under a reading; arguments and errors as for ``Segments.read``."""
        key = ("view", reading, of_references)
        view = self.collection.read(reading, of_references, threads)
        return self.memoize(key, lambda: view.part(self.start, self.stop))


def _part_count(segments: Segments, threads: int | None) -> tuple[int, int]:
    # One segment needs no threads: to ask for their number, or to measure its text, takes longer than some metrics.
    size = len(segments)
    if size == 1 and threads is None:
        return 1, 1
    count = thread_count(threads)
    return min(max(count, -(-segments.nbytes // _MOST_BYTES)), size), count


def thread_count(threads: int | None) -> int:
    """The number of threads, by default ``$METROLOGUE_THREADS``, or 1. Raises an InputError if it is out of range."""
    named = os.environ.get("METROLOGUE_THREADS") if threads is None else None
    if threads is None and named is None:
        return 1
    return checked_int("threads", threads if named is None else parse_value(named, int), 1, _MOST_THREADS)
