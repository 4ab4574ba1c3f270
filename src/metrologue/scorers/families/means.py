"""Metrics that give a score, a precision and a recall to each segment, and to a corpus the means of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import Number, counted, number
from metrologue.scorers.core.options import of_means, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer

# What such a metric reports besides its score.
MEANS: tuple[Number, ...] = (
    number("precision", 0, "scale", better="higher", heading="P", about="mean of the precisions of the segments"),
    number("recall", 0, "scale", better="higher", heading="R", about="mean of the recalls of the segments"),
    counted("segments", "segments", about="segments, of whose numbers these are means"),
)


def f_measure(precision: Floats, recall: Floats, alpha: float) -> Floats:
    """P R / (alpha P + (1 - alpha) R): the greater `alpha`, the more the recall counts; 0 if either is 0.

    Examples
    --------
    >>> import numpy as np
    >>> f_measure(np.array([0.5, 0.0]), np.array([1.0, 1.0]), 0.8).round(6)
    array([0.833333, 0.      ])
    """
    return ratio(precision * recall, alpha * precision + (1 - alpha) * recall)


@dataclass(frozen=True, kw_only=True)
class OfMeans(PairScorer):
    """Base of the metrics whose numbers are means over segments. It stands first among the bases."""

    scale: float = with_default(1.0, about="The score of a text that equals its reference.")
    aggregation: str = of_means()

    _columns: ClassVar[tuple[str, ...]] = ("score_sum", "precision_sum", "recall_sum", "segments")

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 0]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        sums = by_name(self._columns, statistics)
        names = {self.name: "score_sum", "precision": "precision_sum", "recall": "recall_sum"}
        means = {name: self.scale * ratio(sums[each], sums["segments"]) for name, each in names.items()}
        return {**means, "segments": sums["segments"]}
