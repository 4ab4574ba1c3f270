"""The columns of rows of statistics, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats

__all__ = ["by_name", "columns_of", "rows_of"]


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
