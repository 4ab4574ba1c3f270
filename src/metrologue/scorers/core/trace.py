"""The trace of a metric that has no trace of its own."""

from __future__ import annotations

from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.tracing import Trace, scores_trace

__all__ = ["build"]


def build(scorer: Scorer, segment: Segments) -> Trace:
    """Every number of one segment: with each reference alone, and with all of them together."""
    prediction, references = segment.pair(0)
    alone = []
    if len(references) > 1:
        pairs = (scorer._to_segments([prediction], [[text]]) for text in references)
        single = (Segments.of_columns({**segment.columns, "references": pair.columns["references"]}) for pair in pairs)
        alone = [scorer.corpus(each).scores for each in single]
    scores = scorer.corpus(segment).scores
    return scores_trace(scorer.name, scorer.signature, scorer.primary, scores, alone)
