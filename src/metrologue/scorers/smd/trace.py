"""The trace of Sentence Mover's Similarity: how much weight moves from which sentence or word to which."""

from __future__ import annotations

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.moves import entries_of, move_sections, word_remarks
from metrologue.scorers.smd import Smd
from metrologue.segments import Segments
from metrologue.text.reading.view import View
from metrologue.tracing import Trace, short

LONGEST = 30  # characters of a sentence that are shown


def build(scorer: Smd, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    view, parts = scorer._texts(segment)
    table = parts.table

    def spelled(text: int) -> list[str]:
        return [_entry(view, row, len(table.known), text) for row in entries_of(parts.bags, text).tolist()]

    noun = "words" if scorer.bag == "words" else "sentences"
    sections = move_sections(parts.vectors, parts.bags, view.pairs, spelled, noun)
    result = scorer.corpus(segment)
    unknown = ~(table.known | parts.ignored | table.stopped)
    remarks = word_remarks(view, unknown, table.stopped, len(sections))
    formula = f"{scorer.title} = exp(-{short(result.scores['distance'])}) = {result.value}"
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))


def _entry(view: View, row: int, types: int, text: int) -> str:
    """A word, or the beginning of a sentence with its number in the text."""
    if row < types:
        return view.spelling(row)
    sentence = row - types
    start, stop = view.sentence_offsets[sentence : sentence + 2].tolist()
    spelled = " ".join(map(view.spelling, view.ids[start:stop].tolist()))
    shown = spelled if len(spelled) <= LONGEST else f"{spelled[: LONGEST - 3]}..."
    return f"{sentence - int(view.sentences[text]) + 1}: {shown}"
