"""Rows of statistics: their columns by name, ratios of columns, and joins of the rows of several references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Offsets
from metrologue.kernels.sums import ratios, reference_sums


def columns_of(rows: Floats) -> Floats:
    """The columns of rows (..., k) as a view of shape (k, ...)."""
    return rows.T if rows.ndim < 3 else np.moveaxis(rows, -1, 0)  # `moveaxis` takes longer than most ratios


def by_name(names: Sequence[str], rows: Floats) -> dict[str, Floats]:
    """The columns of rows (..., k) by their k names, each a view of shape (...).

    Examples
    --------
    >>> by_name(("match_count", "length"), np.array([[1.0, 2.0], [3.0, 4.0]]))
    {'match_count': array([1., 3.]), 'length': array([2., 4.])}
    """
    return dict(zip(names, columns_of(rows), strict=True))


def rows_of(*columns: NDArray[Any]) -> Floats:
    """The columns side by side, float64 (n, k): ``np.column_stack``, which takes five times as long for one row.

    Examples
    --------
    >>> rows_of(np.array([1, 2]), np.array([0.5, 0.25]))
    array([[1.  , 0.5 ],
           [2.  , 0.25]])
    """
    rows = np.empty((len(columns[0]), len(columns)))
    for i, column in enumerate(columns):
        rows[:, i] = column
    return rows


def ratio(numerator: Floats, denominator: Floats, zero: Floats | float = 0.0) -> Floats:
    """The numerator divided by the denominator, float64 (...), and `zero` where the denominator is not above 0.

    The shapes of all three broadcast.

    Examples
    --------
    >>> ratio(np.array([1.0, 2.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    array([0.5, 0. , 0. ])
    """
    # For one pair of texts, calls cost the most: a kernel takes a third of the time of NumPy's functions.
    if isinstance(zero, float) and np.shape(numerator) == np.shape(denominator):
        return ratios(np.asarray(numerator), np.asarray(denominator), zero)
    found = np.empty(np.broadcast(numerator, denominator).shape)
    found[...] = zero
    return np.divide(numerator, denominator, found, where=denominator > 0)


def first_best(values: NDArray[Any], offsets: Offsets) -> Offsets:
    """The pair with the greatest value in each segment, int64 (n_segments,). Ties: the first.

    `values`, (n_pairs,), has one for each pair of a hypothesis and one of its references. The pairs of segment s are
    ``offsets[s]:offsets[s + 1]``, at least one.

    Examples
    --------
    >>> first_best(np.array([0.5, 0.7, 0.7, 0.1]), np.array([0, 3, 4]))
    array([1, 3])
    """
    if len(values) == len(offsets) - 1:
        return np.arange(len(values))
    greatest = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    candidates = np.where(values == greatest, np.arange(len(values)), len(values))
    best: Offsets = np.minimum.reduceat(candidates, offsets[:-1])
    return best


def _best(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    return rows[first_best(quality, offsets)]


def _best_single(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    return rows[first_best(quality.astype(np.float32), offsets)]


def _mean(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    means: Floats = reference_sums(rows, offsets) / np.diff(offsets)[:, None]
    return means


def _pooled(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    sums: Floats = np.add.reduceat(rows, offsets[:-1])
    return sums


def _best_each(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    greatest: Floats = np.maximum.reduceat(rows, offsets[:-1])
    return greatest


def _jackknife(rows: Floats, quality: Floats, offsets: Offsets) -> Floats:
    best = first_best(quality, offsets)
    others = quality.copy()
    others[best] = -np.inf
    second = first_best(others, offsets)
    # All sets that leave one reference out contain the best reference, except one.
    count = np.diff(offsets)[:, None]
    return np.where(count == 1, rows[best], ((count - 1) * rows[best] + rows[second]) / count)


# "best": the reference with the best quality, the first one if several are equal. "best-single": the same with
# qualities in float32, where more of them are equal. "best-each": the greatest value of each column. "jackknife": the
# mean of the best rows of all sets that leave one reference out.
JOINS: dict[str, Callable[[Floats, Floats, Offsets], Floats]] = {
    "best": _best,
    "best-single": _best_single,
    "mean": _mean,
    "pooled": _pooled,
    "best-each": _best_each,
    "jackknife": _jackknife,
}


def join(rule: str, rows: Floats, offsets: Offsets, quality: Callable[[Floats], Floats]) -> Floats:
    """The rows of the segments, float64 (n_segments, k), from those of their pairs, (n_pairs, k).

    `rule` is one of ``JOINS``. Any other name stands for a quality that the metric defines, such as "fewest-errors":
    then the reference with the best quality counts. `quality` gives that of each row; it is called only if some segment
    has several references.

    Examples
    --------
    >>> rows, offsets = np.array([[1.0, 2.0], [2.0, 3.0], [0.0, 5.0]]), np.array([0, 2, 3])
    >>> join("best", rows, offsets, lambda rows: rows[:, 0] / rows[:, 1])
    array([[2., 3.],
           [0., 5.]])
    >>> join("pooled", rows, offsets, lambda rows: rows[:, 0])
    array([[3., 5.],
           [0., 5.]])
    """
    if len(rows) == len(offsets) - 1:
        return rows
    return JOINS.get(rule, _best)(rows, quality(rows), offsets)


def harmonic_mean(one: Floats, other: Floats) -> Floats:
    """2 a b / (a + b); 0 if both are 0.

    Examples
    --------
    >>> harmonic_mean(np.array([1.0, 0.0]), np.array([0.5, 0.0])).round(4)
    array([0.6667, 0.    ])
    """
    return ratio(2 * one * other, one + other)
