"""Segment scores from elsewhere, COMET's or people's: means, intervals, tests, groups and correlations."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from metrologue.comparison.findings.number import ALPHA, Sampling
from metrologue.comparison.findings.records import Findings
from metrologue.comparison.findings.significance import told_already
from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference import Interval, PairedResult, confidence_interval, significance_groups
from metrologue.inference.between_systems import pairwise_tests
from metrologue.inference.correlation import correlation
from metrologue.inference.metric import Metric
from metrologue.scorers import Scorer
from metrologue.segments import Segments

__all__ = ["Agreement", "Elsewhere", "elsewhere"]

# Fewer systems have no rank correlation.
_FEWEST = 3


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Kendall's tau-b of scores from elsewhere with one of our variants.

    Attributes
    ----------
    metric, variant : str
    segments : float or None
        Of the segments of a system, the mean over the systems; None if scores do not vary, or there are none.
    systems : float or None
        Of the systems' numbers; None for fewer than three systems.
    """

    metric: str
    variant: str
    segments: float | None
    systems: float | None


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """One metric that was computed elsewhere.

    Attributes
    ----------
    name : str
    higher_is_better : bool
    means : dict of str to float
        Of each system, over the segments that all systems have scores of.
    segments : int
        How many these are.
    intervals : dict of str to Interval
        Of each mean; empty if the comparison has no intervals.
    tests : list of PairedResult
        Every two systems; the pairs of the best one come first. Empty for one system.
    groups : dict of str to str
        Letters: two systems that share one do not differ significantly.
    agreement : list of Agreement
    """

    name: str
    higher_is_better: bool
    means: dict[str, float]
    segments: int
    intervals: dict[str, Interval] = field(default_factory=dict)
    tests: list[PairedResult] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    agreement: list[Agreement] = field(default_factory=list)


@dataclass(frozen=True)
class _Mean:
    """The mean of given scores, in the form that resampling takes. A row is (score, 1)."""

    better: bool

    primary = "mean"
    columns = ("sum", "count")
    _infinite = ()
    _separable = True

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        return {self.primary: (-math.inf, math.inf)}

    @property
    def higher_is_better(self) -> Mapping[str, bool]:
        return {self.primary: self.better}

    def _for_resampling(self) -> _Mean:
        return self

    def aggregate(self, rows: Floats) -> Floats:
        totals: Floats = rows.sum(axis=0)
        return totals

    def score(self, totals: Floats) -> dict[str, Floats]:
        return {self.primary: totals[..., 0] / totals[..., 1]}


def elsewhere(
    name: str,
    scores: Mapping[str, Floats],
    texts: Mapping[str, Segments],
    comparisons: Sequence[Findings],
    ours: Mapping[str, Mapping[str, Scorer]],
    how: Sampling | None,
    higher_is_better: bool = True,
) -> Elsewhere:
    """What the scores of one metric say of the systems, and how they agree with our metrics.

    Parameters
    ----------
    name : str
    scores : mapping of str to float64 (n,)
        Of each system; NaN where there is none.
    texts : mapping of str to Segments
        The systems.
    comparisons : sequence of Findings
        Of our metrics.
    ours : mapping of str to mapping of str to Scorer
        The variants of each metric.
    how : Sampling or None
    higher_is_better : bool

    Raises
    ------
    InputError
        If no segment has a score for each system.
    """
    table = np.stack([scores[system] for system in texts])
    known = ~np.isnan(table).any(axis=0)
    if not known.any():
        raise InputError(f"compare: {name!r} has no segment with a score for each system.")
    rows = {
        system: np.stack([own, np.ones(len(own))], axis=1) for system, own in zip(texts, table[:, known], strict=True)
    }
    mean = cast(Metric, _Mean(higher_is_better))  # the rows are given, so nobody asks for its `statistics`
    means = {system: float(own[:, 0].mean()) for system, own in rows.items()}
    intervals: dict[str, Interval] = {}
    tests: list[PairedResult] = []
    groups: dict[str, str] = {}
    if how and known.sum() > 1:
        with told_already():
            intervals = {
                system: confidence_interval(mean, own, level=how.level, resamples=how.resamples, seed=how.seed)
                for system, own in rows.items()
            }
            if how.tests and len(rows) > 1:
                tests = pairwise_tests(mean, rows, alpha=ALPHA, correction="holm", level=how.level, seed=how.seed)
                groups = significance_groups(mean, rows, alpha=ALPHA, seed=how.seed)
    agreement = [
        _agreement(each, ours[each.metric], table * (1 if higher_is_better else -1), means, higher_is_better, texts)
        for each in comparisons
        if each.columns
    ]
    return Elsewhere(
        name=name, higher_is_better=higher_is_better, means=means, segments=int(known.sum()), intervals=intervals,
        tests=tests, groups=groups, agreement=[each for each in agreement if each],
    )  # fmt: skip


def _agreement(
    found: Findings,
    ours: Mapping[str, Scorer],
    given: Floats,
    means: Mapping[str, float],
    higher: bool,
    texts: Mapping[str, Segments],
) -> Agreement | None:
    """Kendall's tau-b with the recommended variant, or the first one that has all numbers."""
    reported = found.reported
    if not reported:
        return None
    name = next(iter(reported.values())).name
    scorer, sign = ours[name], 1 if found.higher_is_better else -1
    of_segments = of_systems = None
    try:
        own = np.stack([sign * scorer.segments(segments) for segments in texts.values()])
        if own.shape == given.shape:
            of_segments = _tau(own.T, given.T, "item")
    except InputError:  # a segment alone may have no score
        pass
    if len(texts) >= _FEWEST:
        theirs = [means[system] * (1 if higher else -1) for system in texts]
        of_systems = _tau([sign * reported[system].share for system in texts], theirs, "segment")
    return Agreement(metric=found.metric, variant=name, segments=of_segments, systems=of_systems)


def _tau(x: object, y: object, level: str) -> float | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that do not vary
        try:
            value = correlation(x, y, method="kendall-b", level=level).value  # type: ignore[arg-type]  # arrays or lists
        except InputError:  # fewer than three segments
            return None
    return None if math.isnan(value) else value
