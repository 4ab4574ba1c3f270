"""Whether one metric agrees with people better than another one, or by chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrologue.data.arrays import Bytes, Floats, Offsets
from metrologue.errors import InputError, checked_int, shown
from metrologue.inference.balance import balanced
from metrologue.inference.correlation.coefficients import COEFFICIENTS, MOST_PAIRS, Coefficient, Points
from metrologue.inference.correlation.levels import Cells, cells_of, checked_tie, value_of
from metrologue.inference.distributions import student_tail
from metrologue.inference.resampling import checked_resamples, chosen_seed, one_of
from metrologue.kernels.point_statistics import COLUMNS

_ROUNDING = 1e-12


@dataclass(frozen=True)
class MetricTest:
    """Whether a second metric agrees with people better than a first one.

    Attributes
    ----------
    p_value : float
        How often exchanges make the second metric better by at least as much, if both are equally good; one-sided. It
        counts the observed exchange, so that it is never 0.
    difference : float
        The coefficient of the second metric minus that of the first.
    values : (float, float)
        Both coefficients.
    reached : int
        The number of exchanges with a difference at least as large. mt-metrics-eval gives `reached / permutations`, but
        rounding decides there whether it counts an equal difference.
    permutations, seed : int
    """

    p_value: float
    difference: float
    values: tuple[float, float]
    reached: int
    permutations: int
    seed: int


def williams_test(r_first: float, r_second: float, r_between: float, units: int, *, one_sided: bool = True) -> float:
    """The p-value of Williams' test: whether two correlations with the same scores of people differ.

    Parameters
    ----------
    r_first, r_second : float
        Pearson's r of each metric with people.
    r_between : float
        Pearson's r of both metrics.
    units : int
        The number of points, 4 or more.
    one_sided : bool
        Whether the p-value is that of the larger correlation being larger. Otherwise it is twice that.

    Raises
    ------
    InputError
        If a correlation is not from -1 to 1, or there are fewer than four points.

    References
    ----------
    Williams 1959; Graham and Baldwin 2014, https://aclanthology.org/D14-1020.

    Examples
    --------
    >>> round(williams_test(0.8, 0.6, 0.7, 30), 6)
    0.01793
    """
    for name, value in (("r_first", r_first), ("r_second", r_second), ("r_between", r_between)):
        if not -1 <= value <= 1:
            raise InputError(f"williams_test: `{name}` is {shown(value)}; a correlation is expected, from -1 to 1.")
    checked_int("williams_test: units", units, 4, 2**53)
    # The determinant of the three correlations, which cancels where two of them are near 1; so it is rounded once.
    a, b, c = (Fraction(float(each)) for each in (r_first, r_second, r_between))
    rest = float(1 - a**2 - b**2 - c**2 + 2 * a * b * c)
    mean = (r_first + r_second) / 2
    above = (r_first - r_second) * math.sqrt((units - 1) * (1 + r_between))
    below = math.sqrt(max(2 * (units - 1) / (units - 3) * rest + mean**2 * (1 - r_between) ** 3, 0.0))
    if below == 0:
        return 1.0 if above == 0 else 0.0
    p = student_tail(abs(above / below), units - 3)
    return p if one_sided else 2 * p


def permutation_test(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    *,
    method: str = "pearson",
    level: str = "segment",
    permutations: int = 1000,
    seed: int | None = None,
) -> MetricTest:
    """Whether the second metric agrees with people better than the first one: PERM-BOTH.

    The scores of both metrics get the mean 0 and the standard deviation 1. Then the metrics exchange a random half of
    their scores, many times, and both coefficients are computed anew. At the level "system" they exchange systems.

    Parameters
    ----------
    first, second : numbers (systems, segments)
        The scores of both metrics.
    human : numbers (systems, segments)
        People's scores; NaN or None where one is missing.
    method, level
        As for ``correlation``.
    permutations : int
    seed : int, optional
        0 to 2^32 - 1, 12345 by default. The exchanges are those of ``numpy.random.RandomState(seed).binomial``, as in
        WMT's mt-metrics-eval.

    Raises
    ------
    InputError
        As for ``correlation``.

    References
    ----------
    Deutsch, Dror and Roth 2021, https://aclanthology.org/2021.tacl-1.67.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> found = permutation_test([3, 9, 1, 5, 2, 8, 10, 4, 7, 6], [1, 2, 4, 3, 5, 6, 7, 8, 10, 9], human)
    >>> round(found.difference, 4), found.p_value < 0.05
    (0.6788, True)
    """
    coefficient = COEFFICIENTS[one_of("method", method, COEFFICIENTS)]
    permutations, seed = checked_resamples(permutations, "permutations"), chosen_seed(seed, "metrologue")
    cells = _cells_of_both(first, second, human, level)
    return _exchanged(coefficient, cells, permutations, seed)


def _cells_of_both(first: ArrayLike, second: ArrayLike, human: ArrayLike, level: str) -> list[Cells]:
    return [cells_of(each, human, level, name) for name, each in (("first", first), ("second", second))]


def _exchanged(coefficient: Coefficient, cells: list[Cells], permutations: int, seed: int) -> MetricTest:
    """The test on points of both metrics side by side: point i of the first one, and point i of the second."""
    n, groups = len(cells[0].points), cells[0].points.offsets
    standard = [standardized(each.points.x) for each in cells]
    # In each group: the points of the first metric, then those of the second.
    place = np.arange(n) + groups[:-1].repeat(np.diff(groups))
    other = place + np.diff(groups).repeat(np.diff(groups))
    x, y = np.empty(2 * n), np.empty(2 * n)
    x[place], x[other] = standard
    y[place] = y[other] = cells[0].points.y
    points = Points(x, y, 2 * groups)

    def values(of_first: Bytes) -> Floats:
        """The coefficient of a metric that takes these points of the first metric, and the others of the second."""
        counts = np.empty((len(of_first), 2 * n), np.uint8)
        counts[:, place], counts[:, other] = of_first, 1 - of_first
        return np.array(
            [value_of(coefficient, rows)[0] for rows in coefficient.rows(points, counts, 0.0, coefficient.gap)]
        )

    return permuted(values, lambda generator, trials: generator.binomial(1, 0.5, (trials, n)), n, permutations, seed)


def standardized(values: Floats) -> Floats:
    values = balanced(values)
    spread = values.std()
    return np.asarray((values - values.mean()) / (spread or 1.0))


def pair_permutation_test(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    *,
    method: str = "acc23",
    level: str = "item",
    tie: tuple[float | str, float | str] = ("calibrated", "calibrated"),
    permutations: int = 1000,
    seed: int | None = None,
) -> MetricTest:
    """Whether the second metric agrees with people better than the first one: the metrics exchange pairs of scores.

    Each metric keeps its own tie threshold, so that no exchange needs another calibration. What is exchanged is how a
    metric orders two scores.

    Parameters
    ----------
    first, second, human : numbers (systems, segments)
        As for ``permutation_test``.
    method : str
        "acc23", "kendall-23" or "kendall-b".
    level : str
        "segment", "item" or "system".
    tie : pair of float or "calibrated"
        The tie threshold of each metric.
    permutations : int
    seed : int, optional
        0 to 2^32 - 1, 12345 by default.

    Raises
    ------
    InputError
        As for ``correlation``, or if there are more than 50 million pairs.

    References
    ----------
    Deutsch, Foster and Freitag 2023, https://aclanthology.org/2023.emnlp-main.798.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> first, second = [3, 9, 1, 5, 2, 8, 10, 4, 7, 6], [1, 2, 4, 3, 5, 6, 7, 8, 10, 9]
    >>> found = pair_permutation_test(first, second, human, level="segment")
    >>> round(found.difference, 4), found.p_value < 0.05
    (0.3556, True)
    """
    coefficient = COEFFICIENTS[one_of("method", method, ("acc23", "kendall-23", "kendall-b"))]
    permutations, seed = checked_resamples(permutations, "permutations"), chosen_seed(seed, "metrologue")
    cells = _cells_of_both(first, second, human, level)
    ties = [checked_tie(each, method, one.points) for each, one in zip(tie, cells, strict=True)]
    first_points, second_points = (each.points for each in cells)
    a, b, groups, places = _pairs_of(first_points.offsets)
    kinds = [_kinds(each, a, b, tie) for each, tie in zip((first_points, second_points), ties, strict=True)]
    count = len(first_points.offsets) - 1

    def values(of_first: Bytes) -> Floats:
        """The coefficient of a metric that orders these pairs as the first metric does, and others as the second."""
        cell = (np.arange(len(of_first))[:, None] * count + groups) * len(COLUMNS) + np.where(of_first, *kinds)
        rows = np.bincount(cell.reshape(-1), minlength=len(of_first) * count * len(COLUMNS)).astype(float)
        return np.array([value_of(coefficient, each)[0] for each in rows.reshape(len(of_first), count, len(COLUMNS))])

    def draws(generator: np.random.RandomState, trials: int) -> NDArray[Any]:
        return generator.binomial(1, 0.5, (trials, int((np.diff(first_points.offsets) ** 2).sum())))[:, places]

    return permuted(values, draws, len(groups), permutations, seed)


def permuted(
    values: Callable[[Bytes], Floats], draws: Callable[[np.random.RandomState, int], NDArray[Any]], n: int,
    permutations: int, seed: int,
) -> MetricTest:  # fmt: skip
    """The test, from the coefficient of a metric that takes these of n things from the first one, and the draws."""
    (a,), (b,) = values(np.ones((1, n), np.uint8)), values(np.zeros((1, n), np.uint8))
    difference, reached, generator = float(b - a), 0, np.random.RandomState(seed)
    block = max(1, (1 << 21) // n)
    for start in range(0, permutations, block):
        of_first = draws(generator, min(block, permutations - start)).astype(np.uint8)
        # An exchange without a value counts as one with the value 0. Equal differences may differ in their last bits.
        apart = np.nan_to_num(values(1 - of_first)) - np.nan_to_num(values(of_first))
        reached += int((apart >= difference - _ROUNDING).sum())
    return MetricTest((reached + 1) / (permutations + 1), difference, (float(a), float(b)), reached, permutations, seed)


def _pairs_of(offsets: Offsets) -> tuple[Offsets, Offsets, Offsets, Offsets]:
    """Both points of each pair, its group, and its place in the square of random numbers that mt-metrics-eval draws."""
    firsts, seconds, groups, places, before = [], [], [], [], 0
    for group, (start, size) in enumerate(zip(offsets[:-1].tolist(), np.diff(offsets).tolist(), strict=True)):
        a, b = np.triu_indices(size, 1)
        firsts.append(start + a)
        seconds.append(start + b)
        groups.append(np.full(len(a), group))
        places.append(before + a * size + b)
        before += size * size
    a, b, group_of, place = map(np.concatenate, (firsts, seconds, groups, places))
    if len(a) > MOST_PAIRS:
        raise InputError(f"{len(a)} pairs of scores are too many to exchange; use the level 'item'.")
    return a, b, group_of, place


def _kinds(points: Points, a: Offsets, b: Offsets, tie: float) -> Offsets:
    """The column of ``COLUMNS`` of each pair."""
    off_x, off_y = (values[a] - values[b] for values in (points.x, points.y))
    tied_x, tied_y = np.abs(off_x) <= tie, off_y == 0
    ordered = np.where((off_x > 0) == (off_y > 0), 0, 1)
    return np.where(tied_x, np.where(tied_y, 4, 2), np.where(tied_y, 3, ordered)).astype(np.int64)
