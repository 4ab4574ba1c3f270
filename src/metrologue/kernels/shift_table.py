"""The table of the edit distance of two texts, near its diagonal, while words of the hypothesis are shifted.

A hypothesis of n words becomes a reference of m words. The table has a row i for the first i words of the hypothesis
and a column j for the first j words of the reference. Only the columns near the diagonal are computed, so that memory
and time grow with n + m.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import int32, int64

from metrologue.kernels.arrays import Bytes, Flags, IdRows, Ids, Number, Offsets, Rows
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper

__all__ = [
    "DELETE",
    "EQUAL",
    "INSERT",
    "SUBSTITUTE",
    "Search",
    "beam_columns",
    "distance_after",
    "rows_ahead",
    "rows_back",
    "trace",
]

# The steps of an edit script; also columns of the counts of ``shift_edits``.
EQUAL, SUBSTITUTE, INSERT, DELETE = range(4)

# More than any distance, and small enough to add 1 without an overflow.
_FAR = 1 << 29


class Search(NamedTuple):
    """The state of the search for one pair.

    Attributes
    ----------
    words, spare : int32 (n,)
        The hypothesis as it stands, and room to move words.
    reference : int32 (m + 2,)
        Word j of the reference at `reference[j]`, with no word at either end.
    low, high : int64 (n + 1,)
        The first and the last column of each row.
    ahead, back : int32 (n + 3, width), (n + 1, width)
        The least cost from the beginning of the table to a cell, and from a cell to the end, over cells in the beam
        only. Column j of row i is `[i, j - low[i] + 1]`. The cells on both sides of a row hold a large number. The last
        two rows of `ahead` are room for shifts that are only tried.
    aligned : int64 (m,)
        How many words of the hypothesis are aligned up to each word of the reference.
    wrong, missed : bool (n,), (m,)
        Which words of the hypothesis and of the reference are not matched.
    steps : uint8 (n + m,)
        The script, at the end of the array.
    candidates : int64 (any, 3)
        Start, length and target of each possible shift. The target is the word of the hypothesis that the block is put
        in front of.
    shifts : int64 (any, 3)
        Start and length of each block that was shifted, and its start afterwards.
    """

    words: Ids
    spare: Ids
    reference: Ids
    low: Offsets
    high: Offsets
    ahead: IdRows
    back: IdRows
    aligned: Offsets
    wrong: Flags
    missed: Flags
    steps: Bytes
    candidates: Rows
    shifts: Rows


@helper
def beam_columns(n: Number, m: Number, beam: Number, low: Offsets, high: Offsets) -> Number:
    """Set the columns of each row. Returns the width that the tables need.

    All columns of the first row exist, but only those that the second row needs are stored.
    """
    ratio = m / n
    reach = beam if ratio / 2 <= beam else int64(math.ceil(ratio / 2 + beam))
    for i in range(1, n + 1):
        diagonal = int64(math.floor(i * ratio))
        low[i] = greater(0, diagonal - reach)
        high[i] = lesser(m, diagonal + reach - 1)
    high[n] = m
    low[0], high[0] = greater(0, low[1] - 1), high[1]
    width = int64(0)
    for i in range(n + 1):
        width = greater(width, high[lesser(i + 1, n)] - low[i] + 3)
    return width


@helper
def _row(search: Search, n: Number, source: Number, target: Number, i: Number, word: Number) -> Number:
    """Compute row i of the table from row i - 1, for `word`. Returns the least cost of the row.

    Row i - 1 is row `source` of `ahead`, and row i becomes row `target`.
    """
    ahead, reference = search.ahead, search.reference
    first, last = search.low[i], search.high[i]
    before, here = search.low[i - 1] - 1, first - 1
    ahead[target, 0] = _FAR
    cost = least = int32(_FAR)
    for j in range(first, last + 1):
        matched = ahead[source, j - 1 - before] + int32(reference[j] != word)
        cost = lesser(lesser(matched, ahead[source, j - before] + int32(1)), cost + int32(1))
        ahead[target, j - here] = cost
        least = lesser(least, cost)
    for j in range(last + 1, search.high[lesser(i + 1, n)] + 1):
        ahead[target, j - here] = _FAR
    return least


@helper
def rows_ahead(search: Search, n: Number, first: Number) -> None:
    """Compute all rows of `ahead` after row `first`."""
    if first == 0:
        here = search.low[0] - 1
        search.ahead[0, 0] = _FAR
        for j in range(search.low[0], search.high[0] + 1):
            search.ahead[0, j - here] = j
    for i in range(first + 1, n + 1):
        _row(search, n, i - 1, i, i, search.words[i - 1])


@helper
def rows_back(search: Search, n: Number, m: Number, first: Number, last: Number) -> None:
    """Compute the rows of `back` from `first` down to `last`. The rows after `first` are up to date."""
    back, words, reference = search.back, search.words, search.reference
    for i in range(first, last - 1, -1):
        here = search.low[i] - 1
        cost = int32(_FAR)
        back[i, 0] = back[i, search.high[i] + 1 - here] = _FAR
        if i == n:
            for j in range(search.low[i], m + 1):
                back[i, j - here] = m - j
            continue
        below = search.low[i + 1] - 1
        for j in range(search.high[i], search.low[i] - 1, -1):
            cost += int32(1)
            if j >= below:
                matched = back[i + 1, j + 1 - below] + int32(reference[j + 1] != words[i])
                cost = lesser(lesser(matched, back[i + 1, j - below] + int32(1)), cost)
            back[i, j - here] = cost


@helper
def trace(search: Search, n: Number, m: Number) -> Number:
    """Walk back through the table and write the script. Returns the number of steps.

    Among equal costs, a match or a substitution comes first, then an insertion, then a deletion.
    """
    ahead, low = search.ahead, search.low
    i, j, at = n, m, n + m
    while i > 0 or j > 0:
        at -= 1
        if i == 0:
            j -= 1
            search.aligned[j], search.missed[j], search.steps[at] = 0, True, DELETE
            continue
        cost, before = ahead[i, j - low[i] + 1], low[i - 1] - 1
        differ = int32(search.reference[j] != search.words[i - 1])
        if ahead[i - 1, j - 1 - before] + differ == cost:
            i -= 1
            j -= 1
            search.aligned[j], search.missed[j], search.wrong[i] = i + 1, differ, differ
            search.steps[at] = SUBSTITUTE if differ else EQUAL
        elif ahead[i - 1, j - before] + 1 == cost:
            i -= 1
            search.wrong[i], search.steps[at] = True, INSERT
        else:
            j -= 1
            search.aligned[j], search.missed[j], search.steps[at] = i, True, DELETE
    return n + m - at


@helper
def distance_after(
    search: Search, n: Number, m: Number, first: Number, second: Number, end: Number, limit: Number
) -> Number:
    """The edit distance after a turn (see ``shifts``), or any number above `limit`.

    Only the rows of the words that move are new. The rows before them are in `ahead`, and those after them in `back`.
    """
    source = first
    for i in range(first, end):
        moved = second + i - first
        target = n + 1 + (i & 1)
        word = search.words[moved if moved < end else moved - (end - first)]
        if _row(search, n, source, target, i + 1, word) > limit:
            return limit + 1
        source = target
    here = search.low[end] - 1
    best: Number = int32(_FAR)
    for j in range(search.low[end], search.high[end] + 1):
        best = lesser(best, search.ahead[source, j - here] + search.back[end, j - here])
    return int64(best)
