"""From UTF-8 bytes to the ids of characters, in one walk."""

from __future__ import annotations

from threading import local

import numpy as np
from numpy import uint64

from metrologue.kernels.arrays import Bytes, Ids, Offsets
from metrologue.kernels.utf8 import code_point, width
from metrologue.native import kernel

__all__ = ["DROPPED", "DROPPED_AT_ENDS", "KEPT", "characters"]

# What becomes of a character. One that is dropped at the ends is left out only where no kept character comes before it,
# or none comes after it.
KEPT, DROPPED_AT_ENDS, DROPPED = range(3)


_FEW = 1 << 10
_KEPT = local()


@kernel
def _characters(
    buffer: Bytes,
    offsets: Offsets,
    classes: Bytes,
    names: Ids,
    starts: Offsets,
    lengths: Offsets,
    ids: Ids,
    id_offsets: Offsets,
) -> int:
    """Fill the arrays of `characters`. Returns the number of distinct characters.

    Invariant: `names[c]` is 1 + the number of character c, or 0 as long as it has no number.
    At the end all names are 0 again.
    """
    texts = len(offsets) - 1
    known = 0
    total = uint64(0)  # an unsigned index needs no test for negative values
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
    for k in range(known):
        names[code_point(buffer, starts[k])] = 0
    return known


def characters(buffer: Bytes, offsets: Offsets, classes: Bytes) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """Name each distinct character by a number.

    Text t is `buffer[offsets[t]:offsets[t + 1]]`, valid UTF-8. `classes` says of each code point what becomes of it.

    Returns (ids, id_offsets, starts, lengths) as ``interning.tokenize`` does.
    """
    most = offsets.item(-1) - offsets.item(0)
    types = min(most, len(classes))
    ids, id_offsets = np.empty(most, np.int32), np.zeros(len(offsets), np.int64)
    starts, lengths = np.empty(types, np.int64), np.empty(types, np.int64)
    # A name for each code point takes four megabytes, which cost more than a short text. Each thread keeps its own.
    try:
        names = _KEPT.names
    except AttributeError:
        names = _KEPT.names = np.zeros(len(classes), np.int32)
    known = _characters(buffer, offsets, classes, names, starts, lengths, ids, id_offsets)
    starts, lengths = starts[:known], lengths[:known]
    if known < types >> 1 and types > _FEW:  # otherwise what is not used is not worth a copy
        starts, lengths = starts.copy(), lengths.copy()
    return ids[: id_offsets.item(-1)], id_offsets, starts, lengths
