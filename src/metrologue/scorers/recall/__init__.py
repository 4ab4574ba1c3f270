"""The recall of labels."""

from dataclasses import dataclass
from typing import ClassVar

from metrologue.scorers.families.classification.averages import LabelScorer, averaged

__all__ = ["Recall"]


@dataclass(frozen=True, kw_only=True)
class Recall(LabelScorer):
    """Of the segments that have a label, the share that were given it; higher is better, 0-1. See ``F1``.

    Examples
    --------
    >>> round(Recall().corpus([0, 1, 0, 1, 1], [0, 0, 1, 1, 1]).value, 4)
    0.6667
    """

    name: ClassVar[str] = "recall"
    _variants: ClassVar = averaged("recall")
