"""The row of a pair: its distance, and the lengths of its texts. For one pair, NumPy's calls would cost more."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats, Offsets
from metrologue.native import kernel

__all__ = ["distance_rows"]


@kernel
def _distance_rows(
    distances: Floats, offsets: Offsets, hypotheses: Offsets, references: Offsets, rows: FloatRows
) -> None:
    for p in range(len(distances)):
        h, r = hypotheses[p], references[p]
        rows[p, 0], rows[p, 1] = distances[p], 1.0
        rows[p, 2], rows[p, 3] = offsets[h + 1] - offsets[h], offsets[r + 1] - offsets[r]


def distance_rows(distances: Floats, offsets: Offsets, hypotheses: Offsets, references: Offsets) -> Floats:
    """Distance, a divisor of 1, and both lengths of the texts `hypotheses[p]` and `references[p]`: (pairs, 4)."""
    rows = np.empty((len(distances), 4))
    _distance_rows(distances, offsets, hypotheses, references, rows)
    return rows
