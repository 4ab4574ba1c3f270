"""Blocks of a large array that comes from a file: each is compared with its digest when it is first read.

So a file opens at once, however large it is, and nothing that was damaged is ever used. A block is not larger than what
a system fetches around a byte that it reads from a file.

`unread` has one number for each block, and one more: the digest of a block that has not been read yet, 0 for one that
is sound, and at the end whether a block is damaged.
"""

from __future__ import annotations

import numpy as np
from numpy import uint64

from metrologue.kernels.arrays import Number, Words
from metrologue.native import helper, kernel

__all__ = ["BLOCK", "DamagedError", "block_digests", "is_damaged", "is_sound", "mixed"]

BLOCK = 2048  # words of eight bytes: smaller blocks take longer to look up, larger ones longer to read at first
_SHIFT = np.uint64(11)
_FOUR = np.uint64(4)


class DamagedError(Exception):
    """A block is not as it was written."""


@helper
def mixed(state: Number, piece: Number) -> Number:
    """The state of a hash after eight more bytes. Another state, or other bytes, never give the same one."""
    state = (state ^ piece) * uint64(0xBF58476D1CE4E5B9)
    return state ^ state >> uint64(31)


@helper
def _digest(words: Words, block: Number) -> Number:
    """The digest of a block, never 0. Four chains run side by side, so that no product waits for the one before."""
    a, b, c, d = uint64(1), uint64(2), uint64(3), uint64(4)
    at = block << _SHIFT
    stop = at + uint64(BLOCK)
    while at < stop:
        a, b = mixed(a, words[at]), mixed(b, words[at + uint64(1)])
        c, d = mixed(c, words[at + uint64(2)]), mixed(d, words[at + uint64(3)])
        at += _FOUR
    whole = mixed(mixed(mixed(a, b), c), d)
    return whole if whole else uint64(1)


@helper
def is_sound(words: Words, unread: Words, index: Number) -> Number:
    """Whether the block of a word is as it was written. If it is not, the whole array counts as damaged.

    Threads may share `unread`: each number in it only ever becomes 0, and is read here once."""
    block = uint64(index) >> _SHIFT
    expected = unread[block]
    sound = True
    if expected != 0:
        sound = _digest(words, block) == expected
        if sound:
            unread[block] = uint64(0)
        else:
            unread[uint64(len(unread) - 1)] = uint64(1)
    return sound


@helper
def is_damaged(unread: Words) -> Number:
    """Whether a block that was read is damaged."""
    return unread[uint64(len(unread) - 1)] != 0


@kernel
def _block_digests(words: Words, digests: Words) -> None:
    for block in range(len(digests)):
        digests[block] = _digest(words, uint64(block))


def block_digests(words: Words) -> Words:
    """The digest of each block of an array of n blocks, (n,).

    Examples
    --------
    >>> words = np.zeros(2 * BLOCK, np.uint64)
    >>> words[BLOCK] = 1
    >>> first, second = block_digests(words)
    >>> first == second
    np.False_
    """
    digests = np.empty(len(words) // BLOCK, np.uint64)
    _block_digests(words, digests)
    return digests
