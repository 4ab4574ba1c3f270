"""What a scorer says of a corpus."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """A corpus score.

    Attributes
    ----------
    value : float
        The primary number, on the scorer's own scale.
    scores : dict of str to float or int
        Every number; counts are int.
    signature : str
        All choices behind it; ``Scorer.from_signature`` gives the scorer back.
    primary : str
        The key of `value` in `scores`.
    round_digits : int or None
        The decimals that the mirrored program prints; None for a library, which returns numbers.
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
