"""Common n-grams of every hypothesis with every reference: an index says which references have an n-gram."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import uintp
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Ids, Number, Offsets
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.ngram_numbers import numbered_ngrams

__all__ = ["Bags", "Index", "bags_of", "common_ngrams", "index_of"]

# Unsigned, because numba tests a signed index for negative values.
Numbers = NDArray[np.uint32]


class Bags(NamedTuple):
    """The n-grams of one order in each text, as numbers.

    Attributes
    ----------
    ends : int64 (n_texts + 1,)
        Text t has the entries ``ends[t]:ends[t + 1]``, in the order in which its n-grams first begin.
    numbers, counts : uint32 (n_entries,)
        The number of each n-gram, and how often the text has it.
    alone : int64 (n_texts,)
        How many n-grams of a text have no number. Such an n-gram occurs once in all texts.
    types : int
        All numbers are below this one.
    """

    ends: Offsets
    numbers: Numbers
    counts: Numbers
    alone: Offsets
    types: int


class Index(NamedTuple):
    """The texts that have an n-gram.

    Attributes
    ----------
    starts : int64 (types + 1,)
        The n-gram g is in the entries ``starts[g]:starts[g + 1]``.
    texts, counts : uint32 (n_entries,)
        The text of each entry, in ascending order for each n-gram, and how often it has the n-gram.
    """

    starts: Offsets
    texts: Numbers
    counts: Numbers


@kernel
def _collect(
    numbers: Ids, offsets: Offsets, order: int, once: bool, places: Offsets, ends: Offsets, kept: Numbers,
    counts: Numbers, alone: Offsets,
) -> None:  # fmt: skip
    """Invariant: `places[g]` is 1 + the last entry of the n-gram g, which belongs to this text if it is not below the
    text's first one."""
    entry = 0
    for t in range(len(alone)):
        first = entry
        for i in range(offsets[t], offsets[t + 1] - order + 1):
            number = numbers[i]
            if number < 0:
                alone[t] += 1
            elif places[number] <= first:
                kept[entry], counts[entry] = number, 1
                entry += 1
                places[number] = entry
            elif not once:
                counts[places[number] - 1] += 1
        ends[t + 1] = entry


def bags_of(ids: Ids, offsets: Offsets, max_order: int, once: bool) -> list[Bags]:
    """The n-grams of orders 1 to `max_order` in each text. With `once`, a text has each n-gram at most once."""
    lengths = np.diff(offsets)
    room = (np.repeat(offsets[1:], lengths) - np.arange(offsets[-1])).astype(np.int32)
    found = []
    for order, numbered in enumerate(numbered_ngrams(ids, room, max_order), 1):
        numbers, types = np.full(len(ids), -1, np.int32), len(numbered.places)
        numbers[numbered.tokens] = numbered.numbers
        size = int(np.maximum(lengths - order + 1, 0).sum())
        ends, alone = np.zeros(len(offsets), np.int64), np.zeros(len(lengths), np.int64)
        kept, counts = np.empty((2, size), np.uint32)
        _collect(
            numbers, offsets, order, once, np.zeros(types, np.int64), ends, kept, counts, alone
        )  # fmt: skip
        found.append(Bags(ends, kept[: ends[-1]].copy(), counts[: ends[-1]].copy(), alone, types))
    return found


@kernel
def _invert(
    ends: Offsets, numbers: Numbers, counts: Numbers, first: int, starts: Offsets, texts: Numbers, its: Numbers
) -> None:
    """Sort the entries of the texts from `first` on by their n-grams, by counting.

    Invariant of the last loop: the next entry of the n-gram g goes to `starts[g + 1]`. At the end g + 1 begins there.
    """
    for e in range(ends[first], ends[len(ends) - 1]):
        starts[numbers[e] + uintp(2)] += 1
    for g in range(2, len(starts)):
        starts[g] += starts[g - 1]
    for t in range(first, len(ends) - 1):
        for e in range(ends[t], ends[t + 1]):
            place = starts[numbers[e] + uintp(1)]
            texts[place], its[place] = t - first, counts[e]
            starts[numbers[e] + uintp(1)] += 1


def index_of(bags: Bags, first: int) -> Index:
    """Which texts have an n-gram, and how often. Text `first` has the number 0; those before it are left out."""
    size = int(bags.ends[-1] - bags.ends[first])
    starts = np.zeros(bags.types + 2, np.int64)
    texts, counts = np.empty((2, size), np.uint32)
    _invert(bags.ends, bags.numbers, bags.counts, first, starts, texts, counts)
    return Index(starts[:-1], texts, counts)


@helper
def _first_from(texts: Numbers, start: Number, stop: Number, least: Number) -> Number:
    """The first of the ascending entries `start` to `stop` whose text is at least `least`."""
    while start < stop:
        middle = (start + stop) >> 1
        if texts[uintp(middle)] < least:
            start = middle + 1
        else:
            stop = middle
    return start


@kernel
def _common(
    ends: Offsets, numbers: Numbers, counts: Numbers, first: int, last: int, starts: Offsets, texts: Numbers,
    its: Numbers, low: int, high: int, references: int, sums: Offsets, column: int, matches: FloatRows,
) -> None:  # fmt: skip
    """Invariant: after an n-gram of a hypothesis, `sums[r]` is the number of matches of all its n-grams so far with the
    reference `low + r`. A pair without a common n-gram costs nothing but its zero."""
    row = 0
    for h in range(first, last):
        sums[:] = 0
        for e in range(ends[h], ends[h + 1]):
            number, count = uintp(numbers[e]), counts[e]
            start, stop = starts[number], starts[number + uintp(1)]
            if low > 0:
                start = _first_from(texts, start, stop, low)
            if high < references:
                stop = _first_from(texts, start, stop, high)
            if count == 1:  # most n-grams of a text occur once, and a reference in the list has at least one
                for i in range(uintp(start), uintp(stop)):
                    sums[uintp(texts[i]) - uintp(low)] += 1
            else:
                for i in range(uintp(start), uintp(stop)):
                    sums[uintp(texts[i]) - uintp(low)] += lesser(count, its[i])
        for r in range(high - low):
            matches[row, column] = sums[r]
            row += 1


def common_ngrams(
    bags: list[Bags], indices: list[Index], hypotheses: range, references: range, count: int, matches: FloatRows
) -> None:
    """Write how many n-grams each of the `hypotheses` has in common with each of the `references`: (pairs, orders).

    n-grams are compared as bags, or as sets if the bags were collected with `once`. The pairs of a hypothesis follow
    each other. There are `count` references in the index. The time is that of the matches, not of the pairs' n-grams.
    """
    sums = np.zeros(len(references), np.int64)
    for column, (bag, index) in enumerate(zip(bags, indices, strict=True)):
        _common(
            bag.ends, bag.numbers, bag.counts, hypotheses.start, hypotheses.stop, *index, references.start,
            references.stop, count, sums, column, matches,
        )  # fmt: skip
