"""The trace of Word Mover's Distance: how much weight moves from which word to which, and what it costs."""

from __future__ import annotations

from dataclasses import replace

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.moves import entries_of, move_sections, word_remarks
from metrologue.scorers.wmd import Wmd
from metrologue.segments import Segments
from metrologue.tracing import Trace, short


def build(scorer: Wmd, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    view, table, bags = scorer._texts(segment)

    def spelled(text: int) -> list[str]:
        return [*map(view.spelling, entries_of(bags, text).tolist())]

    sections = move_sections(table.vectors, bags, view.pairs, spelled, "words")
    result = scorer.corpus(segment)
    kinds = ("centroids", "relaxed", "exact")
    bounds = [short(replace(scorer, transport=kind, empty="infinite").corpus(segment).value) for kind in kinds]
    remarks = [f"bounds: WCD {bounds[0]} and RWMD {bounds[1]}, neither above WMD {bounds[2]}"]
    remarks += word_remarks(view, ~table.known, table.stopped, len(sections))
    formula = f"WMD = sum of weight * distance = {result.value}"
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))
