"""Edits with block shifts: the greedy search of tercom (Snover et al. 2006), with sacrebleu's beam and limits.

Words are ids. A search allocates only its tables.
"""

from __future__ import annotations

from threading import local
from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Flags, IdRows, Ids, Number, Offsets, Rows, row_lengths
from metrologue.kernels.shift_table import (
    DELETE,
    EQUAL,
    INSERT,
    SUBSTITUTE,
    Search,
    beam_columns,
    distance_after,
    rows_ahead,
    rows_back,
    trace,
)
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["COUNTS", "DELETE", "EQUAL", "INSERT", "SUBSTITUTE", "shift_edits"]

COUNTS = ("equal", "substitutions", "insertions", "deletions", "shifts")
_SHIFTS = 4

# All pairs share one table of their greatest size, up to this many bytes. Above, each pair has its own table.
_SHARED_BYTES = 1 << 28
# Up to this many words and candidates, all calls of a thread share their arrays: to make them costs more than a search.
_FEW, _CANDIDATES = 128, 1000
_KEPT = local()


@helper
def _find(
    search: Search, n: Number, m: Number, longest: Number, farthest: Number, checked: Number, limit: Number
) -> Number:
    """Write the candidates. Returns their number, or a number below 0 once there have been `limit` candidates.

    A candidate is a block of words that both texts have. At least one of its words is not matched in the hypothesis,
    and at least one is not matched in the reference. The block may move in front of the words that its reference words
    are aligned with, or after the last of them.
    """
    words, reference, candidates = search.words, search.reference, search.candidates
    found = 0
    for start in range(n):
        for position in range(greater(0, start - farthest), lesser(m, start + farthest + 1)):
            wrong = missed = False
            length = 0
            while (
                length < lesser(lesser(longest, n - start), m - position)
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
                if checked + found >= limit:
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
def _search(
    search: Search, n: Number, m: Number, longest: Number, farthest: Number, limit: Number
) -> tuple[Number, Number]:
    """Shift for as long as this reduces the distance. Returns the number of shifts and of steps in the script.

    sacrebleu takes the greatest of (gain, length, -start, -target, words). The words never decide, because length,
    start and target already determine the shift. In the round in which the number of candidates reaches `limit`, no
    shift is made. So distances are only computed in rounds before that.
    """
    candidates = search.candidates
    # One type from the start. Otherwise, the functions that take them would be compiled twice.
    shifts = checked = int64(0)
    known = n + 1
    rows_ahead(search, n, int64(0))
    while True:
        steps = trace(search, n, m)
        found = _find(search, n, m, longest, farthest, checked, limit)
        if found <= 0:
            return shifts, steps
        checked += found
        lowest = n
        for c in range(found):
            start, length, target = candidates[c, 0], candidates[c, 1], candidates[c, 2]
            lowest = lesser(lowest, _turn(n, start, length, target)[2])
        if lowest < known:
            rows_back(search, n, m, known - 1, lowest)
            known = lowest
        best = search.ahead[n, m - search.low[n] + 1] - int64(1)
        chosen: Number = int64(-1)
        for c in range(found):
            start, length, target = candidates[c, 0], candidates[c, 1], candidates[c, 2]
            first, second, end = _turn(n, start, length, target)
            distance = distance_after(search, n, m, first, second, end, best)
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
        rows_ahead(search, n, first)


@helper
def _before(candidates: Offsets, one: Number, other: Number) -> Number:
    """Whether the first of two candidates of equal gain is better: longer, or earlier, or with an earlier target."""
    if candidates[one, 1] != candidates[other, 1]:
        return candidates[one, 1] > candidates[other, 1]
    if candidates[one, 0] != candidates[other, 0]:
        return candidates[one, 0] < candidates[other, 0]
    return candidates[one, 2] < candidates[other, 2]


@kernel
def _widest(offsets: Offsets, hypotheses: Offsets, references: Offsets, beam: int, low: Offsets, high: Offsets) -> int:
    """The greatest width that a table of these pairs needs."""
    widest: Number = int64(0)
    for p in range(len(hypotheses)):
        n = offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        m = offsets[references[p] + 1] - offsets[references[p]]
        if n > 0 and m > 0:
            widest = greater(widest, beam_columns(n, m, beam, low, high))
    return widest


@kernel
def _shift_edits(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    beam: int,
    longest: int,
    farthest: int,
    limit: int,
    words: Ids,
    spare: Ids,
    reference: Ids,
    low: Offsets,
    high: Offsets,
    ahead: IdRows,
    back: IdRows,
    aligned: Offsets,
    wrong: Flags,
    missed: Flags,
    own_steps: Bytes,
    candidates: Rows,
    own_shifts: Rows,
    state: Offsets,
    counts: Rows,
    shifts: Rows,
    steps: Bytes,
) -> None:
    """Fill the arrays of ``shift_edits``. `state` has the number of shifts and of steps so far."""
    search = Search(
        words, spare, reference, low, high, ahead, back, aligned, wrong, missed, own_steps, candidates, own_shifts
    )
    shifted, stepped = state[0], state[1]
    for p in range(len(hypotheses)):
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        n, m = offsets[hypotheses[p] + 1] - h, offsets[references[p] + 1] - r
        if n == 0 or m == 0:
            step = INSERT if n else DELETE
            counts[p, step] = n + m
            steps[stepped : stepped + n + m] = step
            stepped += n + m
            continue
        beam_columns(n, m, beam, low, high)
        reference[0] = reference[m + 1] = -1
        for i in range(n):
            words[i] = ids[h + i]
        for j in range(m):
            reference[j + 1] = ids[r + j]
        moves, length = _search(search, n, m, longest, farthest, limit)
        for k in range(n + m - length, n + m):
            counts[p, own_steps[k]] += 1
            steps[stepped] = own_steps[k]
            stepped += 1
        counts[p, _SHIFTS] = moves
        for k in range(moves):
            for part in range(3):
                shifts[shifted, part] = own_shifts[k, part]
            shifted += 1
    state[0], state[1] = shifted, stepped


def shift_edits(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    beam: int,
    longest: int,
    farthest: int,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """The edits and shifts that turn the texts `hypotheses[p]` into the texts `references[p]`.

    Text t is `ids[offsets[t]:offsets[t + 1]]`. `beam` is the number of columns that are searched on either side of the
    diagonal. `longest` is the greatest length of a block that moves, and `farthest` the greatest distance between its
    positions in the two texts. The search ends at `limit` candidates.

    Returns three arrays. The first has the numbers of `COUNTS`, (pairs, 5). The second has the shifts of all pairs,
    (shifts, 3): start, length, and start afterwards. The third has the steps from each shifted hypothesis to its
    reference, from left to right: EQUAL, SUBSTITUTE, INSERT and DELETE.
    """
    pairs, lengths = len(hypotheses), row_lengths(offsets)
    few = max(pairs, len(ids)) <= _FEW and limit <= _CANDIDATES
    # No pair has more words than all texts together.
    words = pairs * len(ids) if few else int((lengths[hypotheses] + lengths[references]).sum())
    counts = np.zeros((pairs, len(COUNTS)), np.int64)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    shifts, steps = np.empty((words, 3), np.int64), np.empty(words, np.uint8)
    state = np.zeros(2, np.int64)
    limits = beam, longest, farthest, limit
    room = _kept_room() if few else _room(offsets, hypotheses, references, *limits, limit_bytes=_SHARED_BYTES)
    for first, last in [(0, pairs)] if room else [(p, p + 1) for p in range(pairs)]:
        part = hypotheses[first:last], references[first:last]
        own = room or _room(offsets, *part, *limits)
        _shift_edits(ids, offsets, *part, *limits, *own, state, counts[first:last], shifts, steps)
    return counts, shifts[: state[0]].copy(), steps[: state[1]].copy()


def _kept_room() -> tuple[NDArray[Any], ...]:
    """The arrays of `Search` for texts of up to `_FEW` words, the same ones in each call of a thread."""
    try:
        room: tuple[NDArray[Any], ...] = _KEPT.room
    except AttributeError:
        # A row has a cell for each word, and the cells on both sides.
        room = _KEPT.room = _arrays(_FEW, _FEW, _FEW + 3, _CANDIDATES + _FEW + 1)
    return room


def _room(
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    beam: int,
    longest: int,
    farthest: int,
    limit: int,
    limit_bytes: int | None = None,
) -> tuple[NDArray[Any], ...]:
    """The arrays of `Search` for these pairs, or an empty tuple if their common table would be too large."""
    lengths = row_lengths(offsets)
    n, m = lengths[hypotheses], lengths[references]
    rows, columns = int(n.max(initial=0)), int(m.max(initial=0))
    low, high = np.empty((2, rows + 1), np.int64)
    width = _widest(offsets, hypotheses, references, beam, low, high)
    if limit_bytes is not None and 4 * rows * width > limit_bytes:
        return ()
    shared = np.minimum(np.minimum(n, m), longest)
    # Floats: for long texts under wide limits the numbers exceed 64 bits.
    possible = n * np.minimum(m, 2.0 * farthest + 1) * shared * (shared + 1)
    candidates = int((np.minimum(possible, limit) + shared + 1).max(initial=0))
    return _arrays(rows, columns, width, candidates)


def _arrays(rows: int, columns: int, width: int, candidates: int) -> tuple[NDArray[Any], ...]:
    """The arrays of `Search` for hypotheses of up to `rows` words and references of up to `columns` words."""
    return (
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty(columns + 2, np.int32),
        np.empty(rows + 1, np.int64),
        np.empty(rows + 1, np.int64),
        np.empty((rows + 3, width), np.int32),
        np.empty((rows + 1, width), np.int32),
        np.empty(columns, np.int64),
        np.empty(rows, np.bool_),
        np.empty(columns, np.bool_),
        np.empty(rows + columns, np.uint8),
        np.empty((candidates, 3), np.int64),
        np.empty((rows + columns, 3), np.int64),
    )
