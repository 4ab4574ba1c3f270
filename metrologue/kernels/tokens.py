"""From UTF-8 bytes to token ids, in one walk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import boolean, int64, uint8, uint64
from numba import types as numba_types
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
Words = NDArray[np.uint64]
# Inside a kernel a number has the type that numba infers.
Number = Any

# What a tokenizer does with a character. ORDINARY and DIGIT come first: they only lengthen the token at hand.
# LONE is a blank that is an ordinary character unless it stands beside another blank.
ORDINARY, DIGIT, BLANK, SYMBOL, POINT, DASH, LONE = range(7)


def read_only(dtype: Any) -> Any:
    """The numba type of a vector that a kernel only reads, whether or not it may be written (Arrow's may not)."""
    return numba_types.Array(dtype, 1, "C", readonly=True)


@intrinsic
def _read8_at(typing_context: Any, buffer: Any, index: Any) -> Any:
    """Eight bytes of an array from any index on as one word: numba has no unaligned read of its own."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        word = context.get_value_type(uint64)
        return builder.load(builder.bitcast(place, word.as_pointer()), align=1)

    return uint64(buffer, numba_types.intp), generate


@intrinsic
def _trailing_zeros_of(typing_context: Any, word: Any) -> Any:
    """How many low bits are zero: 64 for 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(boolean, False))

    return uint64(uint64), generate


_read8: Any = _read8_at  # an intrinsic takes one argument less than its definition
trailing_zeros: Any = _trailing_zeros_of


# The first 0, 1, ... 8 bytes of a word. A look-up costs less than a branch that is guessed wrong at every other token.
_FIRST_BYTES = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)


@kernel()
def _word(buffer: Bytes, start: Number) -> Number:
    """The eight bytes from `start`, with zeros beyond the end of a buffer of eight bytes or more."""
    at = min(start, len(buffer) - 8)
    beyond = uint64(4 * (start - at))
    return _read8(buffer, at) >> beyond >> beyond  # a shift by 64 at once would be undefined


@kernel()
def _stops(word: Number) -> Number:
    """Which of a word's eight bytes are no ASCII letters, as eight bits: all are looked at together."""
    each = uint64(0x0101010101010101)
    low = (word | (each * uint64(0x20))) & (each * uint64(0x7F))
    # A byte's high bit is set by the first sum from "a" on, by the second one beyond "z".
    letters = (low + each * uint64(0x80 - 0x61)) & ~(low + each * uint64(0x7F - 0x7A)) & ~word
    # The product gathers the high bits of all bytes in its own highest byte.
    return ((~letters >> uint64(7)) & each) * uint64(0x0102040810204080) >> uint64(56)


@kernel()
def _mark(buffer: Bytes, begin: Number, end: Number, marks: Words) -> None:
    """Set bit i of `marks`, 64 to a word, where byte begin + i is no ASCII letter, and the bit behind the text."""
    length = end - begin
    for block in range((length >> 6) + 1):
        first = begin + 64 * block
        mark = uint64(0)
        if first + 64 <= len(buffer):
            for k in range(8):
                mark |= _stops(_read8(buffer, first + 8 * k)) << uint64(8 * k)
        else:
            for k in range((end - first + 7) >> 3):
                mark |= _stops(_word(buffer, first + 8 * k)) << uint64(8 * k)
        marks[block] = mark
    marks[length >> 6] |= uint64(1) << uint64(length & 63)
    marks[(length >> 6) + 1] = 0


@kernel()
def _letters(marks: Words, i: Number) -> Number:
    """How many letters follow from byte i of the text on, up to 64: one look at any distance to the next mark."""
    block, bit = i >> 6, uint64(i & 63)
    return int64(trailing_zeros(marks[block] >> bit | marks[block + 1] << uint64(1) << (uint64(63) - bit)))


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
    starts: Offsets, stops: Offsets, marks: Words,
) -> Number:  # fmt: skip
    """Write the token spans of one text; `buffer[start:i]` is always the token at hand. Returns their number."""
    n = 0
    i = start = begin
    previous = edge
    plain = classes[0x61] == ORDINARY  # then all letters are: no tokenizer tells them apart
    if plain:
        _mark(buffer, begin, end, marks)
    while i < end:
        if plain:
            letters = _letters(marks, i - begin)
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
    # They nearly always are: to look at all is quicker than to stop at the first difference.
    different = _read8(buffer, a + length - 8) ^ _read8(buffer, b + length - 8)
    for k in range((length - 1) >> 3):
        different |= _read8(buffer, a + 8 * k) ^ _read8(buffer, b + 8 * k)
    return different == uint64(0)


# What is known of type i, in row i + 1: the two words of its key, its length, and where it was first seen. The rows are
# in the order in which types came, so that those of the frequent ones lie close together. No token has row 0's length.
_HEAD, _TAIL, _LENGTH, _FIRST = range(4)


@kernel(allocates=True)
def _grown(types: NDArray[np.uint64], known: Number, wanted: Number) -> tuple[NDArray[np.uint64], Ids]:
    """Room for more than `wanted` types, and the table that finds them: a slot is 1 + a type, or 0 if it is free."""
    room = len(types)
    while room <= wanted:
        room *= 2
    larger = np.empty((room, 4), np.uint64)
    larger[: known + 1] = types[: known + 1]
    mask = 2 * room - 1
    table = np.zeros(mask + 1, np.int32)
    for row in range(1, known + 1):
        slot = _slot(larger[row, _HEAD], larger[row, _TAIL], int64(larger[row, _LENGTH]), mask)
        while table[slot]:
            slot = (slot + 1) & mask
        table[slot] = row
    return larger, table


@kernel()
def _name(
    buffer: Bytes, starts: Offsets, stops: Offsets, unsure: Offsets, n: Number, types: NDArray[np.uint64], table: Ids,
    known: Number, ids: Ids, total: Number,
) -> Number:  # fmt: skip
    """Ids of n tokens, from `ids[total]` on; there is room for all of them to be new. Returns how many types are known.

    Invariant: each type known stands in the first slot from its own that was free when it came.
    """
    mask = len(table) - 1
    left = 0
    # Most tokens are in their own slot. This loop has no branch on that, so that the processor fetches the slots of
    # many tokens at once; the tokens that it is not sure of are looked at again.
    for k in range(n):
        length = stops[k] - starts[k]
        head, tail = _key(buffer, starts[k], length)
        row = table[_slot(head, tail, length, mask)]
        ids[total + k] = row - 1
        here = (types[row, _HEAD] == head) & (types[row, _TAIL] == tail) & (int64(types[row, _LENGTH]) == length)
        unsure[left] = k
        left += 1 - int64(here & (length <= 16))
    for u in range(left):
        k = unsure[u]
        start = starts[k]
        length = stops[k] - start
        head, tail = _key(buffer, start, length)
        slot = _slot(head, tail, length, mask)
        while True:
            row = table[slot]
            if row == 0:
                known += 1
                table[slot] = row = known
                types[row, _HEAD], types[row, _TAIL] = head, tail
                types[row, _LENGTH], types[row, _FIRST] = length, start
                break
            equal = types[row, _HEAD] == head and types[row, _TAIL] == tail and int64(types[row, _LENGTH]) == length
            if equal and (length <= 16 or _same(buffer, int64(types[row, _FIRST]), start, length)):
                break
            slot = (slot + 1) & mask
        ids[total + k] = row - 1
    return known


@kernel()
def _read_on(
    buffer: Bytes, offsets: Offsets, classes: Bytes, edge: Number, keep_empty: Number, strip: Number, t: Number,
    known: Number, types: NDArray[np.uint64], table: Ids, last: Ids, room: tuple[Offsets, Offsets, Offsets, Words],
    ids: Ids, token_offsets: Offsets,
) -> Number:  # fmt: skip
    """Read texts from `t` on for as long as there is room for their types.

    Returns the next text, how many types are known, and how many there may be with that text.
    """
    starts, stops, unsure, marks = room
    total = token_offsets[t]
    while t < len(offsets) - 1:
        begin = offsets[t]
        end = offsets[t + 1]
        if end - begin >= 8:
            slot = _slot(_word(buffer, begin), _word(buffer, min(begin + 24, end - 8)), end - begin, len(last) - 1)
            before = last[slot]
            last[slot] = t
            as_long = before < t and offsets[before + 1] - offsets[before] == end - begin
            if as_long and _same(buffer, offsets[before], begin, end - begin):
                for k in range(token_offsets[before], token_offsets[before + 1]):
                    ids[total] = ids[k]
                    total += 1
                t += 1
                token_offsets[t] = total
                continue
        if strip:
            while end > begin:
                i = end - 1
                while buffer[i] & 0xC0 == 0x80:
                    i -= 1
                if classes[code_point(buffer, i)] != BLANK:
                    break
                end = i
        n = _split(buffer, begin, end, classes, edge, keep_empty, starts, stops, marks)
        if known + n >= len(types):
            return t, known, known + n
        known = _name(buffer, starts, stops, unsure, n, types, table, known, ids, total)
        total += n
        t += 1
        token_offsets[t] = total
    return t, known, known


@kernel((read_only(uint8), read_only(int64), read_only(uint8), int64, boolean, boolean))
def tokenize(
    buffer: Bytes, offsets: Offsets, classes: Bytes, edge: Number, keep_empty: Number, strip: Number
) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """Cut texts into tokens and name each distinct token by a number.

    Text t is `buffer[offsets[t]:offsets[t + 1]]`, valid UTF-8; the buffer has eight bytes or more. `classes` gives the
    class of each code point, `edge` the class that stands beyond both ends of a text; `strip` drops blanks at the end
    before cutting.

    Returns (ids, token_offsets, starts, lengths): text t is `ids[token_offsets[t]:token_offsets[t + 1]]`, and
    type i is the bytes `buffer[starts[i]:starts[i] + lengths[i]]`.
    """
    texts = len(offsets) - 1
    longest = int64(0)
    for t in range(texts):
        longest = max(longest, offsets[t + 1] - offsets[t])
    spans = np.empty((3, longest + 1), np.int64)
    room = spans[0], spans[1], spans[2], np.empty((longest >> 6) + 2, np.uint64)
    # Memory that is never touched is never given: the bound may be generous.
    ids = np.empty(offsets[texts] - offsets[0] + texts, np.int32)
    token_offsets = np.zeros(texts + 1, np.int64)
    # The last text of each slot: a reference that comes with many systems is read once.
    slots = 1 << 10
    while slots < texts:
        slots *= 2
    last = np.zeros(slots, np.int32)
    types, table = _grown(np.full((1, 4), ~uint64(0)), 0, 1 << 10)
    t = known = 0
    while t < texts:
        t, known, wanted = _read_on(
            buffer, offsets, classes, edge, keep_empty, strip, t, known, types, table, last, room, ids, token_offsets
        )
        if t < texts:
            types, table = _grown(types, known, wanted)
    starts, lengths = types[1 : known + 1, _FIRST].astype(np.int64), types[1 : known + 1, _LENGTH].astype(np.int64)
    return ids[: token_offsets[texts]], token_offsets, starts, lengths


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
