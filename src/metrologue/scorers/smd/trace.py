"""The trace of Sentence Mover's Similarity: how much weight moves from which sentence or word to which."""

from __future__ import annotations

from metrologue.scorers.smd import Parts, Smd
from metrologue.scorers.wmd.trace import costs_between, counts_of, entry_rows, moves
from metrologue.segments import Segments
from metrologue.text.reading.view import View
from metrologue.tracing import Section, Trace, reference_names, short

__all__ = ["build"]

LONGEST = 30  # characters of a sentence that are shown


def build(scorer: Smd, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    view, parts = scorer._texts(segment)
    names = reference_names(len(segment.pair(0)[1]))
    result = scorer.corpus(segment)
    sections = []
    for name, own, its in zip(names, *(side.tolist() for side in view.pairs), strict=True):
        entries = [_entries(view, parts, text) for text in (own, its)]
        costs = costs_between(parts.vectors, parts.bags, own, its)
        noun = "words" if scorer.bag == "words" else "sentences"
        blocks = moves(name, entries, costs, *counts_of(parts.bags, own, its), noun)
        sections.append(Section(name=name, title=f"moves to {name}", blocks=blocks))
    types = {view.spelling(each): each for each in dict.fromkeys(view.ids.tolist())}
    left = [word for word, each in types.items() if not (parts.table.known | parts.ignored | parts.table.stopped)[each]]
    stopped = [word for word, each in types.items() if parts.table.stopped[each]]
    remarks = [f"without a vector: {', '.join(left)}"] * bool(left)
    remarks += [f"stop words: {', '.join(stopped)}"] * bool(stopped)
    remarks += [f"{len(names)} references: the nearest one counts"] * (len(names) > 1)
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=scorer.signature,
        formula=f"{scorer.title} = exp(-{short(result.scores['distance'])}) = {result.value}",
        remarks=(*remarks, *scorer._hints(segment)),
        blocks=tuple(sections),
        values=result.scores,
    )


def _entries(view: View, parts: Parts, text: int) -> list[str]:
    """The words of a text, and its sentences with their numbers in the text."""
    return [_entry(view, row, len(parts.table.known), text) for row in entry_rows(parts.bags, text).tolist()]


def _entry(view: View, row: int, types: int, text: int) -> str:
    if row < types:
        return view.spelling(row)
    sentence = row - types
    start, stop = view.sentence_offsets[sentence : sentence + 2].tolist()
    spelled = " ".join(map(view.spelling, view.ids[start:stop].tolist()))
    shown = spelled if len(spelled) <= LONGEST else f"{spelled[: LONGEST - 3]}..."
    return f"{sentence - int(view.sentences[text]) + 1}: {shown}"
