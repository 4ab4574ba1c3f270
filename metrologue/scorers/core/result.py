"""The result of scoring a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsFloat

from metrologue import notebook

__all__ = ["Result", "plain"]


def plain(value: SupportsFloat, counted: bool) -> float | int:
    """A number of a corpus as a plain Python number: an int if it was counted."""
    number = float(value)
    return int(number) if counted and number.is_integer() else number


@dataclass(frozen=True, repr=False)
class Result:
    """A corpus score.

    Attributes
    ----------
    value : float
        The primary number, on the scorer's own scale.
    scores : dict of str to float or int
        Every number; counts are int.
    signature : str
        All choices behind the score; ``Scorer.from_signature`` makes the scorer from it.
    primary : str
        The key of `value` in `scores`.
    round_digits : int or None
        The number of decimals that the mirrored program prints; None for a library, which returns numbers.
    """

    value: float
    scores: dict[str, float | int]
    signature: str
    primary: str
    round_digits: int | None = None

    @property
    def printed(self) -> dict[str, str]:
        """Every number as the mirrored program prints it; in full for a library."""
        digits = self.round_digits
        return {key: repr(n) if digits is None else f"{n:.{digits}f}" for key, n in self.scores.items()}

    def __str__(self) -> str:
        return f"{self.primary} = {self.value:.4f}  {self.signature}"

    def __repr__(self) -> str:
        return f"<Result {self.primary} = {self.value:.4f}, one of {len(self.scores)} in .scores>"

    def _repr_html_(self) -> str:
        """What a notebook shows: every number, the primary one first, and the signature."""
        keys = sorted(self.scores, key=lambda key: key != self.primary)
        rows = [[key, f"{n:.4f}" if isinstance(n, float) else f"{n:,}"] for key in keys for n in [self.scores[key]]]
        heading = f"{self.primary} = {self.value:.4f}"
        return notebook.block(notebook.table(heading, ["number", "value"], rows), notebook.note(self.signature))
