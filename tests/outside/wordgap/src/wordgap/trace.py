"""How the word gap of a segment comes about."""

from metrologue.author import trace_of


def build(scorer, segment):
    """The gap with its counts."""
    result = scorer.corpus(segment)
    counts = result.scores
    formula = f"word_gap = {counts['difference']:g}/{counts['reference_length']:g} = {result.value!r}"
    return trace_of(scorer, result, formula, [])
