"""The trace of GTM: the grid of hits with the chosen runs, and the formulas."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metrologue.errors import number_of
from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.gtm import Gtm, Matching
from metrologue.segments import Segments
from metrologue.tracing import (
    Block,
    Key,
    Legend,
    Notes,
    Row,
    Section,
    Span,
    Table,
    Trace,
    reference_names,
    short,
    visible,
)

HIT = "•"
# A larger grid is not drawn: it would fill many pages.
MOST_CELLS = 10_000


def build(scorer: Gtm, segment: Segments) -> Trace:
    """The trace of one segment: the grid of each reference, the chosen runs, and the formulas.

    With all references searched together, the numbers of the runs go on from one reference to the next.
    """
    result = scorer.corpus(segment)
    prediction, references = segment.pair(0)
    together = scorer.multi_reference == "concatenated"
    groups = [references] if together else [[reference] for reference in references]
    counting = replace(scorer, aggregation="corpus")
    scores = [counting.corpus([prediction], [group]).scores for group in groups]
    best = max(range(len(scores)), key=lambda index: scores[index]["gtm"])
    blocks: list[Block] = [_legend()]
    names = reference_names(len(references))
    for index, group in enumerate(groups):
        matching = scorer._matching(prediction, group)
        group_names = names if together else names[index : index + 1]
        grids = [_grid(matching, place, name) for place, name in enumerate(group_names)]
        notes = Notes(lines=_formulas(scorer, matching, scores[index]))
        runs = [_runs(scorer, matching, group_names)] if matching.runs else []
        title = " and ".join(group_names) + (", which counts" if len(groups) > 1 and index == best else "")
        blocks.append(
            Section(
                name=title.partition(",")[0],
                title=f"{title}: GTM = {scores[index]['gtm']:.6g}",
                blocks=(*grids, *runs, notes),
                values=scores[index],
            )
        )
    formula = f"GTM = {_terms(scorer, scores[best])} = {result.value}"
    remarks = ("the longest run of equal tokens is chosen first, then the latest; no token is used twice",)
    return trace_of(scorer, result, formula, blocks, remarks)


def _legend() -> Legend:
    keys = (Key(mark="1, 2, …", meaning="the run that has the token"), Key(mark=HIT, meaning="another hit"))
    return Legend(title="in the grid", keys=keys)


def _grid(matching: Matching, index: int, name: str) -> Block:
    """The tokens of the hypothesis as rows and those of a reference as columns, with a mark for each hit."""
    reference = matching.references[index]
    cells = len(matching.hypothesis) * len(reference)
    if not 0 < cells <= MOST_CELLS:
        lengths = f"{number_of(len(matching.hypothesis), 'token')} and {number_of(len(reference), 'token')}"
        return Notes(lines=(f"the grid with {name}, of {lengths}, is not drawn",))
    marks = {
        (i, j): HIT
        for i, token in enumerate(matching.hypothesis)
        for j, other in enumerate(reference)
        if token == other
    }
    for number, (i, where, j, length) in enumerate(matching.runs, 1):
        if where == index:
            marks.update({(i + k, j + k): str(number) for k in range(math.ceil(length))})
    rows = (
        Row(cells=(Span(tokens=(token,)), *(marks.get((i, j), "") for j in range(len(reference)))))
        for i, token in enumerate(matching.hypothesis)
    )
    header = ("", *map(visible, reference))
    return Table(name=f"hits with {name}", header=header, rows=tuple(rows), summary=f"the grid with {name}")


def _runs(scorer: Gtm, matching: Matching, names: Sequence[str]) -> Table:
    """The chosen runs, in their order."""
    rows = []
    for number, (i, where, _, length) in enumerate(matching.runs, 1):
        tokens = tuple(matching.hypothesis[i : i + math.ceil(length)])
        rows.append(Row(cells=(str(number), Span(tokens=tokens), names[where], length, length**scorer.exponent)))
    header = ("run", "tokens", "in", "length", f"length^{scorer.exponent:g}")
    return Table(name="chosen runs", header=header, rows=tuple(rows), summary="the chosen runs")


def _formulas(scorer: Gtm, matching: Matching, scores: Mapping[str, float]) -> tuple[str, ...]:
    """The formulas with their numbers."""
    size, ours, theirs = (scores[key] for key in ("match_size", "hypothesis_length", "reference_length"))
    powers = " + ".join(f"{length:.6g}^{scorer.exponent:g}" for *_, length in matching.runs) or "0"
    mean = "mean length of the references" if len(matching.references) > 1 else "length of the reference"
    cut = [length for *_, length in matching.runs if length % 1]
    return (
        f"match size = ({powers})^(1/{scorer.exponent:g}) = {short(size)}",
        *([f"the last run is cut: all runs have at most {min(ours, theirs):.6g} tokens"] if cut else []),
        f"precision = {short(size)}/{ours:g} = {short(scores['precision'] / scorer.scale)}",
        f"recall = {short(size)}/{theirs:.6g} = {short(scores['recall'] / scorer.scale)}, with the {mean}",
        f"GTM = {_terms(scorer, scores)} = {scores['gtm']:.6g}",
    )


def _terms(scorer: Gtm, scores: Mapping[str, float]) -> str:
    precision, recall = (scores[key] / scorer.scale for key in ("precision", "recall"))
    if not precision + recall:
        return "0"
    scale = factor(scorer.scale)
    return f"{scale}2 · {short(precision)} · {short(recall)}/({short(precision)} + {short(recall)})"
