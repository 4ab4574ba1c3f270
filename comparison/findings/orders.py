"""Which numbers are equal, how columns rank the systems and where they disagree, and numbers by order of n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, count, takewhile

from metrologue.comparison.findings.number import Flip, Number
from metrologue.comparison.findings.records import Group, Order
from metrologue.scorers import Scorer

__all__ = ["BY_ORDER", "clusters_of", "columns_of", "flips_of", "group_of", "numbers_by_order", "orders_of"]

# The numbers of a metric that there are for each order of n-grams: their name without the order, and what they are.
BY_ORDER = {
    "bleu": ("precision", "n-gram precision"),
    "chrf": ("char_fscore", "F of character n-grams"),
    "cider": ("similarity", "similarity of n-grams"),
    "distinct_n": ("distinct", "share of distinct n-grams"),
}


def clusters_of(numbers: Iterable[Number]) -> list[list[Number]]:
    """Clusters of equal numbers, from the least to the greatest. A cluster keeps the order of `numbers`.

    All members of a cluster equal each other. Fine numbers come first: a coarse one, such as a printed one, may equal
    members of several clusters, and must not join them. It goes to the cluster of its own library or variant.
    """
    known = [number for number in numbers if number.value is not None]
    clusters: list[list[Number]] = []

    for number in sorted(known, key=lambda each: (each.printed_digits is not None, each.resolution, each.share)):
        if fitting := [cluster for cluster in clusters if all(map(number.equals, cluster))]:
            _nearest(fitting, number).append(number)
        else:
            clusters.append([number])
    clusters.sort(key=lambda cluster: cluster[0].share)
    return [[number for number in known if number in cluster] for cluster in clusters]


def _nearest(clusters: Iterable[list[Number]], number: Number) -> list[Number]:
    """The cluster that has a number of the same name; otherwise the one with the least distance."""
    return min(
        clusters,
        key=lambda cluster: (number.name not in {each.name for each in cluster}, abs(cluster[0].share - number.share)),
    )


def group_of(cluster: Sequence[Number]) -> Group:
    """A cluster with the value of its finest member."""
    finest = min(cluster, key=lambda number: (number.printed_digits is not None, number.resolution))
    return Group(system=finest.system, value=finest.share, members=[number.label for number in cluster])


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
