"""The trace of CharacTER: the shifted words, their characters beside those of the reference, and the formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metrologue.scorers.character import Character
from metrologue.scorers.core.trace import factor
from metrologue.scorers.families.edits.trace import trace_edits
from metrologue.segments import Segments
from metrologue.tracing import Span, Text, Texts, Trace, reference_names

RULE = "CharacTER = min(1, (edits of characters + cost of shifts)/characters)"


def build(scorer: Character, segment: Segments) -> Trace:
    """The trace of one segment: the shifted words, and the edits of characters, for each reference."""

    def terms(counts: Mapping[str, float], _: Mapping[str, int]) -> str:
        edits, cost = counts["edits"], counts["shift_cost"] if scorer.shift_cost == "word-length" else 0.0
        length = counts[f"{scorer.normalization}_length"]
        share = f"min(1, ({edits:g} + {cost:.6g})/{length:g})" if length else f"{edits > 0:d}"
        return f"{factor(scorer.scale)}{share}"

    found = trace_edits(scorer, segment, scorer.edits, "characters", RULE, terms)
    return replace(found, blocks=(Texts(texts=_shifted(scorer, segment)), *found.blocks))


def _shifted(scorer: Character, segment: Segments) -> tuple[Text, ...]:
    """The words of the hypothesis, and as they are shifted for each reference; those in another place are marked."""
    prediction, references = segment.pair(0)
    before = scorer._view(Segments([prediction], [""])).tokens_of(0)
    texts = [Text(name="hypothesis", sentences=(tuple(before),))]
    for name, reference in zip(reference_names(len(references)), references, strict=True):
        pair = Segments([prediction], [reference])
        after = [*map(scorer._view(pair).spelling, scorer._shifted(pair)[1])]
        pieces = (
            word if word == old else Span(tokens=(word,), state="shifted")
            for word, old in zip(after, before, strict=True)
        )
        texts.append(Text(name=f"shifted, for {name}", sentences=(tuple(pieces),)))
    return tuple(texts)
