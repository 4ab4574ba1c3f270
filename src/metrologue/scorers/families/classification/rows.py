"""Precision, recall and F1 from rows that add up: the counts of each label in each segment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.confusion import NONE, codes_of
from metrologue.inference.metric import Metric, OfRows
from metrologue.scorers.families.classification.pairs import Pairs
from metrologue.segments import Segments

__all__ = ["LabelRows"]


class OfCounts(Metric, Protocol):
    """The part of ``LabelScorer`` that its rows need."""

    def _paired(self, segments: Segments) -> Pairs:
        """The labels of the segments."""

    def _numbers_of(self, counts: Floats, count: Floats) -> dict[str, Floats]:
        """Every number, each (...), from the counts of labels, (..., L, 3), and the number of segments, (...)."""


@dataclass(frozen=True)
class LabelRows(OfRows):
    """A metric of labels that are known beforehand, so that the counts of segments add up.

    The counts of a corpus are sparse, and their labels are those of the corpus. Resampling adds up the counts of
    segments many thousands of times. It needs them as rows of one length.

    Parameters
    ----------
    scorer : LabelScorer
    labels : tuple of str
        The labels to score, as text.

    Examples
    --------
    >>> from metrologue.scorers import F1
    >>> segments = F1._to_segments(["a", "b", "b"], ["a", "b", "a"])
    >>> metric = LabelRows(F1(average="macro"), ("a", "b"))
    >>> rows = metric.statistics(segments)
    >>> rows.sum(axis=0)
    array([1., 1., 2., 1., 2., 1., 3.])
    >>> round(float(metric.score(metric.aggregate(rows))["f1"]), 4)
    0.6667
    """

    scorer: OfCounts
    labels: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """For each label: segments with it in both, in the prediction, in the reference. Then the segments."""
        kinds = ("both", "predicted", "actual")
        return (*(f"{kind}_{i}" for i in range(len(self.labels)) for kind in kinds), "count")

    def counts(self, segments: Segments) -> Floats:
        """The counts of each label in each segment, float64 (n, L, 3)."""
        return self.statistics(segments)[:, :-1].reshape(len(segments), len(self.labels), 3)

    def statistics(self, segments: Segments) -> Floats:
        """The counts of each segment, float64 (n, 3 L + 1)."""
        pairs = self.scorer._paired(segments)
        n, width = len(segments), len(self.columns)
        segment = np.arange(n) if pairs.segments is None else pairs.segments
        weights = np.ones(n) if pairs.weights is None else pairs.weights
        codes = codes_of(self.labels, pairs.labels)
        # Where each label stands; the last place is that of no label.
        place = np.full(len(pairs.labels) + 1, NONE)
        place[codes[codes != NONE]] = np.flatnonzero(codes != NONE)
        rows = np.zeros((n, width))
        both = np.where(pairs.actual == pairs.predicted, place[pairs.actual], NONE)
        for kind, places in enumerate((both, place[pairs.predicted], place[pairs.actual])):
            held = places != NONE
            # A sequence may have a label at several places.
            np.add.at(rows, (segment[held], 3 * places[held] + kind), weights[segment[held]])
        rows[:, -1] = weights
        return rows

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number of the scorer, each (...), from totals (..., 3 L + 1)."""
        counts = totals[..., :-1].reshape(*totals.shape[:-1], len(self.labels), 3)
        return self.scorer._numbers_of(counts, totals[..., -1])
