"""The arrays that kernels take: a kernel's annotations are its signature, for Python and for the compiler.

Arrays are C-contiguous. Those that a kernel fills come last, and its caller makes them.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.native import kernel

__all__ = [
    "Bytes",
    "Flags",
    "FloatRows",
    "Floats",
    "IdRows",
    "Ids",
    "Number",
    "Offsets",
    "Rows",
    "WordRows",
    "Words",
    "longest_row",
    "longest_text",
    "row_lengths",
]

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Words = NDArray[np.uint64]
Rows = Annotated[NDArray[np.int64], 2]
IdRows = Annotated[NDArray[np.int32], 2]
WordRows = Annotated[NDArray[np.uint64], 2]
FloatRows = Annotated[NDArray[np.float64], 2]
# Room for so many tokens takes no longer to make than to measure how much is needed.
_FEW = 64
# Inside a kernel a number has the type that the compiler infers.
Number = Any


def row_lengths(offsets: Offsets) -> Offsets:
    """The length of each row, (n,), from their offsets (n + 1,): ``np.diff``, which is slower for few rows."""
    return offsets[1:] - offsets[:-1]


def longest_text(ids: Ids, offsets: Offsets) -> int:
    """The length of the longest text, or for few tokens the number of all, which takes less time; so for all rows."""
    return len(ids) if len(ids) <= _FEW else longest_row(offsets)


@kernel
def longest_row(offsets: Offsets) -> int:
    """The length of the longest row; 0 if there are no rows."""
    longest = 0
    for i in range(len(offsets) - 1):
        length = offsets[i + 1] - offsets[i]
        longest = length if length > longest else longest
    return longest
