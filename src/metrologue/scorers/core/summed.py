"""How the statistics of segments become those of a corpus or of a resample: by sums, unless a metric differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.inference.metric import Metric

__all__ = ["Summed"]


class Summed:
    """The part of a scorer that says whether its rows add up."""

    @property
    def _additive(self) -> bool:
        """Whether the totals are the sum of the rows. Otherwise the rows, or tables, are kept and merged."""
        return True

    @property
    def _totals_in_order(self) -> bool:
        """Whether the totals depend on the order of the segments: rows do, and so do scores that know their index."""
        this: Any = self
        return bool(this._ordered) or not self._additive

    @property
    def _separable(self) -> bool:
        """Whether the statistics of a segment depend on it alone, and their sum gives the score."""
        return self._additive

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        """A metric that scores these segments and any of them alike, from rows that add up; None if there is none."""
        this: Any = self  # every scorer is a Metric
        return this if self._separable else None

    def _sampled(self, segments: Segments) -> Segments:
        """The segments that are scored: all of them, unless the metric draws a sample."""
        return segments

    def _for_resampling(self) -> Self:
        """The scorer that resamples are scored with: this one, unless its own score is a bootstrap already."""
        return self

    def _narrowed(self) -> Self:
        """The scorer that gives the same primary number, and counts no more than this number needs."""
        return self
