"""The trace of a scorer that has ``edits``: the edits and the counts for each reference on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from metrologue.errors import InputError
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.families.edits import Edits
from metrologue.segments import Segments
from metrologue.tracing import EditPair, Terms, Trace, edit_trace

__all__ = ["trace_edits", "unit_name"]


def trace_edits(
    scorer: PairScorer, segment: Segments, edits: Callable[[str, str], Edits], tokenizer: str, rule: str, terms: Terms
) -> Trace:
    """The trace of one segment: for each reference, both texts in columns.

    The metric supplies `edits`, the text of its `rule`, and `terms`, which writes the rule with numbers.
    """
    prediction, references = segment.pair(0)
    return edit_trace(
        metric=scorer.name,
        signature=scorer.signature,
        primary=scorer.primary,
        value=scorer.corpus(segment).value,
        counts=_counts(scorer, segment),
        pairs=[_pair(scorer, prediction, reference, edits(prediction, reference)) for reference in references],
        unit=unit_name(tokenizer),
        rule=rule,
        terms=terms,
    )


def unit_name(tokenizer: str) -> str:
    """The English word for one token.

    Examples
    --------
    >>> unit_name("characters-stripped"), unit_name("graphemes"), unit_name("jiwer")
    ('character', 'grapheme cluster', 'word')
    """
    if tokenizer.startswith("graphemes"):
        return "grapheme cluster"
    return "character" if tokenizer.startswith("char") else "word"


def _counts(scorer: PairScorer, segment: Segments) -> dict[str, float]:
    """The counts of the one segment, by name. They come from a scorer that sums counts: a mean keeps only scores."""
    counting = replace(scorer, aggregation="corpus")
    return dict(zip(counting.columns, counting.statistics(segment)[0].tolist(), strict=True))


def _pair(scorer: PairScorer, prediction: str, reference: str, edits: Edits) -> EditPair:
    segment = Segments([prediction], [reference])
    value: float | None
    try:
        value = scorer.corpus(segment).value
    except InputError:
        value = None
    return EditPair(
        hypothesis=edits.hypothesis,
        reference=edits.reference,
        operations=edits.operations,
        shifts=edits.shifts,
        shifted=edits.shifted,
        counts=_counts(scorer, segment),
        value=value,
    )
