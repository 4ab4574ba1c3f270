"""Whether people agree with each other: Krippendorff's alpha, Fleiss' and Cohen's kappa, with bootstrap intervals.

Each is computed from sums over units, so that the totals of all resamples are one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.errors import InputError, number_of, shown, warn_caller
from metrologue.inference.balance import exponent_of
from metrologue.inference.draws import DRAWS
from metrologue.inference.intervals import Interval, interval_of_defined
from metrologue.inference.resampling import checked_level, checked_resamples, chosen_seed, one_of

__all__ = [
    "LEVELS_OF_MEASUREMENT", "RELIABLE", "WEIGHTS", "Agreement", "UndefinedAgreementWarning", "cohen_kappa",
    "fleiss_kappa", "krippendorff_alpha",
]  # fmt: skip

# Krippendorff 2004: conclusions from ratings need an alpha of .8, and tentative ones .667.
RELIABLE = 0.667

Scale = tuple[float, float] | Sequence[float] | Sequence[str]


class UndefinedAgreementWarning(UserWarning):
    """All ratings are equal, so that agreement cannot be told from chance."""


@dataclass(frozen=True)
class Agreement:
    """How far ratings agree beyond chance.

    Attributes
    ----------
    value : float
        1: they agree; 0: as by chance; below 0: they disagree systematically. NaN if all ratings are equal.
    observed, expected : float
        For alpha the disagreement, for kappa the agreement: the observed one, and the one of chance. If the squares of
        interval ratings are too small or too great for a float, both are those of the ratings divided by 2^scaled.
    statistic : str
        "krippendorff_alpha", "fleiss_kappa" or "cohen_kappa".
    units, ratings : int
        The units with at least two ratings, and their ratings.
    interval : Interval or None
        From resamples of units.
    scaled : int
        0, unless `observed` and `expected` are those of scaled ratings.
    """

    value: float
    observed: float
    expected: float
    statistic: str
    units: int
    ratings: int
    interval: Interval | None = None
    scaled: int = 0

    def __float__(self) -> float:
        return self.value


# From the weights of units (resamples, units) to the disagreement that is observed and that of chance, (resamples,)
# each. Each is a sum of differences, not 1 minus an agreement: what is rare is then not rounded away.
_Totals = Callable[[Floats], tuple[Floats, Floats]]


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """1 minus the ratio of both disagreements; NaN where chance makes none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - observed / expected, math.nan)


def _agreement(
    statistic: str,
    totals: _Totals,
    reported: Callable[[float], float],
    units: int,
    ratings: int,
    confidence: float | None,
    resamples: int,
    seed: int | None,
) -> Agreement:
    """The agreement of all units, and of resamples of them. `reported` makes `observed` and `expected`."""
    both = totals(np.ones((1, units)))
    whole = float(_beyond_chance(*both)[0])
    observed, expected = (reported(float(each[0])) for each in both)
    if math.isnan(whole):
        warn_caller(
            f"{statistic}: all ratings are equal, so that agreement cannot be told from chance.",
            UndefinedAgreementWarning,
        )
    interval = None
    if confidence is not None:
        level, count, seed = checked_level(confidence), checked_resamples(resamples), chosen_seed(seed, "metrologue")
        if units < 3:
            raise InputError(f"{statistic}: {number_of(units, 'unit')} with two ratings; an interval needs at least 3.")
        blocks = DRAWS["splitmix64"](seed).counts(units, count)
        drawn = np.concatenate([_beyond_chance(*totals(counts.astype(float))) for counts in blocks])
        interval = interval_of_defined(drawn, whole, level, seed, statistic, units)
    return Agreement(whole, observed, expected, statistic, units, ratings, interval)


def _ratings(given: Any, statistic: str, scale: Scale | None) -> Floats:
    """Ratings as float64 (units, annotators), on their scale."""
    try:
        ratings = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(
            f"{statistic}: `ratings` is {shown(given)}; numbers of the shape (units, annotators) are expected, NaN or "
            "None where a rating is missing. Categories may be texts."
        ) from None
    if ratings.ndim != 2:
        raise InputError(f"{statistic}: `ratings` has the shape {ratings.shape}; (units, annotators) is expected.")
    _check_scale(ratings, statistic, "ratings", scale)
    return ratings


class _Categories(NamedTuple):
    """Ratings that are no numbers, by the places of their categories.

    Attributes
    ----------
    places : float64 (units, annotators)
        NaN where a rating is missing.
    labels : list
        The category at each place: those of the scale in its order, otherwise sorted.
    """

    places: Floats
    labels: list[Any]


def _categories(given: Any, statistic: str, scale: Any = None, sets: bool = False) -> _Categories | None:
    """Ratings that are texts, or with `sets` any labels; None if all of them are numbers, or they are no rows."""
    rows = given.to_numpy() if hasattr(given, "to_numpy") else given
    rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        return None
    if not all(isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) for row in rows):
        return None
    found = [[None if _is_missing(each) else _label(each) for each in row] for row in rows]
    present = [each for row in found for each in row if each is not None]
    if not sets and not any(isinstance(each, str) for each in present):
        return None
    if not sets and (odd := next((each for each in present if not isinstance(each, str)), None)) is not None:
        raise InputError(f"{statistic}: `ratings` has {shown(odd)} among texts; all must be texts, or all numbers.")
    try:
        labels = [*map(_label, scale)] if scale is not None else [*dict.fromkeys(present)]
        places = {each: place for place, each in enumerate(labels if scale is not None else _ordered(labels))}
        unknown = next((each for each in present if each not in places), None)
    except TypeError:
        raise InputError(f"{statistic}: `ratings` has labels that are not hashable, such as a dict.") from None
    if unknown is not None:
        listed = ", ".join(map(str, labels))
        raise InputError(f"{statistic}: `ratings` has {shown(unknown)}; the scale has {listed}.")
    table = np.full((len(found), max(map(len, found), default=0)), math.nan)
    for unit, row in enumerate(found):
        table[unit, : len(row)] = [math.nan if each is None else places[each] for each in row]
    return _Categories(table, [*places])


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))


def _label(value: Any) -> Any:
    """A label that can be looked up: sets and lists are frozen."""
    return frozenset(value) if isinstance(value, set) else tuple(value) if isinstance(value, list) else value


def _ordered(labels: list[Any]) -> list[Any]:
    try:
        return sorted(labels) if all(isinstance(each, str) for each in labels) else labels
    except TypeError:
        return labels


def _masi(one: Any, other: Any) -> float:
    """The distance of two sets of labels by MASI (Passonneau 2006), with the weights 2/3 and 1/3, as in nltk."""
    first, second = ({*each} if isinstance(each, frozenset | tuple) else {each} for each in (one, other))
    common = len(first & second)
    if first == second:
        return 0.0
    weight = 2 / 3 if common == min(len(first), len(second)) else 1 / 3 if common else 0.0
    return 1 - common / len(first | second) * weight


# The distances of two labels that have names.
DISTANCES: Mapping[str, Callable[[Any, Any], float]] = {"masi": _masi}
_MOST_LABELS = 4096


def _of_distance(distance: Callable[[Any, Any], float], labels: list[Any]) -> Callable[[_Values], _Differences]:
    """The level of measurement that a distance of labels is."""
    statistic = "krippendorff_alpha"
    if len(labels) > _MOST_LABELS:
        raise InputError(
            f"{statistic}: {len(labels):,} labels; with a `distance`, at most {_MOST_LABELS:,} can differ."
        )
    apart = np.zeros((len(labels), len(labels)))
    for i, one in enumerate(labels):
        for j in range(i):
            apart[i, j] = apart[j, i] = found = float(distance(one, labels[j]))
            if not (found >= 0 and math.isfinite(found)):
                raise InputError(
                    f"{statistic}: the distance of {shown(one)} and {shown(labels[j])} is {found}; a finite number of "
                    "0 or more is expected."
                )

    def differences(ratings: _Values) -> _Differences:
        table = np.zeros((len(ratings.sizes), len(labels)))
        np.add.at(table, (ratings.units, ratings.values.astype(int)), 1.0)
        within = ((table @ apart) * table).sum(axis=1)

        def chance(weights: Floats, count: Floats) -> Floats:
            drawn = weights @ table
            return np.asarray(((drawn @ apart) * drawn).sum(axis=1))

        return within, chance

    return differences


def _check_scale(ratings: Floats, statistic: str, argument: str, scale: Scale | None) -> None:
    wrong = np.isinf(ratings)
    expected = "a finite number is expected"
    if isinstance(scale, tuple) and len(scale) == 2:
        least, greatest = float(scale[0]), float(scale[1])
        wrong |= (ratings < least) | (ratings > greatest)
        expected = f"the scale goes from {least:g} to {greatest:g}"
    elif scale is not None:
        wrong |= ~np.isnan(ratings) & ~np.isin(ratings, np.asarray(scale, float))
        expected = f"the scale has {', '.join(f'{each:g}' for each in scale)}"
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        raise InputError(f"{statistic}: `{argument}{place}` is {ratings[tuple(place)]:g}; {expected}.")


@dataclass(frozen=True)
class _Values:
    """All values of units with two or more ratings, and the unit of each."""

    values: Floats
    units: Integers
    sizes: Floats

    @cached_property
    def starts(self) -> Integers:
        """The place of the first value of each unit."""
        return (np.cumsum(self.sizes) - self.sizes).astype(np.int64)

    def of_units(self, of_values: Floats) -> Floats:
        """The sum of each unit, (units,)."""
        return np.asarray(np.add.reduceat(of_values, self.starts))

    def vary(self, weights: Floats) -> Flags:
        """Whether the values of the units that are drawn are not all equal, from weights (resamples, units)."""
        low, high = (each.reduceat(self.values, self.starts) for each in (np.minimum, np.maximum))
        drawn = weights > 0
        lows, highs = np.where(drawn, low, math.inf).min(axis=1), np.where(drawn, high, -math.inf).max(axis=1)
        return np.asarray(lows < highs)


def _pairable(ratings: Floats, statistic: str) -> _Values:
    present = ~np.isnan(ratings)
    sizes = present.sum(axis=1)
    kept = sizes >= 2
    if not kept.any():
        raise InputError(
            f"{statistic}: none of {number_of(len(ratings), 'unit')} has two ratings; annotators must share units."
        )
    sizes = sizes[kept]
    return _Values(ratings[kept][present[kept]], np.repeat(np.arange(len(sizes)), sizes), sizes.astype(float))


def krippendorff_alpha(
    ratings: Any,
    level: str = "nominal",
    *,
    distance: str | Callable[[Any, Any], float] | None = None,
    scale: Scale | None = None,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int | None = None,
) -> Agreement:
    """Krippendorff's alpha: 1 minus the observed disagreement of annotators, divided by that of chance.

    Time and memory grow with the number of ratings, not with its square: the sum of squared differences of all pairs
    follows from the sum and the sum of squares. The ordinal difference is one of mean ranks. The ratio difference of c
    and k, (c - k)² / (c + k)², is the integral of t (c - k)² exp(-t c) exp(-t k) over t from 0 on: for each t, a sum of
    squared differences with weights.

    Parameters
    ----------
    ratings : numbers or texts (units, annotators)
        NaN or None where one is missing. Units with fewer than two ratings do not count. Texts are nominal. (The
        package krippendorff has the annotators in rows.)
    level : str
        The level of measurement, one of ``LEVELS_OF_MEASUREMENT``: "nominal", "ordinal", "interval" or "ratio".
    distance : str or callable, optional
        In place of a level, how far two labels are apart, 0 if they are equal: "masi" for sets of labels, or a
        symmetric function of two labels, as nltk takes it. It stands where a level has the squared difference.
    scale : (float, float) or list of float, optional
        The least and the greatest rating, or all ratings that there can be. Others are an error.
    confidence : float, optional
        A level such as 0.95: also give a bootstrap interval. It draws units; ordinal ranks stay those of all ratings.
    resamples : int
    seed : int, optional
        0 to 2^32 - 1; 12345 by default.

    Raises
    ------
    InputError
        If no unit has two ratings, a rating is infinite or not on the scale, or is negative at the level "ratio"; if
        texts have another level than "nominal"; or if there are fewer than three units for an interval.

    Warns
    -----
    UndefinedAgreementWarning
        If all ratings are equal: the value is NaN.
    UserWarning
        If there are more annotators than units, as if rows and columns were swapped.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's alpha-reliability, https://repository.upenn.edu/asc_papers/43.

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 1], [2, 2], [1, 2], [2, 2]]).value, 6)
    0.533333
    >>> round(krippendorff_alpha([[1, 2, None], [3, 3, 4], [5, 5, 4]], "interval").value, 4)
    0.8108
    >>> round(krippendorff_alpha([[{"a"}, {"a", "b"}], [{"b"}, {"b"}], [{"a"}, {"a"}]], distance="masi").value, 4)
    0.6429
    """
    statistic = "krippendorff_alpha"
    one_of("level", level, LEVELS_OF_MEASUREMENT)
    measure = LEVELS_OF_MEASUREMENT[level]
    if distance is not None:
        if level != "nominal":
            raise InputError(f"{statistic}: `level` is {level!r}, and `distance` is given too; give one of them.")
        if isinstance(distance, str):
            one_of("distance", distance, DISTANCES)
        elif not callable(distance):
            raise InputError(f"{statistic}: `distance` is {shown(distance)}; a function of two labels is expected.")
    texts = _categories(ratings, statistic, scale, sets=distance is not None)
    if distance is not None:
        if texts is None:
            raise InputError(f"{statistic}: `ratings` is {shown(ratings)}; rows of labels are expected.")
        measure = _of_distance(DISTANCES[distance] if isinstance(distance, str) else distance, texts.labels)
    elif texts and level != "nominal":
        raise InputError(f"{statistic}: `ratings` are texts, which are nominal; the level {level!r} needs numbers.")
    given = texts.places if texts else _ratings(ratings, statistic, scale)
    if 1 < len(given) < given.shape[1]:
        warn_caller(
            f"{statistic}: {len(given)} rows are read as units, and {given.shape[1]} columns as annotators. The "
            "package krippendorff has them the other way round; if yours are so, give the transpose."
        )
    pairable = _pairable(given, statistic)
    exponent = 0
    if level == "interval":  # by a power of two, so that no square overflows
        exponent = exponent_of(pairable.values)
        pairable = replace(pairable, values=np.ldexp(pairable.values, -exponent))
    sizes = pairable.sizes
    within, chance = measure(pairable)
    observed = within / (sizes - 1)

    def totals(weights: Floats) -> tuple[Floats, Floats]:
        """The mean squared difference in units, and of all values, in each resample."""
        count = weights @ sizes
        expected = np.maximum(chance(weights, count), 0) / (count * (count - 1))
        return weights @ observed / count, np.where(pairable.vary(weights), expected, 0.0)

    found = _agreement(statistic, totals, _same, len(sizes), len(pairable.values), confidence, resamples, seed)
    with np.errstate(over="ignore"):
        both = [float(np.ldexp(each, 2 * exponent)) for each in (found.observed, found.expected)]
    tiny = np.finfo(float).tiny
    if all(
        each == 0 or tiny <= unscaled < math.inf
        for each, unscaled in zip((found.observed, found.expected), both, strict=True)
    ):
        return replace(found, observed=both[0], expected=both[1])
    return replace(found, scaled=exponent)


# What a level of measurement makes of values: the sum of squared differences of all ordered pairs in each unit,
# (units,); and the same over the values of all units, from weights (resamples, units) and the numbers of values.
_Differences = tuple[Floats, Callable[[Floats, Floats], Floats]]


def _nominal(ratings: _Values) -> _Differences:
    _, codes = np.unique(ratings.values, return_inverse=True)
    classes, units = int(codes.max()) + 1, len(ratings.sizes)
    cells, counts = np.unique(ratings.units * classes + codes, return_counts=True)
    of_unit, of_class = cells // classes, cells % classes
    within = ratings.sizes**2 - np.bincount(of_unit, counts.astype(float) ** 2, units)

    def chance(weights: Floats, count: Floats) -> Floats:
        if classes * units <= 1 << 24:
            table = np.zeros((units, classes))
            table[of_unit, of_class] = counts
            sums = ((weights @ table) ** 2).sum(axis=1)
        else:  # the table would not fit, and is nearly empty
            sums = np.array([(np.bincount(of_class, counts * row[of_unit], classes) ** 2).sum() for row in weights])
        return np.asarray(count**2 - sums)

    return within, chance


def _of_numbers(ratings: _Values, values: Floats) -> _Differences:
    values = values - values.mean()
    sums, squares = ratings.of_units(values), ratings.of_units(values**2)
    # From each unit's own mean, so that nothing large cancels.
    centred = values - (sums / ratings.sizes)[ratings.units]
    within = 2 * ratings.sizes * ratings.of_units(centred**2)
    return within, lambda weights, count: 2 * (count * (weights @ squares) - (weights @ sums) ** 2)


def _interval(ratings: _Values) -> _Differences:
    return _of_numbers(ratings, ratings.values)


def _ordinal(ratings: _Values) -> _Differences:
    _, codes, counts = np.unique(ratings.values, return_inverse=True, return_counts=True)
    return _of_numbers(ratings, (np.cumsum(counts) - counts / 2)[codes])


# The trapezoidal rule over the logarithm of t in thirds of an octave has the error |Gamma(2 + 6 pi i / log 2)|, 1e-16.
# For the greatest value it begins where t c is 2^-28, and for the least one it ends where t c is 64.
_THIRDS, _FIRST, _LAST = 3, -28, 6


def _ratio(ratings: _Values) -> _Differences:
    values, codes = np.unique(ratings.values, return_inverse=True)
    if values[0] < 0:
        raise InputError(f"krippendorff_alpha: {values[0]:g} is below 0; the level 'ratio' has no negative ratings.")
    above = values[values > 0]
    low, high = (math.log2(above[0]), math.log2(above[-1])) if len(above) else (0.0, 0.0)
    counts = np.bincount(codes)
    steps = range(math.floor(_THIRDS * (_FIRST - high)), math.ceil(_THIRDS * (_LAST - low)) + 1)
    # For each step and unit: the sums of weights, of weighted differences from a centre, and of their squares.
    sums = np.empty((3, len(ratings.sizes), len(steps)))
    for i, step in enumerate(steps):
        weights = np.exp(-_times(values, step))
        shares = weights * counts
        centre = min(float((values * (shares / shares.sum())).sum()), float(values[-1]))
        apart = np.where(weights > 0, _times(values - centre, step), 0.0)
        for power in range(3):
            sums[power, :, i] = ratings.of_units((weights * apart**power)[codes])

    def chance(weights: Floats, count: Floats) -> Floats:
        zeroth, first, second = (weights @ each for each in sums)
        return np.asarray(2 * math.log(2) / _THIRDS * (zeroth * second - first**2).sum(axis=1))

    return _within_ratio(ratings), chance


def _times(values: Floats, step: int) -> Floats:
    """The values times 2^(step / 3), which may be infinite. The factor itself may be too, so that its root is taken."""
    root = 2.0 ** (step / _THIRDS / 2)
    with np.errstate(over="ignore"):
        return np.asarray(values * root * root)


def _within_ratio(ratings: _Values) -> Floats:
    """The sum of squared ratio differences in each unit: annotator by annotator."""
    units, sizes = len(ratings.sizes), ratings.sizes.astype(int)
    places = np.arange(len(ratings.values)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.full((int(sizes.max()), units), math.nan)
    table[places, ratings.units] = ratings.values
    within = np.zeros(units)
    for i in range(len(table)):
        for j in range(i):
            greater, lesser = np.maximum(table[i], table[j]), np.minimum(table[i], table[j])
            with np.errstate(divide="ignore", invalid="ignore"):
                # Divided by the greater one before they are added: a sum could be infinite.
                apart = (greater - lesser) / greater / (1 + lesser / greater)
            within += 2 * np.where(greater > 0, apart**2, 0)
    return within


LEVELS_OF_MEASUREMENT: Mapping[str, Callable[[_Values], _Differences]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}


def _same(disagreement: float) -> float:
    return disagreement


def _rest(disagreement: float) -> float:
    return 1 - disagreement


def fleiss_kappa(
    ratings: Any,
    *,
    scale: Scale | None = None,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int | None = None,
) -> Agreement:
    """Fleiss' kappa: how far annotators agree on categories beyond chance, if each unit has the same number of ratings.

    Parameters
    ----------
    ratings : numbers or texts (units, annotators)
        The category of each unit by each annotator. NaN or None where there is none.
    scale, confidence, resamples, seed
        As for ``krippendorff_alpha``.

    Raises
    ------
    InputError
        As for ``krippendorff_alpha``, with its warning; or if units have different numbers of ratings.

    References
    ----------
    Fleiss 1971, https://doi.org/10.1037/h0031619.

    Examples
    --------
    >>> round(fleiss_kappa([[1, 1, 1], [2, 2, 2], [1, 2, 2], [1, 1, 2]]).value, 6)
    0.333333
    """
    statistic = "fleiss_kappa"
    texts = _categories(ratings, statistic, scale)
    given = texts.places if texts else _ratings(ratings, statistic, scale)
    sizes = (~np.isnan(given)).sum(axis=1)
    if len(given) and (sizes != sizes[0]).any():
        other = int(np.flatnonzero(sizes != sizes[0])[0])
        raise InputError(
            f"{statistic}: `ratings[{other}]` has {number_of(int(sizes[other]), 'rating')}, but `ratings[0]` "
            f"{sizes[0]}; each unit needs as many. Krippendorff's alpha takes units with missing ratings."
        )
    pairable = _pairable(given, statistic)
    within, chance = _nominal(pairable)
    size, units = float(pairable.sizes[0]), len(pairable.sizes)

    def totals(weights: Floats) -> tuple[Floats, Floats]:
        """The share of unequal pairs in units, and that of values drawn with replacement, in each resample."""
        drawn = weights.sum(axis=1)
        count = drawn * size
        return weights @ within / (drawn * size * (size - 1)), chance(weights, count) / count**2

    return _agreement(statistic, totals, _rest, units, len(pairable.values), confidence, resamples, seed)


@dataclass(frozen=True)
class _Weighting:
    """By how much two categories differ, from their places in order."""

    # From the difference of the places of two categories to that of the categories.
    apart: Callable[[Integers], Floats]
    # The sum of differences of all pairs of a first and a second rating, from how many ratings of each there are in
    # each category, (categories,) each. It takes sums over categories, not over their pairs.
    chance: Callable[[Floats, Floats], float]


def _unequal(first: Floats, second: Floats) -> float:
    return float(first.sum() * second.sum() - first @ second)


def _steps(first: Floats, second: Floats) -> float:
    """Two places differ by the number of limits between them: how many pairs have one on both sides."""
    firsts, seconds = np.cumsum(first), np.cumsum(second)
    return float((firsts * (seconds[-1] - seconds) + seconds * (firsts[-1] - firsts)).sum())


def _squares(first: Floats, second: Floats) -> float:
    places = np.arange(len(first)) - np.rint(np.average(np.arange(len(first)), weights=first + second))
    squares = first.sum() * (second @ places**2) + second.sum() * (first @ places**2)
    return float(squares - 2 * (first @ places) * (second @ places))


# None counts any two categories as different.
WEIGHTS: Mapping[str | None, _Weighting] = {
    None: _Weighting(lambda apart: (apart != 0).astype(float), _unequal),
    "linear": _Weighting(lambda apart: np.abs(apart).astype(float), _steps),
    "quadratic": _Weighting(lambda apart: apart.astype(float) ** 2, _squares),
}


def cohen_kappa(
    a: Any,
    b: Any,
    weights: str | None = None,
    *,
    scale: Scale | None = None,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int | None = None,
) -> Agreement:
    """Cohen's kappa: how far two annotators agree on categories beyond chance.

    Parameters
    ----------
    a, b : numbers or texts (units,)
        The ratings of two annotators. Units where one of them is NaN or None do not count.
    weights : str, optional
        How much a disagreement counts: "linear" or "quadratic" in the places of the categories in order. By default,
        every disagreement counts the same. The order of texts is that of `scale`, a list.
    scale : (float, float) or list of float, optional
        As for ``krippendorff_alpha``. From a list, places are those in the list, sorted; otherwise among the categories
        that were used.
    confidence, resamples, seed
        As for ``krippendorff_alpha``.

    Returns
    -------
    Agreement
        With weights, the observed and the expected agreement are 1 minus the mean weighted disagreement.

    Raises
    ------
    InputError
        If both have different lengths or share no unit, or as for ``krippendorff_alpha``, with its warning.

    References
    ----------
    Cohen 1960, https://doi.org/10.1177/001316446002000104; weighted: Cohen 1968, https://doi.org/10.1037/h0026256.

    Examples
    --------
    >>> a, b = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    >>> round(cohen_kappa(a, b).value, 12)
    0.4
    """
    statistic = "cohen_kappa"
    if weights not in WEIGHTS:
        raise InputError(f"{statistic}: `weights` is {shown(weights)}; None, 'linear' or 'quadratic' is expected.")
    if np.shape(a) != np.shape(b) or np.ndim(a) != 1:
        raise InputError(
            f"{statistic}: `a` has the shape {np.shape(a)}, and `b` {np.shape(b)}; both need one: (units,)."
        )
    columns = np.stack([np.array(each, object) for each in (a, b)], axis=1)
    texts = _categories(columns, statistic, scale)
    if texts and weights is not None and scale is None:
        raise InputError(f"{statistic}: `ratings` are texts; for `weights`, give them in order, as `scale`.")
    given = texts.places if texts else _ratings(columns, statistic, scale)
    given = given[~np.isnan(given).any(axis=1)]
    if not len(given):
        raise InputError(f"{statistic}: no unit has a rating of both; annotators must share units.")
    if texts:
        listed = np.arange(float(len(texts.labels)))
    else:
        listed = np.array([]) if scale is None or isinstance(scale, tuple) else np.asarray(scale, float)
    classes = np.union1d(given, listed)
    codes = np.searchsorted(classes, given)
    penalties = WEIGHTS[weights].apart(codes[:, 0] - codes[:, 1])

    def totals(drawn: Floats) -> tuple[Floats, Floats]:
        """The mean penalty of the units, and of pairs of ratings that are drawn apart."""
        size = drawn.sum(axis=1)
        counts = [[np.bincount(each, row, len(classes)).astype(float) for each in codes.T] for row in drawn]
        chance = [WEIGHTS[weights].chance(first, second) for first, second in counts]
        return drawn @ penalties / size, np.array(chance) / size**2

    return _agreement(statistic, totals, _rest, len(given), given.size, confidence, resamples, seed)
