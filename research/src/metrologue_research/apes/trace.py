"""The trace of APES: the text with its entities, each question with its answer, and what the model reaches."""

from __future__ import annotations

from collections.abc import Iterator

from metrologue.learned.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Span, Table, Text, Texts, Trace, state_legend
from metrologue_research.apes import Apes, best_of
from metrologue_research.apes.cloze import Cloze, candidates_of, entity_number

_STATES = {"matched": "answers a question that is answered right", "missing": "answers none"}


def build(scorer: Apes, segment: Segments) -> Trace:
    """The trace of one segment."""
    [found] = scorer._cloze(segment)
    scores = scorer.corpus(segment).scores
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}·"
    formula = f"APES = {scale}{scores['correct']}/{scores['questions']} questions"
    return trace_of(scorer, segment, _blocks(scorer, found), formula)


def _blocks(scorer: Apes, found: Cloze) -> Iterator[Block]:
    rows, right = [], set()
    own = {*candidates_of(found.passage)}
    for question, answer in zip(found.questions, found.answers, strict=True):
        given = scorer._reader(found.passage, question)
        chosen = best_of(given)
        if chosen == answer:
            right.add(answer)
        told = _name(found, chosen) if chosen >= 0 else "the text has no entity"
        wanted = _name(found, answer) + ("" if answer in own else ", which the text lacks")
        state = "matched" if chosen == answer else "missing"
        rows.append(Row(cells=(_spelled(found, question), wanted, told, given.get(chosen, 0.0)), state=state))
    pieces = tuple(
        Span(tokens=(_name(found, number),), state="matched" if number in right else "missing")
        if (number := entity_number(token)) >= 0
        else token
        for token in found.passage
    )
    yield Texts(texts=(Text(name="prediction", sentences=(pieces,), size=f"{len(own)} entities"),))
    yield Table(
        name="questions",
        header=("question", "answer", "chosen", "words near it" if scorer.reader == "lexical" else "probability"),
        rows=tuple(rows),
        caption="what each question asks, what the answer is, and what the reader chooses",
        summary=f"{len(rows)} questions",
        meanings=(("matched", "answered right"), ("missing", "answered wrong")),
    )
    yield state_legend(_STATES, "an entity")


def _name(found: Cloze, number: int) -> str:
    return found.names[number]


def _spelled(found: Cloze, tokens: tuple[str, ...]) -> str:
    """A question with the names of its entities."""
    return " ".join(found.names[number] if (number := entity_number(token)) >= 0 else token for token in tokens)
