"""A number for each distinct token: ids from the bytes of tokens."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import Bytes, Ids, Number, Offsets, WordRows, Words, longest_row
from metrologue.kernels.spans import Spans
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import greater, lesser, read8
from metrologue.native import helper, kernel

__all__ = ["SEEDS", "Named", "Table", "TypeTable", "find_repeats", "forget", "name_tokens", "tokenize"]

# How many tokens are cut before they get their ids: few enough to stay in the processor's cache.
_CHUNK = 1 << 15
# How many tokens of a text get their ids at once: room for their types is made before, and a large table is slow.
_PIECE = 1 << 12
# Texts with fewer tokens are not searched for repeats; room for so many types is made at first.
_FEW = 1 << 10
# Masks for the first 0, 1, ... 8 bytes of a word. A look-up costs less than a branch that is often guessed wrong.
_FIRST_BYTES = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
# Row i + 1 describes type i: the two words of its key, its length, and its first position. The rows are in the order of
# the types' first occurrences, so that the rows of frequent types lie close together. No token has row 0's length.
_HEAD, _TAIL, _LENGTH, _FIRST = range(4)
# Two random odd numbers. Otherwise, somebody could make a text in which all words have the same slot.
SEEDS = np.frombuffer(os.urandom(16), np.uint64) | np.uint64(1)
_NO_TYPES = np.full((1, 4), ~np.uint64(0))


class Table(NamedTuple):
    """The known types and the table that finds them.

    Attributes
    ----------
    types : uint64 (n, 4)
        Row i + 1 describes type i, for fewer types than rows.
    slots : int32 (n_slots,)
        1 + a type, or 0 if the slot is free. Invariant: each type is in the first slot, from its own slot on, that was
        free when the type came.
    seeds, shift
        What turns a key into a slot.
    """

    types: WordRows
    slots: Ids
    seeds: Words
    shift: np.uint64


class Named(NamedTuple):
    """What `name_tokens` fills: room for the tokens of a piece that it is unsure of, its state, and the ids."""

    unsure: Offsets
    state: Offsets
    ids: Ids
    token_offsets: Offsets


@helper
def _same(buffer: Bytes, a: Number, other: Bytes, b: Number, length: Number) -> Number:
    """Whether a run of 8 or more bytes is equal to a run of another buffer, or of the same buffer."""
    # Runs are nearly always equal. To compare all bytes is quicker than to stop at the first difference.
    different = read8(buffer, a + length - 8) ^ read8(other, b + length - 8)
    for k in range((length - 1) >> 3):
        different |= read8(buffer, a + 8 * k) ^ read8(other, b + 8 * k)
    return different == uint64(0)


@kernel
def _find_repeats(buffer: Bytes, offsets: Offsets, last: Ids, repeats: Offsets) -> None:
    """Find for each text an earlier equal text, or -1: many systems can have the same references.

    `last` is the last text of each slot. It has zeros at first, and its length is a power of two.
    """
    for t in range(len(repeats)):
        begin, end = offsets[t], offsets[t + 1]
        repeats[t] = -1
        if end - begin < 8:
            continue
        mixed = word_at(buffer, begin) ^ word_at(buffer, lesser(begin + 24, end - 8)) ^ uint64(end - begin)
        slot = int64(mixed * uint64(0xD6E8FEB86659FD93) >> uint64(32)) & (len(last) - 1)
        before = int64(last[slot])
        last[slot] = t
        as_long = before < t and offsets[before + 1] - offsets[before] == end - begin
        if as_long and _same(buffer, offsets[before], buffer, begin, end - begin):
            repeats[t] = before


def find_repeats(buffer: Bytes, offsets: Offsets) -> Offsets:
    """An earlier text that is equal to each text, or -1, (n_texts,). Not all are found, and none in few bytes."""
    repeats = np.full(len(offsets) - 1, -1)
    if offsets.item(-1) - offsets.item(0) > _FEW:
        _find_repeats(buffer, offsets, np.zeros(1 << max(10, len(repeats).bit_length()), np.int32), repeats)
    return repeats


@helper
def _key(buffer: Bytes, start: Number, length: Number, seed: Number) -> Number:
    """The key of a token, two words. Up to 16 bytes, they hold the token itself; above, the second one is a hash."""
    head = word_at(buffer, start) & _FIRST_BYTES[lesser(length, 8)]
    tail = word_at(buffer, start + greater(length - 8, 0)) * uint64(length > 8)
    for k in range(8, length - 8, 8):
        tail = (tail ^ word_at(buffer, start + k)) * seed
        tail ^= tail >> uint64(29)
    return head, tail


@helper
def _slot(table: Table, head: Number, tail: Number, length: Number) -> Number:
    """The slot of a key: multiplicative hashing with secret seeds (Dietzfelbinger et al. 1997)."""
    return int64((head * table.seeds[0] + (tail ^ uint64(length)) * table.seeds[1]) >> table.shift)


@helper
def _row_of(
    table: Table, buffer: Bytes, start: Number, length: Number, text: Bytes, known: Number, place: Number
) -> Number:
    """The row of a token, which is above `known` if the token is a new type. Types begin at their places in `text`."""
    head, tail = _key(buffer, start, length, table.seeds[0])
    slot = _slot(table, head, tail, length)
    while True:
        row = int64(table.slots[slot])
        if row == 0:
            row = known + 1
            table.slots[slot] = row
            table.types[row, _HEAD], table.types[row, _TAIL] = head, tail
            table.types[row, _LENGTH], table.types[row, _FIRST] = length, place
            return row
        equal = table.types[row, _HEAD] == head and table.types[row, _TAIL] == tail
        equal = equal and int64(table.types[row, _LENGTH]) == length
        if equal and (length <= 16 or _same(text, int64(table.types[row, _FIRST]), buffer, start, length)):
            return row
        slot = (slot + 1) & (len(table.slots) - 1)


@kernel
def _enter(table: Table, known: int) -> None:
    """Put the known types into an empty table. A slot is 1 + a type, or 0 if it is free."""
    mask = len(table.slots) - 1
    for row in range(1, known + 1):
        slot = _slot(table, table.types[row, _HEAD], table.types[row, _TAIL], table.types[row, _LENGTH])
        while table.slots[slot]:
            slot = (slot + 1) & mask
        table.slots[slot] = row


@helper
def name_tokens(buffer: Bytes, repeats: Offsets, cut: Spans, table: Table, named: Named, stop: Number) -> Number:
    """Give ids to the tokens of texts up to `stop` for as long as there is room for their types.

    `state` has the next text, its next span, the number of known types, and how many tokens of the text have an id.
    Returns 0, or, if there is no room for the next piece of a text, how many types there may be with it. A piece has at
    most as many tokens as `unsure` has places.
    """
    t, done, known, inside = named.state[0], named.state[1], named.state[2], named.state[3]
    total, types = named.token_offsets[t] + inside, table.types
    wanted: Number = 0
    while t < stop:
        if repeats[t] >= 0:
            for k in range(named.token_offsets[repeats[t]], named.token_offsets[repeats[t] + 1]):
                named.ids[total] = named.ids[k]
                total += 1
            t += 1
            named.token_offsets[t] = total
            continue
        n: Number = lesser(int64(cut.counts[t]) - inside, len(named.unsure))
        if known + n >= len(table.types):
            wanted = known + n
            break
        left: Number = 0
        # Most tokens are in their own slot. This loop has no branch on that, so that the processor fetches the slots of
        # many tokens at once. A second loop handles the tokens that may be in another slot.
        for k in range(n):
            length = cut.stops[done + k] - cut.starts[done + k]
            head, tail = _key(buffer, cut.starts[done + k], length, table.seeds[0])
            row = table.slots[_slot(table, head, tail, length)]
            named.ids[total + k] = row - 1
            here = (types[row, _HEAD] == head) & (types[row, _TAIL] == tail) & (int64(types[row, _LENGTH]) == length)
            named.unsure[left] = k
            left += 1 - int64(here & (length <= 16))
        for u in range(left):
            k = named.unsure[u]
            start = cut.starts[done + k]
            length = cut.stops[done + k] - start
            row = _row_of(table, buffer, start, length, buffer, known, start)
            known = greater(known, row)
            named.ids[total + k] = row - 1
        done += n
        total += n
        inside += n
        if inside == cut.counts[t]:
            inside = 0
            t += 1
            named.token_offsets[t] = total
    named.state[0], named.state[1], named.state[2], named.state[3] = t, done, known, inside
    return wanted


@kernel
def _name(buffer: Bytes, repeats: Offsets, cut: Spans, table: Table, named: Named, stop: int) -> int:
    """``name_tokens`` as a kernel."""
    return name_tokens(buffer, repeats, cut, table, named, stop)


@helper
def forget(table: Table, known: Number, starts: Offsets, lengths: Offsets) -> None:
    """Take the types out of a table, the last one first, and write where each one is in the text."""
    mask = len(table.slots) - 1
    for row in range(known, 0, -1):
        slot = _slot(table, table.types[row, _HEAD], table.types[row, _TAIL], table.types[row, _LENGTH])
        while table.slots[slot] != row:
            slot = (slot + 1) & mask
        table.slots[slot] = 0
        starts[row - 1], lengths[row - 1] = table.types[row, _FIRST], table.types[row, _LENGTH]


def _grown(types: WordRows, known: int, wanted: int, seeds: Words) -> Table:
    """A table with room for more than `wanted` types, and with those that are known."""
    bits = max(wanted, 1 << 6).bit_length()
    larger = np.empty((1 << bits, 4), np.uint64)
    larger[: known + 1] = types[: known + 1]
    table = Table(larger, np.zeros(2 << bits, np.int32), seeds, np.uint64(63 - bits))
    if known:
        _enter(*table, known)
    return table


def tokenize(
    buffer: Bytes, offsets: Offsets, spans: Callable[..., int], rules: tuple[Any, ...], seeds: Words = SEEDS
) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """Cut texts into tokens and number the distinct tokens in the order of their first occurrence.

    Parameters
    ----------
    buffer : uint8 (n_bytes,)
        Eight bytes or more.
    offsets : int64 (n_texts + 1,)
        Text t is ``buffer[offsets[t]:offsets[t + 1]]``, valid UTF-8.
    spans : kernel
        ``token_spans``, or another with the same arguments.
    rules : tuple
        The arguments `classes`, `edge`, `keep_empty` and `strip` of `spans`.
    seeds : uint64 (2,)
        Two odd numbers. Only the time depends on them.

    Returns
    -------
    ids, token_offsets, starts, lengths
        Text t is ``ids[token_offsets[t]:token_offsets[t + 1]]``, and type i is the bytes
        ``buffer[starts[i]:starts[i] + lengths[i]]``.
    """
    texts = len(offsets) - 1
    most = int(offsets[-1] - offsets[0]) + texts  # tokens
    repeats = find_repeats(buffer, offsets)
    longest = longest_row(offsets)
    room = max(longest + 1, min(_CHUNK, most))
    starts, stops = np.empty((2, room), np.int64)
    marks, cut = np.empty((longest >> 6) + 2, np.uint64), Spans(starts, stops, np.empty(texts, np.int32))
    state, token_offsets = np.zeros(4, np.int64), np.zeros(texts + 1, np.int64)
    # The system gives memory only when it is first touched, so the bound may be generous.
    named = Named(np.empty(min(_PIECE, most), np.int64), state, np.empty(most, np.int32), token_offsets)
    table = _grown(_NO_TYPES, 0, min(most, _FEW), seeds)
    read = 0
    while read < texts:
        read = spans(buffer, offsets, repeats, read, *rules, marks, *cut)
        state[1] = 0
        while wanted := _name(buffer, repeats, *cut, *table, *named, read):
            table = _grown(table.types, int(state[2]), wanted, seeds)
    known = table.types[1 : int(state[2]) + 1]
    firsts, lengths = known[:, _FIRST].astype(np.int64), known[:, _LENGTH].astype(np.int64)
    return named.ids[: int(token_offsets[-1])], token_offsets, firsts, lengths


@kernel
def _add(
    buffer: Bytes, starts: Offsets, lengths: Offsets, table: Table, text: Bytes, state: Offsets, numbers: Ids
) -> None:
    """Find the number of each type in a table with room for all. A new type is copied to `text` and gets the next one.

    `state` has the number of known types and the end of `text`.
    """
    known, end = state[0], state[1]
    for i in range(len(starts)):
        start, length = starts[i], lengths[i]
        row = _row_of(table, buffer, start, length, text, known, end)
        if row > known:
            known = row
            for k in range(length):
                text[end + k] = buffer[start + k]
            end += length
        numbers[i] = row - 1
    state[0], state[1] = known, end


class TypeTable:
    """A table of types and their numbers, with its own memory. More types can be added.

    Attributes
    ----------
    known : int
        The number of types.
    """

    def __init__(self, seeds: Words = SEEDS) -> None:
        self._table = _grown(_NO_TYPES, 0, _FEW, seeds)
        self._text = np.zeros(1 << 12, np.uint8)
        self._state = np.zeros(2, np.int64)

    @property
    def known(self) -> int:
        """The number of types."""
        return int(self._state[0])

    @property
    def spans(self) -> tuple[Bytes, Offsets, Offsets]:
        """A buffer of eight bytes or more, and where each type starts in it and how long it is, (n_types,) each."""
        known, end = self._state.tolist()
        types = self._table.types[1 : known + 1]
        return self._text[: max(end, 8)], types[:, _FIRST].astype(np.int64), types[:, _LENGTH].astype(np.int64)

    def strings(self, start: int, stop: int) -> tuple[Bytes, Offsets]:
        """The bytes of the types from `start` to `stop`, one after another, and the offsets of each, (n + 1,)."""
        rows = self._table.types[start + 1 : stop + 1].astype(np.int64)
        limits = np.zeros(len(rows) + 1, np.int64)
        rows[:, _LENGTH].cumsum(out=limits[1:])
        begin = rows.item(0, _FIRST) if len(rows) else 0  # types lie in the order of their numbers
        return self._text[begin : begin + limits.item(-1)].copy(), limits

    def add(self, buffer: Bytes, starts: Offsets, lengths: Offsets) -> Ids:
        """The number of each type ``buffer[starts[i]:starts[i] + lengths[i]]``: (n,). A new type gets the next one."""
        if len(buffer) < 8:  # the kernel reads eight bytes at a time
            buffer = np.concatenate([buffer, np.zeros(8, np.uint8)])
        known, end = self._state.tolist()
        if known + len(starts) >= len(self._table.types):
            self._table = _grown(self._table.types, known, known + len(starts), self._table.seeds)
        if (needed := end + int(lengths.sum())) > len(self._text):
            self._text = np.concatenate([self._text[:end], np.zeros(2 * needed - end, np.uint8)])
        numbers = np.empty(len(starts), np.int32)
        _add(buffer, starts, lengths, *self._table, self._text, self._state, numbers)
        return numbers
