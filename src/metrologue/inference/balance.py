"""Values moved and scaled by group without rounding, so that sums of their squares neither cancel nor overflow."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats, Offsets

# Values whose differences are at most so small a share of them are told apart exactly by subtracting one of them.
_CLOSE = 2.0**-10


def balanced(values: Floats, offsets: Offsets | None = None) -> Floats:
    """The values of each group, moved and scaled so that no sum of their squares overflows or is rounded away.

    A group is scaled by a power of two. If its values lie close together, the least one is first subtracted from all.
    Neither step rounds, so that what depends on neither place nor scale, such as a correlation, stays what it is.

    Parameters
    ----------
    values : float64 (n,)
        They are finite.
    offsets : int64 (groups + 1,), optional
        Group g has the values from `offsets[g]` to `offsets[g + 1]`. By default all are one group.

    Examples
    --------
    >>> balanced(np.array([4e200, 1e200])).round(6)
    array([0.65321 , 0.163303])
    >>> balanced(np.array([1e9, 1e9 + 1, 1e9 + 3]))
    array([0.  , 0.25, 0.75])
    """
    given = np.array([0, len(values)]) if offsets is None else offsets
    sizes = np.diff(given)
    starts, sizes = given[:-1][sizes > 0], sizes[sizes > 0]
    if not len(sizes):
        return values
    least, spread = _bases(np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts))
    exponents = np.frexp(spread)[1]
    return np.asarray(np.ldexp(values - np.repeat(least, sizes), np.repeat(-exponents, sizes)))


def moved(values: Floats) -> Floats:
    """Values of any shape minus the smallest one, if they lie close together; NaN stays NaN.

    Examples
    --------
    >>> moved(np.array([[1e9, 1e9 + 1], [np.nan, 1e9 + 3]]))
    array([[ 0.,  1.],
           [nan,  3.]])
    >>> moved(np.array([1.0, 2.0]))
    array([1., 2.])
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return values
    least, _ = _bases(present.min(keepdims=True), present.max(keepdims=True))
    return np.asarray(values - least)


def exponent_of(values: Floats) -> int:
    """The exponent of the smallest power of two above all magnitudes, NaN left out; 0 if all are 0.

    Examples
    --------
    >>> exponent_of(np.array([3.0, -5.0, np.nan]))
    3
    """
    return int(np.frexp(np.nanmax(np.abs(values)))[1])


def _bases(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """What to subtract from values between these limits, and the largest magnitude that remains."""
    largest = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(over="ignore"):
        spread = high - low
    close = spread <= _CLOSE * largest
    return np.where(close, low, 0.0), np.where(close, spread, largest)
