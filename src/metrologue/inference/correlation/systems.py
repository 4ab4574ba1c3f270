"""Correlation of systems whose scores are those of a corpus, with intervals from resamples of segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.inference.correlation.coefficients import COEFFICIENTS, Coefficient, Points
from metrologue.inference.correlation.levels import Correlation, correlations
from metrologue.inference.intervals import interval_of_defined
from metrologue.inference.resampling import chosen_seed


@dataclass(frozen=True, eq=False)
class SystemScores:
    """One score for each of n systems.

    Attributes
    ----------
    values : float64 (n,)
        NaN where a system has none.
    resampled : float64 (resamples, n) or None
        The scores of each resample of segments; NaN where there is none. None: no interval.
    """

    values: Floats
    resampled: Floats | None = None

    def negated(self) -> SystemScores:
        """The scores with the other sign."""
        return SystemScores(-self.values, None if self.resampled is None else -self.resampled)


def system_correlations(
    scores: Mapping[str, Mapping[str, SystemScores]],
    human: Mapping[str, SystemScores],
    *,
    method: str = "pearson",
    tie: float | str = 0.0,
    confidence: float | None = None,
    seed: int | None = None,
) -> dict[str, dict[str, Correlation]]:
    """The correlation over systems of each metric with each quality, where each system has one score.

    Parameters
    ----------
    scores : mapping of str to mapping of str to SystemScores
        By metric, then by quality: people may have rated other systems, or other segments, under each.
    human : mapping of str to SystemScores
        By quality. The resamples are of the same segments as those of `scores`.
    method, tie
        As for ``correlation``.
    confidence : float, optional
        The level of the intervals. A metric without resampled scores has none.
    seed : int, optional
        That of the resamples, to be told in the intervals.

    Raises
    ------
    InputError
        As for ``correlation``.

    Examples
    --------
    >>> found = system_correlations(
    ...     {"bleu": {"adequacy": SystemScores(np.array([20.0, 25.0, 31.0]))}},
    ...     {"adequacy": SystemScores(np.array([0.1, 0.2, 0.3]))},
    ... )
    >>> round(found["bleu"]["adequacy"].value, 4)
    0.9986
    """
    coefficient = COEFFICIENTS[method]
    by_metric: dict[str, dict[str, Correlation]] = {}
    for metric, by_quality in scores.items():
        by_metric[metric] = {}
        for quality, own in by_quality.items():
            people = human[quality]
            both = correlations(
                {metric: own.values}, {quality: people.values}, method=method, level="system", tie=tie
            )[metric][quality]  # fmt: skip
            if confidence is not None:
                given = _resampled(coefficient, both.tie, own, people)
                chosen = chosen_seed(seed, "metrologue")
                interval = interval_of_defined(given, both.value, confidence, chosen, method, both.units)
                both = replace(both, interval=interval, resampled=given)
            by_metric[metric][quality] = both
    return by_metric


def _resampled(coefficient: Coefficient, tie: float, scores: SystemScores, human: SystemScores) -> Floats:
    """The coefficient in each resample; NaN where a score is missing."""
    if human.resampled is None:
        return np.empty(0)
    if scores.resampled is None:
        return np.full(len(human.resampled), np.nan)
    rated = ~np.isnan(human.values)
    x, y = scores.resampled[:, rated], human.resampled[:, rated]
    whole: Flags = np.asarray(np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1))
    x, y = (np.where(whole[:, None], each, 0.0).reshape(-1) for each in (x, y))
    # A resample is a group of points.
    points = Points(x, y, np.arange(len(whole) + 1) * int(rated.sum()))
    [rows] = coefficient.rows(points, points.once, tie, coefficient.gap)
    return np.where(whole, coefficient.formula(rows), np.nan)
