"""Edit distance with costs, transpositions and a beam: the full table, row by row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.ngrams import distinct_counts

__all__ = ["ADJACENT", "ANY", "NONE", "EditCosts", "weighted_distances", "weighted_table"]

# Transpositions: of neighbours that nothing else touches (optimal string alignment), or with edits between the two.
NONE, ADJACENT, ANY = range(3)


class EditCosts(NamedTuple):
    """The cost of each edit, the transpositions, which cost 1, and the beam: see ``weighted_distances``."""

    insertion: float
    deletion: float
    substitution: float
    transpositions: int
    beam: int


class _Room(NamedTuple):
    last: Offsets
    slots: Offsets
    kept: Floats
    table: FloatRows

    @classmethod
    def of(cls, vocabulary: int, kept: int, height: int, width: int) -> _Room:
        last, slots = np.zeros((2, vocabulary), np.int64)
        return cls(last, slots, np.empty(kept), np.empty((height, width)))


@helper
def _fill(ids: Ids, row: Number, rows: Number, column: Number, columns: Number, costs: EditCosts, room: _Room) -> None:
    """Fill `table[i % len(table), j]` with the distance of the hypothesis' first i units to the reference's first j.

    Invariant: `last[t]` is 1 + the index of the last unit of type t in the hypothesis so far, or 0 if there is none.
    The row of the table before that unit is kept from `kept[slots[t]]` on. Damerau's recursion needs it (Lowrance and
    Wagner 1975).
    """
    for j in range(columns + 1):
        room.table[0, j] = j * costs.deletion
    if costs.transpositions == ANY:
        types = 0
        for i in range(rows):
            if room.last[ids[row + i]] == 0:
                room.last[ids[row + i]], room.slots[ids[row + i]] = 1, types * (columns + 1)
                types += 1
        for i in range(rows):
            room.last[ids[row + i]] = 0
    ratio = columns / greater(rows, 1)
    width = costs.beam if ratio / 2 <= costs.beam else int64(math.ceil(ratio / 2 + costs.beam))
    for i in range(1, rows + 1):
        here, above = room.table[i % len(room.table)], room.table[(i - 1) % len(room.table)]
        token = ids[row + i - 1]
        first, stop = 0, columns + 1
        if costs.beam > 0:
            here[: columns + 1] = math.inf
            diagonal = int64(math.floor(i * ratio))
            first = greater(0, diagonal - width)
            stop = columns + 1 if i == rows else lesser(columns + 1, diagonal + width)
        match = 0  # the last column so far that has the token; 0 for none
        for j in range(first, stop):
            if j == 0:
                here[0] = above[0] + costs.insertion
                continue
            other = ids[column + j - 1]
            value = lesser(above[j - 1] + (costs.substitution if token != other else 0.0), above[j] + costs.insertion)
            value = lesser(value, here[j - 1] + costs.deletion)
            if costs.transpositions == ADJACENT:
                if i > 1 and j > 1 and token == ids[column + j - 2] and ids[row + i - 2] == other:
                    value = lesser(value, room.table[(i - 2) % len(room.table)][j - 2] + 1.0)
            elif costs.transpositions == ANY:
                k = room.last[other]
                if k > 0 and match > 0:
                    between = (i - k - 1) * costs.insertion + (j - match - 1) * costs.deletion
                    value = lesser(value, room.kept[room.slots[other] + match - 1] + between + 1.0)
                if token == other:
                    match = j
            here[j] = value
        if costs.transpositions == ANY:
            room.last[token] = i
            for j in range(columns + 1):
                room.kept[room.slots[token] + j] = above[j]
    if costs.transpositions == ANY:
        for i in range(rows):
            room.last[ids[row + i]] = 0


@kernel
def _weighted_distances(texts: Pairs, costs: EditCosts, room: _Room, values: Floats) -> None:
    for p in range(len(texts.references)):
        row, rows, column, columns = places(texts, p)
        _fill(texts.ids, row, rows, column, columns, costs, room)
        values[p] = room.table[rows % len(room.table), columns]


def weighted_distances(texts: Pairs, costs: EditCosts, vocabulary: int) -> NDArray[np.float64]:
    """The least cost of edits between the texts of each pair: (pairs,).

    A transposition costs 1. A beam above 0 limits the search to cells
    near the diagonal, as in tercom, sacrebleu and torchmetrics. A pair of n and m units takes n * m steps and memory
    for m. Transpositions of the kind ANY take memory for m times the number of types in the hypothesis.
    """
    values = np.zeros(len(texts.references))
    lengths = np.diff(texts.offsets)[texts.references] + 1
    kept = 0
    if costs.transpositions == ANY:
        kept = int((distinct_counts(texts.ids, texts.offsets, 1)[texts.hypotheses, 0] * lengths).max(initial=0))
    room = _Room.of(vocabulary, kept, 3, int(lengths.max(initial=1)))
    _weighted_distances(*texts, *costs, *room, values)
    return values


def weighted_table(ids: Ids, rows: int, costs: EditCosts, vocabulary: int) -> NDArray[np.float64]:
    """The distance between every prefix of a hypothesis and every prefix of its reference: (rows + 1, columns + 1).

    The hypothesis is `ids[:rows]`, and the reference is the rest of `ids`.
    """
    width = len(ids) - rows + 1
    kept = len(np.unique(ids[:rows])) * width if costs.transpositions == ANY else 0
    room = _Room.of(vocabulary, kept, rows + 1, width)
    _weighted_distances(ids, np.array([0, rows, len(ids)]), np.array([0]), np.array([1]), *costs, *room, np.empty(1))
    return room.table
