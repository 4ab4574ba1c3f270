"""How a metric's trace is found, and the trace of a metric that has none of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from metrologue.errors import InputError, shown
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.tracing import Trace, scores_trace

__all__ = ["build", "trace"]


def trace(scorer: Scorer, prediction: str, references: Sequence[str] = ()) -> Trace:
    """How a scorer comes to its number for one segment; see ``metrologue.trace``.

    Examples
    --------
    >>> from metrologue.scorers import GoogleBleu
    >>> trace(GoogleBleu(), "the cat sat", ["the cat"]).formula
    'google_bleu = 0.5'
    """
    if not isinstance(scorer, Scorer):
        raise InputError(f"trace: `scorer` is {shown(scorer)}; a Scorer is expected.")
    # Where references are missing, the message is that of any corpus.
    texts = [references] if len(references) or scorer.needs_references else None
    builder: Callable[[Scorer, Segments], Trace] = import_module(scorer._tracer).build
    return builder(scorer, Segments([prediction], texts, owner=type(scorer).__name__))


def build(scorer: Scorer, segment: Segments) -> Trace:
    """Every number of one segment: with each reference alone, and together."""
    prediction, references = segment.pair(0)
    alone = []
    if len(references) > 1:
        alone = [scorer.score_segments(Segments([prediction], [[text]])).scores for text in references]
    scores = scorer.score_segments(segment).scores
    return scores_trace(scorer.name, scorer.signature, scorer.primary, scores, alone)
