"""From UTF-8 bytes to the ids of characters, in one walk."""

from __future__ import annotations

import numpy as np
from numba import int32, int64, types, uint8, uint64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.tokens import Bytes, Ids, Offsets, code_point, read_only, width

__all__ = ["DROPPED", "DROPPED_AT_ENDS", "KEPT", "characters"]

# What becomes of a character: the second is left out only where no kept one stands before it, or none behind it.
KEPT, DROPPED_AT_ENDS, DROPPED = range(3)


@kernel((read_only(uint8), read_only(int64), read_only(uint8), types.Array(int32, 1, "C")))
def characters(
    buffer: Bytes, offsets: Offsets, classes: Bytes, names: NDArray[np.int32]
) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """Name each distinct character by a number.

    Text t is `buffer[offsets[t]:offsets[t + 1]]`, valid UTF-8. `classes` says of each code point what becomes of it;
    `names` is zeros, as many, and is used up.

    Returns (ids, id_offsets, starts, lengths) as ``tokens.tokenize`` does.
    """
    texts = len(offsets) - 1
    ids = np.empty(offsets[texts] - offsets[0], np.int32)
    id_offsets = np.zeros(texts + 1, np.int64)
    starts = np.empty(len(classes), np.int64)
    lengths = np.empty(len(classes), np.int64)
    known = 0
    total = uint64(0)  # an index without a sign needs no look at whether it is negative
    for t in range(texts):
        i, end = uint64(offsets[t]), uint64(offsets[t + 1])
        first = kept = total
        while i < end:
            point, size = uint64(buffer[i]), uint64(1)
            if point >= uint64(0x80):
                point, size = uint64(code_point(buffer, i)), uint64(width(buffer[i]))
            kind = classes[point]
            if kind == KEPT or (kind == DROPPED_AT_ENDS and kept > first):
                name = names[point]
                if name == 0:
                    starts[known], lengths[known] = i, size
                    known += 1
                    names[point] = name = known
                ids[total] = name - 1
                total += uint64(1)
                if kind == KEPT:
                    kept = total
            i += size
        total = kept
        id_offsets[t + 1] = total
    return ids[:total], id_offsets, starts[:known].copy(), lengths[:known].copy()
