"""The row of a pair: its distance, and the lengths of its texts. For one pair, NumPy's calls would cost more."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats
from metrologue.kernels.pairs import Pairs, places
from metrologue.native import kernel

__all__ = ["distance_rows"]


@kernel
def _distance_rows(distances: Floats, texts: Pairs, rows: FloatRows) -> None:
    for p in range(len(distances)):
        rows[p, 0], rows[p, 1] = distances[p], 1.0
        _, rows[p, 2], _, rows[p, 3] = places(texts, p)


def distance_rows(distances: Floats, texts: Pairs) -> Floats:
    """Distance, a divisor of 1, and both lengths of each pair of texts: (pairs, 4)."""
    rows = np.empty((len(distances), 4))
    _distance_rows(distances, *texts, rows)
    return rows
