"""Hashes of n-grams that do not depend on the vocabulary, and counts of equal hashes."""

from __future__ import annotations

import os
from functools import cache

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, WordRows, Words
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["find_keys", "hash_apart", "hash_ids", "hash_ngrams", "hash_texts", "ngram_values", "number_keys", "tally"]

# The hashes of so many ids are computed once.
_FEW = 1 << 10
_SEEDS = np.frombuffer(os.urandom(16), np.uint64) | np.uint64(1)


@kernel
def _count_ngrams(offsets: Offsets, first: int, last: int) -> int:
    count: Number = int64(0)
    for order in range(first, last + 1):
        for text in range(len(offsets) - 1):
            count += greater(offsets[text + 1] - offsets[text] - order + 1, 0)
    return count


@kernel
def _hash_ngrams(ids: Ids, offsets: Offsets, types: WordRows, first: int, last: int, hashes: WordRows) -> None:
    """The hash of an n-gram is a polynomial of its types' hashes, in two lanes of 64 bits, each with its odd factor."""
    n = 0
    for order in range(first, last + 1):
        for text in range(len(offsets) - 1):
            for i in range(offsets[text], offsets[text + 1] - order + 1):
                high, low = uint64(order), uint64(order)
                for k in range(order):
                    high = high * uint64(0x9E3779B97F4A7C17) + types[ids[i + k], 0]
                    low = low * uint64(0xC2B2AE3D27D4EB4F) + types[ids[i + k], 1]
                hashes[n, 0], hashes[n, 1] = high, low
                n += 1


def hash_ngrams(ids: Ids, offsets: Offsets, types: WordRows, order: int, last: int | None = None) -> WordRows:
    """Hashes of the n-grams of one order, or of the orders up to `last`, text by text: (n_ngrams, 2).

    `types` holds the hash of each type, (n_types, 2). A type's hash depends on its text alone.
    """
    last = order if last is None else last
    hashes = np.empty((_count_ngrams(offsets, order, last), 2), np.uint64)
    _hash_ngrams(ids, offsets, types, order, last, hashes)
    return hashes


def hash_apart(hashes: WordRows, groups: Offsets) -> WordRows:
    """The hashes, (n, 2), such that equal ones in two groups differ. `groups` has the number of each one's group."""
    apart = hashes.copy()
    apart[:, 0] += groups.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return apart


def hash_ids(count: int) -> WordRows:
    """A hash of each id below `count`, (count, 2), for n-grams that are compared within one vocabulary only."""
    return _hashes_of_few()[:count] if count <= _FEW else _hashes_of(count)


@cache
def _hashes_of_few() -> WordRows:
    hashes = _hashes_of(_FEW)
    hashes.setflags(write=False)  # many callers share them
    return hashes


def _hashes_of(count: int) -> WordRows:
    # The two lanes are consecutive outputs of the generator splitmix64, whose state counts up.
    words = np.arange(1, 2 * count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (words ^ (words >> np.uint64(31))).reshape(count, 2)


@kernel
def _hash_texts(ids: Ids, offsets: Offsets, types: WordRows, hashes: WordRows) -> None:
    """The polynomial of `_hash_ngrams` over all tokens of a text."""
    for text in range(len(hashes)):
        high = low = uint64(offsets[text + 1] - offsets[text])
        for i in range(offsets[text], offsets[text + 1]):
            high = high * uint64(0x9E3779B97F4A7C17) + types[ids[i], 0]
            low = low * uint64(0xC2B2AE3D27D4EB4F) + types[ids[i], 1]
        hashes[text, 0], hashes[text, 1] = high, low


def hash_texts(ids: Ids, offsets: Offsets, types: WordRows) -> WordRows:
    """A hash of the tokens of each text, (n_texts, 2); `types` as for ``hash_ngrams``."""
    hashes = np.empty((len(offsets) - 1, 2), np.uint64)
    _hash_texts(ids, offsets, types, hashes)
    return hashes


@helper
def _slot(high: Number, low: Number, seeds: Words, mask: Number) -> Number:
    """The slot where the search for a key begins.

    Both lanes choose the slot, because keys can be equal in one lane. The seeds are random, so that nobody can foresee
    the slots.
    """
    return int64((high * seeds[0] + low * seeds[1]) >> uint64(24)) & mask


@kernel
def _number(
    keys: WordRows, start: int, seeds: Words, slots: Offsets, state: Offsets, firsts: Offsets, numbers: Offsets
) -> int:
    """Number the keys from `start` on, in the order of their first occurrence, until half the slots are taken.

    A slot holds 1 + the number of a key, or 0 if it is free. The number of `slots` is a power of two. `state[0]` keys
    are in them. Key k first stands at `firsts[k]`. Returns the first key that has no number yet.
    """
    mask, known = int64(len(slots) - 1), state[0]
    for i in range(start, len(keys)):
        slot = _slot(keys[i, 0], keys[i, 1], seeds, mask)
        while slots[slot] > 0:
            other = firsts[slots[slot] - 1]
            if keys[other, 0] == keys[i, 0] and keys[other, 1] == keys[i, 1]:
                break
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            if 2 * known >= len(slots):
                state[0] = known
                return i
            firsts[known] = i
            known += 1
            slots[slot] = known
        numbers[i] = slots[slot] - 1
    state[0] = known
    return len(keys)


def number_keys(keys: WordRows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each distinct key in `keys`, (n, 2), and for each key the number of its distinct key, (n,)."""
    firsts, numbers = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    slots, state = np.zeros(1 << 12, np.int64), np.zeros(1, np.int64)
    read = 0
    while True:
        # A small table stays in the processor's cache; one that is half full is made anew, four times as large.
        read = _number(keys, read, _SEEDS, slots, state, firsts, numbers)
        known = state.item(0)
        if read == len(keys):
            return firsts[:known], numbers
        slots = np.zeros(4 * len(slots), np.int64)
        _enter(keys, firsts, known, _SEEDS, slots)


def tally(keys: WordRows, counts: Offsets) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each distinct key in `keys`, (n, 2), and the sum of its counts."""
    firsts, numbers = number_keys(keys)
    sums = np.zeros(len(firsts), np.int64)
    np.add.at(sums, numbers, counts)
    return firsts, sums


@kernel
def _enter(keys: WordRows, firsts: Offsets, known: int, seeds: Words, slots: Offsets) -> None:
    """Put the distinct keys into empty slots."""
    mask = int64(len(slots) - 1)
    for k in range(known):
        slot = _slot(keys[firsts[k], 0], keys[firsts[k], 1], seeds, mask)
        while slots[slot] > 0:
            slot = (slot + 1) & mask
        slots[slot] = k + 1


@kernel
def _find(keys: WordRows, wanted: WordRows, seeds: Words, slots: Offsets, found: Offsets) -> None:
    """The number of each wanted key, or -1."""
    mask = int64(len(slots) - 1)
    for i in range(len(wanted)):
        slot = _slot(wanted[i, 0], wanted[i, 1], seeds, mask)
        found[i] = -1
        while slots[slot] > 0:
            other = slots[slot] - 1
            if keys[other, 0] == wanted[i, 0] and keys[other, 1] == wanted[i, 1]:
                found[i] = other
                break
            slot = (slot + 1) & mask


def find_keys(keys: WordRows, wanted: WordRows) -> NDArray[np.int64]:
    """The index of each wanted key among the distinct `keys`, (n, 2): (m,), -1 where it is not among them."""
    slots = np.zeros(max(16, 1 << (2 * len(keys)).bit_length()), np.int64)
    _enter(keys, np.arange(len(keys)), len(keys), _SEEDS, slots)
    found = np.empty(len(wanted), np.int64)
    _find(keys, wanted, _SEEDS, slots, found)
    return found


@kernel
def _enter_values(keys: WordRows, values: Floats, seeds: Words, cells: WordRows, cell_values: Floats) -> None:
    """Put distinct keys into empty cells. A cell has the two lanes of a key, and whether it is taken."""
    mask = int64(len(cells) - 1)
    for k in range(len(keys)):
        cell = _slot(keys[k, 0], keys[k, 1], seeds, mask)
        while cells[cell, 2] != 0:
            cell = (cell + 1) & mask
        cells[cell, 0], cells[cell, 1], cells[cell, 2] = keys[k, 0], keys[k, 1], uint64(1)
        cell_values[cell] = values[k]


@kernel
def _look_up(
    ids: Ids,
    offsets: Offsets,
    types: WordRows,
    seeds: Words,
    cells: WordRows,
    cell_values: Floats,
    missing: float,
    values: FloatRows,
) -> None:
    """The hash of n tokens is made from the sums for n - 1 tokens; it is the hash of ``hash_ngrams``."""
    mask = int64(len(cells) - 1)
    for text in range(len(offsets) - 1):
        for i in range(offsets[text], offsets[text + 1]):
            orders = lesser(values.shape[1], offsets[text + 1] - i)
            high, low = uint64(0), uint64(0)
            high_power, low_power = uint64(1), uint64(1)
            for n in range(orders):
                high = high * uint64(0x9E3779B97F4A7C17) + types[ids[i + n], 0]
                low = low * uint64(0xC2B2AE3D27D4EB4F) + types[ids[i + n], 1]
                high_power *= uint64(0x9E3779B97F4A7C17)
                low_power *= uint64(0xC2B2AE3D27D4EB4F)
                key, other = high + uint64(n + 1) * high_power, low + uint64(n + 1) * low_power
                cell = _slot(key, other, seeds, mask)
                while cells[cell, 2] != 0 and (cells[cell, 0] != key or cells[cell, 1] != other):
                    cell = (cell + 1) & mask
                values[i, n] = cell_values[cell] if cells[cell, 2] != 0 else missing


def ngram_values(
    ids: Ids, offsets: Offsets, types: WordRows, keys: WordRows, values: Floats, missing: float, max_order: int
) -> NDArray[np.float64]:
    """The value of the n-gram of each order that begins at each token: (n_tokens, max_order).

    `values[k]` belongs to the n-gram with the hash `keys[k]`. Other n-grams have the value `missing`. It is 0 if no
    n-gram of that order begins at the token.
    """
    cells = np.zeros((max(16, 1 << (2 * len(keys)).bit_length()), 4), np.uint64)
    cell_values = np.zeros(len(cells))
    _enter_values(keys, values, _SEEDS, cells, cell_values)
    found = np.zeros((len(ids), max_order))
    _look_up(ids, offsets, types, _SEEDS, cells, cell_values, missing, found)
    return found
