"""ARPA files, read block by block: the counts of the header, then the n-grams of each order.

The rules are KenLM's. Lines of whitespace are passed over, and so are lines before ``\\data\\`` that begin with "#".
Words are separated by spaces and TABs. A TAB comes before the back-off.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import buffers
from metrologue.errors import InputError, number_of, shown
from metrologue.files.lines import stream_lines
from metrologue.files.packed import is_packed
from metrologue.files.regular import check_regular
from metrologue.language_models.arpa.kernels.arpa_lines import NO_BACKOFF, NO_WORD, read_ngrams

_BLOCK = 1 << 20  # bytes
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-inf", re.ASCII)
_COUNT = re.compile(r"ngram\s+(\d{1,9})=\s*(\d{1,18})\s*", re.ASCII)
# A packed file has at most this many times its bytes. An n-gram has at least so many: "0", a TAB, "a" and a line end.
_PACKING, _SHORTEST = 10_000, 4


class Ngrams(NamedTuple):
    """Some n-grams of one order. The words are ``buffer[starts[i, k]:stops[i, k]]``."""

    buffer: NDArray[np.uint8]  # the text; eight bytes or more
    starts: NDArray[np.int64]  # (n, order)
    stops: NDArray[np.int64]
    numbers: NDArray[np.float64]  # (n, 2): log-probability and back-off, rounded to 32 bits
    lines: NDArray[np.int64]  # the line of the file that each n-gram comes from

    def word(self, i: int, k: int) -> str:
        """A word of an n-gram."""
        return self.buffer[self.starts[i, k] : self.stops[i, k]].tobytes().decode()


class ArpaFile:
    """An ARPA file from its beginning to its end; plain, or packed by gzip, xz or zstd.

    `progress` is called with the number of bytes, after unpacking, of each block when it is read. Raises an InputError
    if the header is malformed, or promises more n-grams than the file can hold.
    """

    def __init__(self, path: str | os.PathLike[str], progress: Callable[[int], object] | None = None) -> None:
        self.path = path
        check_regular(path, "ArpaModel")
        self._chunks = stream_lines(path, chunk_bytes=_BLOCK, progress=progress)
        # A block of lines; the next one to read; the number of the first one, and of the one that is looked at.
        self._buffer, self._offsets, self._next = np.zeros(8, np.uint8), np.zeros(1, np.int64), 0
        self._first = self._at = 1
        self.counts = self._read_counts()

    def sections(self) -> Iterator[tuple[int, Iterator[Ngrams]]]:
        """Each order with its n-grams. All n-grams of an order are read before the next one comes."""
        for order, count in enumerate(self.counts, 1):
            self._expect(f"\\{order}-grams:")
            yield order, self._section(order, count)
        self._expect("\\end\\")
        if (line := self._line()) is not None:
            self._fail(f"{shown(line)} comes after \\end\\; nothing may follow it.")

    def _section(self, order: int, count: int) -> Iterator[Ngrams]:
        left = count
        while self._has_line():
            numbers, starts, stops, lines, last, error = read_ngrams(self._buffer, self._offsets, self._next, order)
            first, self._next = self._next, last
            ngrams = Ngrams(self._buffer, starts, stops, numbers, lines + self._first)
            self._check(ngrams, order, lines)
            if len(lines) > left:
                self._at = self._first + int(lines[left])
                self._fail(f"there are more than the {count} {order}-grams that the header promises.")
            left -= len(lines)
            if error:
                self._at = self._first + last
                self._fail_line(self._offsets[last], order, *error)
            if len(lines):
                yield ngrams
            if last == first or last < len(self._offsets) - 1:
                break
        if left:
            self._at = self._first + self._next
            self._fail(f"there are {count - left} {order}-grams, but the header promises {count}.")

    def _check(self, ngrams: Ngrams, order: int, lines: NDArray[np.int64]) -> None:
        """Read the numbers that the kernel leaves, and refuse those that no model has."""
        numbers = ngrams.numbers
        for i, k in np.argwhere(np.isnan(numbers)).tolist():
            self._at = self._first + int(lines[i])
            text = self._text(int(lines[i]))
            field = (text.split(maxsplit=1)[0] if k == 0 else text.rpartition("\t")[2]).strip(" \t\r")
            column = text.find(field) if k == 0 else len(text.rpartition("\t")[0]) + 1
            if not _NUMBER.fullmatch(field):
                what = "log-probability" if k == 0 else "back-off, or the end of the line"
                self._fail(f"{shown(field)} is not a number; a {what} is expected.", column)
            numbers[i, k] = _single(field)
        wrong = [
            (numbers[:, 0] > 0, 0, "a log-probability cannot be positive."),
            (np.isinf(numbers[:, 1]), 1, "a back-off cannot be infinite."),
        ]
        if order == len(self.counts):
            wrong.append((numbers[:, 1] != 0, 1, f"{order}-grams are the longest, so they have no back-off."))
        for refused, k, why in wrong:
            if refused.any():
                i = int(refused.argmax())
                self._at = self._first + int(lines[i])
                self._fail(f"{numbers[i, k]:g}: {why}")

    def _fail_line(self, start: int, order: int, what: int, byte: int, words: int) -> NoReturn:
        column = len(self._buffer[start:byte].tobytes().decode())
        if what == NO_BACKOFF:
            self._fail(f"a TAB and a back-off, or the end of the line, is expected after {order} words.", column)
        what_is_missing = (
            f"{number_of(words, 'word')} where {order} are expected" if what == NO_WORD else "no word after the number"
        )
        self._fail(f"{what_is_missing}: a {order}-gram has a number, {order} words and perhaps a back-off.", column)

    def _read_counts(self) -> list[int]:
        line = self._line()
        while line is not None and line.startswith("#"):
            line = self._line()
        if line != "\\data\\":
            self._fail(f"{'the end of the file' if line is None else shown(line)}, but \\data\\ is expected.")
        counts: list[int] = []
        while self._has_line() and not self._text(self._next).startswith("\\"):
            line = self._line() or ""
            if not (match := _COUNT.fullmatch(line)) or int(match[1]) != len(counts) + 1:
                self._fail(f"{shown(line)}, but the count `ngram {len(counts) + 1}=…` is expected.")
            counts.append(int(match[2]))
        if not counts:
            self._fail("the header has no counts; `ngram 1=…` is expected.")
        size = check_regular(self.path, "ArpaModel")
        if sum(counts) > (size * _PACKING if is_packed(self.path) else size // _SHORTEST):
            self._fail(f"the header promises {sum(counts)} n-grams, more than the file can hold.")
        return counts

    def _expect(self, expected: str) -> None:
        line = self._line()
        if line != expected:
            self._fail(f"{'the end of the file' if line is None else shown(line)}, but {expected} is expected.")

    def _line(self) -> str | None:
        """The next line that is not whitespace, which is then read; None at the end of the file."""
        if not self._has_line():
            return None
        text = self._text(self._next)
        self._at = self._first + self._next
        self._next += 1
        return text

    def _has_line(self) -> bool:
        """Whether there is a line that is not whitespace. It is the next one then."""
        while True:
            while self._next < len(self._offsets) - 1:
                if self._text(self._next).strip():
                    return True
                self._next += 1
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._first += len(self._offsets) - 1
            self._buffer, self._offsets = buffers(chunk)
            self._next = 0
            if len(self._buffer) < 8:
                self._buffer = np.pad(self._buffer, (0, 8))

    def _text(self, line: int) -> str:
        return self._buffer[self._offsets[line] : self._offsets[line + 1]].tobytes().decode()

    def fail(self, what: str, line: int) -> NoReturn:
        """Report what is wrong with a line of the file."""
        self._at = line
        self._fail(what)

    def _fail(self, what: str, column: int | None = None) -> NoReturn:
        where = f"{self.path}:{self._at}" if column is None else f"{self.path}:{self._at}, column {column + 1}"
        raise InputError(f"{where}: {what}")


def _single(text: str) -> float:
    """A decimal number, rounded to 32 bits only once. ``float32(float(text))`` would round it twice."""
    with np.errstate(over="ignore"):
        near = np.float32(float(text))
    if not np.isfinite(near):
        return float(near)
    exact = Fraction(text)
    candidates = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    # Of two that are equally near, the one whose last bit is 0.
    return float(min(candidates, key=lambda each: (abs(Fraction(float(each)) - exact), int(each.view(np.uint32)) & 1)))
