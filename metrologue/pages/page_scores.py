"""A variant's score as a Space shows it."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["Score"]

# Relative difference below which two numbers are one.
RESOLUTION = 1e-9


class Score(NamedTuple):
    """A variant's score, and what a perfect one is; None for a quantity without one, such as a distance."""

    value: float
    scale: float | None

    @property
    def share(self) -> float:
        return self.value / (self.scale or 1.0)

    @property
    def shown(self) -> str:
        """The score in points, and in brackets as the library prints it; a quantity as it is."""
        if self.scale is None:
            return f"{self.value:.6f}"
        return f"{100 * self.share:.4f}" + (f" ({self.value:.6f})" if self.scale != 100 else "")

    def equals(self, other: Score) -> bool:
        return math.isclose(self.share, other.share, rel_tol=RESOLUTION)
