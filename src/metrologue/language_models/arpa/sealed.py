"""Files of tables that are mapped into memory, with a digest of each block, and a seal.

First come the words of the tables, in whole blocks. Then the layout, the digest of each block, the numbers of these
two, and the seal, which says that all after the tables is as it was written. So a file of any size opens at once. A
block of the tables is compared with its digest when a kernel first reads it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from metrologue.data.arrays import Integers, Words
from metrologue.files.cache import identity, seal
from metrologue.kernels.blocks import BLOCK, block_digests

__all__ = ["Tables", "add_seal", "mapped", "read_sealed"]

_SEAL = 64  # bytes


class Tables(NamedTuple):
    """A model that is ready.

    Attributes
    ----------
    layout : int64
        What is where; see ``metrologue.kernels.ngram_tables``.
    words : uint64
    unread : uint64
        The state of the blocks of `words`; see ``metrologue.kernels.blocks``.
    file : tuple of int
        The ``identity`` of the file.
    """

    layout: Integers
    words: Words
    unread: Words
    file: tuple[int, int]


def mapped(target: Path, size: int) -> Words:
    """A file of this many words, mapped into memory so that the system can write it out and drop it at any time."""
    with target.open("ab") as file:
        if hasattr(os, "posix_fallocate"):  # a full disk is an error here, and would kill the process later
            os.posix_fallocate(file.fileno(), 0, 8 * size)
        file.truncate(8 * size)
    return np.asarray(np.memmap(target, np.uint64, "r+"))


def add_seal(name: str, target: Path, words: Words, layout: Integers) -> None:
    """Complete the file of these tables, for the name that it has in the cache."""
    digests = block_digests(words)
    rest = b"".join(part.tobytes() for part in (layout, digests, np.array([len(layout), len(digests)])))
    with target.open("ab") as file:
        file.write(rest + seal(name, rest))


def read_sealed(name: str, file: BinaryIO) -> Tables | None:
    """The tables in an open file; None if it is not complete, was damaged, or comes from another name."""
    size = os.fstat(file.fileno()).st_size
    if size % 8 or size < 16 + _SEAL:
        return None
    file.seek(size - _SEAL - 16)
    fields, blocks = np.frombuffer(file.read(16), np.int64).tolist()
    start = 8 * BLOCK * blocks
    if min(fields, blocks) < 1 or start + 8 * (fields + blocks) + 16 + _SEAL != size:
        return None
    file.seek(start)
    rest, sealed = file.read(size - _SEAL - start), file.read(_SEAL)
    if sealed != seal(name, rest):
        return None
    numbers = np.frombuffer(rest, np.int64)
    words: Words = np.asarray(np.memmap(file, np.uint64, "r", shape=BLOCK * blocks))
    unread = np.append(numbers[fields : fields + blocks].view(np.uint64), np.uint64(0))
    return Tables(numbers[:fields].copy(), words, unread, identity(file))
