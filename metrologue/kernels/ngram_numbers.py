"""Numbers for the n-grams of a whole collection of texts, and their counts."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Ids, Number, Offsets, Rows
from metrologue.native import helper, kernel

__all__ = ["number_ngrams", "room_of"]

# Columns of a slot: the n-gram, and 1 + its number; 0 if the slot is free.
_GRAM, _NUMBER = range(2)


@helper
def _find(slots: NDArray[np.int64], mask: Number, gram: Number) -> Number:
    """The slot that holds `gram`, or the free one where it belongs."""
    slot = ((gram * int64(-7046029254386353131)) >> int64(32)) & mask
    while slots[slot, _NUMBER] > 0 and slots[slot, _GRAM] != gram:
        slot = (slot + 1) & mask
    return slot


@kernel
def _number(
    ids: Ids,
    room: Ids,
    order: int,
    prefix_counts: Offsets,
    start: int,
    slots: Rows,
    numbers: Ids,
    places: Offsets,
    prefixes: Offsets,
    counts: Offsets,
) -> int:
    """Number the n-grams from token `start` on, until half of the slots are taken. Returns the first token left.

    Invariant: an n-gram is the number of its first n - 1 tokens and its last token, so equal numbers mean equal
    n-grams. `numbers[i]` is the number of the n-gram of one order less on entry, and that of this order afterwards.
    The last count is the number of n-grams known.
    """
    mask = int64(len(slots) - 1)
    known = counts[len(counts) - 1]
    i = start
    while i < len(ids) and 2 * known < len(slots):
        prefix = int64(numbers[i])
        if prefix < 0 or room[i] < order or prefix_counts[prefix] == 1:
            numbers[i] = -1
        else:
            gram = (prefix << int64(32)) | int64(ids[i + order - 1])
            slot = _find(slots, mask, gram)
            if slots[slot, _NUMBER] == 0:
                places[known], prefixes[known] = i, prefix
                known += 1
                slots[slot, _GRAM], slots[slot, _NUMBER] = gram, known
            number = slots[slot, _NUMBER] - 1
            numbers[i] = number
            counts[number] += 1
        i += 1
    counts[len(counts) - 1] = known
    return i


@kernel
def _move(old: Rows, slots: Rows) -> None:
    """Enter the n-grams of a table into a larger one."""
    mask = int64(len(slots) - 1)
    for k in range(len(old)):
        if old[k, _NUMBER] > 0:
            slot = _find(slots, mask, old[k, _GRAM])
            slots[slot, _GRAM], slots[slot, _NUMBER] = old[k, _GRAM], old[k, _NUMBER]


@kernel
def _room_of(offsets: Offsets, room: Ids) -> None:
    for t in range(len(offsets) - 1):
        for i in range(offsets[t], offsets[t + 1]):
            room[i] = offsets[t + 1] - i


def room_of(offsets: Offsets) -> Ids:
    """The number of tokens from each token to the end of its text, (n_tokens,)."""
    room = np.empty(offsets.item(-1), np.int32)
    _room_of(offsets, room)
    return room


def number_ngrams(
    ids: Ids, room: Ids, order: int, prefix_counts: Offsets, numbers: Ids
) -> tuple[Offsets, Offsets, Offsets]:
    """Give each distinct n-gram of one order a number, from 0 on in the order of their first occurrence.

    An n-gram whose first n - 1 tokens occur once gets none: it occurs once, too.

    Parameters
    ----------
    ids, room : int32 (n_tokens,)
        The tokens of all texts, and the number of tokens from each one to the end of its text.
    order : int
    prefix_counts : int64 (n_prefixes,)
        How often each n-gram of one order less occurs; for unigrams one number, that of all tokens.
    numbers : int32 (n_tokens,)
        For each token the number of the n-gram of one order less that begins there, or -1; all 0 for unigrams. The
        numbers of this order take their places.

    Returns
    -------
    places, prefixes, counts : int64 (n_ngrams,)
        For each n-gram the token where it first begins, the number of its first n - 1 tokens, and how often it occurs.
    """
    places, prefixes = np.empty((2, len(ids)), np.int64)
    counts = np.zeros(len(ids) + 1, np.int64)
    slots = np.zeros((min(1 << 12, 1 << (2 * len(ids)).bit_length()), 2), np.int64)
    read = 0
    # A small table stays in the processor's cache; one that is half full is made anew, four times as large.
    while (read := _number(ids, room, order, prefix_counts, read, slots, numbers, places, prefixes, counts)) < len(ids):
        larger = np.zeros((4 * len(slots), 2), np.int64)
        _move(slots, larger)
        slots = larger
    known = counts.item(-1)
    return places[:known], prefixes[:known], counts[:known]
