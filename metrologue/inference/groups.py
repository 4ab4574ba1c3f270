"""Groups of systems that do not differ significantly, as letters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from metrologue.inference.corrections import corrected
from metrologue.inference.metric import Metric
from metrologue.inference.paired import DEFAULT_RESAMPLES, Pair, checked_test, outcomes
from metrologue.inference.resampling import Resampling, checked_level
from metrologue.segments import Segments

__all__ = ["significance_groups"]

Floats = NDArray[np.float64]


def significance_groups(
    scorer: Metric,
    systems: Mapping[str, Floats | Segments],
    *,
    alpha: float = 0.05,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = "holm",
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> dict[str, str]:
    """Letters that show which systems do not differ: two systems that share a letter are not significantly different.

    Every system is compared with every other one. The best system has the letter "a". A system can have several
    letters, because "does not differ" does not carry over from one pair to the next (Piepho 2004).

    Parameters
    ----------
    alpha : float
        Two systems differ if their corrected p-value is below it.
    resamples : int, optional
        The number of resamples or exchanges. By default that of ``paired_test``, or more if there are many pairs, so
        that a corrected p-value can be below `alpha`.
    correction : str, optional
        The correction for all pairs together: one of ``CORRECTIONS``, or None.
    scorer, systems, method, seed, key, resampling
        As for ``paired_test``.

    Returns
    -------
    dict of str to str
        The letters of each system, in the order of `systems`; a number follows a letter if 26 are not enough.

    Raises
    ------
    InputError
        As for ``paired_test``.

    References
    ----------
    Piepho 2004, https://doi.org/10.1198/1061860043515.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> first = Segments(["a b", "c d", "e f", "g h"] * 5, ["a b", "c x", "e x", "x y"] * 5)
    >>> second = first.with_predictions(["a x", "c d", "y f", "g h"] * 5)
    >>> significance_groups(TokenF1(), {"first": first, "second": second, "again": first})
    {'first': 'a', 'second': 'b', 'again': 'a'}
    """
    names = [*systems] if isinstance(systems, Mapping) else []
    pairs = [*combinations(range(len(names)), 2)]
    if resamples is None:
        # The least p-value is 1 / (resamples + 1). The correction multiplies it by the number of pairs.
        resamples = max(DEFAULT_RESAMPLES.get(method, 0), math.ceil(4 * len(pairs) / checked_level(alpha)))
    test, samples = checked_test(scorer, systems, method, resamples, seed, 1 - checked_level(alpha), key, resampling)
    values = [*samples.values()]
    found = outcomes(test, values, pairs)
    p_values = corrected([each.p_value for each in found], correction)
    different = [pair for pair, p in zip(pairs, p_values, strict=True) if p < alpha]
    scores = {
        i: score for pair, each in zip(pairs, found, strict=True) for i, score in zip(pair, each.scores, strict=True)
    }
    order = sorted(range(len(names)), key=lambda i: scores[i], reverse=test.scorer.higher_is_better.get(test.key, True))
    letters = ["".join(map(_letter, of)) for of in _letters(order, different)]
    return {name: letters[i] for i, name in enumerate(names)}


def _letters(order: Sequence[int], different: Sequence[Pair]) -> list[list[int]]:
    """The letters of each item, as numbers from 0: the groups of items without a pair that is different.

    `order` is the order of the items, best first: the first item's group has the first letter.
    """
    # Insert and absorb: a group that has both items of a different pair is split in two, and a group that is part of
    # another one is dropped.
    groups = {frozenset(order)}
    for a, b in different:
        split = {part for group in groups for part in ((group - {a}, group - {b}) if {a, b} <= group else (group,))}
        groups = {group for group in split if not any(group < other for other in split)}
    place = {item: i for i, item in enumerate(order)}
    ordered = sorted(groups, key=lambda group: sorted(place[item] for item in group))
    return [[i for i, group in enumerate(ordered) if item in group] for item in sorted(order)]


def _letter(number: int) -> str:
    return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
