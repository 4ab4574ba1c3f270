"""The confusion matrix: how often each label was predicted for each right label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.confusion import NONE, Confusion, codes_of
from metrologue.errors import InputError, shown
from metrologue.scorers.core.capabilities import Reported
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import LabelText, option, with_default
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.base import LabelResult, OfChosenLabels
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.tracing.blocks import Block

__all__ = ["ConfusionMatrix", "normalized"]

MOST_LABELS = 40  # a matrix of more does not fit a page


def normalized(counts: Floats, over: str = "none") -> Floats:
    """The counts, or their shares of a row, of a column or of all. A share of nothing is 0.

    Parameters
    ----------
    counts : float64 (L, L)
        Rows are right labels, columns are predicted labels.
    over : str
        "none"; "true": of the right label, its row; "pred": of the predicted label, its column; "all": of all.

    Returns
    -------
    float64 (L, L)

    Examples
    --------
    >>> normalized(np.array([[15.0, 1.0], [0.0, 14.0]]), "true")
    array([[0.9375, 0.0625],
           [0.    , 1.    ]])
    """
    if over == "none":
        return counts
    axis = {"true": 1, "pred": 0, "all": None}[over]
    sums = counts.sum(axis=axis, keepdims=True)
    return ratio(counts, sums)


@dataclass(frozen=True, kw_only=True)
class ConfusionMatrix(OfChosenLabels, Reported):
    """How often each label was predicted for each right label: rows are right labels, columns are predicted labels.

    The matrix is in ``matrix(result.confusion)``. `value` is the accuracy that it shows: the sum of its diagonal,
    divided by the sum of all. With `labels`, the matrix has only segments with two of these labels; ``matrix_count`` is
    their number.

    Raises
    ------
    InputError
        If a value is out of range. When scoring, if no label of `labels` occurs in the references, segments have sets
        of labels, or a segment does not have one label.

    References
    ----------
    scikit-learn's ``confusion_matrix``; Pedregosa et al. 2011, https://jmlr.org/papers/v12/pedregosa11a.html.

    Examples
    --------
    >>> scorer = ConfusionMatrix()
    >>> result = scorer.corpus(["cat", "cat", "dog"], ["cat", "dog", "dog"])
    >>> result.confusion.labels, scorer.matrix(result.confusion)
    (('cat', 'dog'), array([[1., 0.],
           [1., 1.]]))
    """

    name: ClassVar[str] = "confusion_matrix"
    title: ClassVar[str] = "confusion matrix"
    _takes_sets: ClassVar[bool] = False

    # fmt: off
    normalize: str = option(
        "none", stage="score", choice="normalization",
        about="What a cell is divided by.",
        one_of={
            "none": "nothing: it is a count",
            "true": "the sum of its row",
            "pred": "the sum of its column",
            "all": "the sum of the matrix",
        },
    )
    labels: tuple[LabelText, ...] | None = with_default(
        None,
        about="The labels of rows and columns, in this order; None: all that predictions or references have, in "
        "ascending order.",
    )
    # fmt: on

    _columns = ("correct_count", "matrix_count", "count")
    _variants: ClassVar = {
        "scikit-learn": Variant("scikit-learn", "confusion_matrix", live="scikit-learn.confusion_matrix"),
        "evaluate": Variant(
            "evaluate", "the Hub's `confusion_matrix`, which calls scikit-learn", live="evaluate.confusion_matrix"
        ),
        "torchmetrics": Variant("torchmetrics", "multiclass_confusion_matrix", live="torchmetrics.confusion_matrix"),
    }

    numbers: ClassVar = (
        number(
            "accuracy", 0, "scale", better="higher",
            about="sum of the diagonal of the matrix, divided by the sum of all of it",
        ),
        counted("correct_count", "segments", about="sum of the diagonal: segments whose label is right"),
        counted("matrix_count", "segments", about="sum of the matrix: segments with two of the `labels`"),
        counted("count", "segments", about="all segments, or the sum of their weights"),
    )  # fmt: skip

    @property
    def _separable(self) -> bool:
        """True: the numbers are made from sums, although the matrix itself is not."""
        return True

    def matrix(self, confusion: Confusion) -> Floats:
        """The matrix (L, L) of confusion counts, such as ``Result.confusion``; L labels as `labels` says.

        Raises an InputError for more than 10,000 labels. All numbers are there all the same: the counts are sparse.
        """
        return normalized(confusion.matrix(self.labels), self.normalize)

    def of_each_label(self, confusion: Confusion) -> Floats:
        """A matrix for each label against all others, float64 (L, 2, 2), of segments with one label each.

        Each is ((true negatives, false positives), (false negatives, true positives)), as in scikit-learn's
        ``multilabel_confusion_matrix``.

        Examples
        --------
        >>> scorer = ConfusionMatrix()
        >>> result = scorer.corpus(["cat", "cat", "dog"], ["cat", "dog", "dog"])
        >>> scorer.of_each_label(result.confusion)[0]
        array([[1., 1.],
               [0., 1.]])
        """
        both, predicted, actual = columns_of(confusion.of_labels(self.labels))
        others = confusion.counts.sum() - (predicted + actual - both)
        rows = np.stack([others, predicted - both, actual - both, both], axis=-1)
        return rows.reshape(-1, 2, 2)

    def accuracy_of_each_label(self, confusion: Confusion) -> Floats:
        """The share of segments that are right about each label, whether they have it or not, float64 (L,).

        Examples
        --------
        >>> scorer = ConfusionMatrix()
        >>> result = scorer.corpus(["cat", "cat", "dog"], ["cat", "dog", "dog"])
        >>> scorer.accuracy_of_each_label(result.confusion).round(2)
        array([0.67, 0.67])
        """
        matrices = self.of_each_label(confusion)
        return self.scale * ratio(np.trace(matrices, axis1=1, axis2=2), matrices.sum(axis=(1, 2)))

    def _below(self, result: Result) -> Sequence[Block]:
        return self._blocks(result.confusion) if isinstance(result, LabelResult) else ()

    def _blocks(self, confusion: Confusion) -> list[Block]:
        """The matrix as a picture, or a note that says why there is none."""
        from metrologue.tracing import Matrix, Notes  # a score needs no pictures

        names = self._label_names(confusion)
        if not confusion.is_square:
            return [Notes(lines=("Segments with sets of labels have no confusion matrix.",))]
        if len(names) > MOST_LABELS:
            told = f"The confusion matrix has {len(names)} labels; it is shown up to {MOST_LABELS}."
            return [Notes(lines=(told,))]
        cells = tuple(tuple(row) for row in self.matrix(confusion).tolist())
        return [Matrix(name="confusion matrix", axes=("actual", "predicted"), labels=tuple(names), cells=cells)]

    def _label_names(self, confusion: Confusion) -> list[str]:
        """The labels of rows and columns, as text."""
        return [str(label) for label in (self.labels or confusion.labels)]

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning about a matrix of one cell, which programs that read four of it do not expect."""
        labels = self.labels or self._confusion(segments).labels
        hints = super()._hints(segments, of_each)
        if of_each or len(labels) > 1:
            return hints
        told = f"there is one label, {shown(labels[0])}; give `labels` to have rows for all labels."
        return [*hints, f"{self._label}: {told}"]

    def _check_labels(self, confusion: Confusion) -> None:
        seen = np.isin(confusion.chosen(self.labels), confusion.actual[confusion.actual != NONE])
        if not seen.any():
            raise InputError(f"{self._label}: none of `labels` occurs in the references.")

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        correct, inside = self._found(tables["confusion"]).agreement(self.labels)
        return {"correct_count": correct, "matrix_count": inside}

    def _statistics(self, segments: Segments) -> Floats:
        pairs = self._pairs_of(segments)
        weights = np.ones(len(segments)) if pairs.weights is None else pairs.weights
        places = np.arange(len(segments)) if pairs.segments is None else pairs.segments
        inside = weights[places]
        if self.labels is not None:
            chosen = codes_of(self.labels, pairs.labels)
            inside = inside * (np.isin(pairs.actual, chosen) & np.isin(pairs.predicted, chosen))
        sums = [
            np.bincount(places, each, len(segments)) for each in (inside * (pairs.actual == pairs.predicted), inside)
        ]
        return np.column_stack([*sums, weights])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        correct, inside, count = columns_of(statistics)
        share = ratio(correct, inside)
        return {"accuracy": self.scale * share, "correct_count": correct, "matrix_count": inside, "count": count}
