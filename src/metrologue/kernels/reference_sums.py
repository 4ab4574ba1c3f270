"""Sums over the references of each segment, added one after another."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Offsets
from metrologue.native import kernel

__all__ = ["reference_sums"]


@kernel
def _reference_sums(rows: FloatRows, offsets: Offsets, sums: FloatRows) -> None:
    for s in range(len(sums)):
        for p in range(offsets[s], offsets[s + 1]):
            for k in range(rows.shape[1]):
                sums[s, k] += rows[p, k]


def reference_sums(rows: FloatRows, offsets: Offsets) -> FloatRows:
    """The sums of `rows[offsets[s]:offsets[s + 1]]`, (n_segments, k), in the order in which a plain loop adds them.

    ``np.add.reduceat`` adds the first row last.
    """
    sums = np.zeros((len(offsets) - 1, rows.shape[1]))
    _reference_sums(np.ascontiguousarray(rows), offsets, sums)
    return sums
