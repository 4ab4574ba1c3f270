"""Accuracy: the share of right labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.base import OfLabels
from metrologue.segments import Segments

__all__ = ["Accuracy", "accuracy"]


def accuracy(correct_count: Floats, count: Floats) -> Floats:
    """Accuracy: the segments whose label is right, divided by all segments; 0 without segments.

    Parameters
    ----------
    correct_count, count : float64 (...)
        Numbers of segments, or sums of their weights.

    Returns
    -------
    float64 (...)

    Examples
    --------
    Fifteen true negatives and fourteen true positives of thirty.

    >>> float(accuracy(np.array(15.0 + 14), np.array(30.0)).round(4))
    0.9667
    """
    return ratio(correct_count, count)


@dataclass(frozen=True, kw_only=True)
class Accuracy(OfLabels):
    """The share of segments whose predicted label is the right one; higher is better, 0-1.

    A label is an int, a str or a bool; floats that are whole, such as 1.0, are ints. Segments may also have sets of
    labels. A set is right if it equals the set of the reference. The accuracy of a classifier that always predicts the
    most frequent label is as high as that label is frequent.

    With ``lists="sequences"``, the accuracy is the share of places whose label is right, and ``exact_match`` is the
    share of segments in which all are. The scores of segments are those of torchmetrics'
    ``multidim_average="samplewise"``.

    Raises
    ------
    InputError
        When scoring, if a segment does not have one label, or strings and numbers are mixed.

    References
    ----------
    scikit-learn's ``accuracy_score``, Pedregosa et al. 2011, https://jmlr.org/papers/v12/pedregosa11a.html.

    Examples
    --------
    >>> Accuracy().corpus([0, 1, 1, 2, 1, 0], [0, 1, 2, 0, 1, 2]).value
    0.5
    >>> tags = Accuracy(lists="sequences").corpus([["B", "I", "O"], ["O"]], [["B", "O", "O"], ["O"]])
    >>> tags.value, tags.scores["exact_match"]
    (0.75, 0.5)
    """

    name: ClassVar[str] = "accuracy"

    # fmt: off
    normalize: bool = option(
        True, stage="score", choice="normalization",
        about="Whether `value` is the share of right segments. Otherwise it is their number.",
    )
    aggregation: str = option(
        "corpus", stage="score", choice="aggregation",
        about="How the segments of a corpus make one score.",
        one_of={"corpus": "the accuracy of all labels", "mean": "the mean of the segments' own accuracies"},
    )
    # fmt: on

    @property
    def _columns(self) -> tuple[str, ...]:
        whole = ("exact_count", "segment_count") if self.lists == "sequences" else ()
        return ("correct_count", "count", *whole)

    _variants: ClassVar = {
        "scikit-learn": Variant("scikit-learn", "accuracy_score", live="scikit-learn.accuracy"),
        "evaluate": Variant("evaluate", "the Hub's `accuracy`, which calls scikit-learn", live="evaluate.accuracy"),
        "torchmetrics": Variant("torchmetrics", "multiclass_accuracy with average=micro", live="torchmetrics.accuracy"),
    }

    numbers: ClassVar = (
        number(
            "accuracy", 0, "scale", better="higher", when={"normalize": (True,)},
            about="share of the segments whose label is right",
        ),
        number(
            "accuracy", 0, math.inf, better="higher", unit="segments", when={"normalize": (False,)},
            about="number of segments whose label is right",
        ),
        counted("correct_count", "segments", about="segments whose label is right, or the sum of their weights"),
        counted("count", "segments", about="all segments, or the sum of their weights; places if they have sequences"),
        number(
            "exact_match", 0, "scale", better="higher", when={"lists": ("sequences",)},
            about="share of the segments whose labels are all right",
        ),
    )  # fmt: skip

    def _statistics(self, segments: Segments) -> Floats:
        pairs = self._paired(segments)
        weights = np.ones(len(segments)) if pairs.weights is None else pairs.weights
        right = (pairs.actual == pairs.predicted).astype(np.float64)
        if pairs.segments is None:
            return np.column_stack([right * weights, weights])
        exact = np.ones(len(segments))
        exact[pairs.segments[right == 0]] = 0.0
        if self.lists == "sets":
            return np.column_stack([exact * weights, weights])
        sums = [np.bincount(pairs.segments, each, len(segments)) * weights for each in (right, None)]
        return np.column_stack([*sums, exact * weights, weights])

    def _total(self, segments: Segments, threads: int | None) -> Floats:
        plain = self.lists == "sets" and self.aggregation == "corpus"
        pairs = self._paired(segments) if plain and len(segments) and segments.has("references") else None
        if pairs is None or pairs.segments is not None or pairs.weights is not None:
            return super()._total(segments, threads)
        # Rows of segments are not needed for the totals.
        return np.array([np.count_nonzero(pairs.actual == pairs.predicted), len(segments)], np.float64)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        correct, count, *whole = columns_of(statistics)
        value = self.scale * accuracy(correct, count) if self.normalize else correct
        exact = {"exact_match": self.scale * accuracy(*whole)} if whole else {}
        return {"accuracy": value, "correct_count": correct, "count": count, **exact}
