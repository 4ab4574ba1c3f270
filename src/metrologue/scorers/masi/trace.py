"""The trace of MASI: both sets, what they share, the case of monotonicity, and the formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.masi import CASES, Masi
from metrologue.segments import Segments
from metrologue.text.reading import View
from metrologue.tracing import Listing, Notes, Section, Span, Trace, reference_names, short

MEANINGS = {
    "equal": "the sets are equal",
    "subset": "one set contains the other",
    "overlap": "the sets overlap, and neither contains the other",
    "disjoint": "the sets share nothing",
}


def build(scorer: Masi, segment: Segments) -> Trace:
    """The trace of one segment: for each reference the sets, what they share, and the formula."""
    result = scorer.corpus(segment)
    view = segment.units(scorer._words)
    rows = scorer._pair_statistics(segment)
    values = [scorer.score(row) for row in rows]
    names = reference_names(len(rows))
    best = int(np.argmax(rows[:, 0]))
    sections, terms = [], []
    for index, name in enumerate(names):
        numbers = {key: float(value) for key, value in values[index].items()}
        counts = ", which counts" if len(names) > 1 and scorer.multi_reference == "best" and index == best else ""
        title = f"{name}{counts}: MASI = {numbers['masi']:.6g}"
        blocks = (*_sets(view, index), Notes(lines=_formulas(scorer, numbers)))
        terms.append(_terms(scorer, numbers))
        sections.append(Section(name=name, title=title, blocks=blocks, values=numbers))
    shown = terms[best]
    if len(names) > 1 and scorer.multi_reference == "mean":
        shown = f"mean({', '.join(short(float(value['masi'])) for value in values)})"
    formula = f"MASI = {shown} = {result.value}"
    remarks = ("MASI = Jaccard index · weight of the case",)
    return trace_of(scorer, result, formula, sections, remarks)


def _case(numbers: Mapping[str, float]) -> str:
    return next(case for case in CASES if numbers[f"{case}_count"])


def _terms(scorer: Masi, numbers: Mapping[str, float]) -> str:
    scale = factor(scorer.scale)
    index = numbers["jaccard"] / scorer.scale
    return f"{scale}{short(index)} · {short(scorer._weights[CASES.index(_case(numbers))])}"


def _sets(view: View, index: int) -> list[Listing]:
    """Both sets, and what is in each of them and in both, in the order of the texts."""
    limits = ((view.offsets[text], view.offsets[text + 1]) for text in (0, 1 + index))
    ours, theirs = (dict.fromkeys(view.ids[first:last].tolist()) for first, last in limits)
    both = [unit for unit in ours if unit in theirs]
    named = ("hypothesis", ours), ("reference", theirs), ("in both", both)
    return [_listing(name, [(view.spelling(unit), unit in both) for unit in units]) for name, units in named]


def _listing(name: str, units: Sequence[tuple[str, bool]]) -> Listing:
    spans = tuple(Span(tokens=(unit,), state="matched" if shared else "missing") for unit, shared in units)
    return Listing(name=f"{name} ({len(units)})", spans=spans, summary=f"{name}: {len(units)} units")


def _formulas(scorer: Masi, numbers: Mapping[str, float]) -> tuple[str, ...]:
    shared, ours, theirs = (round(numbers[key]) for key in ("match_count", "hypothesis_count", "reference_count"))
    case = _case(numbers)
    index = f"{shared}/({ours} + {theirs} - {shared})" if ours + theirs else "two empty sets"
    return (
        f"{MEANINGS[case]}: weight = {short(scorer._weights[CASES.index(case)])}",
        f"Jaccard index = {index} = {short(numbers['jaccard'] / scorer.scale)}",
        f"MASI = {_terms(scorer, numbers)} = {numbers['masi']:.6g}",
    )
