"""Traces of classification: the confusion matrix, the scores of each label, and the labels that are confused most."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from metrologue.data.confusion import Confusion
from metrologue.scorers.core.registry import get_scorer
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.families.classification.averages import LabelScorer
from metrologue.scorers.families.classification.base import OfLabels
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Table, Trace, scores_trace

MOST_CONFUSIONS = 10  # in the table


def build(scorer: Scorer, segments: Segments) -> Trace:
    """The trace of all segments: the numbers, the confusion matrix, and what stands out in it."""
    result = scorer.corpus(segments)
    assert isinstance(scorer, OfLabels)
    confusion = scorer._confusion(segments)
    matrix: Any = get_scorer("confusion_matrix")
    shown: Any = scorer if isinstance(scorer, matrix) else matrix(labels=getattr(scorer, "labels", None))
    plain = scores_trace(scorer.name, result.signature, result.primary, result.scores)
    table = replace(plain.table("numbers of the segment"), name="numbers of all segments")
    blocks = (*shown._blocks(confusion), table, *_labels(scorer, confusion), *_confused(confusion))
    return replace(plain, blocks=blocks)


def _labels(scorer: Scorer, confusion: Confusion) -> list[Block]:
    """Precision, recall and F1 of each label, with the numbers of segments that have it."""
    if not isinstance(scorer, LabelScorer):
        return []
    names = scorer.labels or confusion.labels
    counts = confusion.of_labels(scorer.labels)
    rows = tuple(
        Row(cells=(str(name), *scores, predicted, actual))
        for name, scores, (_, predicted, actual) in zip(
            names, scorer.of_each_label(confusion).tolist(), counts.tolist(), strict=True
        )
    )
    header = ("label", "precision", "recall", "f1", "predicted", "actual")
    return [Table(name="labels", header=header, rows=rows, caption="each label", summary=f"{len(rows)} labels")]


def _confused(confusion: Confusion) -> list[Block]:
    """The pairs of different labels that occur most often."""
    if not confusion.is_square:
        return []
    wrong = np.flatnonzero(confusion.actual != confusion.predicted)
    often = wrong[np.argsort(-confusion.counts[wrong], kind="stable")][:MOST_CONFUSIONS]
    rows = tuple(
        Row(
            cells=(
                str(confusion.labels[confusion.actual[i]]),
                str(confusion.labels[confusion.predicted[i]]),
                float(confusion.counts[i]),
            )
        )
        for i in often
    )
    caption = "labels that are confused most" if rows else "no label is confused with another one"
    return [Table(name="confusions", header=("actual", "predicted", "count"), rows=rows, caption=caption)]
