"""The F-measure of labels."""

from dataclasses import dataclass
from typing import ClassVar

from metrologue.scorers.families.classification.averages import LabelScorer, averaged

__all__ = ["F1"]


@dataclass(frozen=True, kw_only=True)
class F1(LabelScorer):
    """The harmonic mean of precision and recall of labels; higher is better, 0-1.

    A label is an int, a str or a bool; floats that are whole, such as 1.0, are ints. Segments may also have sets of
    labels. The result has precision, recall, F1, the number of segments (or the sum of their weights), and in
    ``Result.confusion`` the confusion counts. The numbers of one segment are those of a corpus that has this segment
    only; for sets, those of the set. For fields and errors see ``LabelScorer``.

    References
    ----------
    scikit-learn's ``precision_recall_fscore_support``; Pedregosa et al. 2011,
    https://jmlr.org/papers/v12/pedregosa11a.html.

    Examples
    --------
    >>> F1().corpus([0, 0, 1, 1, 0], [0, 1, 0, 1, 0]).value
    0.5
    >>> round(F1(average="macro").corpus(["cat", "dog", "cat"], ["cat", "cat", "cat"]).value, 2)
    0.4
    """

    name: ClassVar[str] = "f1"
    _variants: ClassVar = averaged("f1")
