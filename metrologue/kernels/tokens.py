"""From UTF-8 bytes to token ids, in one walk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import boolean, int64, types, uint8, uint64
from numba.extending import intrinsic
from numpy.typing import NDArray

from metrologue.jit import kernel

__all__ = [
    "BLANK",
    "DASH",
    "DIGIT",
    "LONE",
    "ORDINARY",
    "POINT",
    "SYMBOL",
    "code_point",
    "read_only",
    "rows_with",
    "tokenize",
    "trailing_zeros",
    "width",
]

Bytes = NDArray[np.uint8]
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
# Inside a kernel a number has the type that numba infers.
Number = Any

# What a tokenizer does with a character. ORDINARY and DIGIT come first: they only lengthen the token at hand.
# LONE is a blank that is an ordinary character unless it stands beside another blank.
ORDINARY, DIGIT, BLANK, SYMBOL, POINT, DASH, LONE = range(7)


def read_only(dtype: Any) -> Any:
    """The numba type of a vector that a kernel only reads, whether or not it may be written (Arrow's may not)."""
    return types.Array(dtype, 1, "C", readonly=True)


@intrinsic
def _read8_at(typing_context: Any, address: Any) -> Any:
    """Eight bytes at any address as one word: numba has no unaligned read of its own."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.get_value_type(types.uint64)
        return builder.load(builder.inttoptr(arguments[0], word.as_pointer()), align=1)

    return types.uint64(types.uintp), generate


@intrinsic
def _trailing_zeros_of(typing_context: Any, word: Any) -> Any:
    """How many low bits are zero: 64 for 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


_read8: Any = _read8_at  # an intrinsic takes one argument less than its definition
trailing_zeros: Any = _trailing_zeros_of


# The first 0, 1, ... 8 bytes of a word. A look-up costs less than a branch that is guessed wrong at every other token.
_FIRST_BYTES = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)


@kernel()
def _word(buffer: Bytes, start: Number) -> Number:
    """The eight bytes from `start`, with zeros beyond the end."""
    if start + 8 <= len(buffer):
        return _read8(np.uintp(buffer.ctypes.data) + np.uintp(start))
    word = uint64(0)
    for k in range(len(buffer) - start):
        word |= uint64(buffer[start + k]) << uint64(8 * k)
    return word


@kernel()
def _letters(word: Number) -> Number:
    """How many of a word's eight bytes, from the first on, are ASCII letters: all eight are looked at together."""
    each = uint64(0x0101010101010101)
    low = (word | (each * uint64(0x20))) & (each * uint64(0x7F))
    # A byte's high bit is set by the first sum from "a" on, by the second one beyond "z".
    letters = (low + each * uint64(0x80 - 0x61)) & ~(low + each * uint64(0x7F - 0x7A)) & ~word
    return int64(trailing_zeros(~letters & (each * uint64(0x80))) >> uint64(3))


@kernel()
def width(lead: Number) -> Number:
    """Bytes of the character that begins with `lead`."""
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


@kernel()
def code_point(buffer: Bytes, i: Number) -> Number:
    """The character at byte `i` of valid UTF-8."""
    lead = int64(buffer[i])
    if lead < 0x80:
        return lead
    point = lead & (0x1F if lead < 0xE0 else 0x0F if lead < 0xF0 else 0x07)
    for k in range(i + 1, i + width(lead)):
        point = point << 6 | int64(buffer[k] & 0x3F)
    return point


@kernel()
def _split(
    buffer: Bytes, begin: Number, end: Number, classes: Bytes, edge: Number, keep_empty: Number,
    starts: Offsets, stops: Offsets,
) -> Number:  # fmt: skip
    """Write the token spans of one text; `buffer[start:i]` is always the token at hand. Returns their number."""
    n = 0
    i = start = begin
    previous = edge
    plain = classes[0x61] == ORDINARY  # then all letters are: no tokenizer tells them apart
    while i < end:
        if plain:
            letters = min(_letters(_word(buffer, i)), end - i)
            if letters:
                i += letters
                previous = ORDINARY
                continue
        kind = classes[code_point(buffer, i)]
        after = i + width(buffer[i])
        if kind == LONE:
            following = edge if after >= end else classes[code_point(buffer, after)]
            kind = BLANK if previous == BLANK or following in (BLANK, LONE) else ORDINARY
        if kind == POINT:
            last = i
            run = 1
            while after < end and classes[code_point(buffer, after)] == POINT:
                last = after
                after += width(buffer[after])
                run += 1
            behind_digit = previous == DIGIT
            before_digit = (edge if after >= end else classes[code_point(buffer, after)]) == DIGIT
            # mteval's rules match points in pairs. What comes of it: each point of a run stands alone, but a single one
            # between two digits joins them, and the last one joins a digit after it if the pairs left it over.
            if not (run == 1 and behind_digit and before_digit):
                joins = before_digit and (run % 2 == 1) == behind_digit
                while i < (last if joins else after):
                    if start < i:
                        starts[n], stops[n] = start, i
                        n += 1
                    start = i + width(buffer[i])
                    starts[n], stops[n] = i, start
                    n += 1
                    i = start
        elif kind > DIGIT and (kind != DASH or previous == DIGIT):
            if start < i or (keep_empty and kind == BLANK):
                starts[n], stops[n] = start, i
                n += 1
            if kind != BLANK:
                starts[n], stops[n] = i, after
                n += 1
            start = after
        previous = kind
        i = after
    if start < end or keep_empty:
        starts[n], stops[n] = start, end
        n += 1
    return n


@kernel()
def _key(buffer: Bytes, start: Number, length: Number) -> Number:
    """Two words that, with the length, are the token itself up to 16 bytes; above, the second one is a hash."""
    head = _word(buffer, start) & _FIRST_BYTES[min(length, 8)]
    tail = _word(buffer, start + max(length - 8, 0)) * uint64(length > 8)
    for k in range(8, length - 8, 8):
        tail = (tail ^ _word(buffer, start + k)) * uint64(0x9E3779B97F4A7C15)
        tail ^= tail >> uint64(29)
    return head, tail


@kernel()
def _slot(head: Number, tail: Number, length: Number, mask: Number) -> Number:
    mixed = (head ^ (tail * uint64(0x9E3779B97F4A7C15)) ^ uint64(length)) * uint64(0xD6E8FEB86659FD93)
    return int64(mixed >> uint64(32)) & mask


@kernel()
def _same(buffer: Bytes, a: Number, b: Number, length: Number) -> Number:
    """Whether two runs of 8 bytes or more are equal."""
    for k in range(0, length - 8, 8):
        if _word(buffer, a + k) != _word(buffer, b + k):
            return False
    return _word(buffer, a + length - 8) == _word(buffer, b + length - 8)


# A slot of the table: the two words of the key, the type + 1 with the token's length above these bits (0: the slot is
# free), and where the token was first seen.
_HEAD, _TAIL, _HELD, _FIRST = range(4)
_TYPE_BITS: Number = uint64(31)
_TYPE = uint64(0x7FFFFFFF)


@kernel()
def _grown(table: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same types in twice the slots."""
    mask = 2 * len(table) - 1
    larger = np.zeros((mask + 1, 4), np.uint64)
    for old in range(len(table)):
        held = table[old, _HELD]
        if held:
            slot = _slot(table[old, _HEAD], table[old, _TAIL], int64(held >> _TYPE_BITS), mask)
            while larger[slot, _HELD]:
                slot = (slot + 1) & mask
            larger[slot] = table[old]
    return larger


@kernel()
def _name(
    buffer: Bytes, starts: Offsets, stops: Offsets, unsure: Offsets, n: Number, table: NDArray[np.uint64],
    known: Number, ids: Ids, total: Number,
) -> Number:  # fmt: skip
    """Ids of n tokens, from `ids[total]` on; the table has room for them. Returns the number of types known then.

    Invariant: each type known stands in the first slot from its own that was free when it came.
    """
    mask = len(table) - 1
    left = 0
    # Most tokens are in their own slot. This loop has no branch on that, so that the processor fetches the slots of
    # many tokens at once; the tokens that it is not sure of are looked at again.
    for k in range(n):
        length = stops[k] - starts[k]
        head, tail = _key(buffer, starts[k], length)
        slot = _slot(head, tail, length, mask)
        held = table[slot, _HELD]
        ids[total + k] = int64(held & _TYPE) - 1
        here = (table[slot, _HEAD] == head) & (table[slot, _TAIL] == tail) & (int64(held >> _TYPE_BITS) == length)
        unsure[left] = k
        left += 1 - int64(here & (held != 0) & (length <= 16))
    for u in range(left):
        k = unsure[u]
        start = starts[k]
        length = stops[k] - start
        head, tail = _key(buffer, start, length)
        slot = _slot(head, tail, length, mask)
        while True:
            held = table[slot, _HELD]
            if held == 0:
                known += 1
                held = uint64(length) << _TYPE_BITS | uint64(known)
                table[slot, _HEAD], table[slot, _TAIL], table[slot, _FIRST] = head, tail, start
                table[slot, _HELD] = held
                break
            equal = table[slot, _HEAD] == head and table[slot, _TAIL] == tail and int64(held >> _TYPE_BITS) == length
            if equal and (length <= 16 or _same(buffer, int64(table[slot, _FIRST]), start, length)):
                break
            slot = (slot + 1) & mask
        ids[total + k] = int64(held & _TYPE) - 1
    return known


@kernel((read_only(uint8), read_only(int64), read_only(uint8), int64, boolean, boolean))
def tokenize(
    buffer: Bytes, offsets: Offsets, classes: Bytes, edge: Number, keep_empty: Number, strip: Number
) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """Cut texts into tokens and name each distinct token by a number.

    Text t is `buffer[offsets[t]:offsets[t + 1]]`, valid UTF-8. `classes` gives the class of each code point, `edge`
    the class that stands beyond both ends of a text; `strip` drops blanks at the end before cutting.

    Returns (ids, token_offsets, starts, lengths): text t is `ids[token_offsets[t]:token_offsets[t + 1]]`, and
    type i is the bytes `buffer[starts[i]:starts[i] + lengths[i]]`.
    """
    texts = len(offsets) - 1
    longest = int64(0)
    for t in range(texts):
        longest = max(longest, offsets[t + 1] - offsets[t])
    token_starts = np.empty(longest + 1, np.int64)
    token_stops = np.empty(longest + 1, np.int64)
    unsure = np.empty(longest + 1, np.int64)
    # Memory that is never touched is never given: the bound may be generous.
    ids = np.empty(offsets[texts] - offsets[0] + texts, np.int32)
    token_offsets = np.zeros(texts + 1, np.int64)
    table = np.zeros((1 << 12, 4), np.uint64)
    known = 0
    total = 0
    # The last text of each slot: a reference that comes with many systems is read once.
    slots = 1 << 10
    while slots < texts:
        slots *= 2
    last = np.zeros(slots, np.int32)
    for t in range(texts):
        begin = offsets[t]
        end = offsets[t + 1]
        if end - begin >= 8:
            slot = _slot(_word(buffer, begin), _word(buffer, min(begin + 24, end - 8)), end - begin, slots - 1)
            before = last[slot]
            last[slot] = t
            as_long = before < t and offsets[before + 1] - offsets[before] == end - begin
            if as_long and _same(buffer, offsets[before], begin, end - begin):
                for k in range(token_offsets[before], token_offsets[before + 1]):
                    ids[total] = ids[k]
                    total += 1
                token_offsets[t + 1] = total
                continue
        if strip:
            while end > begin:
                i = end - 1
                while buffer[i] & 0xC0 == 0x80:
                    i -= 1
                if classes[code_point(buffer, i)] != BLANK:
                    break
                end = i
        n = _split(buffer, begin, end, classes, edge, keep_empty, token_starts, token_stops)
        while 2 * (known + n) > len(table):
            table = _grown(table)
        known = _name(buffer, token_starts, token_stops, unsure, n, table, known, ids, total)
        total += n
        token_offsets[t + 1] = total
    starts = np.empty(known, np.int64)
    lengths = np.empty(known, np.int64)
    for slot in range(len(table)):
        held = table[slot, _HELD]
        if held:
            name = int64(held & _TYPE) - 1
            starts[name], lengths[name] = int64(table[slot, _FIRST]), int64(held >> _TYPE_BITS)
    return ids[:total], token_offsets, starts, lengths


@kernel((read_only(uint8), read_only(int64), read_only(uint8)))
def rows_with(buffer: Bytes, offsets: Offsets, wanted: Bytes) -> NDArray[np.bool_]:
    """Which texts hold a byte b with `wanted[b]` set."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    for t in range(len(offsets) - 1):
        any_wanted = np.uint8(0)
        for i in range(offsets[t], offsets[t + 1]):
            any_wanted |= wanted[buffer[i]]
        found[t] = any_wanted != 0
    return found
