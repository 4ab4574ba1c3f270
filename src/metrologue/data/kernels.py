"""Python's strings as UTF-8, read where they lie in memory; see ``metrologue.native.texts``.

Other threads may run meanwhile. To join the strings, to encode them and to count their characters would take the
interpreter's lock all the time, and several times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy import int64, uint8, uint64

from metrologue.kernels.arrays import Bytes, Number, Offsets
from metrologue.kernels.words import array_at, lesser, prefetch, read8, trailing_zeros, write8
from metrologue.native import helper, kernel
from metrologue.native.texts import addresses, layout

__all__ = ["Held", "measured"]

# The places in the layout of a string.
_KIND, _TYPE, _LENGTH, _SHIFT, _PLAIN, _OTHER = range(6)
# The states of strings: ASCII, or characters of one, two or four bytes.
_ASCII, _ONE, _TWO, _FOUR = 0b11001, 0b01001, 0b01010, 0b01100
_WIDER = uint64(0xFF80FF80FF80FF80)  # the bits that characters of ASCII do not have, of four in two bytes each
_AHEAD, _LINES = 16, 4  # so many strings before its turn, so many lines of a string are asked for


@helper
def _width_of(point: Number) -> Number:
    """The number of bytes of a character."""
    return 1 + int64(point >= 0x80) + int64(point >= 0x800) + int64(point >= 0x10000)


@helper
def _is_half(point: Number) -> Number:
    """1 for half of a surrogate pair, which is no character, and 0 otherwise."""
    return int64(point >> 11 == 0x1B)


@helper
def _high_of(word: Number) -> Number:
    """How many of a word's eight bytes are not ASCII."""
    return int64((word >> uint64(7) & uint64(0x0101010101010101)) * uint64(0x0101010101010101) >> uint64(56))


@helper
def _state(text: Number, layout: Offsets) -> Number:
    """Five bits of a string: the size of a character in three, then whether it is compact, and whether it is ASCII."""
    word = array_at(np.int64, text, layout[_LENGTH] + 3)[layout[_LENGTH] + 2]
    return (word >> layout[_SHIFT]) & 31


@helper
def _length(text: Number, layout: Offsets) -> Number:
    return array_at(np.int64, text, layout[_LENGTH] + 1)[layout[_LENGTH]]


@kernel
def _measured(texts: Offsets, layout: Offsets, sizes: Offsets) -> int:
    """The size of each string in UTF-8. Returns 1 at an object that is not a plain string, or one without UTF-8."""
    for t in range(len(texts)):
        ahead = texts[lesser(t + _AHEAD, len(texts) - 1)]
        for line in range(_LINES):
            prefetch(array_at(np.uint8, ahead, 1), 64 * line)
        text = texts[t]
        if array_at(np.int64, text, layout[_TYPE] + 1)[layout[_TYPE]] != layout[_KIND]:
            return 1
        length, state, size, halves = _length(text, layout), _state(text, layout), int64(0), int64(0)
        place = text + layout[_OTHER]
        if state == _ASCII:
            size = length
        elif state == _ONE:
            narrow = array_at(np.uint8, place, length)
            size = length
            for k in range(0, length - 7, 8):
                size += _high_of(read8(narrow, k))
            if length < 8:
                for k in range(length):
                    size += narrow[k] >> 7
            elif length & 7:
                size += _high_of(read8(narrow, length - 8) >> uint64(64 - 8 * (length & 7)))
        elif state == _TWO:
            wide = array_at(np.uint16, place, length)
            for k in range(length):
                size += _width_of(wide[k])
                halves |= _is_half(wide[k])
        elif state == _FOUR:
            widest = array_at(np.uint32, place, length)
            for k in range(length):
                size += _width_of(widest[k])
                halves |= _is_half(widest[k])
        else:
            return 1
        if halves:
            return 1
        sizes[t] = size
    return 0


@helper
def _put(point: Number, buffer: Bytes, end: Number) -> Number:
    """Write a character at `end`. Returns where the next one begins."""
    if point < 0x80:
        buffer[end] = uint8(point)
        return end + 1
    if point < 0x800:
        buffer[end] = uint8(0xC0 | point >> 6)
        buffer[end + 1] = uint8(0x80 | (point & 0x3F))
        return end + 2
    if point < 0x10000:
        buffer[end] = uint8(0xE0 | point >> 12)
        buffer[end + 1] = uint8(0x80 | (point >> 6 & 0x3F))
        buffer[end + 2] = uint8(0x80 | (point & 0x3F))
        return end + 3
    buffer[end] = uint8(0xF0 | point >> 18)
    buffer[end + 1] = uint8(0x80 | (point >> 12 & 0x3F))
    buffer[end + 2] = uint8(0x80 | (point >> 6 & 0x3F))
    buffer[end + 3] = uint8(0x80 | (point & 0x3F))
    return end + 4


@helper
def _plain_of(word: Number) -> Number:
    """How many of a word's four characters come before the first one that is not ASCII."""
    return int64(trailing_zeros(word & _WIDER) >> uint64(4))


@helper
def _narrowed(word: Number) -> Number:
    """The low bytes of a word's four halves, next to each other."""
    pairs = (word | word >> uint64(8)) & uint64(0x0000FFFF0000FFFF)
    return (pairs | pairs >> uint64(16)) & uint64(0xFFFFFFFF)


@kernel
def _written(texts: Offsets, layout: Offsets, offsets: Offsets, buffer: Bytes) -> None:
    """Write each string to its place.

    Eight characters are written as if they were ASCII, and as many of them count as are. The processor guesses that all
    are, and does not wait for the answer. A character takes a byte or more, so eight that are left fit into the place
    of the text.
    """
    for t in range(len(texts)):
        text, end, i = texts[t], offsets[t], int64(0)
        length, state = _length(text, layout), _state(text, layout)
        place = text + layout[_OTHER]
        if state == _ASCII:
            letters = array_at(np.uint8, text + layout[_PLAIN], length)
            for k in range(length):
                buffer[end + k] = letters[k]
        elif state == _ONE:
            narrow = array_at(np.uint8, place, length)
            while i < length:
                if i + 8 <= length:
                    word = read8(narrow, i)
                    write8(buffer, end, word)
                    wider = word & uint64(0x8080808080808080)
                    if not wider:
                        i, end = i + 8, end + 8
                        continue
                    plain = int64(trailing_zeros(wider) >> uint64(3))
                    i, end = i + plain, end + plain
                end = _put(int64(narrow[i]), buffer, end)
                i += 1
        elif state == _TWO:
            wide, pairs = array_at(np.uint16, place, length), array_at(np.uint8, place, 2 * length)
            while i < length:
                if i + 8 <= length:
                    low, high = read8(pairs, 2 * i), read8(pairs, 2 * i + 8)
                    write8(buffer, end, _narrowed(low) | _narrowed(high) << uint64(32))
                    if not (low | high) & _WIDER:
                        i, end = i + 8, end + 8
                        continue
                    plain = _plain_of(low)
                    if plain == 4:
                        plain += _plain_of(high)
                    i, end = i + plain, end + plain
                end = _put(int64(wide[i]), buffer, end)
                i += 1
        else:
            widest = array_at(np.uint32, place, length)
            for k in range(length):
                end = _put(int64(widest[k]), buffer, end)


@kernel
def _ending(texts: Offsets, layout: Offsets, ending: Bytes) -> int:
    found, size = 0, len(ending)
    for t in range(len(texts)):
        text = texts[t]
        length, state = _length(text, layout), _state(text, layout)
        same = length >= size
        width, place = state & 7, text + (layout[_PLAIN] if state == _ASCII else layout[_OTHER])
        letters = array_at(np.uint8, place, width * length)
        for k in range(size if same else 0):
            first = (length - size + k) * width
            same &= letters[first] == ending[k]
            for high in range(1, width):
                same &= letters[first + high] == 0
        found += same
    return found


class Held(NamedTuple):
    """Strings that are not encoded yet: where each is in memory, (n,), in an array that holds references to all."""

    addresses: Offsets

    def part(self, start: int, stop: int) -> Held:
        """The strings `start` to `stop`."""
        return Held(self.addresses[start:stop])

    def write(self, offsets: Offsets, buffer: Bytes) -> None:
        """Write the strings in UTF-8 to ``buffer[offsets[t]:offsets[t + 1]]``, whose sizes ``measured`` has given."""
        where = layout()
        assert where is not None
        _written(self.addresses, where, offsets, buffer)

    def ending(self, ending: bytes) -> int:
        """How many of the strings end with these characters, which must be ASCII."""
        where = layout()
        assert where is not None
        return _ending(self.addresses, where, np.frombuffer(ending, np.uint8))


def measured(objects: Sequence[Any]) -> tuple[Held, Offsets] | None:
    """Strings as they lie in memory, and where each one would begin in UTF-8 that holds them all, (n + 1,).

    None if some object is not a string of the type str itself, or is one without UTF-8, or if machine code does not
    know how this interpreter keeps strings.
    """
    where = layout()
    if where is None:
        return None
    texts = addresses(tuple(objects))
    offsets = np.zeros(len(texts) + 1, np.int64)
    if _measured(texts, where, offsets[1:]):
        return None
    offsets.cumsum(out=offsets)
    return Held(texts), offsets
