"""Runs of equal tokens in two texts, chosen greedily: the longest run first (Melamed et al. 2003).

A hit (i, j) is a token of the hypothesis that equals one of the references. A run is a diagonal of hits. The references
of a hypothesis are laid end to end, and no run goes on from one into the next. Text t is
`ids[offsets[t]:offsets[t + 1]]`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Bytes, FloatRows, Floats, Ids, Number, Offsets
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = ["chosen_runs", "match_sizes"]


class _Room(NamedTuple):
    """What lists the places of each type in the references, what marks the tokens of both texts, and the heap."""

    heads: Offsets
    following: Offsets
    opens: Bytes
    used: Bytes
    other_used: Bytes
    heap: Offsets


@helper
def _push(heap: Offsets, size: Number, key: Number) -> None:
    """Put a key into a heap of this size, where no key is greater than the one above it."""
    child = size
    while child and heap[(child - 1) >> 1] < key:
        heap[child] = heap[(child - 1) >> 1]
        child = (child - 1) >> 1
    heap[child] = key


@helper
def _pop(heap: Offsets, size: Number) -> None:
    """Take the greatest key out of a heap of this size."""
    key, place = heap[size - 1], int64(0)
    while 2 * place + 1 < size - 1:
        child = 2 * place + 1
        if child + 1 < size - 1 and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= key:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = key


@helper
def _longest_runs(room: _Room, ids: Ids, begin: Number, count: Number, other: Number, other_count: Number) -> Number:
    """Fill the heap with all runs of two tokens or more that no hit can extend. Returns their number, -1 without room.

    A key holds length, i and j, so the greatest is the longest run, and of equal ones the latest.
    """
    size = int64(0)
    for i in range(count):
        j = room.heads[ids[begin + i]]
        while j >= 0:
            if i == 0 or room.opens[j] or ids[begin + i - 1] != ids[other + j - 1]:
                length, most = int64(1), lesser(count - i, other_count - j)
                while (
                    length < most and not room.opens[j + length] and ids[begin + i + length] == ids[other + j + length]
                ):
                    length += 1
                if length > 1:
                    if size == len(room.heap):
                        return int64(-1)
                    _push(room.heap, size, (length * count + i) * other_count + j)
                    size += 1
            j = room.following[j]
    return size


@helper
def _free(room: _Room, i: Number, j: Number, length: Number) -> Number:
    """The number of tokens from (i, j) on that no chosen run has."""
    free = int64(0)
    while free < length and not room.used[i + free] and not room.other_used[j + free]:
        free += 1
    return free


@helper
def _put_back(
    room: _Room, i: Number, j: Number, length: Number, count: Number, other_count: Number, size: Number
) -> Number:
    """Put the free parts of a run into the heap, if they have two tokens or more. Returns its size, -1 without room."""
    done = int64(0)
    while done < length:
        free = _free(room, i + done, j + done, length - done)
        if free > 1:
            if size == len(room.heap):
                return int64(-1)
            _push(room.heap, size, (free * count + i + done) * other_count + j + done)
            size += 1
        done += free + 1
    return size


@helper
def _cut_run(
    room: _Room, ids: Ids, begin: Number, count: Number, other: Number, other_count: Number, left: Number, last: Number
) -> Number:
    """The key of the next run after the key `last` that is longer than what is `left`, so that it is cut; -1 for none.

    Only the tokens that count must be free, so the rest may belong to a chosen run.
    """
    best, counted, area = int64(-1), int64(math.ceil(left)), count * other_count
    for i in range(count):
        j = room.heads[ids[begin + i]]
        while j >= 0:
            length, most = int64(1), lesser(lesser(count - i, other_count - j), last // area)
            while length < most and not room.opens[j + length] and ids[begin + i + length] == ids[other + j + length]:
                length += 1
            key = length * area + i * other_count + j
            if key >= last:
                length, key = length - 1, key - area
            if length > left and key > best and _free(room, i, j, counted) == counted:
                best = key
            j = room.following[j]
    return best


@helper
def _choose(
    room: _Room, i: Number, j: Number, length: Number, exponent: Number, runs: FloatRows, chosen: Number
) -> Number:
    """Mark the tokens of a run, of which the last may count in part. Returns what the run adds to the sum."""
    for k in range(int64(math.ceil(length))):
        room.used[i + k] = 1
        room.other_used[j + k] = 1
    if len(runs):
        runs[chosen, 0], runs[chosen, 1], runs[chosen, 2] = i, j, length
    return length**exponent


@kernel
def _greedy_runs(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    firsts: Offsets,
    lasts: Offsets,
    exponent: float,
    start: int,
    room: _Room,
    sizes: Floats,
    runs: FloatRows,
) -> int:
    """Choose the runs of each hypothesis from `start` on. Returns the one whose runs the heap has no room for.

    Invariant: each run of two or more free hits is part of a run in the heap. So if all hits of the greatest one are
    free, it is the longest, and the latest, of all free runs. Otherwise its free parts go back into the heap. When the
    heap is empty, the runs that are left have one hit. A run that the budget cuts adds the same wherever it lies; we
    search for the right one only where runs are listed. `heads` and `following` list the places of each type in the
    references, from the last on.
    """
    for p in range(start, len(hypotheses)):
        begin, count = offsets[hypotheses[p]], offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        other, other_count = offsets[firsts[p]], offsets[lasts[p]] - offsets[firsts[p]]
        room.used[:count] = 0
        room.other_used[:other_count] = 0
        room.opens[:other_count] = 0
        for reference in range(firsts[p], lasts[p]):
            if offsets[reference] < offsets[lasts[p]]:
                room.opens[offsets[reference] - other] = 1
        for j in range(other_count):
            room.following[j] = room.heads[ids[other + j]]
            room.heads[ids[other + j]] = j
        left = lesser(float(count), other_count / (lasts[p] - firsts[p]))
        total, chosen, size = 0.0, int64(0), int64(0)
        last, look = (count + 1) * count * other_count, len(runs) > 0
        # With an exponent of 1 only the number of hits counts. Any order gives the same.
        if exponent != 1.0 or len(runs):
            size = _longest_runs(room, ids, begin, count, other, other_count)
        while left > 0:
            if look and last // (count * other_count) > left:
                look = False
                key = _cut_run(room, ids, begin, count, other, other_count, left, last)
                if key >= 0:
                    j, i = key % other_count, key // other_count % count
                    total += _choose(room, i, j, left, exponent, runs, chosen)
                    left = 0.0
                    break
            if size <= 0:
                break
            key = room.heap[0]
            _pop(room.heap, size)
            size -= 1
            j, i, length = key % other_count, key // other_count % count, key // other_count // count
            if _free(room, i, j, length) == length:
                counted = lesser(float(length), left)
                total += _choose(room, i, j, counted, exponent, runs, chosen)
                left -= counted
                chosen += 1
                last, look = key, len(runs) > 0
            else:
                size = _put_back(room, i, j, length, count, other_count, size)
        for back in range(count if size >= 0 else 0):
            i = count - 1 - back
            token = ids[begin + i]
            while room.heads[token] >= 0 and room.other_used[room.heads[token]]:
                room.heads[token] = room.following[room.heads[token]]
            if left > 0 and not room.used[i] and room.heads[token] >= 0:
                counted = lesser(1.0, left)
                total += _choose(room, i, room.heads[token], counted, exponent, runs, chosen)
                left -= counted
                chosen += 1
        for j in range(other_count):
            room.heads[ids[other + j]] = -1
        if size < 0:
            return p
        sizes[p] = total ** (1.0 / exponent)
    return len(hypotheses)


def _run(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    firsts: Offsets,
    lasts: Offsets,
    vocabulary: int,
    exponent: float,
    runs: FloatRows,
) -> Floats:
    """The match size of each hypothesis. The heap gets more room when the runs of one do not fit."""
    longest = int((offsets[hypotheses + 1] - offsets[hypotheses]).max(initial=0))
    others = int((offsets[lasts] - offsets[firsts]).max(initial=0))
    sizes = np.zeros(len(hypotheses))
    opens, other_used = np.empty((2, others), np.uint8)
    heap = np.empty(4 * longest + 64, np.int64)
    room = _Room(
        np.full(vocabulary, -1), np.empty(others, np.int64), opens, np.empty(longest, np.uint8), other_used, heap
    )
    done = 0
    while True:
        done = _greedy_runs(ids, offsets, hypotheses, firsts, lasts, exponent, done, *room, sizes, runs)
        if done == len(hypotheses):
            return sizes
        room = room._replace(heap=np.empty(4 * len(room.heap), np.int64))


def match_sizes(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, firsts: Offsets, lasts: Offsets, vocabulary: int, exponent: float
) -> Floats:
    """The maximum match size of each hypothesis, as GTM 1.4 finds it.

    It is the sum of length ** exponent of the chosen runs, to the power of 1 / exponent.

    The hypothesis is text `hypotheses[p]`, and its references are the texts `firsts[p]` to `lasts[p]`, the last one
    excluded. All ids are below `vocabulary`. The runs are chosen from the longest to the shortest, and of equally long
    ones the latest first: by its place in the hypothesis, then by its place in the references. A run whose tokens are
    taken in part is left out. All runs together have at most as many tokens as the hypothesis, and as the references
    on average. A run that does not fit is cut, perhaps inside a token.

    Only runs that cannot be extended are kept, and only while they are needed. With an exponent of 1, the number of
    steps is that of all tokens. Otherwise it grows with the number of hits.

    Returns
    -------
    float64 (n,)
    """
    return _run(ids, offsets, hypotheses, firsts, lasts, vocabulary, exponent, np.empty((0, 3)))


def chosen_runs(
    ids: Ids, offsets: Offsets, hypothesis: int, first: int, last: int, vocabulary: int, exponent: float
) -> FloatRows:
    """The runs of one hypothesis in the order in which they are chosen: place in it, place in the references, length.

    The arguments are those of ``match_sizes``, for one hypothesis. Places count from 0, through all references.

    Returns
    -------
    float64 (n_runs, 3)
    """
    runs = np.zeros((int(offsets[hypothesis + 1] - offsets[hypothesis]), 3))
    _run(ids, offsets, np.array([hypothesis]), np.array([first]), np.array([last]), vocabulary, exponent, runs)
    return runs[: np.count_nonzero(runs[:, 2])]
