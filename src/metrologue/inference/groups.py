"""Groups of systems that do not differ significantly, as letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from metrologue.data.arrays import Floats
from metrologue.inference.between_systems import pairwise_tests
from metrologue.inference.metric import Metric
from metrologue.inference.resampling import Resampling
from metrologue.segments import Segments

__all__ = ["significance_groups"]

T = TypeVar("T")


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
    scorer, systems, method, resamples, seed, correction, key, resampling
        As for ``pairwise_tests``.

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
    found = pairwise_tests(
        scorer,
        systems,
        alpha=alpha,
        method=method,
        resamples=resamples,
        seed=seed,
        correction=correction,
        key=key,
        resampling=resampling,
    )
    order = [found[0].baseline, *(each.system for each in found if each.baseline == found[0].baseline)]
    different = [(each.system, each.baseline) for each in found if each.is_significant(alpha)]
    letters = _letters(order, different)
    return {name: "".join(map(_letter, letters[name])) for name in systems}


def _letters(order: Sequence[T], different: Sequence[tuple[T, T]]) -> dict[T, list[int]]:
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
    return {item: [i for i, group in enumerate(ordered) if item in group] for item in order}


def _letter(number: int) -> str:
    return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
