"""The coefficients: what each makes of points, or of counts of their pairs, for all groups and resamples at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrologue.data.arrays import Bytes, Floats, Integers, Offsets
from metrologue.errors import InputError
from metrologue.inference.balance import balanced
from metrologue.inference.distributions import kendall_tail, normal_tail, student_tail
from metrologue.kernels.point_statistics import COLUMNS, moments, pair_counts, pair_counts_apart, rank_moments


class Points:
    """Points in groups: a coefficient is computed in each group.

    `x` and `y`, float64 (n,), are the metric's scores and people's, all finite. Group g has the points from
    ``offsets[g]`` to ``offsets[g + 1]``.
    """

    def __init__(self, x: Floats, y: Floats, offsets: Offsets) -> None:
        self.x, self.y, self.offsets = x, y, offsets

    def __len__(self) -> int:
        return len(self.x)

    @property
    def once(self) -> Bytes:
        """Each point once: uint8 (1, n)."""
        return np.ones((1, len(self)), np.uint8)

    @cached_property
    def balanced(self) -> tuple[Floats, Floats]:
        """x and y, moved and scaled in each group so that no sum of squares overflows or is rounded away."""
        return balanced(self.x, self.offsets), balanced(self.y, self.offsets)

    @cached_property
    def levels(self) -> tuple[Offsets, Offsets, Offsets]:
        """The levels of x and of y, 0 for the least of a group, and the points of each group in the order of x."""
        groups = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        x, order = _levels_of(self.x, groups, self.offsets)
        return x, _levels_of(self.y, groups, self.offsets)[0], order

    @property
    def most_levels(self) -> int:
        """The number of levels of the group that has the most."""
        return 1 + max(int(each.max(initial=0)) for each in self.levels[:2])


def _levels_of(values: Floats, groups: Integers, offsets: Offsets) -> tuple[Offsets, Offsets]:
    order = np.lexsort((values, groups))
    sorted_values, sorted_groups = values[order], groups[order]
    steps = np.ones(len(order), np.int64)
    steps[1:] = (sorted_values[1:] != sorted_values[:-1]) | (sorted_groups[1:] != sorted_groups[:-1])
    levels = np.empty(len(order), np.int64)
    ranks = steps.cumsum()
    filled = offsets[:-1][np.diff(offsets) > 0]
    first = np.zeros(len(offsets) - 1, np.int64)
    first[np.diff(offsets) > 0] = ranks[filled]
    levels[order] = ranks - first[sorted_groups]
    return levels, order


def _moments(points: Points, counts: Bytes, tie: float, gap: float) -> Floats:
    sums = np.empty((len(counts), len(points.offsets) - 1, 3))
    moments(*points.balanced, points.offsets, counts, sums)
    return sums


def _rank_moments(points: Points, counts: Bytes, tie: float, gap: float) -> Floats:
    sums = np.empty((len(counts), len(points.offsets) - 1, 3))
    x, y, _ = points.levels
    most = points.most_levels
    rank_moments(x, y, points.offsets, counts, np.empty(most, np.int64), np.empty((2, most)), sums)
    return sums


def _pairs(points: Points, counts: Bytes, tie: float, gap: float) -> Floats:
    pairs = np.empty((len(counts), len(points.offsets) - 1, len(COLUMNS)), np.int64)
    if tie or gap:
        pair_counts_apart(points.x, points.y, points.offsets, counts, tie, gap, pairs)
    else:
        sizes = np.empty(points.most_levels + 1, np.int64)
        pair_counts(*points.levels, points.offsets, counts, sizes, pairs)
    return pairs.astype(float)


@dataclass(frozen=True)
class Coefficient:
    """How a coefficient is computed."""

    # From points, counts uint8 (resamples, n), a tie threshold and a human gap to float64 (resamples, groups, k).
    rows: Callable[[Points, Bytes, float, float], Floats]
    formula: Callable[[Floats], Floats]  # from rows (..., k) to values (...); NaN where there is no value
    about: str
    pooled: bool = (
        False  # whether rows of groups are added before the formula, as WMT does; otherwise values are averaged
    )
    gap: float = 0.0  # by how much people's scores must differ to count
    # From points and the value of all of them to the two-sided p-value of the hypothesis that both are independent.
    p_value: Callable[[Points, float], float] | None = None

    @property
    def of_pairs(self) -> bool:
        """Whether it is computed from counts of pairs."""
        return self.rows is _pairs


def _cosine(sums: Floats) -> Floats:
    """The sum of products, divided by the roots of both sums of squares; NaN where one of these is 0."""
    product, x, y = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        # One root is exact where both columns are the same; the product of two small or large squares is 0 or infinite.
        squares = x * y
        root = np.where((squares > 1e-300) & (squares < math.inf), np.sqrt(squares), np.sqrt(x) * np.sqrt(y))
        return np.asarray(np.clip(product / root, -1, 1))


def _silent(formula: Callable[..., Any]) -> Callable[[Floats], Floats]:
    """The formula of named counts; NaN where it divides by 0."""

    def of_rows(rows: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(formula(**dict(zip(COLUMNS, np.moveaxis(rows, -1, 0), strict=True))), float)
        return np.where(np.isfinite(values), values, math.nan)

    return of_rows


def _tau_b(concordant: Any, discordant: Any, ties_x: Any, ties_y: Any, **_: Any) -> Any:
    ordered = concordant + discordant
    return (concordant - discordant) / np.sqrt(ordered + ties_y) / np.sqrt(ordered + ties_x)


def _tau_c(concordant: Any, discordant: Any, points: Any, classes: Any, **_: Any) -> Any:
    return 2 * (concordant - discordant) / (points * points * (classes - 1) / classes)


def _accuracy(concordant: Any, discordant: Any, ties_x: Any, ties_y: Any, ties_both: Any, **_: Any) -> Any:
    return (concordant + ties_both) / (concordant + discordant + ties_x + ties_y + ties_both)


def _tau_23(concordant: Any, discordant: Any, ties_x: Any, ties_y: Any, ties_both: Any, **_: Any) -> Any:
    wrong = discordant + ties_x + ties_y
    return (concordant + ties_both - wrong) / (concordant + ties_both + wrong)


def _wmt(tie_counts: bool, tie_costs: bool) -> Callable[[Floats], Floats]:
    """WMT's tau: pairs that people do not order are left out; what a tie of the metric does differs by year."""

    def formula(concordant: Any, discordant: Any, ties_x: Any, **_: Any) -> Any:
        return (concordant - discordant - tie_costs * ties_x) / (concordant + discordant + tie_counts * ties_x)

    return _silent(formula)


def _student(points: Points, value: float) -> float:
    """The p-value of Pearson's r and Spearman's rho: the tails of Student's t with n - 2 degrees of freedom."""
    freedom = len(points) - 2
    if freedom < 1:
        return 1.0
    rest = (1 - value) * (1 + value)
    return min(1.0, 2 * student_tail(abs(value) * math.sqrt(freedom / rest) if rest > 0 else math.inf, freedom))


def _kendall(points: Points, value: float) -> float:
    """The p-value of Kendall's tau: exact for few points without ties, otherwise normal (Kendall 1970), as in scipy."""
    x, y, _ = points.levels
    n = len(points)
    pairs = _pairs(points, points.once, 0.0, 0.0)[0, 0]
    concordant, discordant = int(pairs[0]), int(pairs[1])
    total = n * (n - 1) // 2
    if pairs[2:5].any() or (n > 33 and min(discordant, total - discordant) > 1):
        sizes = [np.bincount(each).astype(float) for each in (x, y)]
        m = n * (n - 1.0)
        ties = [float((t * (t - 1)).sum()) / 2 for t in sizes]
        cubes = [float((t * (t - 1) * (t - 2)).sum()) for t in sizes]
        spreads = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in sizes]
        variance = (m * (2 * n + 5) - spreads[0] - spreads[1]) / 18 + 2 * ties[0] * ties[1] / m
        variance += cubes[0] * cubes[1] / (9 * m * (n - 2)) if n > 2 else 0.0
        return min(1.0, 2 * normal_tail(abs(concordant - discordant) / math.sqrt(variance)))
    return kendall_tail(discordant, n)


COEFFICIENTS: Mapping[str, Coefficient] = {
    "pearson": Coefficient(_moments, _cosine, "Pearson's r: linear correlation", p_value=_student),
    "spearman": Coefficient(_rank_moments, _cosine, "Spearman's rho: Pearson's r of mean ranks", p_value=_student),
    "kendall-b": Coefficient(
        _pairs, _silent(_tau_b), "Kendall's tau-b, corrected for ties (Kendall 1945)", p_value=_kendall
    ),
    "kendall-c": Coefficient(
        _pairs, _silent(_tau_c), "Stuart's tau-c, for scales of different length (Stuart 1953)", p_value=_kendall
    ),
    "kendall-23": Coefficient(
        _pairs, _silent(_tau_23), "right minus wrong pairs; a tie of both is right (Deutsch, Foster and Freitag 2023)"
    ),
    "acc23": Coefficient(
        _pairs, _silent(_accuracy), "the share of right pairs; a tie of both is right, as in kendall-23"
    ),
    "kendall-wmt12": Coefficient(
        _pairs, _wmt(True, True), "WMT 2012 and 2017: a tie of the metric is wrong", pooled=True
    ),
    "kendall-wmt13": Coefficient(_pairs, _wmt(False, False), "WMT 2013: a tie of the metric is left out", pooled=True),
    "kendall-wmt14": Coefficient(
        _pairs, _wmt(True, False), "WMT 2014 to 2016: a tie of the metric is neither right nor wrong", pooled=True
    ),
    "kendall-wmt20": Coefficient(
        _pairs,
        _wmt(True, True),
        "WMT 2017 to 2020, from direct assessments: people's scores must differ by 25; a tie of the metric is wrong",
        pooled=True,
        gap=25.0,
    ),
}  # fmt: skip


MOST_PAIRS = 50_000_000


def best_tie(points: Points) -> float:
    """The tie threshold with the largest mean accuracy over groups. Ties: the smallest.

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
    by_size = [_pairs_of(points, int(size)) for size in np.unique(sizes[sizes > 1])]
    apart, gain = (np.concatenate(each) for each in zip(*by_size, strict=True))
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
