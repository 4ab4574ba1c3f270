"""The assignment of hypotheses to references that has the least cost, by shortest paths (Jonker and Volgenant 1987)."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Integers
from metrologue.kernels.arrays import Offsets, Rows
from metrologue.native import kernel

__all__ = ["assignments"]

_FAR = 1 << 60


@kernel
def _assign(costs: Offsets, sizes: Offsets, columns: Offsets, room: Rows) -> None:
    """Rows get their columns one after another, along a path of the least cost on which earlier rows change theirs.

    Invariant: cost minus both prices is 0 or more, and 0 where a row has its column. `left` has the columns that no
    path reaches yet, from the last to the first, and those that one reaches behind them. Among equal paths, one that
    ends at a column without a row is taken: this order decides which of several best assignments is found.
    """
    row_prices, prices, lengths, before, holders, left = room[0], room[1], room[2], room[3], room[4], room[5]
    first = start = 0
    for s in range(len(sizes)):
        n = sizes[s]
        for j in range(n):
            row_prices[j], prices[j], holders[j] = 0, 0, -1
        for row in range(n):
            for j in range(n):
                left[j], lengths[j] = n - 1 - j, _FAR
            outside, i, least, column = n, row, 0, -1
            while column < 0:
                lowest, nearest = _FAR, 0
                for k in range(outside):
                    j = left[k]
                    length = least + costs[first + i * n + j] - row_prices[i] - prices[j]
                    if length < lengths[j]:
                        lengths[j], before[j] = length, i
                    if lengths[j] < lowest or (lengths[j] == lowest and holders[j] < 0):
                        lowest, nearest = lengths[j], k
                outside -= 1
                least, j = lowest, left[nearest]
                left[nearest], left[outside] = left[outside], j
                i = holders[j]
                column = j if i < 0 else -1
            row_prices[row] += least
            for k in range(outside, n):
                j = left[k]
                prices[j] -= least - lengths[j]
                if holders[j] >= 0:
                    row_prices[holders[j]] += least - lengths[j]
            i = -1
            while i != row:
                i = before[column]
                displaced = columns[start + i]
                columns[start + i], holders[column] = column, i
                column = displaced
        first, start = first + n * n, start + n


def assignments(costs: Integers, sizes: Integers) -> Integers:
    """For each row of square matrices, its column in an assignment of the least cost.

    Parameters
    ----------
    costs : int64 (sum of the squares of `sizes`,)
        The matrices, row by row, one after another.
    sizes : int64 (n,)

    Returns
    -------
    int64 (sum of `sizes`,)
        Of several such assignments, the one that scipy's ``linear_sum_assignment`` finds.

    Examples
    --------
    >>> assignments(np.array([1, 2, 2, 4, 7]), np.array([2, 1]))
    array([1, 0, 0])
    """
    columns = np.empty(sizes.sum(), np.int64)
    _assign(costs, sizes, columns, np.empty((6, sizes.max(initial=0)), np.int64))
    return columns
