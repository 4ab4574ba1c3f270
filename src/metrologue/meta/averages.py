"""Correlations averaged over several data sets, such as language pairs, with Williams' test of the means."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.correlation import williams_test
from metrologue.meta.evaluation import MetaEvaluation
from metrologue.meta.ranking import Ranking, clusters_of


@dataclass(frozen=True, eq=False)
class AverageRanking(Ranking):
    """The metrics in the order of their mean correlation with a quality; without a test, there are no clusters.

    Attributes
    ----------
    values : dict of str to tuple of float
        The correlations of each metric, in the order of the data sets.
    means : dict of str to float
    """

    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class AverageCorrelations:
    """The result of ``average_correlations``.

    Attributes
    ----------
    names : tuple of str
        The data sets.
    qualities : dict of str to AverageRanking
    method : str
    is_tested : bool
    """

    names: tuple[str, ...]
    qualities: Mapping[str, AverageRanking]
    method: str
    is_tested: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "data": [*self.names],
            "method": self.method,
            "qualities": {
                quality: {
                    **(each.to_dict() if self.is_tested else {"metrics": [*each.metrics]}),
                    "values": {name: dict(zip(self.names, own, strict=True)) for name, own in each.values.items()},
                    "means": dict(each.means),
                }
                for quality, each in self.qualities.items()
            },
        }


def average_correlations(evaluations: Mapping[str, MetaEvaluation]) -> AverageCorrelations:
    """The mean correlation of each metric over several data sets, such as the language pairs of WMT.

    If the evaluations were made with ``test="williams"``, the means of every two metrics are tested: Williams' test of
    the mean correlations with people, and of the metrics' mean correlation with each other, for as many points as all
    data sets have together, as WMT's mt-metrics-eval does for averages.

    Parameters
    ----------
    evaluations : mapping of str to MetaEvaluation
        By the name of the data set. Qualities and metrics that all of them have are averaged.

    Returns
    -------
    AverageCorrelations

    Raises
    ------
    InputError
        If there is no quality that all have, if the coefficients differ, or if a correlation does not exist.

    Examples
    --------
    >>> from metrologue.meta import Judgements, Ratings, meta_evaluate
    >>> texts = {"segments": ("1", "2", "3", "4"), "hypotheses": ("a", "b", "c", "d")}
    >>> rated = {"adequacy": Ratings(np.array([[1.0], [2.0], [3.0], [4.0]]), ("ann",))}
    >>> scores = {"one": {"m": np.array([1.0, 2, 4, 3])}, "two": {"m": np.array([1.0, 2, 3, 4])}}
    >>> found = average_correlations(
    ...     {name: meta_evaluate(Judgements(**texts, ratings=rated, scores=own)) for name, own in scores.items()}
    ... )
    >>> found.qualities["adequacy"].values, found.qualities["adequacy"].means
    ({'m': (0.8, 1.0)}, {'m': 0.9})
    """
    every = [*evaluations.values()]
    if all(len(each.judgements.qualities) == 1 for each in every):  # under whatever name
        every = [each.under(every[0].judgements.qualities[0]) for each in every]
        evaluations = dict(zip(evaluations, every, strict=True))
    if len({(each.method, each.level, each.test) for each in every}) != 1:
        raise InputError("average_correlations: the coefficients, levels or tests differ; the same are expected.")
    qualities = [name for name in every[0].judgements.qualities if all(name in each.agreement for each in every)]
    metrics = [each.name for each in every[0].metrics if all(each.name in other.correlations for other in every)]
    if not qualities or not metrics:
        raise InputError("average_correlations: no quality, or no metric, is in all data sets.")
    return AverageCorrelations(
        tuple(evaluations),
        {quality: _averaged(evaluations, metrics, quality) for quality in qualities},
        every[0].method,
        every[0].test == "williams",
    )


def _averaged(evaluations: Mapping[str, MetaEvaluation], metrics: list[str], quality: str) -> AverageRanking:
    every = [*evaluations.values()]
    values = {name: tuple(each.correlations[name][quality].value for each in every) for name in metrics}
    for name, own in values.items():
        for data, value in zip(evaluations, own, strict=True):
            if math.isnan(value):
                raise InputError(f"average_correlations: {name} has no correlation with {quality} in {data}.")
    means = {name: math.fsum(own) / len(own) for name, own in values.items()}
    order = sorted(metrics, key=lambda name: (-means[name], name))
    p_values, clusters = np.full((len(order), len(order)), math.nan), {}
    if every[0].test == "williams":
        units = sum(each.correlations[order[0]][quality].units for each in every)
        for i, better in enumerate(order):
            for j, worse in enumerate(order[i + 1 :], i + 1):
                between = math.fsum(_between(each.rankings[quality], better, worse) for each in every) / len(every)
                p_values[i, j] = williams_test(means[better], means[worse], between, units)
        clusters = dict(zip(order, clusters_of(p_values, 1 - (every[0].confidence or 0.95)), strict=True))
    ordered = {name: values[name] for name in order}
    return AverageRanking(tuple(order), p_values, clusters, values=ordered, means={name: means[name] for name in order})


def _between(ranking: Ranking, one: str, other: str) -> float:
    between: Floats | None = ranking.between
    assert between is not None
    return float(between[ranking.metrics.index(one), ranking.metrics.index(other)])
