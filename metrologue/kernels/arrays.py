"""The arrays that kernels take: a kernel's annotations are its signature, for Python and for the compiler.

Arrays are C-contiguous. Those that a kernel fills come last, and its caller makes them.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Bytes, Flags, Floats, Ids, Offsets, Words

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
]

Rows = Annotated[NDArray[np.int64], 2]
IdRows = Annotated[NDArray[np.int32], 2]
WordRows = Annotated[NDArray[np.uint64], 2]
FloatRows = Annotated[NDArray[np.float64], 2]
# Inside a kernel a number has the type that the compiler infers.
Number = Any
