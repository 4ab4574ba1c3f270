"""How triples of several models become content units, and which of these the triples of a summary express."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.kernels.assignment import assignment
from metrologue.scorers.peak.reading import Triple
from metrologue.segments import Segments
from metrologue.text.reading import Reading

__all__ = ["Phrases", "Rules", "Topic"]


class Rules(NamedTuple):
    """What makes a unit: the fields `threshold` and `salience`, and whether a triple alone is one."""

    threshold: float
    salience: int
    alone: bool


@dataclass(frozen=True)
class Phrases:
    """The words of the parts of triples."""

    parts: Integers  # (n_triples, 3): the phrase that each part of a triple is
    words: list[frozenset[int]]  # the distinct words of each phrase

    @classmethod
    def of(cls, triples: list[Triple], reading: Reading) -> Phrases:
        """The phrases of triples, read as texts are."""
        numbers: dict[str, int] = {}
        parts = [[numbers.setdefault(part, len(numbers)) for part in triple] for triple in triples]
        if not numbers:
            return cls(np.zeros((0, 3), np.int64), [])
        view = Segments([*numbers]).read(reading)
        words = [frozenset(view.ids[view.offsets[i] : view.offsets[i + 1]].tolist()) for i in range(len(numbers))]
        return cls(np.array(parts, np.int64), words)

    def similarities(self, own: list[int], its: list[int]) -> Floats:
        """The similarity of each part of triples with each part of others, (3, 3, n, m)."""
        sides = [self.parts[np.array(triples, np.int64)] for triples in (own, its)]
        known = sorted({*chain.from_iterable(side.ravel().tolist() for side in sides)})
        columns = {word: at for at, word in enumerate(sorted({*chain.from_iterable(self.words[p] for p in known)}))}
        table = np.zeros((len(known), len(columns)))
        for row, phrase in enumerate(known):
            table[row, [columns[word] for word in self.words[phrase]]] = 1
        sizes = table.sum(axis=1)
        both = sizes[:, None] + sizes
        dice = np.where(both > 0, 2 * (table @ table.T) / np.where(both > 0, both, 1), 1.0)
        at = np.zeros(len(self.words), np.int64)
        at[known] = np.arange(len(known))
        own_rows, its_rows = (at[side] for side in sides)
        return np.array([[dice[np.ix_(own_rows[:, i], its_rows[:, j])] for j in range(3)] for i in range(3)])


def _of_triples(similarities: Floats) -> Floats:
    """The mean of the similarities of subjects, predicates and objects, (n, m)."""
    found: Floats = (similarities[0, 0] + similarities[1, 1] + similarities[2, 2]) / 3
    return found


@dataclass(frozen=True)
class Topic:
    """The content units of a segment, the heaviest first."""

    scus: list[list[int]]  # the triples of each SCU, each of another model: the first one is that with which it began
    models: list[list[int]]  # the model of each of these triples
    expressed: list[int]  # the triple of the summary that expresses each SCU; -1 for none

    @classmethod
    def of(cls, summary: list[int], models: list[list[int]], phrases: Phrases, rules: Rules) -> Topic:
        """The units of the models, and those that the summary expresses."""
        triples = [triple for model in models for triple in dict.fromkeys(model)]
        whose = [number for number, model in enumerate(models) for _ in dict.fromkeys(model)]
        groups = _groups(phrases.similarities(triples, triples), np.array(whose, np.int64), len(models), rules)
        groups.sort(key=lambda group: -len(group))
        own = [*dict.fromkeys(summary)]
        alike = _of_triples(phrases.similarities(own, triples))
        weights = np.zeros((len(own), len(groups)))
        for column, group in enumerate(groups):
            best = alike[:, group].max(axis=1) if own else np.zeros(0)
            weights[:, column] = np.where(best >= rules.threshold, len(group) / len(models), 0)
        expressed = [-1] * len(groups)
        for row, column in zip(*(side.tolist() for side in assignment(weights)), strict=True):
            if weights[row, column]:
                expressed[column] = own[row]
        return cls(
            [[triples[i] for i in group] for group in groups],
            [[whose[i] for i in group] for group in groups],
            expressed,
        )


def _groups(similarities: Floats, whose: Integers, models: int, rules: Rules) -> list[list[int]]:
    """The triples of each unit, by their places."""
    alike = _of_triples(similarities)
    others = whose[:, None] != whose
    arguments = (
        np.maximum.reduce([similarities[0, 0], similarities[0, 2]]),
        np.maximum.reduce([similarities[2, 0], similarities[2, 2]]),
    )
    members = np.arange(models)[:, None] == whose  # (models, n)
    anchors = np.ones(len(whose), np.bool_)
    for likest in arguments:
        near = (likest >= rules.threshold) & others
        anchors &= (near @ members.T > 0).sum(axis=1) >= rules.salience
    free, groups = np.ones(len(whose), np.bool_), []
    while (candidates := np.flatnonzero(free & anchors)).size:
        # The most similar free triple of each other model: (candidates, models).
        open_ones = np.where(free & others[candidates], alike[candidates], 0.0)
        best = np.where(members[None], open_ones[:, None], 0.0).max(axis=2, initial=0)
        taken = best >= rules.threshold
        counts, sums = taken.sum(axis=1), np.where(taken, best, 0).sum(axis=1)
        at = int(np.lexsort((-sums, -counts))[0])
        if not counts[at]:
            break
        group = [int(candidates[at])]
        for model in np.flatnonzero(taken[at]).tolist():
            group.append(int(np.argmax(np.where(members[model], open_ones[at], -1.0))))
        free[group] = False
        groups.append(group)
    return groups + [[int(at)] for at in np.flatnonzero(free)] * rules.alone
