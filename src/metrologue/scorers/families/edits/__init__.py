"""The edits that turn a hypothesis into its reference, unit by unit, as the edit metrics count them."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

__all__ = ["Edits", "Operation", "Shift"]

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
