"""n-gram matches of hypotheses with their references."""

from __future__ import annotations

import numpy as np
from numba import float64, int32, int64, types
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.tokens import Ids, Number, Offsets, read_only

__all__ = ["clipped_counts"]

# Columns of a slot: the n-gram, the stamp of the last pass that used it, its name, its greatest count in a reference,
# the reference counted last, the count there. Eight columns, so that a slot is one cache line.
_GRAM, _STAMP, _NAME, _GREATEST, _OWNER, _COUNT = range(6)


@kernel()
def _find(slots: NDArray[np.int64], mask: Number, gram: Number, stamp: Number) -> Number:
    """The slot that holds `gram` in this pass, or the free one where it belongs."""
    slot = ((gram * int64(-7046029254386353131)) >> int64(32)) & mask
    while slots[slot, _STAMP] == stamp and slots[slot, _GRAM] != gram:
        slot = (slot + 1) & mask
    return slot


@kernel((read_only(int32), read_only(int64), int64, read_only(int64), int64, types.Array(float64, 2, "C")))
def clipped_counts(
    ids: Ids, offsets: Offsets, segments: Number, reference_offsets: Offsets, max_order: Number,
    clipped: NDArray[np.float64],
) -> None:  # fmt: skip
    """Clipped matches of orders 1 to `max_order` (Papineni et al. 2002), into `clipped` (segments, max_order).

    Hypothesis s is text s; its references are the texts `segments + reference_offsets[s:s + 1]`.

    Invariant: an n-gram of order k is named by the pair (name of its first k - 1 tokens, last token), so equal names
    mean equal n-grams; name 0 is an n-gram that no reference of the segment has. A stamp for each pass empties the
    table without touching it.
    """
    longest = 0
    for s in range(segments):
        size = offsets[s + 1] - offsets[s]
        size += offsets[segments + reference_offsets[s + 1]] - offsets[segments + reference_offsets[s]]
        longest = max(longest, size)
    capacity = 16
    while capacity < 2 * longest:
        capacity *= 2
    slots = np.zeros((capacity, 8), np.int64)
    names = np.zeros(longest, np.int64)
    stamp = 0
    for s in range(segments):
        first, last = segments + reference_offsets[s], segments + reference_offsets[s + 1]
        hypothesis, length = offsets[s], offsets[s + 1] - offsets[s]
        references = offsets[first] - length  # names: the hypothesis first, then the references
        mask = 16
        while mask < 2 * (offsets[last] - references):
            mask *= 2
        mask -= 1
        for order in range(1, max_order + 1):
            stamp += 1
            known = 0
            for reference in range(first, last):
                for i in range(offsets[reference], offsets[reference + 1] - order + 1):
                    gram = int64(ids[i + order - 1])
                    if order > 1:
                        gram |= names[i - references] << 32
                    slot = _find(slots, mask, gram, stamp)
                    if slots[slot, _STAMP] != stamp:
                        known += 1
                        slots[slot, _GRAM], slots[slot, _STAMP], slots[slot, _NAME] = gram, stamp, known
                        slots[slot, _GREATEST], slots[slot, _OWNER], slots[slot, _COUNT] = 0, reference, 0
                    if slots[slot, _OWNER] != reference:
                        slots[slot, _OWNER], slots[slot, _COUNT] = reference, 0
                    slots[slot, _COUNT] += 1
                    slots[slot, _GREATEST] = max(slots[slot, _GREATEST], slots[slot, _COUNT])
                    names[i - references] = slots[slot, _NAME]
            matches = 0
            for i in range(length - order + 1):
                if order > 1 and names[i] == 0:
                    continue
                gram = int64(ids[hypothesis + i + order - 1])
                if order > 1:
                    gram |= names[i] << 32
                slot = _find(slots, mask, gram, stamp)
                if slots[slot, _STAMP] == stamp:
                    names[i] = slots[slot, _NAME]
                    if slots[slot, _GREATEST] > 0:
                        slots[slot, _GREATEST] -= 1
                        matches += 1
                else:
                    names[i] = 0
            clipped[s, order - 1] = matches
