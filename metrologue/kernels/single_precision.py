"""Sums in 32 bits, as programs compute them that hold a total in a C float."""

from __future__ import annotations

from numpy import float32

from metrologue.jit import kernel
from metrologue.kernels.arrays import Floats, Offsets

__all__ = ["single_sums"]


@kernel
def single_sums(values: Floats, offsets: Offsets, totals: Floats) -> None:
    """The sum of each row, one value after another. Invariant: `total` is rounded to 32 bits after each addition."""
    for i in range(len(totals)):
        total = float32(0.0)
        for j in range(offsets[i], offsets[i + 1]):
            total = float32(total + float32(values[j]))
        totals[i] = total
