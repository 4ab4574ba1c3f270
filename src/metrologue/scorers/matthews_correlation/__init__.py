"""Matthews' correlation of labels: how far predicted and right labels go together (Matthews 1975, Gorodkin 2004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import shown
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.averages import LabelRows, label_rows
from metrologue.scorers.families.classification.base import OfConfusion
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.inference.metric import Metric

__all__ = ["MatthewsCorrelation", "matthews_correlation"]

_BLOCK = 1 << 12  # sequences whose counts are made at once


def matthews_correlation(counts: Floats) -> Floats:
    """Matthews' correlation of any number of labels, from the counts of each; 0 if one side has a single label.

    Parameters
    ----------
    counts : float64 (..., L, 3)
        For each of L labels: segments with the label in both, in the prediction, in the reference.

    Returns
    -------
    float64 (...)
        -1 to 1.

    Examples
    --------
    Two of four labels are right, as many as chance would give.

    >>> matthews_correlation(np.array([[1.0, 2.0, 2.0], [1.0, 2.0, 2.0]]))
    array(0.)
    """
    return _correlation(*columns_of(_sums(counts)))


def _sums(counts: Floats) -> Floats:
    """What a correlation needs of the counts of labels, (..., 5): see ``_COLUMNS``."""
    both, predicted, actual = np.moveaxis(counts, -1, 0)
    products = (predicted * actual, predicted * predicted, actual * actual)
    return np.stack([each.sum(axis=-1) for each in (both, predicted, *products)], axis=-1)


def _correlation(right: Floats, count: Floats, by_chance: Floats, predicted: Floats, actual: Floats) -> Floats:
    spread = (count * count - predicted) * (count * count - actual)
    return ratio(right * count - by_chance, np.sqrt(np.maximum(spread, 0.0)))


# Right labels, all labels; and over all labels, the sums of the product of how often the two sides have it, and of both
# squares.
_COLUMNS = ("correct_count", "label_count", "products", "predicted_squares", "actual_squares")


@dataclass(frozen=True, kw_only=True)
class MatthewsCorrelation(OfConfusion):
    """The correlation of predicted and right labels: 1 if all are right, 0 for guesses, -1 at worst; higher is better.

    For two labels it is Pearson's correlation of two columns of 0 and 1, the phi coefficient. For more, it is
    Gorodkin's R_K. A classifier that always gives the same label has 0, however frequent that label is. The correlation
    of one segment alone is 0, unless it has a sequence of labels.

    Raises
    ------
    InputError
        When scoring, if segments have sets of labels, or strings and numbers are mixed.

    References
    ----------
    Matthews 1975, https://doi.org/10.1016/0005-2795(75)90109-9; Gorodkin 2004,
    https://doi.org/10.1016/j.compbiolchem.2004.09.006; scikit-learn's ``matthews_corrcoef``.

    Examples
    --------
    >>> round(MatthewsCorrelation().corpus([1, 2, 2, 0, 3, 3], [1, 3, 2, 0, 3, 2]).value, 4)
    0.5385
    >>> MatthewsCorrelation().corpus(["ham"] * 4, ["ham", "ham", "ham", "spam"]).value
    0.0
    """

    name: ClassVar[str] = "matthews_correlation"
    title: ClassVar[str] = "Matthews' correlation"
    about: ClassVar = replace(
        OfConfusion.about,
        papers=("matthews-1975-comparison", "gorodkin-2004-comparing"),
    )
    _takes_sets: ClassVar[bool] = False

    _columns = (*_COLUMNS, "count")
    _variants: ClassVar = {
        "scikit-learn": Variant("scikit-learn", "matthews_corrcoef", live="scikit-learn.matthews_correlation"),
        "evaluate": Variant(
            "evaluate", "the Hub's `matthews_correlation`, which calls scikit-learn",
            live="evaluate.matthews_correlation",
        ),
    }  # fmt: skip

    numbers: ClassVar = (
        number(
            "matthews_correlation", "-scale", "scale", better="higher", title="Matthews' correlation",
            about="correlation of predicted and right labels",
        ),
        counted("correct_count", "segments", about="segments whose label is right; places if they have sequences"),
        counted("count", "segments", about="all segments, or the sum of their weights"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return True

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning about a correlation that is 0 by convention."""
        if of_each:
            return []
        hints, labels = super()._hints(segments), self._confusion(segments).labels
        if len(labels) == 1:
            return [
                *hints,
                f"{self._label}: there is one label, {shown(labels[0])}, so that 0 stands for the correlation.",
            ]
        pairs = self._pairs_of(segments)
        for name, codes in (("predictions", pairs.predicted), ("references", pairs.actual)):
            if len(codes) and (codes == codes[0]).all():
                label = shown(pairs.labels[int(codes[0])])
                hints.append(f"{self._label}: all `{name}` are {label}, so that 0 stands for the correlation.")
        return hints

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        return dict(zip(_COLUMNS, _sums(tables["confusion"].of_labels()).tolist(), strict=True))

    def _statistics(self, segments: Segments) -> Floats:
        pairs = self._pairs_of(segments)
        weights = np.ones(len(segments)) if pairs.weights is None else pairs.weights
        if pairs.segments is None:
            right, squares = pairs.actual == pairs.predicted, weights * weights
            return np.column_stack([right * weights, weights, right * squares, squares, squares, weights])
        rows = LabelRows(self, tuple(map(str, pairs.labels)))
        parts = (segments.slice(start, start + _BLOCK) for start in range(0, len(segments), _BLOCK))
        return np.column_stack([np.concatenate([_sums(rows.counts(part)) for part in parts]), weights])

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        return label_rows(self, samples)

    def _numbers_of(self, counts: Floats, count: Floats) -> dict[str, Floats]:
        """Every number, each (...), from the counts of labels, (..., L, 3), and the number of segments, (...)."""
        return self._score(np.concatenate([_sums(counts), count[..., None]], axis=-1))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *sums, count = columns_of(statistics)
        value = np.clip(_correlation(*sums), -1.0, 1.0)
        return {"matthews_correlation": self.scale * value, "correct_count": sums[0], "count": count}
