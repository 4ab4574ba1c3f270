"""Hashes of words, and lines of words with numbers, read byte by byte."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint32
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Floats, Number, Offsets
from metrologue.kernels.spelled_numbers import POWERS, spelled_number
from metrologue.kernels.utf8 import place_of_byte, word_at
from metrologue.native import helper, kernel

__all__ = ["ANY", "NONE", "hash_lines", "read_items"]

# In place of a hash: the item stands for any word; the item is a number without a word.
ANY, NONE = -1, -2

_SPACE, _COLON = 0x20, 0x3A


@helper
def _turned(value: Number, bits: Number) -> Number:
    """A rotation of 32 bits to the left."""
    return (value << uint32(bits)) | (value >> uint32(32 - bits))


@helper
def _hash(buffer: Bytes, start: Number, stop: Number, seed: Number) -> Number:
    """MurmurHash3 (x86, 32 bits) of some bytes, by Austin Appleby's public definition."""
    state = uint32(seed)
    length = uint32(stop - start)
    while stop - start >= 4:
        block = uint32(word_at(buffer, start))
        state ^= uint32(_turned(uint32(block * uint32(0xCC9E2D51)), 15) * uint32(0x1B873593))
        state = uint32(_turned(state, 13) * uint32(5) + uint32(0xE6546B64))
        start += 4
    rest = uint32(word_at(buffer, start)) & uint32((1 << 8 * (stop - start)) - 1)
    state ^= uint32(_turned(uint32(rest * uint32(0xCC9E2D51)), 15) * uint32(0x1B873593))
    state ^= length
    state = uint32((state ^ (state >> uint32(16))) * uint32(0x85EBCA6B))
    state = uint32((state ^ (state >> uint32(13))) * uint32(0xC2B2AE35))
    return state ^ (state >> uint32(16))


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
            stop = place_of_byte(lines, i, end, _SPACE)
            colon = place_of_byte(lines, i, stop, _COLON) if named else stop
            last = colon
            while last < stop:
                colon, last = last, place_of_byte(lines, last + 1, stop, _COLON)
            colon = colon if colon < stop else i - 1
            values[k] = spelled_number(lines, colon + 1, stop, powers)
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
    lines = _eight(lines)
    text = lines[offsets[0] : offsets[-1]]
    most = int(np.count_nonzero(text == _SPACE)) + len(offsets) - 1
    ends, values, hashes = np.zeros(len(offsets), np.int64), np.empty(most), np.empty(most, np.int64)
    error = np.full(2, -1, np.int64)
    _items(lines, offsets, first_line, POWERS, ends, values, hashes, error)
    return ends, values, hashes, (int(error[0]), int(error[1])) if error[0] >= 0 else None


def _eight(buffer: Bytes) -> Bytes:
    """The bytes, of which the kernels read eight at a time."""
    return buffer if len(buffer) >= 8 else np.concatenate([buffer, np.zeros(8, np.uint8)])


@kernel
def _hash_each(texts: Bytes, offsets: Offsets, first: int, hashes: Offsets) -> None:
    for t in range(len(hashes)):
        hashes[t] = int64(_hash(texts, offsets[t], offsets[t + 1], first + t))


def hash_lines(texts: Bytes, offsets: Offsets, first_line: int) -> Offsets:
    """The hash of each whole text with its line number as the seed, (n,)."""
    hashes = np.empty(len(offsets) - 1, np.int64)
    _hash_each(_eight(texts), offsets, first_line, hashes)
    return hashes
