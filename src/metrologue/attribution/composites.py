"""A composite metric, the mean of z-scores, and what each of its parts adds to its correlation with people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrologue.attribution.games import exact_or_sampled
from metrologue.data.arrays import Floats
from metrologue.errors import InputError, heard, shown, warn_caller
from metrologue.inference.correlation import UndefinedCorrelationWarning, correlation

# With at most this many parts, all coalitions are correlated with people; with more, orders are drawn.
_EXACT = 10


@dataclass(frozen=True)
class CompositeShares:
    """The correlation of a composite metric, divided among its parts.

    Attributes
    ----------
    value : float
        The correlation of the composite with people.
    shares : dict of str to float
        The Shapley value of each part; they sum to `value`.
    standard_errors : dict of str to float
        Of the shares, if orders were drawn; 0 if all coalitions were valued.
    """

    value: float
    shares: dict[str, float]
    standard_errors: dict[str, float]


def composite_scores(scores: Mapping[str, ArrayLike]) -> Floats:
    """The mean of the z-scores of several metrics, in the shape of each.

    A z-score is a score minus the mean, divided by the standard deviation. NaN stays NaN. A metric that does not vary
    has z-scores of 0, and a warning says so.

    Parameters
    ----------
    scores : mapping of str to numbers (...)
        The scores of each metric. Higher must be better for all of them, or for none.

    Raises
    ------
    InputError
        If there are no metrics, or their shapes differ.

    Examples
    --------
    >>> composite_scores({"a": [1, 2, 3], "b": [3, 1, 2]}).round(4).tolist()
    [0.0, -0.6124, 0.6124]
    """
    return np.asarray(np.mean(list(_z_scores(scores).values()), axis=0))


def _z_scores(scores: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    if not isinstance(scores, Mapping) or not scores:
        raise InputError(f"`scores` is {shown(scores)}; the scores of at least one metric are expected, by its name.")
    given = {name: np.array(each, float) for name, each in scores.items()}
    shape = next(iter(given.values())).shape
    standard = {}
    for name, each in given.items():
        if each.shape != shape:
            raise InputError(f"`scores[{name!r}]` has the shape {each.shape}; the others have {shape}.")
        present = each[~np.isnan(each)]
        spread = present.std() if len(present) and (present != present[0]).any() else 0.0
        if not spread:
            warn_caller(f"`scores[{name!r}]` do not vary; they add nothing.", UndefinedCorrelationWarning)
        standard[name] = (each - present.mean()) / spread if spread else np.where(np.isnan(each), each, 0.0)
    return standard


def composite_shares(
    scores: Mapping[str, ArrayLike],
    human: ArrayLike,
    *,
    method: str = "pearson",
    level: str = "segment",
    seed: int = 12345,
) -> CompositeShares:
    """What each part of a composite metric adds to its correlation with people, by Shapley values.

    The composite of a coalition is the mean of the z-scores of its parts. The worth of a coalition is its correlation
    with people; that of no part is 0, and so is that of parts that cancel.

    Parameters
    ----------
    scores : mapping of str to numbers (systems, segments)
        The scores of each part, as for ``composite_scores``.
    human : numbers (systems, segments)
        People's scores; NaN or None where one is missing.
    method, level
        As for ``metrologue.inference.correlation.correlation``.
    seed : int
        Of the orders that are drawn if there are more than 10 parts.

    Raises
    ------
    InputError
        As for ``correlation`` and ``composite_scores``.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6]
    >>> found = composite_shares({"good": [1, 3, 2, 4, 5, 6], "bad": [2, 1, 1, 2, 1, 2]}, human)
    >>> round(found.value, 4), {name: round(share, 4) for name, share in found.shares.items()}
    (0.7022, {'good': 0.7738, 'bad': -0.0715})
    """
    standard = _z_scores(scores)
    correlation(next(iter(standard.values())), human, method=method, level=level)  # raises what is wrong with the input

    def worth(team: frozenset[str]) -> float:
        if not team:
            return 0.0
        with heard(UndefinedCorrelationWarning):
            mean = np.mean([standard[name] for name in standard if name in team], axis=0)
            value = correlation(mean, human, method=method, level=level).value
        return 0.0 if np.isnan(value) else value

    names = [*standard]
    both = exact_or_sampled(names, worth, _EXACT, seed)
    shares, errors = ({name: pair[i] for name, pair in both.items()} for i in (0, 1))
    return CompositeShares(worth(frozenset(names)), shares, errors)
