"""The names of array types that all of the package uses. Each says what an array holds; its shape is in docstrings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "Flags", "Floats", "Ids", "Integers", "Offsets", "Words"]

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ids = NDArray[np.int32]
Integers = NDArray[np.int64]
Offsets = NDArray[np.int64]
Words = NDArray[np.uint64]
