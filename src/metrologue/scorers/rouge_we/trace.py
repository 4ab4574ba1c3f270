"""The trace of ROUGE-WE: what each n-gram of a text matches in each reference."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.rouge_we import NGrams, RougeWe
from metrologue.segments import Segments
from metrologue.text.reading.view import View
from metrologue.tracing import Row, Section, Table, Trace, reference_names, short


def build(scorer: RougeWe, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    view, ngrams = scorer._texts(segment)
    names = reference_names(len(segment.pair(0)[1]))
    result, rows, found = scorer.corpus(segment), scorer._pairs(segment), scorer._matches(segment)
    sizes = np.diff(ngrams.bags.offsets)[view.pairs[0]]
    sections = []
    for pair, (name, (start, stop)) in enumerate(zip(names, pairwise(np.cumsum([0, *sizes]).tolist()), strict=True)):
        first = int(ngrams.bags.offsets[view.pairs[0][pair]])
        table = Table(
            name=f"{scorer.order}-grams with {name}", header=("n-gram", "count", "match", "similarity"),
            rows=tuple(
                _row(scorer, view, ngrams, first + at - start, int(found.entries[at]), float(found.similarities[at]))
                for at in range(start, stop)
            ),
            caption=f"{rows[pair, 0]:g} hits; {rows[pair, 1]:g} n-grams of the hypothesis, {rows[pair, 2]:g} of {name}",
            summary=f"{stop - start} n-grams",
        )  # fmt: skip
        sections.append(Section(name=name, title=f"matches in {name}", blocks=(table,)))
    p, r, a = short(result.scores["precision"]), short(result.scores["recall"]), scorer.alpha
    how = {"pooled": "hits and n-grams are summed", "best": "the best one counts"}[scorer.multi_reference]
    remarks = [f"{len(names)} references: {how}"] * (len(names) > 1)
    left = [view.spelling(each) for each in np.unique(view.ids).tolist() if not ngrams.table.known[each]]
    remarks += [f"without a vector: {', '.join(left)}"] * bool(left)
    formula = f"{scorer.title}-{scorer.order} = {p}·{r}/({1 - a:g}·{p} + {a:g}·{r}) = {result.value}"
    return trace_of(scorer, result, formula, sections, remarks)


def _row(scorer: RougeWe, view: View, ngrams: NGrams, own: int, its: int, similarity: float) -> Row:
    """An n-gram, how often the text has it, its match, and how similar the most similar one is."""

    def spelled(entry: int) -> str:
        place = int(ngrams.places[ngrams.bags.rows[entry]])
        return " ".join(map(view.spelling, view.ids[place : place + scorer.order].tolist()))

    match = spelled(its) if its >= 0 else "-"
    return Row(cells=(spelled(own), int(ngrams.bags.counts[own]), match, max(similarity, 0.0)))
