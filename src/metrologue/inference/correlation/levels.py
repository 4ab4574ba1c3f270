"""Correlation of a metric with people, at the level of segments, items or systems, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Bytes, Flags, Floats
from metrologue.errors import InputError, number_of, shown, warn_caller
from metrologue.inference.balance import exponent_of, moved
from metrologue.inference.correlation.coefficients import COEFFICIENTS, Coefficient, Points, best_tie
from metrologue.inference.draws import DRAWS
from metrologue.inference.intervals import Interval, interval_of_defined
from metrologue.inference.resampling import checked_level, checked_resamples, chosen_seed, one_of

# What is correlated at each level.
LEVELS: Mapping[str, str] = {
    "segment": "all scores of segments, in one row",
    "item": "the scores of all systems on one item, that is, one segment; the mean over items",
    "system": "the mean scores of systems",
}
_FEWEST = 3
# The coefficients for which a tie threshold can be found.
CALIBRATED = ("acc23", "kendall-23")


class UndefinedCorrelationWarning(UserWarning):
    """A column does not vary, so that there is no correlation with it."""


@dataclass(frozen=True)
class Correlation:
    """How well a metric's scores agree with people's.

    Attributes
    ----------
    value : float
        NaN if there is no correlation, because a column does not vary.
    p_value : float or None
        Two-sided, of the null hypothesis that both do not depend on each other. None for a mean over items, and for
        coefficients without a known distribution.
    method, level : str
    units : int
        How many segments, items or systems there were: what a resample draws.
    undefined : int
        How many items were left out of the mean, because a column does not vary there or has one score.
    interval : Interval or None
    resampled : float64 (resamples,) or None
        The value of each resample; NaN where a column does not vary. Correlations that were computed in one call, of
        the same units, have the same resamples, so that their differences can be looked at.
    tie : float
        Scores of the metric that differ by at most so much are ties.
    """

    value: float
    p_value: float | None
    method: str
    level: str
    units: int
    undefined: int = 0
    interval: Interval | None = None
    resampled: Floats | None = field(default=None, repr=False, compare=False)
    tie: float = 0.0

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Cells:
    """The points of one metric and one quality.

    `present`, bool (units,), says which units have a point; at the level of items: which have two or more systems.
    """

    points: Points
    present: Flags
    level: str


@dataclass(frozen=True)
class _Pairing:
    """The points of one metric and one quality under a coefficient."""

    cells: Cells
    coefficient: Coefficient
    tie: float

    @cached_property
    def rows(self) -> Floats:
        """The rows of all groups, (groups, k), each point once."""
        return np.asarray(self._rows(self.cells.points.once)[0])

    def _rows(self, counts: Bytes) -> Floats:
        return self.coefficient.rows(self.cells.points, counts, self.tie, self.coefficient.gap)

    def resampled(self, counts: Bytes) -> Floats:
        """The value of each resample, (resamples,), from the counts of all units in it: uint8 (resamples, units)."""
        present, formula = self.cells.present, self.coefficient.formula
        drawn = np.ascontiguousarray(counts if present.all() else counts[:, present])
        if self.cells.level != "item":
            return formula(self._rows(drawn))[:, 0]
        weights = drawn.astype(float)
        if self.coefficient.pooled:
            return formula(weights @ self.rows)
        values = formula(self.rows)
        defined = ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            return np.asarray(weights[:, defined] @ values[defined] / weights[:, defined].sum(axis=1))


def checked_tie(tie: float | str, method: str, points: Points) -> float:
    """The tie threshold of a metric. Raises an InputError if it is not one, or the coefficient takes none."""
    if tie == "calibrated" and method in CALIBRATED:
        return best_tie(points)
    of_pairs = COEFFICIENTS[method].of_pairs and method != "kendall-c"
    if isinstance(tie, bool) or not isinstance(tie, Real) or not 0 <= float(tie) < math.inf or (tie and not of_pairs):
        raise InputError(
            f"`tie` is {shown(tie)}; a number from 0 on is expected, or 'calibrated' for {' and '.join(CALIBRATED)}; "
            "coefficients that are not of pairs take 0."
        )
    return float(tie)


def value_of(coefficient: Coefficient, rows: Floats) -> tuple[float, int]:
    """The value from the rows of all groups, and how many groups have none."""
    if coefficient.pooled:
        return float(coefficient.formula(rows.sum(axis=0))), 0
    values = coefficient.formula(rows)
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan, len(values) - len(defined)


def checked_scores(argument: str, given: ArrayLike) -> Floats:
    """Scores as float64 of one or two dimensions. None is NaN, a missing score."""
    try:
        scores = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(
            f"`{argument}` is {shown(given)}; numbers are expected, of the shape (systems, segments)."
        ) from None
    if scores.ndim not in (1, 2):
        raise InputError(f"`{argument}` has {number_of(scores.ndim, 'dimension')}; 1 or 2 are expected.")
    if np.isinf(scores).any():
        place = np.argwhere(np.isinf(scores))[0].tolist()
        raise InputError(
            f"`{argument}{place}` is {scores[tuple(place)]}; a finite number is expected, or NaN if missing."
        )
    return scores


def cells_of(scores: ArrayLike, human: ArrayLike, level: str, name: str = "scores") -> Cells:
    """The points of a level. Raises an InputError if they do not fit together, or are too few."""
    one_of("level", level, LEVELS)
    x, y = checked_scores(name, scores), checked_scores("human", human)
    if level == "system":
        return _of_systems(x, y, name)
    if x.shape != y.shape:
        raise InputError(f"`{name}` has the shape {x.shape}, but `human` {y.shape}; they must be equal.")
    present = ~np.isnan(y)
    refuse_missing(x, present, name)
    if level == "segment":
        kept = present.reshape(-1)
        _require_several(int(kept.sum()), "segment")
        return Cells(Points(x[present], y[present], np.array([0, int(kept.sum())])), kept, level)
    if x.ndim != 2:
        raise InputError(f"`{name}` has 1 dimension; the level 'item' needs the shape (systems, segments).")
    sizes = present.sum(axis=0)
    items = sizes >= 2
    if not items.any():
        raise InputError("no item has scores of two systems; the level 'item' correlates the systems on each item.")
    present &= items
    offsets = np.concatenate([[0], np.cumsum(sizes[items])])
    return Cells(Points(x.T[present.T], y.T[present.T], offsets), items, level)


def _of_systems(x: Floats, y: Floats, name: str) -> Cells:
    if len(x) != len(y) or (x.ndim == y.ndim and x.shape != y.shape):
        raise InputError(f"`{name}` has the shape {x.shape}, but `human` {y.shape}; the systems must be the same.")
    rated = ~np.isnan(y)
    present: Flags = rated if y.ndim == 1 else np.asarray(rated.any(axis=1))
    needed = rated if x.ndim == y.ndim else np.broadcast_to(present if x.ndim == 1 else present[:, None], x.shape)
    refuse_missing(x, needed, name)
    # A mean of scores that lie close together would be rounded away; what all of them share changes no correlation.
    ours, theirs = _means(moved(np.where(needed, x, math.nan)), present), _means(moved(y), present)
    _require_several(int(present.sum()), "system")
    return Cells(Points(ours, theirs, np.array([0, int(present.sum())])), present, "system")


def _means(scores: Floats, present: Flags) -> Floats:
    kept = scores[present]
    if kept.ndim == 1:
        return kept
    exponent = exponent_of(kept)  # so that no sum is infinite
    return np.ascontiguousarray(np.ldexp(np.nanmean(np.ldexp(kept, -exponent), axis=1), exponent))


def refuse_missing(scores: Floats, needed: Flags, name: str) -> None:
    missing = np.isnan(scores) & needed
    if missing.any():
        place = np.argwhere(missing)[0].tolist()
        raise InputError(
            f"`{name}{place}` is missing, but people have scored it; {number_of(int(missing.sum()), 'score')} "
            "missing. Score these segments, or make `human` NaN there."
        )


def _require_several(count: int, unit: str) -> None:
    if count < _FEWEST:
        raise InputError(
            f"{number_of(count, unit)} with scores of people; two points always lie on a line, so {_FEWEST} are needed."
        )


def correlation(
    scores: ArrayLike,
    human: ArrayLike,
    *,
    method: str = "pearson",
    level: str = "segment",
    tie: float | str = 0.0,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int | None = None,
) -> Correlation:
    """How well a metric's scores agree with people's.

    Parameters
    ----------
    scores : numbers (systems, segments)
        The metric's scores. One row of n scores is enough for the level "segment", and one score a system for the level
        "system", such as a corpus score.
    human : numbers (systems, segments)
        People's scores; NaN or None where one is missing. The metric's score is then not used.
    method : str
        One of ``COEFFICIENTS``: "pearson", "spearman", "kendall-b", "kendall-c", "kendall-23", "acc23", and WMT's
        "kendall-wmt12", "kendall-wmt13", "kendall-wmt14", "kendall-wmt20".
    level : str
        "segment": all scores in one row. "item": the systems on each segment, and the mean over segments; WMT's
        coefficients add the pairs of all segments first. "system": the mean of each system, over segments with a human
        score.
    tie : float or "calibrated"
        For coefficients of pairs: scores of the metric that differ by at most so much are ties. "calibrated": the
        threshold that makes "acc23" largest, as WMT takes it. The bootstrap keeps it.
    confidence : float, optional
        A level such as 0.95: also give a bootstrap interval. It draws the units of the level.
    resamples : int
    seed : int, optional
        0 to 2^32 - 1; 12345 by default.

    Raises
    ------
    InputError
        If shapes differ, a score is infinite or missing where people have scored, or there are fewer than three units.

    Warns
    -----
    UndefinedCorrelationWarning
        If a column does not vary, so that the value is NaN; for "item", if some items are left out for this reason.

    Examples
    --------
    >>> round(correlation([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 6], method="spearman").value, 6)
    0.869657
    >>> found = correlation([[1, 2, 3], [2, 3, 5], [0, 4, 4]], [[1, 1, 2], [3, 2, 4], [2, 3, 3]], level="item")
    >>> round(found.value, 4), found.units
    (0.8333, 3)
    """
    by_metric = correlations(
        {"scores": scores}, {"human": human}, method=method, level=level, tie=tie, confidence=confidence,
        resamples=resamples, seed=seed,
    )  # fmt: skip
    return by_metric["scores"]["human"]


def correlations(
    scores: Mapping[str, ArrayLike],
    human: Mapping[str, ArrayLike],
    *,
    method: str = "pearson",
    level: str = "segment",
    tie: float | str = 0.0,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int | None = None,
) -> dict[str, dict[str, Correlation]]:
    """The correlation of each metric with each quality. All of them share the draws of the bootstrap.

    Parameters
    ----------
    scores : mapping of str to numbers (systems, segments)
        The scores of each metric.
    human : mapping of str to numbers (systems, segments)
        People's scores of each quality.
    method, level, tie, confidence, resamples, seed
        As for ``correlation``.

    Returns
    -------
    dict of str to dict of str to Correlation
        By metric, then by quality.

    Errors and warnings are those of ``correlation``.

    Examples
    --------
    >>> scores = {"a": [1, 2, 3, 4], "b": [4, 3, 1, 2]}
    >>> found = correlations(scores, {"fluency": [1, 3, 2, 4]}, method="kendall-b")
    >>> [(name, round(row["fluency"].value, 4)) for name, row in found.items()]
    [('a', 0.6667), ('b', -0.3333)]
    """
    coefficient = COEFFICIENTS[one_of("method", method, COEFFICIENTS)]
    cells = {
        (metric, quality): cells_of(x, y, level, "scores" if len(scores) == 1 else f"scores[{metric!r}]")
        for metric, x in scores.items()
        for quality, y in human.items()
    }
    pairings = {key: _Pairing(each, coefficient, checked_tie(tie, method, each.points)) for key, each in cells.items()}
    drawn: dict[tuple[str, str], Floats] = {}
    if confidence is not None:
        confidence, resamples = checked_level(confidence), checked_resamples(resamples)
        seed = chosen_seed(seed, "metrologue")
        drawn = _resampled(pairings, resamples, seed)
    by_metric: dict[str, dict[str, Correlation]] = {metric: {} for metric in scores}
    for (metric, quality), each in cells.items():
        value, undefined = value_of(coefficient, pairings[metric, quality].rows)
        names = f"`scores[{metric!r}]` and `human[{quality!r}]`" if len(cells) > 1 else "`scores` and `human`"
        _warn_of_undefined(value, undefined, names, level)
        p_value = None
        if coefficient.p_value and level != "item":
            p_value = math.nan if math.isnan(value) else coefficient.p_value(each.points, value)
        units, resampled, interval = int(each.present.sum()), drawn.get((metric, quality)), None
        if resampled is not None and confidence is not None and seed is not None:
            interval = interval_of_defined(resampled, value, confidence, seed, method, units)
        by_metric[metric][quality] = Correlation(
            value, p_value, method, level, units, undefined, interval, resampled, pairings[metric, quality].tie
        )  # fmt: skip
    return by_metric


def _resampled(
    pairings: Mapping[tuple[str, str], _Pairing], resamples: int, seed: int
) -> dict[tuple[str, str], Floats]:
    """The value of each resample. Pairings with the same number of units share the draws."""
    values: dict[tuple[str, str], list[Floats]] = {key: [] for key in pairings}
    for units in {len(each.cells.present) for each in pairings.values()}:
        for counts in DRAWS["splitmix64"](seed).counts(units, resamples):
            for key, each in pairings.items():
                if len(each.cells.present) == units:
                    values[key].append(each.resampled(counts))
    return {key: np.concatenate(blocks) for key, blocks in values.items()}


def _warn_of_undefined(value: float, undefined: int, names: str, level: str) -> None:
    if math.isnan(value):
        warn_caller(
            f"{names}: one of them does not vary, so that there is no correlation.", UndefinedCorrelationWarning
        )
    elif undefined:
        warn_caller(
            f"{names}: {number_of(undefined, level)} left out of the mean, where one of them does not vary.",
            UndefinedCorrelationWarning,
        )


def leaders(found: Mapping[str, Correlation], *, confidence: float = 0.95) -> list[str]:
    """The metric with the strongest correlation, and those that are not significantly weaker.

    A metric is weaker if the interval of the difference, from resamples that both share, is above 0. Signs do not
    count, because an error rate should fall where people's scores rise.

    Parameters
    ----------
    found : mapping of str to Correlation
        The metrics' correlations with one quality, from one call of ``correlations`` with `confidence`.
    confidence : float

    Returns
    -------
    list of str
        The strongest first, then the others from strong to weak. Metrics without a value are left out.

    Raises
    ------
    InputError
        If the correlations have no resamples.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6, 7, 8]
    >>> scores = {"a": human, "b": [2, 1, 3, 4, 5, 6, 8, 7], "c": [5, 1, 4, 2, 3, 8, 2, 1]}
    >>> found = correlations(scores, {"fluency": human}, confidence=0.95)
    >>> leaders({name: row["fluency"] for name, row in found.items()})
    ['a']
    """
    level = checked_level(confidence)
    defined = {name: each for name, each in found.items() if not math.isnan(each.value)}
    ordered = sorted(defined, key=lambda name: -abs(defined[name].value))
    strengths = {}
    for name in ordered:
        resampled = defined[name].resampled
        if resampled is None:
            raise InputError(f"`found[{name!r}]` has no resamples; give `confidence` to `correlations`.")
        strengths[name] = resampled * math.copysign(1, defined[name].value)
    return [name for name in ordered if name == ordered[0] or _reaches(strengths[ordered[0]] - strengths[name], level)]


def _reaches(differences: Floats, level: float) -> bool:
    """Whether the interval of differences has 0 in it."""
    defined = differences[~np.isnan(differences)]
    return bool(len(defined) == 0 or np.quantile(defined, (1 - level) / 2) <= 0)
