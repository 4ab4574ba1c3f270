"""The edits that turn a hypothesis into its reference, unit by unit, as the edit metrics count them."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np

from metrologue.kernels.pairs import Pairs
from metrologue.scorers.families.kernels.edit import alignments
from metrologue.scorers.families.kernels.weighted import EditCosts, weighted_table
from metrologue.segments import View

__all__ = ["Edits", "Operation", "Shift", "cheapest", "shortest"]

T = TypeVar("T")


class Operation(NamedTuple):
    """One step of an alignment.

    Attributes
    ----------
    kind : str
        "H" (equal), "S" (substitute), "I" (insert: in the hypothesis only), "D" (delete: in the reference only) or
        "T" (transpose: two neighbours in the other order).
    hypothesis, reference : int
        The index of the first unit that the step uses in each text. If it uses none there, the index of the next unit.
    """

    kind: str
    hypothesis: int
    reference: int


class Shift(NamedTuple):
    """A block of units that moves as a whole (Snover et al. 2006).

    Attributes
    ----------
    start, length : int
        The block is ``start:start + length`` of the text before this shift.
    target : int
        Where the block begins after the shift.
    """

    start: int
    length: int
    target: int

    def apply(self, units: tuple[T, ...]) -> tuple[T, ...]:
        """The units after the shift.

        Examples
        --------
        >>> Shift(start=0, length=2, target=1).apply(("b", "c", "a"))
        ('a', 'b', 'c')
        """
        stop = self.start + self.length
        rest = units[: self.start] + units[stop:]
        return rest[: self.target] + units[self.start : stop] + rest[self.target :]


class Edits(NamedTuple):
    """The edits that a scorer counts for one hypothesis and one reference.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        The units that are compared: words, characters or grapheme clusters.
    operations : tuple of Operation
        In the order of both texts. Their indices apply to the shifted text as it is after all shifts.
    shifts : tuple of Shift
        In the order in which they are made. Only TER has shifts.
    shifted : str
        The text that is shifted: "hypothesis", or "reference" if the mirrored library swaps the two texts.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    operations: tuple[Operation, ...]
    shifts: tuple[Shift, ...] = ()
    shifted: str = "hypothesis"


def cheapest(view: View, costs: EditCosts, gaps_first: bool = False) -> Edits:
    """The cheapest edits of the first two texts of a view, from a walk back through the whole table.

    Where several steps are possible, it prefers hits and substitutions, then insertions, then deletions, then
    transpositions; with `gaps_first`, hits and substitutions come after deletions.
    """
    insertion, deletion, substitution, *_ = costs
    ours, theirs = view.tokens_of(0), view.tokens_of(1)
    table = weighted_table(view.ids, len(ours), costs, view.type_count)
    i, j = len(ours), len(theirs)
    steps: list[Operation] = []
    while i or j:
        here = table[i, j]
        equal = i > 0 and j > 0 and ours[i - 1] == theirs[j - 1]
        inserted = i > 0 and here == table[i - 1, j] + insertion
        deleted = j > 0 and here == table[i, j - 1] + deletion
        paired = i > 0 and j > 0 and here == table[i - 1, j - 1] + (0.0 if equal else substitution)
        if paired and not (gaps_first and (inserted or deleted)):
            i, j = i - 1, j - 1
            steps.append(Operation("H" if equal else "S", i, j))
        elif inserted:
            i -= 1
            steps.append(Operation("I", i, j))
        elif deleted:
            j -= 1
            steps.append(Operation("D", i, j))
        else:
            k = max(k for k in range(i - 1) if ours[k] == theirs[j - 1])
            m = max(m for m in range(j - 1) if theirs[m] == ours[i - 1])
            steps += [Operation("D", i, between) for between in range(j - 2, m, -1)]
            steps += [Operation("I", between, m + 2) for between in range(i - 2, k, -1)]
            steps.append(Operation("T", k, m))
            i, j = k, m
    return Edits(tuple(ours), tuple(theirs), tuple(reversed(steps)))


def shortest(view: View) -> Edits:
    """The alignment that rapidfuzz picks for the first hypothesis of a view and its first reference."""
    _, partners = alignments(Pairs(view.ids, view.offsets, np.array([0]), np.array([len(view)])), view.type_count)
    ours, theirs = view.tokens_of(0), view.tokens_of(len(view))
    steps: list[Operation] = []
    i = 0
    for j, partner in enumerate(partners.tolist()):
        while i < partner:
            steps.append(Operation("I", i, j))
            i += 1
        if partner < 0:
            steps.append(Operation("D", i, j))
        else:
            steps.append(Operation("H" if ours[i] == theirs[j] else "S", i, j))
            i += 1
    steps += [Operation("I", rest, len(theirs)) for rest in range(i, len(ours))]
    return Edits(tuple(ours), tuple(theirs), tuple(steps))
