"""The table of the edit distance of two texts, near its diagonal, while words of the hypothesis are shifted.

A hypothesis of n words becomes a reference of m words. The table has a row i for the first i words of the hypothesis
and a column j for the first j words of the reference. Only the columns near the diagonal are computed, so that memory
and time grow with n + m.
"""

from __future__ import annotations

import math
from threading import local
from typing import NamedTuple

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Flags, IdRows, Ids, Number, Offsets, Rows, row_lengths
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["COUNTS", "DELETE", "EQUAL", "INSERT", "SUBSTITUTE", "Limits", "shift_edits"]

# The steps of an edit script; also columns of the counts of ``shift_edits``.
EQUAL, SUBSTITUTE, INSERT, DELETE = range(4)

# More than any distance, and small enough to add 1 without an overflow.
_FAR = 1 << 29


class Limits(NamedTuple):
    """The limits of a search.

    Attributes
    ----------
    beam : int
        The number of columns that are searched on either side of the diagonal.
    longest, farthest : int
        The greatest length of a block that moves, and the greatest distance between its positions in the two texts.
    candidates : int
        The search ends at so many candidates.
    """

    beam: int
    longest: int
    farthest: int
    candidates: int


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

    @classmethod
    def of(cls, rows: int, columns: int, width: int, candidates: int) -> Search:
        """Room for hypotheses of up to `rows` words and references of up to `columns` words."""
        words, spare = np.empty((2, rows), np.int32)
        low, high = np.empty((2, rows + 1), np.int64)
        return cls(
            words,
            spare,
            np.empty(columns + 2, np.int32),
            low,
            high,
            np.empty((rows + 3, width), np.int32),
            np.empty((rows + 1, width), np.int32),
            np.empty(columns, np.int64),
            np.empty(rows, np.bool_),
            np.empty(columns, np.bool_),
            np.empty(rows + columns, np.uint8),
            np.empty((candidates, 3), np.int64),
            np.empty((rows + columns, 3), np.int64),
        )


@helper
def _beam_columns(n: Number, m: Number, beam: Number, low: Offsets, high: Offsets) -> Number:
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
def _rows_ahead(search: Search, n: Number, first: Number) -> None:
    """Compute all rows of `ahead` after row `first`."""
    if first == 0:
        here = search.low[0] - 1
        search.ahead[0, 0] = _FAR
        for j in range(search.low[0], search.high[0] + 1):
            search.ahead[0, j - here] = j
    for i in range(first + 1, n + 1):
        _row(search, n, i - 1, i, i, search.words[i - 1])


@helper
def _rows_back(search: Search, n: Number, m: Number, first: Number, last: Number) -> None:
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
def _trace(search: Search, n: Number, m: Number) -> Number:
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
def _distance_after(
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


COUNTS = ("equal", "substitutions", "insertions", "deletions", "shifts")
_SHIFTS = 4

# All pairs share one table of their greatest size, up to this many bytes. Above, each pair has its own table.
_SHARED_BYTES = 1 << 28
# Up to this many words and candidates, all calls of a thread share their arrays: to make them costs more than a search.
_FEW, _CANDIDATES = 128, 1000
_KEPT = local()


@helper
def _find(search: Search, n: Number, m: Number, limits: Limits, checked: Number) -> Number:
    """Write the candidates. Returns their number, or a number below 0 once there have been too many of them.

    A candidate is a block of words that both texts have. At least one of its words is not matched in the hypothesis,
    and at least one is not matched in the reference. The block may move in front of the words that its reference words
    are aligned with, or after the last of them.
    """
    words, reference, candidates = search.words, search.reference, search.candidates
    found = 0
    for start in range(n):
        for position in range(greater(0, start - limits.farthest), lesser(m, start + limits.farthest + 1)):
            wrong = missed = False
            length = 0
            while (
                length < lesser(lesser(limits.longest, n - start), m - position)
                and words[start + length] == reference[position + length + 1]
            ):
                wrong |= search.wrong[start + length]
                missed |= search.missed[position + length]
                length += 1
                if not (wrong and missed) or start < search.aligned[position] <= start + length:
                    continue
                before = -1
                for place in range(position - 1, position + length):
                    target = search.aligned[place] if place >= 0 else 0
                    if target != before:
                        before = target
                        candidates[found, 0], candidates[found, 1], candidates[found, 2] = start, length, target
                        found += 1
                if checked + found >= limits.candidates:
                    return -1
    return found


@helper
def _turn(n: Number, start: Number, length: Number, target: Number) -> Number:
    """A shift as two neighbouring blocks that change places: the start of both, and the end of the second."""
    if target < start:
        return target, start, start + length
    # tercom counts a target inside of the block from the end of the block.
    return start, start + length, target if target > start + length else lesser(n, target + length)


@helper
def _search(search: Search, n: Number, m: Number, limits: Limits) -> tuple[Number, Number]:
    """Shift for as long as this reduces the distance. Returns the number of shifts and of steps in the script.

    sacrebleu takes the greatest of (gain, length, -start, -target, words). The words never decide, because length,
    start and target already determine the shift. In the round in which the number of candidates reaches its limit, no
    shift is made. So distances are only computed in rounds before that.
    """
    candidates = search.candidates
    # One type from the start. Otherwise, the functions that take them would be compiled twice.
    shifts = checked = int64(0)
    known = n + 1
    _rows_ahead(search, n, int64(0))
    while True:
        steps = _trace(search, n, m)
        found = _find(search, n, m, limits, checked)
        if found <= 0:
            return shifts, steps
        checked += found
        lowest = n
        for c in range(found):
            start, length, target = candidates[c, 0], candidates[c, 1], candidates[c, 2]
            lowest = lesser(lowest, _turn(n, start, length, target)[2])
        if lowest < known:
            _rows_back(search, n, m, known - 1, lowest)
            known = lowest
        best = search.ahead[n, m - search.low[n] + 1] - int64(1)
        chosen: Number = int64(-1)
        for c in range(found):
            start, length, target = candidates[c, 0], candidates[c, 1], candidates[c, 2]
            first, second, end = _turn(n, start, length, target)
            distance = _distance_after(search, n, m, first, second, end, best)
            if distance < best or (distance == best and (chosen < 0 or _before(candidates, c, chosen))):
                best, chosen = distance, c
        if chosen < 0:
            return shifts, steps
        start, length, target = candidates[chosen, 0], candidates[chosen, 1], candidates[chosen, 2]
        first, second, end = _turn(n, start, length, target)
        for i in range(first, end):
            moved = second + i - first
            search.spare[i] = search.words[moved if moved < end else moved - (end - first)]
        for i in range(first, end):
            search.words[i] = search.spare[i]
        search.shifts[shifts, 0], search.shifts[shifts, 1] = start, length
        search.shifts[shifts, 2] = first if target < start else end - length
        shifts += 1
        known = greater(known, end)
        _rows_ahead(search, n, first)


@helper
def _before(candidates: Offsets, one: Number, other: Number) -> Number:
    """Whether the first of two candidates of equal gain is better: longer, or earlier, or with an earlier target."""
    if candidates[one, 1] != candidates[other, 1]:
        return candidates[one, 1] > candidates[other, 1]
    if candidates[one, 0] != candidates[other, 0]:
        return candidates[one, 0] < candidates[other, 0]
    return candidates[one, 2] < candidates[other, 2]


@kernel
def _widest(texts: Pairs, beam: int, low: Offsets, high: Offsets) -> int:
    """The greatest width that a table of these pairs needs."""
    widest: Number = int64(0)
    for p in range(len(texts.hypotheses)):
        _, n, _, m = places(texts, p)
        if n > 0 and m > 0:
            widest = greater(widest, _beam_columns(n, m, beam, low, high))
    return widest


@kernel
def _shift_edits(
    texts: Pairs, limits: Limits, search: Search, state: Offsets, counts: Rows, shifts: Rows, steps: Bytes
) -> None:
    """Fill the arrays of ``shift_edits``. `state` has the number of shifts and of steps so far."""
    shifted, stepped = state[0], state[1]
    for p in range(len(counts)):
        h, n, r, m = places(texts, p)
        if n == 0 or m == 0:
            step = INSERT if n else DELETE
            counts[p, step] = n + m
            steps[stepped : stepped + n + m] = step
            stepped += n + m
            continue
        _beam_columns(n, m, limits.beam, search.low, search.high)
        search.reference[0] = search.reference[m + 1] = -1
        for i in range(n):
            search.words[i] = texts.ids[h + i]
        for j in range(m):
            search.reference[j + 1] = texts.ids[r + j]
        moves, length = _search(search, n, m, limits)
        for k in range(n + m - length, n + m):
            counts[p, search.steps[k]] += 1
            steps[stepped] = search.steps[k]
            stepped += 1
        counts[p, _SHIFTS] = moves
        for k in range(moves):
            for part in range(3):
                shifts[shifted, part] = search.shifts[k, part]
            shifted += 1
    state[0], state[1] = shifted, stepped


def shift_edits(texts: Pairs, limits: Limits) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """The edits and shifts that turn the hypothesis of each pair into its reference.

    Returns three arrays. The first has the numbers of `COUNTS`, (pairs, 5). The second has the shifts of all pairs,
    (shifts, 3): start, length, and start afterwards. The third has the steps from each shifted hypothesis to its
    reference, from left to right: EQUAL, SUBSTITUTE, INSERT and DELETE.
    """
    pairs, lengths = len(texts.hypotheses), row_lengths(texts.offsets)
    few = max(pairs, len(texts.ids)) <= _FEW and limits.candidates <= _CANDIDATES
    # No pair has more words than all texts together.
    words = pairs * len(texts.ids) if few else int((lengths[texts.hypotheses] + lengths[texts.references]).sum())
    counts = np.zeros((pairs, len(COUNTS)), np.int64)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    shifts, steps = np.empty((words, 3), np.int64), np.empty(words, np.uint8)
    state = np.zeros(2, np.int64)
    room = _kept_room() if few else _room(texts, limits, _SHARED_BYTES)
    for first, last in [(0, pairs)] if room else [(p, p + 1) for p in range(pairs)]:
        part = Pairs(texts.ids, texts.offsets, texts.hypotheses[first:last], texts.references[first:last])
        search = room or _room(part, limits)
        assert search  # without a limit of bytes, there is always room
        _shift_edits(*part, *limits, *search, state, counts[first:last], shifts, steps)
    return counts, shifts[: state[0]].copy(), steps[: state[1]].copy()


def _kept_room() -> Search:
    """Room for texts of up to `_FEW` words, the same in each call of a thread."""
    try:
        room: Search = _KEPT.room
    except AttributeError:
        # A row has a cell for each word, and the cells on both sides.
        room = _KEPT.room = Search.of(_FEW, _FEW, _FEW + 3, _CANDIDATES + _FEW + 1)
    return room


def _room(texts: Pairs, limits: Limits, limit_bytes: int | None = None) -> Search | None:
    """Room for these pairs, or None if their common table would be too large."""
    lengths = row_lengths(texts.offsets)
    n, m = lengths[texts.hypotheses], lengths[texts.references]
    rows, columns = int(n.max(initial=0)), int(m.max(initial=0))
    low, high = np.empty((2, rows + 1), np.int64)
    width = _widest(*texts, limits.beam, low, high)
    if limit_bytes is not None and 4 * rows * width > limit_bytes:
        return None
    shared = np.minimum(np.minimum(n, m), limits.longest)
    # Floats: for long texts under wide limits the numbers exceed 64 bits.
    possible = n * np.minimum(m, 2.0 * limits.farthest + 1) * shared * (shared + 1)
    candidates = int((np.minimum(possible, limits.candidates) + shared + 1).max(initial=0))
    return Search.of(rows, columns, width, candidates)
