"""How the columns of a comparison rank the systems, where they disagree, and numbers by the order of n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, count, takewhile

from metrologue.comparison.findings import Order
from metrologue.comparison.number import Flip, Number
from metrologue.scorers import Scorer

__all__ = ["BY_ORDER", "columns_of", "flips_of", "numbers_by_order", "orders_of"]

# The numbers of a metric that there are for each order of n-grams: their name without the order, and what they are.
BY_ORDER = {
    "bleu": ("precision", "n-gram precision"),
    "chrf": ("char_fscore", "F of character n-grams"),
    "cider": ("similarity", "similarity of n-grams"),
    "distinct_n": ("distinct", "share of distinct n-grams"),
}


def columns_of(numbers: Iterable[Number], systems: Sequence[str]) -> dict[str, dict[str, Number]]:
    """The columns that have a number for every system: label -> system -> number."""
    columns: dict[str, dict[str, Number]] = {}
    for number in numbers:
        if number.value is not None:
            columns.setdefault(number.label, {})[number.system] = number
    return {label: column for label, column in columns.items() if len(column) == len(systems)}


def orders_of(columns: Mapping[str, Mapping[str, Number]], higher: bool) -> list[Order]:
    """The distinct rankings of the systems, the one with most columns first; none for one system."""
    rankings: dict[tuple[str, ...], list[str]] = {}
    for label, column in columns.items():
        ranking = sorted(column, key=lambda system: column[system].share, reverse=higher)
        rankings.setdefault(tuple(ranking), []).append(label)
    return [
        Order(systems=list(ranking), columns=labels)
        for ranking, labels in sorted(rankings.items(), key=lambda item: -len(item[1]))
        if len(ranking) > 1
    ]


def flips_of(columns: Mapping[str, Mapping[str, Number]], systems: Sequence[str], higher: bool) -> list[Flip]:
    """The pairs of systems that the columns rank differently."""
    flips = []
    for first, second in combinations(systems, 2):
        differing = {label: column for label, column in columns.items() if not column[first].equals(column[second])}
        votes: dict[bool, list[str]] = {True: [], False: []}
        for label, column in differing.items():
            votes[(column[first].share > column[second].share) == higher].append(label)
        if all(votes.values()):
            flips.append(Flip(first=first, second=second, prefer_first=votes[True], prefer_second=votes[False]))
    return flips


def numbers_by_order(scorer: Scorer, scores: Mapping[str, float]) -> tuple[float, ...]:
    """The numbers of a scorer for n-grams of the orders 1, 2 and so on, from 0 to 1; empty if it has none.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> bleu = Bleu(max_order=2)
    >>> numbers_by_order(bleu, bleu.corpus("a b c d".split(), "a b x d".split()).scores)
    (0.75, 0.0)
    """
    if scorer.name not in BY_ORDER:
        return ()
    names = (f"{BY_ORDER[scorer.name][0]}_{order}" for order in count(1))
    return tuple(scores[name] / scorer.range[name][1] for name in takewhile(scores.__contains__, names))
