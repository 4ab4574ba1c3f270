"""The names of array types that all of the package uses. Each says what an array holds; its shape is in docstrings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Flags, Floats, Ids, Offsets, Words

__all__ = ["Bytes", "Flags", "Floats", "Ids", "Integers", "Offsets", "Words", "up_to"]

Integers = NDArray[np.int64]

_FEW = 8
_ALL = np.arange(_FEW)
_ALL.flags.writeable = False
_UP_TO = [_ALL[:count] for count in range(_FEW + 1)]


def up_to(count: int) -> Integers:
    """``np.arange(count)``. Nobody may write to it: few numbers are always the same array, which takes no time.

    Examples
    --------
    >>> up_to(3)
    array([0, 1, 2])
    """
    return _UP_TO[count] if count <= _FEW else np.arange(count)
