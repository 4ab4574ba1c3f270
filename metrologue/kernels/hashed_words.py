"""Hashes of words, and lines of words with numbers, read byte by byte."""

from __future__ import annotations

import math

import numpy as np
from numpy import int64, uint32, uint64
from numpy.typing import NDArray

from metrologue.jit import helper, kernel
from metrologue.kernels.arrays import Bytes, Floats, Number, Offsets
from metrologue.kernels.words import greater, lesser

__all__ = ["ANY", "NONE", "hash_lines", "read_items"]

# In place of a hash: the item stands for any word; the item is a number without a word.
ANY, NONE = -1, -2

_SPACE, _COLON, _ZERO, _NINE = 0x20, 0x3A, 0x30, 0x39
# The powers of ten that a double can be multiplied by; beyond them a number is 0 or infinite.
_POWERS = np.array([float(f"1e{k}") for k in range(-400, 401)])


@helper
def _turned(value: Number, bits: Number) -> Number:
    """A rotation of 32 bits to the left."""
    return (value << uint32(bits)) | (value >> uint32(32 - bits))


@helper
def _hash(buffer: Bytes, start: Number, stop: Number, seed: Number) -> Number:
    """MurmurHash3 (x86, 32 bits) of some bytes, by Austin Appleby's public definition."""
    state = uint32(seed)
    whole = start + ((stop - start) & ~int64(3))
    for i in range(start, whole, 4):
        block = uint32(buffer[i]) | uint32(buffer[i + 1]) << uint32(8)
        block |= uint32(buffer[i + 2]) << uint32(16) | uint32(buffer[i + 3]) << uint32(24)
        state ^= uint32(_turned(uint32(block * uint32(0xCC9E2D51)), 15) * uint32(0x1B873593))
        state = uint32(_turned(state, 13) * uint32(5) + uint32(0xE6546B64))
    rest = uint32(0)
    for i in range(stop - 1, whole - 1, -1):
        rest = rest << uint32(8) | uint32(buffer[i])
    state ^= uint32(_turned(uint32(rest * uint32(0xCC9E2D51)), 15) * uint32(0x1B873593))
    state ^= uint32(stop - start)
    state = uint32((state ^ (state >> uint32(16))) * uint32(0x85EBCA6B))
    state = uint32((state ^ (state >> uint32(13))) * uint32(0xC2B2AE35))
    return state ^ (state >> uint32(16))


@helper
def _digit(buffer: Bytes, i: Number, stop: Number) -> Number:
    return i < stop and buffer[i] >= _ZERO and buffer[i] <= _NINE


@helper
def _number(buffer: Bytes, start: Number, stop: Number, powers: NDArray[np.float64]) -> Number:
    """The number that the bytes spell: digits, perhaps a sign, a fraction and an exponent. NaN if they spell none.

    The first 19 digits count: they fit 64 bits, and a double holds fewer than 18. With an exponent below -308, a number
    is 0: GEval multiplies by the inverse of a power of ten, which is then infinite.
    """
    i = start
    negative = i < stop and buffer[i] == 0x2D
    if i < stop and (buffer[i] == 0x2D or buffer[i] == 0x2B):
        i += 1
    if not _digit(buffer, i, stop):
        return math.nan
    digits, mantissa, exponent = int64(0), uint64(0), int64(0)
    fraction = False
    while True:
        while _digit(buffer, i, stop):
            if digits < 19:
                mantissa = mantissa * uint64(10) + uint64(buffer[i] - _ZERO)
                digits += mantissa > 0
                exponent -= fraction
            else:
                exponent += not fraction
            i += 1
        if fraction or not (i < stop and buffer[i] == 0x2E and _digit(buffer, i + 1, stop)):
            break
        fraction = True
        i += 1
    if i < stop and (buffer[i] == 0x65 or buffer[i] == 0x45):
        i += 1
        down = i < stop and buffer[i] == 0x2D
        if i < stop and (buffer[i] == 0x2D or buffer[i] == 0x2B):
            i += 1
        if not _digit(buffer, i, stop):
            return math.nan
        power = int64(0)
        while _digit(buffer, i, stop):
            power = lesser(power * 10 + int64(buffer[i] - _ZERO), int64(1) << 40)
            i += 1
        exponent += -power if down else power
        if down and power > 308:
            mantissa = uint64(0)
    if i < stop:
        return math.nan
    magnitude = np.float64(mantissa)
    # A negative power of ten is rounded, its inverse is not: short decimals come out as Python reads them.
    if -22 <= exponent < 0:
        magnitude /= powers[400 - exponent]
    elif magnitude > 0:
        magnitude *= powers[lesser(greater(exponent, -400), 400) + 400]
    return -magnitude if negative else magnitude


@kernel
def _items(
    lines: Bytes,
    line_offsets: Offsets,
    first: int,
    powers: Floats,
    offsets: Offsets,
    values: Floats,
    hashes: Offsets,
    error: Offsets,
) -> None:
    """Invariant: byte i begins item k, and the items before it are in `values` and `hashes`."""
    k = 0
    for t in range(len(offsets) - 1):
        i, end = line_offsets[t], line_offsets[t + 1]
        named = False
        for byte in lines[i:end]:
            named |= byte == _COLON
        stop = i - 1
        while stop < end:
            i = stop = stop + 1
            colon = i - 1
            while stop < end and lines[stop] != _SPACE:
                if lines[stop] == _COLON:
                    colon = stop
                stop += 1
            values[k] = _number(lines, colon + 1, stop, powers)
            if (named and colon < i) or values[k] != values[k]:
                error[0], error[1] = t, i
                return
            if colon > i:
                hashes[k] = int64(_hash(lines, i, colon, first + t))
            else:
                hashes[k] = ANY if colon == i else NONE
            k += 1
        offsets[t + 1] = k


def read_items(
    lines: Bytes, offsets: Offsets, first_line: int
) -> tuple[Offsets, NDArray[np.float64], Offsets, tuple[int, int] | None]:
    """The items of lines such as "cat:0.5 dog:0.25 :0.25", or of lines of numbers alone.

    Items are separated by single spaces. The last colon of an item ends its word. If a line has a colon, each of its
    items must have one.

    Parameters
    ----------
    lines, offsets : bytes and their offsets (n + 1,)
    first_line : int
        The number of the first line. A line's number is the seed of its hashes.

    Returns
    -------
    offsets : int64 (n + 1,)
        The items of line i are ``offsets[i]:offsets[i + 1]``.
    values : float64 (n_items,)
    hashes : int64 (n_items,)
        The hash of the item's word; ANY if the word is empty, NONE if there is no colon.
    error : None, or (line, byte)
        The line and the first byte of the first item that cannot be read.
    """
    text = lines[offsets[0] : offsets[-1]]
    most = int(np.count_nonzero(text == _SPACE)) + len(offsets) - 1
    ends, values, hashes = np.zeros(len(offsets), np.int64), np.empty(most), np.empty(most, np.int64)
    error = np.full(2, -1, np.int64)
    _items(lines, offsets, first_line, _POWERS, ends, values, hashes, error)
    return ends, values, hashes, (int(error[0]), int(error[1])) if error[0] >= 0 else None


@kernel
def _hash_each(texts: Bytes, offsets: Offsets, first: int, hashes: Offsets) -> None:
    for t in range(len(hashes)):
        hashes[t] = int64(_hash(texts, offsets[t], offsets[t + 1], first + t))


def hash_lines(texts: Bytes, offsets: Offsets, first_line: int) -> Offsets:
    """The hash of each whole text with its line number as the seed, (n,)."""
    hashes = np.empty(len(offsets) - 1, np.int64)
    _hash_each(texts, offsets, first_line, hashes)
    return hashes
