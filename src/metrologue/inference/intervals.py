"""Confidence intervals of scores, by the bootstrap (Efron and Tibshirani 1993; Koehn 2004 for BLEU)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.balance import exponent_of
from metrologue.inference.draws import DRAWS
from metrologue.inference.jackknife import resampled
from metrologue.inference.metric import Metric
from metrologue.inference.resampling import (
    Resampling,
    checked_level,
    checked_number,
    checked_resamples,
    chosen_resampling,
    chosen_seed,
    count_of,
    one_of,
    prepared,
    score_of,
    warn_of_few,
)
from metrologue.inference.totals import resampled_scores
from metrologue.segments import Segments


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a score.

    Attributes
    ----------
    low, high : float
        The limits, on the scale of the score.
    mean, median : float
        Of the scores of the resamples.
    level : float
        The level of confidence, such as 0.95.
    resamples, seed : int
    method : str
        "percentile", "bca" or "order-statistics".
    draws : str
        The generator of the draws, one of ``DRAWS``.
    segments : int or None
        How many segments there were; below 30, the interval is rough.
    """

    low: float
    high: float
    mean: float
    median: float
    level: float
    resamples: int
    seed: int
    method: str
    draws: str
    segments: int | None = None

    @property
    def margin(self) -> float:
        """Half of the interval's width: what sacrebleu prints after ±."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"

    @property
    def signature(self) -> str:
        """The settings of the interval, on one line."""
        computed = ("low", "high", "mean", "median", "segments")
        return "|".join(f"{key}={value}" for key, value in self.to_dict().items() if key not in computed)

    def to_dict(self) -> dict[str, float | int | str | None]:
        """All attributes as plain values."""
        return asdict(self)


def confidence_interval(
    scorer: Metric,
    statistics: Floats | Segments,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    method: str | None = None,
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> Interval:
    """A confidence interval of one number of a scorer; see ``confidence_intervals``.

    Parameters
    ----------
    key : str, optional
        The name of the number; the primary one by default.
    scorer, statistics, level, resamples, seed, method, resampling
        As for ``confidence_intervals``.

    Raises
    ------
    InputError
        As for ``confidence_intervals``, or if there is no such number.

    Examples
    --------
    >>> from metrologue.scorers import WordErrorRate
    >>> wer, segments = WordErrorRate(), Segments(["a b", "c x", "e f"], ["a b", "c d", "e f"])
    >>> interval = confidence_interval(wer, wer.statistics(segments))
    >>> interval.low, interval.high
    (0.0, 0.5)
    """
    number = checked_number(scorer, key)
    intervals = _intervals(scorer, statistics, (number,), level, resamples, seed, method, resampling)
    if number not in intervals:
        raise InputError(f"`{number}` is infinite in a resample, so that it has no interval.")
    return intervals[number]


def confidence_intervals(
    scorer: Metric,
    statistics: Floats | Segments,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    method: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> dict[str, Interval]:
    """A confidence interval of each number of a scorer, by the bootstrap.

    Test sets of the same size are drawn from the segments, with replacement, and each of them is scored. The limits of
    the interval come from the spread of these scores. A table that the scorer has fitted, such as weights of n-grams,
    stays the same for all resamples. The segments of some metrics depend on each other: those of distinct-n, of lexical
    diversity and of Self-BLEU. Pseudo-values of groups of segments are then drawn; see ``inference.jackknife``.

    Parameters
    ----------
    scorer : Scorer
    statistics : float64 (n, k) or Segments
        ``scorer.statistics(segments)``, or the segments. A metric whose segments depend on each other needs segments.
    level : float
        The level of confidence, above 0 and below 1.
    resamples : int
        The number of resamples.
    seed : int, optional
        The seed of the draws, 0 to 2^32 - 1. The same seed gives the same interval. By default 12345; with sacrebleu's
        resampling, the environment variable ``SACREBLEU_SEED`` if it is set.
    method : str, optional
        "percentile": quantiles of the resamples' scores, between which NumPy interpolates. "bca": quantiles that are
        corrected for bias and skewness (Efron 1987). "order-statistics": the (floor(q R) + 1)-th least and greatest
        of R scores, with q = (1 - level) / 2 (sacrebleu). By default that of `resampling`.
    resampling : str or Resampling
        Whose draws to make: one of ``RESAMPLINGS``.

    Returns
    -------
    dict of str to Interval
        A number that may be infinite, such as a perplexity, is left out if it is infinite in a resample.

    Raises
    ------
    InputError
        If there are fewer than two segments, an argument is out of range, or a resample has no finite score.

    Warns
    -----
    FewSegmentsWarning
        If there are fewer than 30 segments.
    UserWarning
        If there are fewer than 100 resamples.

    References
    ----------
    Efron 1987, https://doi.org/10.2307/2289144; Koehn 2004, https://aclanthology.org/W04-3250.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> found = confidence_intervals(TokenF1(), Segments(["a b", "c x", "e f"], ["a b", "c d", "e f"]), level=0.9)
    >>> round(found["token_f1"].low, 4), found["token_f1"].high
    (66.6667, 100.0)
    """
    return _intervals(scorer, statistics, tuple(scorer.range), level, resamples, seed, method, resampling)


def _intervals(
    scorer: Metric,
    statistics: Floats | Segments,
    keys: Sequence[str],
    level: float,
    resamples: int,
    seed: int | None,
    method: str | None,
    resampling: str | Resampling,
) -> dict[str, Interval]:
    """The intervals of the numbers that are named by `keys`."""
    chosen = chosen_resampling(resampling)
    method = one_of("method", method or chosen.method, METHODS)
    level, resamples, seed = checked_level(level), checked_resamples(resamples), chosen_seed(seed, chosen)
    scorer = scorer._for_resampling()
    given = prepared(scorer, statistics)
    count = count_of(scorer, given)
    scorer, (sample,) = resampled(scorer, [given])
    warn_of_few(count)
    wholes = score_of(scorer, sample)
    draws, n = DRAWS[chosen.draws](seed), len(sample)
    scores: dict[str, Floats] = {}
    for group in _shared_draws(scorer, chosen.separate):
        of_resamples = resampled_scores(scorer, [sample], draws.counts(n, resamples))
        scores |= {key: of_resamples[key][:, 0] for key in group}
    # As samples of their own: what has no score is no segment.
    others = scorer.score((sample.sum(axis=0) - sample)[:, None]) if METHODS[method].needs_others else {}
    intervals = {}
    for key in keys:
        if not (key in scorer._infinite and np.isinf(scores[key]).any()):
            rest = others[key][:, 0] if others else None
            intervals[key] = interval_of(
                scores[key], float(wholes[key]), rest, level, seed, method, key, chosen.draws, count
            )
    return intervals


def _shared_draws(scorer: Metric, separate: bool) -> list[list[str]]:
    """The names of the numbers in groups that share draws: all, or those of each type, such as ``rouge1_recall``."""
    groups: dict[str, list[str]] = {}
    for key in scorer.range:
        groups.setdefault(key.rpartition("_")[0] if separate else "", []).append(key)
    return [*groups.values()]


def interval_of(
    scores: Floats,
    whole: float,
    others: Floats | None,
    level: float,
    seed: int,
    method: str,
    key: str,
    draws: str,
    segments: int | None = None,
) -> Interval:
    """The interval of one number.

    Parameters
    ----------
    scores : float64 (resamples,)
    whole : float
        The score of all segments.
    others : float64 (n,) or None
        The scores without each segment, for "bca".
    level, seed, method
        As for ``confidence_intervals``.
    key : str
        The name of the number, for messages.
    draws, segments
        As for ``Interval``.
    """
    if not np.isfinite(scores).all():
        raise InputError(f"`{key}` of a resample is infinite or not a number; choose other field values.")
    ordered = np.sort(scores)
    low, high = METHODS[method].bounds(ordered, level, whole, others)
    (median,) = _quantiles(ordered, 0.5)
    # The mean of equal numbers can be off by a bit.
    mean = float(np.clip(ordered.mean(), ordered[0], ordered[-1]))
    return Interval(float(low), float(high), mean, median, level, len(scores), seed, method, draws, segments)


def interval_of_defined(
    resampled: Floats, whole: float, level: float, seed: int, key: str, units: int
) -> Interval | None:
    """The percentile interval of the resamples whose value is not NaN; None if most of them are NaN.

    A resample of few units can draw one of them again and again, and a number of one point may not exist.
    """
    defined = resampled[~np.isnan(resampled)]
    if 2 * len(defined) < len(resampled) or np.isnan(whole):
        return None
    return interval_of(defined, whole, None, level, seed, "percentile", key, "splitmix64", units)


def _quantiles(ordered: Floats, *shares: float) -> list[float]:
    """The quantiles of sorted scores, with linear interpolation. ``numpy.quantile`` would sort again, several times."""
    places = np.array(shares) * (len(ordered) - 1)
    return [*np.interp(places, np.arange(len(ordered)), ordered).tolist()]


def _percentile(ordered: Floats, level: float, whole: float, others: Floats | None) -> tuple[float, float]:
    low, high = _quantiles(ordered, (1 - level) / 2, (1 + level) / 2)
    return low, high


def _order_statistics(ordered: Floats, level: float, whole: float, others: Floats | None) -> tuple[float, float]:
    # The product is rounded first, because 1 - 0.95 is not exactly 0.05.
    skipped = int(round(len(ordered) * (1 - level) / 2, 9))
    return ordered[skipped], ordered[-skipped - 1]


def _bca(ordered: Floats, level: float, whole: float, others: Floats | None) -> tuple[float, float]:
    """Efron 1987: the quantiles move by the bias of the resamples and by the acceleration from the jackknife.

    A resample with the score of the whole counts as half below it. Its last bits may be other ones, for they depend on
    the processor.
    """
    assert others is not None
    if ordered[0] == ordered[-1]:
        return ordered[0], ordered[0]
    tied = np.isclose(ordered, whole, rtol=1e-12, atol=0)
    below = np.mean(np.where(tied, 0.5, ordered < whole))
    spread = others.mean() - others
    spread = np.ldexp(spread, -exponent_of(spread))
    if not 0 < below < 1 or not spread.any():
        raise InputError("method 'bca' has no interval here: all resamples are on one side; use method='percentile'.")
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    normal = NormalDist()
    bias, tail = normal.inv_cdf(float(below)), normal.inv_cdf((1 - level) / 2)
    shifted = [bias + (bias + z) / (1 - float(acceleration) * (bias + z)) for z in (tail, -tail)]
    low, high = _quantiles(ordered, *(normal.cdf(z) for z in shifted))
    return low, high


@dataclass(frozen=True)
class _Method:
    """How limits are made from sorted scores, and whether the scores without each segment are needed for it."""

    bounds: Callable[[Floats, float, float, Floats | None], tuple[Any, Any]]
    needs_others: bool = False


METHODS: Mapping[str, _Method] = {
    "percentile": _Method(_percentile),
    "bca": _Method(_bca, needs_others=True),
    "order-statistics": _Method(_order_statistics),
}
