"""PEAK (Yang et al. 2016) over triples of subject, predicate and object. Phrases are compared by their words."""

from collections.abc import Sequence
from itertools import permutations

Triple = tuple[str, str, str]
LIKE = 0.5  # at least


def similarity(one: str, other: str) -> float:
    """Dice's coefficient of the words of two phrases."""
    ours, theirs = set(one.lower().split()), set(other.lower().split())
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0


def alike(one: Triple, other: Triple) -> float:
    """The mean of the similarities of their parts."""
    return sum(map(similarity, one, other)) / 3


def units(models: Sequence[Sequence[Triple]]) -> list[dict[int, Triple]]:
    """The units: a triple of each model that has it. Each begins at the triple that finds most others."""
    free = [(number, triple) for number, model in enumerate(models) for triple in dict.fromkeys(model)]

    def is_salient(number: int, phrase: str) -> bool:
        others = [triple for other, model in enumerate(models) if other != number for triple in model]
        return any(similarity(phrase, part) >= LIKE for triple in others for part in (triple[0], triple[2]))

    anchors = [one for one in free if is_salient(one[0], one[1][0]) and is_salient(one[0], one[1][2])]

    def unit_of(anchor: tuple[int, Triple]) -> tuple[dict[int, Triple], float]:
        unit, total = {anchor[0]: anchor[1]}, 0.0
        for number in range(len(models)):
            own = [triple for other, triple in free if other == number != anchor[0]]
            best = max(own, key=lambda triple: alike(anchor[1], triple), default=None)
            if best and alike(anchor[1], best) >= LIKE:
                unit[number], total = best, total + alike(anchor[1], best)
        return unit, total

    found = []
    while anchors:
        unit, _ = max(map(unit_of, anchors), key=lambda made: (len(made[0]), made[1]))
        if len(unit) == 1:
            break
        found.append(unit)
        free = [one for one in free if one not in unit.items()]
        anchors = [one for one in anchors if one in free]
    return found + [{number: triple} for number, triple in free]


def peak(summary: Sequence[Triple], models: Sequence[Sequence[Triple]]) -> float:
    """The modified pyramid score of the best assignment of the summary's triples to units.

    >>> peak([("a train", "hit", "a red truck")], [[("a train", "hit", "a truck")], [("it", "was", "raining")]])
    1.0
    """
    found, own = units(models), [*dict.fromkeys(summary)]
    weights = [
        [len(unit) if any(alike(triple, each) >= LIKE for each in unit.values()) else 0 for unit in found]
        for triple in own
    ]
    rows = weights if len(own) <= len(found) else [*map(list, zip(*weights, strict=True))]
    width = max(len(own), len(found))
    weight = max(
        sum(row[at] for row, at in zip(rows, places, strict=True)) for places in permutations(range(width), len(rows))
    )
    size = int(sum(map(len, found)) / len(models) + 0.5)
    if size == 0:  # most models are empty: there is no ideal summary to divide by
        return 0.0
    return weight / sum(sorted(map(len, found), reverse=True)[:size])
