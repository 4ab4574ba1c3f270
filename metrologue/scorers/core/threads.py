"""Work on many segments, part by part and in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from metrologue.data.threads import each_of
from metrologue.errors import checked_int
from metrologue.scorers.core.options import parse_value
from metrologue.segments import Segments

__all__ = ["each_of", "each_part", "thread_count"]

T = TypeVar("T")

_MOST_THREADS = 1024
# The most text that is counted at once. Parts have a cost: a reference in several parts is read again in each.
_MOST_BYTES = 1 << 24


def each_part(function: Callable[[Segments], T], segments: Segments, threads: int | None) -> list[T]:
    """The results of `function` for consecutive parts of the segments, from several threads.

    Kernels release the interpreter lock, so threads run in parallel. Python handles an interrupt only between two
    calls, so no call gets too much text.

    Parameters
    ----------
    function : callable
    segments : Segments
    threads : int, optional
        ``$METROLOGUE_THREADS``, or 1, by default.

    Raises
    ------
    InputError
        If `threads` is out of range.
    """
    # One segment needs no threads: to ask for their number, or to measure its text, takes longer than some metrics.
    if len(segments) == 1 and threads is None:
        return [function(segments)]
    count = thread_count(threads)
    wanted = min(max(count, -(-segments.nbytes // _MOST_BYTES)), len(segments))
    if wanted < 2:
        return [function(segments)]
    # The parts are kept, because each part remembers how it was read.
    parts = segments.memoize(("parts", wanted), lambda: segments.shards(wanted))
    return each_of(function, parts, count)


def thread_count(threads: int | None) -> int:
    """The number of threads, by default ``$METROLOGUE_THREADS``, or 1. Raises an InputError if it is out of range."""
    named = os.environ.get("METROLOGUE_THREADS") if threads is None else None
    if threads is None and named is None:
        return 1
    return checked_int("threads", threads if named is None else parse_value(named, int), 1, _MOST_THREADS)
