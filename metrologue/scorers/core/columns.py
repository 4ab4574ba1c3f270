"""The columns of rows of statistics, by their names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["by_name", "columns_of"]


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
