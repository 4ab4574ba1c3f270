"""Numbers for the n-grams of a whole collection of texts, and their counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Floats, Ids, Number, Offsets, Rows
from metrologue.native import helper, kernel

__all__ = ["Numbered", "numbered_ngrams", "put_values", "room_of", "shared_tokens"]

# Columns of a slot: the n-gram, and 1 + its number; 0 if the slot is free.
_GRAM, _NUMBER = range(2)
# How many tokens a share has, about.
_SHARE = 1 << 18


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
    slots: Rows,
    state: Offsets,
    tokens: Offsets,
    numbers: Ids,
    places: Offsets,
    prefixes: Offsets,
    counts: Offsets,
) -> bool:
    """Number the n-grams that begin at `tokens`, until half of the slots are taken. Returns whether all are numbered.

    Invariant: an n-gram is the number of its first n - 1 tokens and its last token, so equal numbers mean equal
    n-grams. `state` has how many tokens were read, how many of them stay, and how many n-grams are known. A token where
    an n-gram with a number begins stays: it moves to the front, with this number in place of that of the prefix.
    """
    mask = int64(len(slots) - 1)
    read, stay, known = state[0], state[1], state[2]
    while read < len(tokens) and 2 * known < len(slots):
        i, prefix = tokens[read], int64(numbers[read])
        read += 1
        if room[i] < order or prefix_counts[prefix] == 1:
            continue
        gram = (prefix << int64(32)) | int64(ids[i + order - 1])
        slot = _find(slots, mask, gram)
        if slots[slot, _NUMBER] == 0:
            places[known], prefixes[known], counts[known] = i, prefix, 0
            known += 1
            slots[slot, _GRAM], slots[slot, _NUMBER] = gram, known
        number = slots[slot, _NUMBER] - 1
        tokens[stay], numbers[stay] = i, number
        counts[number] += 1
        stay += 1
    state[0], state[1], state[2] = read, stay, known
    return read == len(tokens)


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


class Numbered(NamedTuple):
    """The n-grams of one order with their numbers, from 0 on in the order of their first occurrence.

    Attributes
    ----------
    tokens, numbers : int64 (n,), int32 (n,)
        The tokens where an n-gram begins that has a number, and this number.
    places, prefixes, counts : int64 (n_ngrams,)
        For each n-gram the token where it first begins, the number of its first n - 1 tokens, and how often it occurs.
    """

    tokens: Offsets
    numbers: Ids
    places: Offsets
    prefixes: Offsets
    counts: Offsets


_EMPTY = np.empty(0, np.int64)
_NONE = Numbered(_EMPTY, _EMPTY.astype(np.int32), _EMPTY, _EMPTY, _EMPTY)


@kernel
def _share_out(ids: Ids, mask: int, ends: Offsets, tokens: Offsets) -> None:
    """Write the tokens of each share, in their order, and where each share ends: `ends` has zeros on entry."""
    for i in range(len(ids)):
        ends[(ids[i] & mask) + 1] += 1
    for share in range(1, mask + 1):
        ends[share + 1] += ends[share]
    for i in range(len(ids)):
        tokens[ends[ids[i] & mask]] = i
        ends[ids[i] & mask] += 1


def shared_tokens(ids: Ids, threads: int) -> list[Offsets]:
    """The places of all tokens in shares, for ``numbered_ngrams``. Equal tokens are in one share.

    There are as many shares as threads or more: the table of a share should stay in the processor's cache.
    """
    most = max(threads, len(ids) // _SHARE)
    if most == 1:
        return [np.arange(len(ids))]
    shares = 1 << (most - 1).bit_length()
    ends, tokens = np.zeros(shares + 1, np.int64), np.empty(len(ids), np.int64)
    _share_out(ids, shares - 1, ends, tokens)
    return np.split(tokens, ends[: shares - 1])


def numbered_ngrams(ids: Ids, room: Ids, max_order: int, tokens: Offsets | None = None) -> Iterator[Numbered]:
    """Give each distinct n-gram of the orders 1 to `max_order` a number.

    An n-gram whose first n - 1 tokens occur once gets none: it occurs once, too. What an order yields holds until the
    next one.

    Parameters
    ----------
    ids, room : int32 (n_tokens,)
        The tokens of all texts, and the number of tokens from each one to the end of its text.
    max_order : int
    tokens : int64 (n,), optional
        Only n-grams that begin at these tokens get numbers: a share of ``shared_tokens``, which is overwritten. An
        n-gram belongs to the share of its first token, as its first n - 1 tokens do. So threads number their shares
        without each other.
    """
    if tokens is None:
        tokens = np.arange(len(ids))
    numbers, counts = np.zeros(len(tokens), np.int32), np.array([len(ids)])
    all_once = False
    for order in range(1, max_order + 1):
        # Longer n-grams than those that occur once get no numbers. In a short text these are most orders.
        found = _NONE if all_once else _number_order(ids, room, order, counts, tokens, numbers)
        tokens, numbers, counts = found.tokens, found.numbers, found.counts
        all_once = len(tokens) == len(counts)
        yield found


def _number_order(ids: Ids, room: Ids, order: int, prefix_counts: Offsets, tokens: Offsets, numbers: Ids) -> Numbered:
    """The n-grams of one order. `tokens` and `numbers` are those of the order before, and take those of this one."""
    places, prefixes, counts = np.empty((3, len(tokens)), np.int64)
    state = np.zeros(3, np.int64)
    slots = np.zeros((min(1 << 12, 1 << (2 * len(tokens)).bit_length()), 2), np.int64)
    # A small table stays in the processor's cache; one that is half full is made anew, four times as large.
    while not _number(ids, room, order, prefix_counts, slots, state, tokens, numbers, places, prefixes, counts):
        larger = np.zeros((4 * len(slots), 2), np.int64)
        _move(slots, larger)
        slots = larger
    _, stay, known = state.tolist()
    return Numbered(tokens[:stay], numbers[:stay], places[:known], prefixes[:known], counts[:known])


@kernel
def _put_values(tokens: Offsets, numbers: Ids, values: Floats, first: int, step: int, places: Floats) -> None:
    for i in range(len(tokens)):
        places[first + step * tokens[i]] = values[numbers[i]]


def put_values(found: Numbered, values: Floats, places: Floats, first: int = 0, step: int = 1) -> None:
    """Write the value of the n-gram that begins at token i to ``places[first + step * i]``, if it has a number."""
    _put_values(found.tokens, found.numbers, values, first, step, places)
