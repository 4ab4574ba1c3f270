"""The precision of labels."""

from dataclasses import dataclass
from typing import ClassVar

from metrologue.scorers.families.classification.averages import LabelScorer, averaged

__all__ = ["Precision"]


@dataclass(frozen=True, kw_only=True)
class Precision(LabelScorer):
    """Of the segments that were given a label, the share that have it; higher is better, 0-1. See ``F1``.

    Examples
    --------
    >>> Precision().corpus([0, 0, 1, 1, 0], [0, 1, 0, 1, 0]).value
    0.5
    """

    name: ClassVar[str] = "precision"
    _variants: ClassVar = averaged("precision")
