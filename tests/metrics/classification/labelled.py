"""Segments of labels, as scorers make them of what they are given."""

from typing import Any

from metrologue import Segments
from metrologue.scorers.core.inputs import segments_of
from metrologue.scorers.families.classification.base import INPUTS

__all__ = ["label_segments"]


def label_segments(
    predictions: Any, references: Any = None, sample_weight: Any = None, owner: str = "Segments"
) -> Segments:
    given = {"predictions": predictions, "references": references, "sample_weight": sample_weight}
    return segments_of(INPUTS, given, owner)
