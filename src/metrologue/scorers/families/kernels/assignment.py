"""The assignment of rows to columns with the greatest sum of weights (Munkres 1957)."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import Flags, FloatRows, Floats, Number, Offsets, Rows
from metrologue.native import helper, kernel

__all__ = ["assignment", "best_pairs"]


@helper
def _uncovered_zero(costs: FloatRows, rows: Flags, columns: Flags) -> Number:
    """The first row with a zero that no line covers, and the last such zero in it, as one number; -1 if there is none.

    Among several best assignments, this order decides which one is found.
    """
    for i in range(len(costs)):
        if not rows[i]:
            for j in range(len(costs) - 1, -1, -1):
                if not columns[j] and costs[i, j] == 0.0:
                    return i * len(costs) + j
    return -1


@helper
def _lower(costs: FloatRows, rows: Flags, columns: Flags) -> None:
    """Lower the uncovered costs by the least of them; costs below two lines rise by it."""
    least = 1.0
    for i in range(len(costs)):
        for j in range(len(costs)):
            if not rows[i] and not columns[j] and costs[i, j] < least:
                least = costs[i, j]
    for i in range(len(costs)):
        for j in range(len(costs)):
            if rows[i]:
                costs[i, j] += least
            if not columns[j]:
                costs[i, j] -= least


@kernel
def _assign(costs: FloatRows, rows: Flags, columns: Flags, primes: Offsets, holders: Offsets, stars: Offsets) -> None:
    """Invariant: `stars` are zeros of which no two share a line; each round makes one more of them.

    `stars[i]` is the column of the star of row i, `holders[j]` the row of that of column j, -1 for none. `primes[i]`
    is the column of an uncovered zero that was met in row i.
    """
    n = len(costs)
    stars[:] = -1
    holders[:] = -1
    for i in range(n):
        least = costs[i, 0]
        for j in range(n):
            least = costs[i, j] if costs[i, j] < least else least
        for j in range(n):
            costs[i, j] -= least
    count = 0
    for i in range(n):
        for j in range(n):
            if costs[i, j] == 0.0 and stars[i] < 0 and holders[j] < 0:
                stars[i], holders[j] = j, i
                count += 1
    while count < n:
        primes[:] = -1
        for i in range(n):
            rows[i], columns[i] = False, holders[i] >= 0
        i = j = -1
        while j < 0:
            place: Number = _uncovered_zero(costs, rows, columns)
            if place < 0:
                _lower(costs, rows, columns)
                continue
            i = place // n
            primes[i] = place % n
            if stars[i] < 0:
                j = primes[i]
            else:
                rows[i], columns[stars[i]] = True, False
        while i >= 0:  # along the path, a prime takes the place of the star in its column, whose row has a prime too
            displaced = holders[j]
            stars[i], holders[j] = j, i
            i = displaced
            j = primes[i] if i >= 0 else j
        count += 1


@kernel
def _augment(costs: FloatRows, potentials: FloatRows, least: Floats, lists: Rows, used: Flags) -> None:
    """Give a column to each row, one row after the other, along the path of the least cost that frees a column.

    Rows and columns count from 1; 0 is none. `potentials` are those of rows and of columns; `lists` the row of each
    column, and the column before it on the path.
    """
    height, width = costs.shape
    for row in range(1, height + 1):
        lists[0, 0] = row
        for j in range(width + 1):
            least[j] = 1e300
            used[j] = False
        at = 0
        while lists[0, at] != 0:
            used[at] = True
            i: Number = lists[0, at]
            step = 1e300
            following = 0
            for j in range(1, width + 1):
                if not used[j]:
                    cost = costs[i - 1, j - 1] - potentials[0, i] - potentials[1, j]
                    if cost < least[j]:
                        least[j] = cost
                        lists[1, j] = at
                    if least[j] < step:
                        step = least[j]
                        following = j
            for j in range(width + 1):
                if used[j]:
                    potentials[0, lists[0, j]] += step
                    potentials[1, j] -= step
                else:
                    least[j] -= step
            at = following
        while at != 0:
            before: Number = lists[1, at]
            lists[0, at] = lists[0, before]
            at = before


def best_pairs(weights: Floats) -> tuple[Offsets, Offsets]:
    """As ``assignment``, in time that grows with the cube of the shorter side at most; it may find another best one.

    Parameters
    ----------
    weights : float64 (n, m)

    Examples
    --------
    >>> best_pairs(np.array([[1.0, 1.0, 0.8], [0.9, 0.8, 0.1]]))
    (array([0, 1]), array([1, 0]))
    """
    if weights.shape[0] > weights.shape[1]:
        columns, rows = best_pairs(weights.T)
        order = np.argsort(rows)
        return rows[order], columns[order]
    height, width = weights.shape
    lists = np.zeros((2, width + 1), np.int64)
    size = max(height, width) + 1
    _augment(
        np.ascontiguousarray(-weights), np.zeros((2, size)), np.zeros(width + 1), lists, np.zeros(width + 1, np.bool_)
    )
    columns = np.flatnonzero(lists[0, 1:])
    rows = lists[0, 1:][columns] - 1
    order = np.argsort(rows)
    return rows[order], columns[order]


def assignment(weights: Floats) -> tuple[Offsets, Offsets]:
    """The pairs of rows and columns, each in at most one pair, whose weights have the greatest sum.

    Parameters
    ----------
    weights : float64 (n, m)
        0 to 1.

    Returns
    -------
    rows, columns : int64 (min(n, m),)
        In the order of the rows.

    Examples
    --------
    >>> assignment(np.array([[1.0, 1.0, 0.8], [0.9, 0.8, 0.1], [0.9, 0.7, 0.4]]))
    (array([0, 1, 2]), array([2, 1, 0]))
    """
    height, width = weights.shape
    size = max(height, width)
    costs = np.zeros((size, size))
    costs[:height, :width] = 1.0 - weights
    lines = np.zeros((2, size), np.bool_)
    primes, holders, stars = np.empty((3, size), np.int64)
    if size:
        _assign(costs, *lines, primes, holders, stars)
    rows = np.flatnonzero(stars[:height] < width)
    return rows, stars[rows]
