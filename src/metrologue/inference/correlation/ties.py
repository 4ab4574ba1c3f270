"""Which scores of a metric count as ties: the threshold that makes the share of right pairs largest."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.correlation.coefficients import Points

__all__ = ["MOST_PAIRS", "best_tie"]

MOST_PAIRS = 50_000_000


def best_tie(points: Points) -> float:
    """The tie threshold with the largest mean accuracy over groups; the least one if there are several.

    All pairs are sorted by how far apart the metric's scores are. A larger threshold makes more of them ties: that is
    right where people's scores are equal, and wrong where the pair was in the right order.

    Parameters
    ----------
    points : Points

    Raises
    ------
    InputError
        If there are more than 50 million pairs.

    References
    ----------
    Deutsch, Foster and Freitag 2023, Ties Matter, https://aclanthology.org/2023.emnlp-main.798.
    """
    sizes = np.diff(points.offsets)
    if int((sizes * (sizes - 1) // 2).sum()) > MOST_PAIRS:
        raise InputError("the tie threshold of so many scores in a row takes too many pairs; use the level 'item'.")
    found = [_pairs_of(points, int(size)) for size in np.unique(sizes[sizes > 1])]
    apart, gain = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(apart, kind="stable")
    apart, total = apart[order], np.cumsum(gain[order])
    last = np.append(apart[1:] != apart[:-1], True)
    thresholds, totals = apart[last], total[last]
    best = int(np.argmax(totals))
    return float(thresholds[best]) if totals[best] > 0 else 0.0


def _pairs_of(points: Points, size: int) -> tuple[Floats, Floats]:
    """For all pairs in groups of this size: how far apart x is, and what the accuracy gains if they become a tie."""
    starts = points.offsets[:-1][np.diff(points.offsets) == size]
    places = starts[:, None] + np.arange(size)
    a, b = np.triu_indices(size, 1)
    off_x, off_y = (values[places[:, a]] - values[places[:, b]] for values in (points.x, points.y))
    gain = ((off_y == 0) & (off_x != 0)).astype(float) - (np.sign(off_x) * np.sign(off_y) > 0)
    return np.abs(off_x).reshape(-1), gain.reshape(-1) / len(a)
