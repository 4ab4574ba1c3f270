"""n-grams by a hash that outlives the vocabulary, and how often each is seen."""

from __future__ import annotations

import os

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.arrays import Ids, Offsets, WordRows, Words

__all__ = ["find_keys", "hash_ngrams", "tally"]

_SEEDS = np.frombuffer(os.urandom(16), np.uint64) | np.uint64(1)


@kernel
def _hash_ngrams(ids: Ids, offsets: Offsets, types: WordRows, order: int, hashes: WordRows) -> None:
    """Each n-gram is the polynomial of its types' hashes, in two lanes of 64 bits with odd factors of their own."""
    n = 0
    for text in range(len(offsets) - 1):
        for i in range(offsets[text], offsets[text + 1] - order + 1):
            high, low = uint64(order), uint64(order)
            for k in range(order):
                high = high * uint64(0x9E3779B97F4A7C17) + types[ids[i + k], 0]
                low = low * uint64(0xC2B2AE3D27D4EB4F) + types[ids[i + k], 1]
            hashes[n, 0], hashes[n, 1] = high, low
            n += 1


def hash_ngrams(ids: Ids, offsets: Offsets, types: WordRows, order: int) -> WordRows:
    """Hashes of the n-grams of one order, text by text: (n_ngrams, 2).

    `types` holds the hash of each type, (n_types, 2), made of its text alone.
    """
    count = int(np.maximum(np.diff(offsets) - order + 1, 0).sum())
    hashes = np.empty((count, 2), np.uint64)
    _hash_ngrams(ids, offsets, types, order, hashes)
    return hashes


@kernel
def _tally(keys: WordRows, counts: Offsets, seeds: Words, slots: Offsets, firsts: Offsets, sums: Offsets) -> int:
    """Sum the counts of equal keys, in the order in which keys come first. Returns how many keys there are.

    `slots`, a power of two of them, hold 1 + the number of a key, and 0 where they are free. Both lanes choose a slot,
    by seeds that nobody outside knows: keys can be alike in one lane.
    """
    mask = int64(len(slots) - 1)
    known = 0
    for i in range(len(keys)):
        slot = int64((keys[i, 0] * seeds[0] + keys[i, 1] * seeds[1]) >> uint64(24)) & mask
        while slots[slot] > 0:
            other = firsts[slots[slot] - 1]
            if keys[other, 0] == keys[i, 0] and keys[other, 1] == keys[i, 1]:
                break
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            firsts[known], sums[known] = i, 0
            known += 1
            slots[slot] = known
        sums[slots[slot] - 1] += counts[i]
    return known


def tally(keys: WordRows, counts: Offsets) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each distinct key of (n, 2) comes first, and the sum of its counts."""
    slots = np.zeros(max(16, 1 << (2 * len(keys)).bit_length()), np.int64)
    firsts, sums = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    known = _tally(keys, counts, _SEEDS, slots, firsts, sums)
    return firsts[:known], sums[:known]


@kernel
def _find_keys(keys: WordRows, wanted: WordRows, seeds: Words, slots: Offsets, found: Offsets) -> None:
    """Enter `keys` into empty slots, then find each wanted key: its number, or -1."""
    mask = int64(len(slots) - 1)
    for i in range(len(keys)):
        slot = int64((keys[i, 0] * seeds[0] + keys[i, 1] * seeds[1]) >> uint64(24)) & mask
        while slots[slot] > 0:
            slot = (slot + 1) & mask
        slots[slot] = i + 1
    for i in range(len(wanted)):
        slot = int64((wanted[i, 0] * seeds[0] + wanted[i, 1] * seeds[1]) >> uint64(24)) & mask
        found[i] = -1
        while slots[slot] > 0:
            other = slots[slot] - 1
            if keys[other, 0] == wanted[i, 0] and keys[other, 1] == wanted[i, 1]:
                found[i] = other
                break
            slot = (slot + 1) & mask


def find_keys(keys: WordRows, wanted: WordRows) -> NDArray[np.int64]:
    """Which of the distinct `keys` (n, 2) each wanted key is, (m,); -1 where it is none."""
    slots = np.zeros(max(16, 1 << (2 * len(keys)).bit_length()), np.int64)
    found = np.empty(len(wanted), np.int64)
    _find_keys(keys, wanted, _SEEDS, slots, found)
    return found
