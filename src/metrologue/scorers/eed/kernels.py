"""The extended edit distance: characters of the reference, one after another, over the characters of the hypothesis."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets, longest_row
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import lesser
from metrologue.native import kernel

__all__ = ["Costs", "extended_distances"]


class Costs(NamedTuple):
    """What each edit costs.

    Attributes
    ----------
    jump : float
        A jump, from the place that costs least to any other place of the hypothesis.
    deletion, insertion : float
        A character that only the hypothesis has, and one that only the reference has.
    """

    jump: float
    deletion: float
    insertion: float


@kernel
def _extended_distances(
    texts: Pairs, space: int, costs: Costs, row: Floats, visits: Offsets, counts: FloatRows
) -> None:
    """Invariant: `row[i]` is the least cost of a path from the beginning of both texts to the characters i of the
    hypothesis and j of the reference. The sums are made in the order of the authors' program, so that they are equal to
    the last bit."""
    for p in range(len(counts)):
        start, n, other, m = places(texts, p)
        for i in range(n + 1):
            row[i], visits[i] = 1.0 if i else 0.0, -1
        for j in range(m):
            character = texts.ids[other + j]
            diagonal, row[0] = row[0], row[0] + 1.0
            left = least = row[0]
            place: Number = int64(0)
            for i in range(n):
                above = row[i + 1]
                paired = diagonal if texts.ids[start + i] == character else diagonal + 1.0
                left = lesser(lesser(left + costs.deletion, paired), above + costs.insertion)
                row[i + 1], diagonal = left, above
                if left < least:
                    least, place = left, i + 1
            visits[place] += 1
            if character == space:
                jump = costs.jump + least
                for i in range(n + 1):
                    row[i] = lesser(row[i], jump)
        repeated = int64(0)
        for i in range(n + 1):
            repeated += visits[i] if visits[i] >= 0 else 1
        counts[p, 0], counts[p, 1] = row[n], repeated


def extended_distances(texts: Pairs, space: int, costs: Costs) -> FloatRows:
    """The cost of the cheapest path of each pair, and how many characters it visits never or again: (n_pairs, 2).

    `space` is the id of the character after which a path may jump; -1 if no text has it.
    """
    longest = longest_row(texts.offsets)
    counts = np.empty((len(texts.hypotheses), 2))
    _extended_distances(*texts, space, *costs, np.empty(longest + 1), np.empty(longest + 1, np.int64), counts)
    return counts
