"""Exact sums of float64 numbers. They do not depend on the order, or on how the numbers are shared among parts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.kernels.sums import exact_terms, integer_sums

# Integers up to this are exact in float64, and so are their sums.
_BITS = 53
# Every float64 is a multiple of 2^_LEAST.
_LEAST = -1074


def exact_sums(rows: Floats) -> Floats:
    """The exact sum of each column of rows (n, k), as float64 (m, k).

    The first row has the nearest numbers, the second those nearest to what is left, and so on; there is one row if the
    nearest numbers are the sums. 0 is never -0. Sums that are too large are infinite.

    Examples
    --------
    >>> exact_sums(np.array([[0.1, 1.0], [0.2, 2.0], [0.3, 3.0]]))
    array([[6.00000000e-01, 6.00000000e+00],
           [2.77555756e-17, 0.00000000e+00]])
    """
    if len(rows) == 1:
        return rows + 0.0
    sums, exact = integer_sums(rows)
    if exact.all():
        return sums[None]
    if not np.isfinite(rows).all():
        with np.errstate(invalid="ignore"):
            found: Floats = rows.sum(axis=0) + 0.0
        return found[None]
    return _in_place(sums, np.flatnonzero(~exact), exact_terms(rows[:, ~exact]))


def exact_group_sums(values: Floats, groups: NDArray[np.int64], count: int) -> Floats:
    """The sum of the values of each group, (m, count), as ``exact_sums`` gives it.

    `values`, (n,), are finite, and the group of each is an int64 from 0 to `count` - 1.

    Examples
    --------
    >>> exact_group_sums(np.array([0.5, 1.0, 0.25]), np.array([1, 0, 1]), 2)
    array([[1.  , 0.75]])
    """

    def add(each: Floats) -> Floats:
        return np.bincount(groups, each, count).astype(np.float64, copy=False)

    # Integers whose sum is exact in any order.
    if (values == np.rint(values)).all() and np.abs(values).sum() < 2.0**_BITS:
        return add(values)[None]
    return _in_place(add(values), np.arange(count), _few(values, add))


def _few(values: Floats, add: Callable[[Floats], Floats]) -> Floats:
    """A few numbers for each sum that `add` makes, with the same exact sum.

    Invariant: `left` is what is still to be added. Each pass takes from each number the multiple of a power of two that
    is nearest to it. So many bits are left free that sums of these multiples are exact.
    """
    left, sums = values.copy(), []
    free = math.frexp(len(values))[1] + 1
    while left.any():
        _, exponents = np.frexp(np.abs(left).max(axis=0))
        units = np.maximum(exponents + free - _BITS, _LEAST)
        multiples = np.rint(np.ldexp(left, -units))
        left -= np.ldexp(multiples, units)
        sums.append(np.ldexp(add(multiples), units))
    return np.array(sums)


def _in_place(found: Floats, places: NDArray[np.int64], terms: Floats) -> Floats:
    parts = [_nearest(column) for column in terms.T.tolist()] or [[0.0]] * len(places)
    sums = np.concatenate([found[None], np.zeros((max(map(len, parts)) - 1, len(found)))])
    for column, part in zip(places, parts, strict=True):
        sums[:, column] = [*part, *[0.0] * (len(sums) - len(part))]
    return sums


def _nearest(terms: list[float]) -> list[float]:
    """The number nearest to the exact sum, then the number nearest to what is left, and so on; at least one."""
    found: list[float] = []
    try:
        while (rest := math.fsum([*terms, *(-number for number in found)])) != 0.0:
            found.append(rest)
    except (OverflowError, ValueError):
        return [math.inf]
    return found or [0.0]
