"""The trace of entity recall: the names and numbers of both texts, and which of them the other text has."""

from __future__ import annotations

from metrologue.representations.mentions import word_spans, words_of
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.entity_recall import UNITS, EntityRecall, Said
from metrologue.segments import Segments
from metrologue.tracing import Piece, Span, Text, Texts, Trace, reference_names, state_legend

_STATES = ("missing", "matched")


def build(scorer: EntityRecall, segment: Segments) -> Trace:
    """The trace of one segment."""
    result = scorer.corpus(segment)
    scores, (texts, said) = result.scores, scorer._said(segment)
    own, its = said[texts.hypotheses[0]], [said[place] for place in texts.references]
    shown = [
        _marked(scorer, "hypothesis", texts.texts[texts.hypotheses[0]], own, its),
        *(
            _marked(scorer, name, texts.texts[place], reference, [own])
            for name, place, reference in zip(reference_names(len(its)), texts.references, its, strict=True)
        ),
    ]
    there, wanted, supported, units = (scores[key] for key in scorer._columns)
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}\u00b7"
    formula = f"entity_recall = {scale}{there}/{wanted} = {result.value}" if wanted else "entity_recall: no names"
    remarks = [f"precision = {supported}/{units}" if units else "precision: no names"]
    remarks += ["with the best of the references"] * (scorer.multi_reference == "best" and len(its) > 1)
    legend = state_legend({"matched": "the other text has it", "missing": "it has not"})
    blocks = (legend, Texts(texts=tuple(shown)))
    return trace_of(scorer, result, formula, blocks, (*remarks, *scorer._hints(segment)))


def _marked(scorer: EntityRecall, name: str, text: str, own: Said, others: list[Said]) -> Text:
    """A text with the state of each unit: whether any of the other texts has it."""
    pieces: list[Piece] = []
    end = 0
    for mention in filter(scorer._looks_for, own.mentions):
        whole = mention.start, mention.stop
        for start, stop in word_spans(text, *whole) if scorer.unit == "word" else [whole]:
            unit = text[start:stop]
            there = any(UNITS[scorer.unit].function(words_of(unit), other)[0] for other in others)
            pieces += [*text[end:start].split(), Span(tokens=tuple(unit.split()), state=_STATES[there])]
            end = stop
    return Text(name=name, sentences=((*pieces, *text[end:].split()),))
