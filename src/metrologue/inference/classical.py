"""The classical tests of two systems on the same units: McNemar's for right and wrong, Wilcoxon's for numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.distributions import chi_squared_tail, normal_tail, signed_rank_tail

# With at most this many differences the distribution is exact: without ties, and with ties or zeros.
_EXACT, _EXACT_WITH_TIES = 50, 13


@dataclass(frozen=True)
class ClassicalTest:
    """The result of a test.

    Attributes
    ----------
    statistic : float
    p_value : float
        Two-sided.
    """

    statistic: float
    p_value: float


def mcnemar_test(first_right: ArrayLike, second_right: ArrayLike) -> ClassicalTest:
    """McNemar's test: whether two systems are right equally often.

    Only units where one system is right and the other is wrong count. The statistic is the square of the difference of
    both counts, divided by their sum. It has one degree of freedom and no correction for continuity.

    Parameters
    ----------
    first_right, second_right : bool (n,)
        Whether each system is right on each unit.

    Returns
    -------
    ClassicalTest
        If no unit tells the systems apart, the statistic is 0 and the p-value is 1.

    Raises
    ------
    InputError
        If both have different shapes.

    References
    ----------
    McNemar 1947, https://doi.org/10.1007/BF02295996.

    Examples
    --------
    >>> found = mcnemar_test([True, False, True], [True, True, True])
    >>> found.statistic, round(found.p_value, 6)
    (1.0, 0.317311)
    """
    a, b = np.asarray(first_right, bool), np.asarray(second_right, bool)
    if a.shape != b.shape or a.ndim != 1:
        raise InputError(f"mcnemar_test: the shapes are {a.shape} and {b.shape}; both need one: (units,).")
    ours, theirs = int((a & ~b).sum()), int((b & ~a).sum())
    statistic = (ours - theirs) ** 2 / (ours + theirs) if ours + theirs else 0.0
    return ClassicalTest(statistic, chi_squared_tail(statistic))


def wilcoxon_test(differences: ArrayLike) -> ClassicalTest:
    """Wilcoxon's signed-rank test: whether differences are symmetric about 0.

    The differences are ranked by size, and the ranks of the positive and of the negative ones are added up. The
    statistic is the smaller sum. Differences of 0 are left out. The distribution is exact for up to 50 differences
    without ties, or up to 13 with ties or zeros; otherwise it is normal, as in scipy.

    Parameters
    ----------
    differences : numbers (n,)

    Returns
    -------
    ClassicalTest
        If all differences are 0, the statistic is 0 and the p-value is 1.

    Raises
    ------
    InputError
        If there are no differences, or one of them is not finite.

    References
    ----------
    Wilcoxon 1945, https://doi.org/10.2307/3001968.

    Examples
    --------
    >>> wilcoxon_test([3, -1, 4, -2, 5])
    ClassicalTest(statistic=3.0, p_value=0.3125)
    """
    given = np.asarray(differences, float)
    if given.ndim != 1 or not len(given) or not np.isfinite(given).all():
        raise InputError("wilcoxon_test: `differences` must be finite numbers of the shape (n,), at least one.")
    kept = given[given != 0]
    if not len(kept):
        return ClassicalTest(0.0, 1.0)
    ranks, counts = _mean_ranks(np.abs(kept))
    above, n = float(ranks[kept > 0].sum()), len(kept)
    below = n * (n + 1) / 2 - above
    plain = bool((counts == 1).all()) and n == len(given)
    if len(given) <= (_EXACT if plain else _EXACT_WITH_TIES):
        p_value = signed_rank_tail(ranks.tolist(), above)
    else:
        spread = math.sqrt((n * (n + 1) * (2 * n + 1) - float((counts**3 - counts).sum()) / 2) / 24)
        p_value = min(1.0, 2 * normal_tail(abs(above - n * (n + 1) / 4) / spread))
    return ClassicalTest(min(above, below), p_value)


def _mean_ranks(values: Floats) -> tuple[Floats, Floats]:
    """The rank of each value, from 1 on, and the number of each different value."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[codes], counts.astype(float)
