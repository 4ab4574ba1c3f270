"""UTF-8, character by character and letter by letter."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64

from metrologue.jit import helper, kernel
from metrologue.kernels.arrays import Bytes, Flags, Number, Offsets, Words
from metrologue.kernels.words import lesser, read8, trailing_zeros

__all__ = ["code_point", "letters_from", "mark_letters", "rows_with", "width", "word_at"]


@helper
def width(lead: Number) -> Number:
    """Bytes of the character that begins with `lead`."""
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


@helper
def code_point(buffer: Bytes, i: Number) -> Number:
    """The character at byte `i` of valid UTF-8."""
    lead = int64(buffer[i])
    if lead < 0x80:
        return lead
    point = lead & (0x1F if lead < 0xE0 else 0x0F if lead < 0xF0 else 0x07)
    for k in range(i + 1, i + width(lead)):
        point = point << 6 | int64(buffer[k] & 0x3F)
    return point


@helper
def word_at(buffer: Bytes, start: Number) -> Number:
    """The eight bytes from `start`, with zeros beyond the end of a buffer of eight bytes or more."""
    at = lesser(start, len(buffer) - 8)
    beyond = uint64(4 * (start - at))
    return read8(buffer, at) >> beyond >> beyond  # a shift by 64 at once would be undefined


@helper
def _stops(word: Number) -> Number:
    """Which of a word's eight bytes are no ASCII letters, as eight bits: all are looked at together."""
    each = uint64(0x0101010101010101)
    low = (word | (each * uint64(0x20))) & (each * uint64(0x7F))
    # A byte's high bit is set by the first sum from "a" on, by the second one beyond "z".
    letters = (low + each * uint64(0x80 - 0x61)) & ~(low + each * uint64(0x7F - 0x7A)) & ~word
    # The product gathers the high bits of all bytes in its own highest byte.
    return ((~letters >> uint64(7)) & each) * uint64(0x0102040810204080) >> uint64(56)


@helper
def mark_letters(buffer: Bytes, begin: Number, end: Number, marks: Words) -> None:
    """Set bit i of `marks`, 64 to a word, where byte begin + i is no ASCII letter, and the bit after the text."""
    length = end - begin
    for block in range((length >> 6) + 1):
        first = begin + 64 * block
        mark = uint64(0)
        if first + 64 <= len(buffer):
            for k in range(8):
                mark |= _stops(read8(buffer, first + 8 * k)) << uint64(8 * k)
        else:
            for k in range((end - first + 7) >> 3):
                mark |= _stops(word_at(buffer, first + 8 * k)) << uint64(8 * k)
        marks[block] = mark
    marks[length >> 6] |= uint64(1) << uint64(length & 63)
    marks[(length >> 6) + 1] = 0


@helper
def letters_from(marks: Words, i: Number) -> Number:
    """How many letters follow from byte i of the text on, up to 64: one look at any distance to the next mark."""
    block, bit = i >> 6, uint64(i & 63)
    return int64(trailing_zeros(marks[block] >> bit | marks[block + 1] << uint64(1) << (uint64(63) - bit)))


@helper
def _hits(word: Number, wanted: Words, high: Number) -> Number:
    """High bits where a byte of the word is wanted: there `word ^ wanted` has a byte of zero, which has to borrow."""
    each, top = uint64(0x0101010101010101), uint64(0x8080808080808080)
    hits = word & high
    for k in range(len(wanted)):
        other = word ^ wanted[k]
        hits |= (other - each) & ~other & top
    return hits


@kernel
def _rows_with(buffer: Bytes, offsets: Offsets, wanted: Words, high: np.uint64, found: Flags) -> None:
    """Invariant: `hits` is zero if no byte before `i` is wanted; a false bit stands above a true one only."""
    for t in range(len(found)):
        i, end = offsets[t], offsets[t + 1]
        hits = uint64(0)
        while i + 8 <= end:
            hits |= _hits(read8(buffer, i), wanted, high)
            i += 8
        if i < end:
            hits |= _hits(word_at(buffer, i), wanted, high) & (~uint64(0) >> uint64(64 - 8 * (end - i)))
        found[t] = hits != uint64(0)


def rows_with(buffer: Bytes, offsets: Offsets, wanted: bytes = b"", beyond_ascii: bool = False) -> Flags:
    """Which texts hold one of the `wanted` bytes, or a byte beyond ASCII, (n_texts,)."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    if len(buffer) < 8:  # the kernel reads eight bytes at a time
        buffer = np.concatenate([buffer, np.zeros(8, np.uint8)])
    repeated = np.frombuffer(bytes(wanted).ljust(1), np.uint8)[: len(wanted)].astype(np.uint64) * 0x0101010101010101
    _rows_with(buffer, offsets, repeated, np.uint64(0x8080808080808080 if beyond_ascii else 0), found)
    return found
