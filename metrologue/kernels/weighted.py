"""Edit distance with costs, transpositions and a beam: the plain table, a row at a time."""

from __future__ import annotations

import math

import numpy as np
from numba import float64, int32, int64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.tokens import Ids, Number, Offsets, read_only

__all__ = ["ADJACENT", "ANY", "NONE", "weighted_distances", "weighted_table"]

Table = NDArray[np.float64]

# Transpositions: of neighbours that nothing else touches (optimal string alignment), or with edits between the two.
NONE, ADJACENT, ANY = range(3)


@kernel(allocates=True)
def _fill(
    ids: Ids, row: Number, rows: Number, column: Number, columns: Number, insertion: Number, deletion: Number,
    substitution: Number, transpositions: Number, beam: Number, last: Offsets, slots: Offsets, table: Table,
) -> None:  # fmt: skip
    """Fill `table[i % len(table), j]` with the distance of the hypothesis' first i units to the reference's first j.

    Invariant: `last[t]` is the row after the one where the hypothesis last had type t, 0 where it had none yet; the row
    before that is kept in `kept[slots[t]]`, for Damerau's recursion (Lowrance and Wagner 1975).
    """
    here = np.arange(columns + 1) * deletion
    table[0] = here
    kept = np.empty((0, 0))
    if transpositions == ANY:
        types = 0
        for i in range(rows):
            if last[ids[row + i]] == 0:
                last[ids[row + i]], slots[ids[row + i]] = 1, types
                types += 1
        for i in range(rows):
            last[ids[row + i]] = 0
        kept = np.empty((types, columns + 1))
    ratio = columns / max(rows, 1)
    width = beam if ratio / 2 <= beam else int64(math.ceil(ratio / 2 + beam))
    for i in range(1, rows + 1):
        here, above = table[i % len(table)], table[(i - 1) % len(table)]
        token = ids[row + i - 1]
        first, stop = 0, columns + 1
        if beam > 0:
            here[:] = np.inf
            diagonal = int64(math.floor(i * ratio))
            first = max(0, diagonal - width)
            stop = columns + 1 if i == rows else min(columns + 1, diagonal + width)
        match = 0  # the column after the last one, so far, that has the token
        for j in range(first, stop):
            if j == 0:
                here[0] = above[0] + insertion
                continue
            other = ids[column + j - 1]
            value = min(
                above[j - 1] + (substitution if token != other else 0.0), above[j] + insertion, here[j - 1] + deletion
            )
            if transpositions == ADJACENT:
                if i > 1 and j > 1 and token == ids[column + j - 2] and ids[row + i - 2] == other:
                    value = min(value, table[(i - 2) % len(table)][j - 2] + 1.0)
            elif transpositions == ANY:
                k = last[other]
                if k > 0 and match > 0:
                    between = (i - k - 1) * insertion + (j - match - 1) * deletion
                    value = min(value, kept[slots[other], match - 1] + between + 1.0)
                if token == other:
                    match = j
            here[j] = value
        if transpositions == ANY:
            last[token] = i
            kept[slots[token]] = above
    if transpositions == ANY:
        for i in range(rows):
            last[ids[row + i]] = 0


@kernel(
    (
        read_only(int32), read_only(int64), read_only(int64), read_only(int64), float64, float64, float64, int64, int64,
        int64,
    )
)  # fmt: skip
def weighted_distances(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, insertion: Number, deletion: Number,
    substitution: Number, transpositions: Number, beam: Number, vocabulary: Number,
) -> Table:  # fmt: skip
    """The least cost of making the text `hypotheses[p]` of `references[p]`: (pairs,).

    Text t is `ids[offsets[t]:offsets[t + 1]]`. A transposition costs 1. A `beam` above 0 looks only at cells so near to
    the diagonal, as tercom, sacrebleu and torchmetrics do. n units with m take n * m steps, and memory for m; with
    transpositions of any kind, for m times the number of types in the hypothesis.
    """
    values = np.zeros(len(references))
    last, slots = np.zeros(vocabulary, np.int64), np.zeros(vocabulary, np.int64)
    for p in range(len(references)):
        row, rows = offsets[hypotheses[p]], offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        column, columns = offsets[references[p]], offsets[references[p] + 1] - offsets[references[p]]
        table = np.empty((3, columns + 1))
        _fill(
            ids, row, rows, column, columns, insertion, deletion, substitution, transpositions, beam, last, slots, table
        )
        values[p] = table[rows % 3, columns]
    return values


@kernel((read_only(int32), int64, float64, float64, float64, int64, int64, int64))
def weighted_table(
    ids: Ids, rows: Number, insertion: Number, deletion: Number, substitution: Number, transpositions: Number,
    beam: Number, vocabulary: Number,
) -> Table:  # fmt: skip
    """All distances of the beginnings of one pair: the hypothesis is `ids[:rows]`, the reference the rest."""
    columns = len(ids) - rows
    table = np.empty((rows + 1, columns + 1))
    last, slots = np.zeros(vocabulary, np.int64), np.zeros(vocabulary, np.int64)
    _fill(ids, 0, rows, rows, columns, insertion, deletion, substitution, transpositions, beam, last, slots, table)
    return table
