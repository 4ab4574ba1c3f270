"""The trace of a metric that has none of its own."""

from __future__ import annotations

from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.tracing import Trace, scores_trace

__all__ = ["build"]


def build(scorer: Scorer, segment: Segments) -> Trace:
    """Every number of one segment: with each reference alone, and together."""
    prediction, references = segment.pair(0)
    alone = []
    if len(references) > 1:
        alone = [scorer.score_segments(Segments([prediction], [[text]])).scores for text in references]
    scores = scorer.score_segments(segment).scores
    return scores_trace(scorer.name, scorer.signature, scorer.primary, scores, alone)
