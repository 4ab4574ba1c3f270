"""How the columns of a comparison rank the systems, and where they disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from metrologue.comparison.findings import Order
from metrologue.comparison.number import Flip, Number

__all__ = ["columns_of", "flips_of", "orders_of"]


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
