"""Which metrics agree with people significantly better than others: tests of every two, and WMT's clusters of ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.correlation import (
    Correlation,
    correlation,
    pair_permutation_test,
    permutation_test,
    soft_permutation_test,
    williams_test,
)
from metrologue.inference.correlation.levels import CALIBRATED

TESTS: Mapping[str, str] = {
    "perm-both": "the metrics exchange scores at random; under acc23 and kendall-23 they exchange pairs, as in WMT",
    "williams": "Williams' test of two correlations with the same ratings: exact for Pearson's r of segments or "
    "systems, and as mt-metrics-eval applies it to Spearman's rho and to means over items",
}


@dataclass(frozen=True, eq=False)
class Ranking:
    """The metrics in the order of their correlation with a quality.

    Attributes
    ----------
    metrics : tuple of n str
        The strongest first. Metrics without a correlation are left out.
    p_values : float64 (n, n)
        Of the null hypothesis that metric i does not agree with people better than metric j, for i < j; otherwise NaN.
    clusters : dict of str to int
        WMT's ranks: a cluster begins with the first metric that one of the cluster before it significantly outperforms.
    between : float64 (n, n) or None
        The correlation of every two metrics with each other, for Williams' test.
    """

    metrics: tuple[str, ...]
    p_values: Floats
    clusters: Mapping[str, int]
    between: Floats | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        p_values = {
            better: {worse: float(self.p_values[i, j]) for j, worse in enumerate(self.metrics) if j > i}
            for i, better in enumerate(self.metrics)
        }
        return {"metrics": [*self.metrics], "clusters": dict(self.clusters), "p_values": p_values}


def ranking_of(
    correlations: Mapping[str, Correlation],
    scores: Mapping[str, ArrayLike],
    human: ArrayLike,
    test: str,
    *,
    method: str,
    level: str,
    alpha: float = 0.05,
    permutations: int = 1000,
    seed: int | None = None,
) -> Ranking:
    """The ranking of metrics by their correlations with a quality, with a test of every two.

    Parameters
    ----------
    correlations : mapping of str to Correlation
    scores : mapping of str to numbers (systems, segments)
        The scores of each metric, as for ``correlation``, with the sign by which higher is better.
    human : numbers (systems, segments)
    test : str
        One of ``TESTS``.
    method, level : str
    alpha : float
        A metric outperforms another one if the p-value is at most this.
    permutations, seed : int, optional
        For permutation tests.

    Raises
    ------
    InputError
        If the test is not one for the coefficient or the level.
    """
    if test == "williams" and method not in ("pearson", "spearman"):
        raise InputError("Williams' test is for Pearson's r and Spearman's rho; take perm-both.")
    rated = ~np.isnan(np.asarray(human, float))
    defined = [name for name, each in correlations.items() if not math.isnan(each.value)]
    order = sorted(defined, key=lambda name: (-correlations[name].value, name))
    p_values = np.full((len(order), len(order)), math.nan)
    between = np.eye(len(order))
    drawn: dict[str, Any] = {"permutations": permutations, "seed": seed}
    for i, better in enumerate(order):
        for j, worse in enumerate(order[i + 1 :], i + 1):
            pair = scores[worse], scores[better], human
            a, b = correlations[better], correlations[worse]
            if test == "williams":
                kept = np.where(rated, np.asarray(scores[better], float), math.nan)
                between[i, j] = between[j, i] = correlation(scores[worse], kept, method=method, level=level).value
                points = int(rated.sum()) if level == "item" else a.units
                p_values[i, j] = williams_test(a.value, b.value, between[i, j], points)
            elif method == "spa":
                p_values[i, j] = soft_permutation_test(*pair, **drawn).p_value
            elif method in CALIBRATED:
                ties = b.tie, a.tie
                tested = pair_permutation_test(*pair, method=method, level=level, tie=ties, **drawn)
                p_values[i, j] = tested.p_value
            else:
                p_values[i, j] = permutation_test(*pair, method=method, level=level, **drawn).p_value
    clusters = dict(zip(order, clusters_of(p_values, alpha), strict=True))
    return Ranking(tuple(order), p_values, clusters, between if test == "williams" else None)


def clusters_of(p_values: Floats, alpha: float = 0.05) -> Sequence[int]:
    """The rank of each metric's cluster, from p-values of every two, the strongest metric first.

    A metric begins the next cluster if any metric of the current one outperforms it, as WMT's tables have it.

    Examples
    --------
    >>> clusters_of(np.array([[np.nan, 0.3, 0.01], [np.nan, np.nan, 0.2], [np.nan, np.nan, np.nan]]))
    [1, 1, 2]
    """
    ranks: list[int] = []
    first = 0
    for place in range(len(p_values)):
        if (p_values[first:place, place] <= alpha).any():
            first = place
            ranks.append(ranks[-1] + 1)
        else:
            ranks.append(ranks[-1] if ranks else 1)
    return ranks
