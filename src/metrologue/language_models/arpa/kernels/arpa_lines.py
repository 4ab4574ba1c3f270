"""The lines of an ARPA file: a log-probability, the words of an n-gram, perhaps a back-off."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, FloatRows, Floats, Number, Offsets, Rows
from metrologue.kernels.spelled_numbers import POWERS, spelled_number
from metrologue.native import helper, kernel

__all__ = ["NO_BACKOFF", "NO_WORD", "NO_WORDS", "read_ngrams"]

# What is wrong with a line: nothing follows the number; too few words; something other than a TAB after the last word.
NO_WORDS, NO_WORD, NO_BACKOFF = 1, 2, 3

_TAB, _RETURN, _SPACE, _BACKSLASH = 0x09, 0x0D, 0x20, 0x5C
# The error of a number that `spelled_number` reads is less than this, relatively.
_DOUBT = 2.0**-50


@helper
def _is_blank(byte: Number) -> Number:
    """Whether a byte ends a word. KenLM takes a vertical tab, a form feed and a NUL for parts of words."""
    return byte in (_SPACE, _TAB, _RETURN)


@helper
def _single(buffer: Bytes, start: Number, stop: Number, powers: Floats) -> Number:
    """The number that the bytes spell, rounded to 32 bits; NaN if this cannot be told from its 64 bits."""
    value = spelled_number(buffer, start, stop, powers)
    rounded = np.float32(value * (1 + _DOUBT))
    return np.float64(rounded) if rounded == np.float32(value * (1 - _DOUBT)) else math.nan


@kernel
def _read_ngrams(
    buffer: Bytes,
    offsets: Offsets,
    first: int,
    order: int,
    powers: Floats,
    numbers: FloatRows,
    starts: Rows,
    stops: Rows,
    lines: Offsets,
    report: Offsets,
) -> int:
    """Invariant: the n-grams of the lines before t are in the rows before n."""
    n = 0
    for t in range(first, len(offsets) - 1):
        report[0] = t
        i, end = offsets[t], offsets[t + 1]
        while i < end and (buffer[i] == _SPACE or (buffer[i] >= _TAB and buffer[i] <= _RETURN)):
            i += 1
        if i == end:
            continue
        if buffer[i] == _BACKSLASH:
            return n
        stop = i
        while stop < end and not _is_blank(buffer[stop]):
            stop += 1
        numbers[n, 0] = _single(buffer, i, stop, powers)
        i = stop
        for k in range(order):
            while i < end and _is_blank(buffer[i]):
                i += 1
            if i == end:
                report[1], report[2], report[3] = NO_WORD if k else NO_WORDS, i, k
                return n
            starts[n, k] = i
            while i < end and not _is_blank(buffer[i]):
                i += 1
            stops[n, k] = i
        numbers[n, 1] = 0.0
        if i < end:
            if buffer[i] != _TAB:
                report[1], report[2] = NO_BACKOFF, i
                return n
            numbers[n, 1] = _single(buffer, i + 1, end, powers)
        lines[n] = t
        n += 1
    report[0] = len(offsets) - 1
    return n


def read_ngrams(
    buffer: Bytes, offsets: Offsets, first: int, order: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], Offsets, int, tuple[int, int, int] | None]:
    """The n-grams of lines, up to a line that begins with a backslash. Lines of whitespace are passed over.

    Parameters
    ----------
    buffer, offsets : bytes and their offsets (n_lines + 1,)
    first : int
        The first line to read.
    order : int
        The number of words of each n-gram.

    Returns
    -------
    numbers : float64 (n, 2)
        The log-probability and the back-off of each n-gram, as KenLM rounds them to 32 bits. A missing back-off is 0.
        NaN for a number that has to be read with more care, or is none.
    starts, stops : int64 (n, order)
        The words are ``buffer[starts[i, k]:stops[i, k]]``.
    lines : int64 (n,)
        The line of each n-gram.
    last : int
        The first line that was not read.
    error : None, or (what, byte, words)
        NO_WORDS, NO_WORD or NO_BACKOFF for the line `last`; where; and how many words were found.
    """
    count = len(offsets) - 1 - first
    numbers, starts, stops = (
        np.empty((count, 2)),
        np.empty((count, order), np.int64),
        np.empty((count, order), np.int64),
    )
    lines, report = np.empty(count, np.int64), np.zeros(4, np.int64)
    n = _read_ngrams(buffer, offsets, first, order, POWERS, numbers, starts, stops, lines, report)
    last, what, byte, words = report.tolist()
    error = (what, byte, words) if what else None
    return numbers[:n], starts[:n], stops[:n], lines[:n], last, error
