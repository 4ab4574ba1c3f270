"""Several systems: paired tests of every two of them, groups that do not differ, and the winner under each scorer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from metrologue.data.arrays import Floats
from metrologue.inference.metric import Metric
from metrologue.inference.paired import DEFAULT_RESAMPLES, PairedResult, PairedResults, checked_test, results_of
from metrologue.inference.resampling import Resampling, checked_level, chosen_seed, told_before
from metrologue.segments import Segments


def pairwise_tests(
    scorer: Metric,
    systems: Mapping[str, Floats | Segments],
    *,
    alpha: float = 0.05,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = "holm",
    level: float = 0.95,
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> PairedResults:
    """Compare every two systems on the same segments.

    Which system is the best one is only known after the scores. So the p-values of the best one against all others
    must be corrected for all pairs: the best of ten equal systems is always better than the worst of them.

    Parameters
    ----------
    alpha : float
        The probability of a wrong finding that the p-values shall reach; see `resamples`.
    resamples : int, optional
        The number of resamples or exchanges. By default that of ``paired_test``, or more if there are many pairs, so
        that a corrected p-value can be below `alpha`.
    correction : str, optional
        The correction for all pairs together: one of ``CORRECTIONS``, or None.
    scorer, systems, method, seed, level, key, resampling
        As for ``paired_test``.

    Returns
    -------
    PairedResults
        A result for each pair. Its baseline is the better one of the two systems. The pairs of the best system come
        first.

    Raises
    ------
    InputError
        As for ``paired_test``.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> first = Segments(["a b", "c d", "e f", "g h"] * 5, ["a b", "c x", "e x", "x y"] * 5)
    >>> second = first.with_predictions(["a x", "c d", "y f", "g h"] * 5)
    >>> found = pairwise_tests(TokenF1(), {"second": second, "first": first, "again": first})
    >>> [(each.baseline, each.system, each.is_significant()) for each in found]
    [('first', 'again', False), ('first', 'second', True), ('again', 'second', True)]
    """
    if resamples is None:
        enough = enough_resamples(len(systems), alpha) if isinstance(systems, Mapping) else 0
        resamples = max(DEFAULT_RESAMPLES.get(method, 0), enough)
    test = checked_test(scorer, systems, method, resamples, seed, level, key, resampling)
    scores = dict(zip(test.samples, test.wholes(), strict=True))
    best_first = sorted(scores, key=scores.__getitem__, reverse=test.scorer.higher_is_better.get(test.key, True))
    return results_of([test], [(other, better) for better, other in combinations(best_first, 2)], correction)


def enough_resamples(systems: int, alpha: float) -> int:
    """How many resamples the tests of all pairs of this many systems need, so that a p-value can be below `alpha`."""
    # The least p-value is 1 / (resamples + 1). The correction multiplies it by the number of pairs.
    return math.ceil(4 * math.comb(systems, 2) / checked_level(alpha))


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
    tests = pairwise_tests(
        scorer, systems, alpha=alpha, method=method, resamples=resamples, seed=seed, correction=correction, key=key,
        resampling=resampling,
    )  # fmt: skip
    order = [tests[0].baseline, *(test.system for test in tests if test.baseline == tests[0].baseline)]
    letters = _letters_of(order, tests, alpha)
    return {name: letters[name] for name in systems}


def _letters_of(order: Sequence[str], tests: Sequence[PairedResult], alpha: float) -> dict[str, str]:
    """The letters of systems, of which the best one comes first."""
    different = [(test.system, test.baseline) for test in tests if test.is_significant(alpha)]
    return {name: "".join(map(_letter, numbers)) for name, numbers in _letters(order, different).items()}


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


@dataclass(frozen=True)
class Winner:
    """The system with the best score under one scorer.

    Attributes
    ----------
    system : str
        Ties: the first.
    score : float
    tests : tuple of PairedResult
        Each other system against this one. The p-values are corrected for all pairs of systems.
    others : tuple of PairedResult
        The tests of the other pairs of systems.
    undecided : tuple of str
        The systems from which it does not differ significantly.
    """

    system: str
    score: float
    tests: tuple[PairedResult, ...]
    others: tuple[PairedResult, ...]
    undecided: tuple[str, ...]

    @property
    def is_clear(self) -> bool:
        """Whether it differs significantly from all other systems."""
        return not self.undecided

    def letters(self, ranking: Sequence[str], alpha: float = 0.05) -> dict[str, str]:
        """The letters of the systems, given from best to worst: two that share one do not differ significantly."""
        return _letters_of(ranking, [*self.tests, *self.others], alpha)


def winners(
    scorers: Mapping[str, Metric],
    systems: Mapping[str, Segments],
    *,
    alpha: float = 0.05,
    level: float = 0.95,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = "holm",
    resampling: str | Resampling = "metrologue",
) -> dict[str, Winner]:
    """The winner under each scorer, such as each variant of a metric, tested against all other systems.

    Parameters
    ----------
    scorers : mapping of str to Scorer
        By any name, such as that of a variant.
    systems : mapping of str to Segments
        The same segments for all systems.
    alpha : float
        Two systems differ if their corrected p-value is below it.
    level, method, resamples, seed, correction, resampling
        As for ``pairwise_tests``.

    Raises
    ------
    InputError
        As for ``paired_test``.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> first = Segments(["a b c d", "e f g h", "i j k l"] * 4, ["a b c d", "e f g x", "i j x l"] * 4)
    >>> systems = {"first": first, "second": first.with_predictions(["a b y d", "y f z h", "i y k l"] * 4)}
    >>> found = winners({name: Bleu.variant(name) for name in ("nltk", "sacrebleu")}, systems)
    >>> {name: (winner.system, winner.is_clear) for name, winner in found.items()}
    {'nltk': ('first', True), 'sacrebleu': ('first', True)}
    """
    best_of: dict[str, Winner] = {}
    seed = chosen_seed(seed, resampling)
    for name, scorer in scorers.items():
        with told_before() if best_of else nullcontext():
            tests = pairwise_tests(
                scorer, systems, alpha=alpha, method=method, resamples=resamples, seed=seed, correction=correction,
                level=level, resampling=resampling,
            )  # fmt: skip
        best = tests[0].baseline
        of_best = {test.system: test for test in tests if test.baseline == best}
        against = tuple(of_best[system] for system in systems if system != best)
        others = tuple(test for test in tests if test.baseline != best)
        undecided = tuple(test.system for test in against if not test.is_significant(alpha))
        best_of[name] = Winner(best, tests[0].baseline_score, against, others, undecided)
    return best_of
