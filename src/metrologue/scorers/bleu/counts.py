"""What BLEU counts in a segment, by name."""

from __future__ import annotations

from typing import NamedTuple

from metrologue.data.arrays import Floats

__all__ = ["Counts"]


class Counts(NamedTuple):
    """Views of rows of statistics (..., k), which can be filled.

    Attributes
    ----------
    length, reference_length : float64 (...)
        Tokens of the hypothesis, and of its reference.
    clipped, total : float64 (..., orders)
        Matching n-grams of each order, clipped, and all n-grams of the hypothesis.
    segments : float64 (..., 0) or (..., 1)
        The number of segments, if the smoothing needs it.
    """

    length: Floats
    reference_length: Floats
    clipped: Floats
    total: Floats
    segments: Floats

    @classmethod
    def of(cls, rows: Floats, orders: int) -> Counts:
        """The counts of rows, with n-grams up to `orders`."""
        end = 2 + orders
        return cls(
            rows[..., 0], rows[..., 1], rows[..., 2:end], rows[..., end : end + orders], rows[..., end + orders :]
        )
