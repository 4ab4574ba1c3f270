"""The trace of hLEPOR: the aligned words with their position differences, the three factors, and the formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.hlepor import Hlepor
from metrologue.segments import Segments
from metrologue.tracing import Link, Notes, Row, Section, Table, Trace, aligned_words, reference_names, short

Scores = Mapping[str, float]
# The words of both texts, and the place in the reference of each word of the hypothesis, -1 for none.
Alignment = tuple[list[str], list[str], list[int]]


def build(scorer: Hlepor, segment: Segments) -> Trace:
    """The trace of one segment: for each reference the aligned words, their position differences, and formulas."""
    result = scorer.corpus(segment)
    prediction, references = segment.pair(0)
    counting = replace(scorer, aggregation="corpus")
    scores = [counting.corpus([prediction], [text]).scores for text in references]
    best = max(range(len(scores)), key=lambda index: scores[index]["hlepor"])
    sections = []
    for index, (name, text) in enumerate(zip(reference_names(len(references)), references, strict=True)):
        counts = ", which counts" if len(references) > 1 and index == best else ""
        hypothesis, reference, places = scorer.alignment(prediction, text)
        sections.append(_section(scorer, name, counts, (hypothesis, reference, places.tolist()), scores[index]))
    return trace_of(scorer, result, f"hLEPOR = {_terms(scorer, scores[best])} = {result.value}", sections)


def _section(scorer: Hlepor, name: str, counts: str, alignment: Alignment, scores: Scores) -> Section:
    """The hypothesis and one reference."""
    hypothesis, reference, places = alignment
    links = tuple(
        Link(name="word", shape="circle", starts=(i, place), lengths=(1, 1))
        for i, place in enumerate(places)
        if place >= 0
    )
    picture = aligned_words(("hypothesis", name), (hypothesis, reference), links)
    return Section(
        name=name,
        title=f"{name}{counts}: hLEPOR = {scores['hlepor']:.6g}",
        blocks=(picture, _table(scorer, name, alignment), Notes(lines=_formulas(scorer, scores))),
        values=scores,
    )


def _table(scorer: Hlepor, name: str, alignment: Alignment) -> Table:
    """Each aligned word, its places in both texts, from 1 on, and the difference of its relative places."""
    hypothesis, reference, places = alignment
    aligned = [(i, place) for i, place in enumerate(places) if place >= 0]
    rows = []
    for match, (i, place) in enumerate(aligned, start=1):
        number = match if scorer.positions == "matches" else i + 1
        difference = abs(number / len(hypothesis) - (place + 1) / len(reference))
        rows.append(Row(cells=(hypothesis[i], number, place + 1, difference)))
    header = ("word", "place in the hypothesis", "place in the reference", "difference")
    return Table(name=f"Alignment with {name}", header=header, rows=tuple(rows), summary="the position differences")


def _formulas(scorer: Hlepor, scores: Scores) -> tuple[str, ...]:
    """The formulas with a reference."""
    matches, ours, theirs = (f"{scores[name]:g}" for name in ("match_count", "hypothesis_length", "reference_length"))
    longer, shorter = sorted((ours, theirs), key=float, reverse=True)
    ratio = f"{longer}/{shorter}" if scorer.length_ratio == "longer-by-shorter" else f"{shorter}/{longer}"
    orders = f", the geometric mean over {scorer.max_order} orders of n-grams" if scorer.max_order > 1 else ""
    precision, recall = short(scores["precision"]), short(scores["recall"])
    return (
        f"length penalty = exp(1 - {ratio}) = {short(scores['length_penalty'])}",
        f"position penalty = exp(-{short(scores['position_difference'])}/{ours}) = {short(scores['position_penalty'])}",
        f"precision = {matches}/{ours} = {precision}, recall = {matches}/{theirs} = {recall}",
        f"harmonic mean of recall (weight {scorer.alpha:g}) and precision ({scorer.beta:g}){orders} = "
        f"{short(scores['harmonic_mean'])}",
        f"hLEPOR = {_terms(scorer, scores)} = {scores['hlepor']:.6g}",
    )


def _terms(scorer: Hlepor, scores: Scores) -> str:
    scale = factor(scorer.scale)
    factors = [short(scores[name]) for name in ("length_penalty", "position_penalty", "harmonic_mean")]
    if scorer.combination == "product":
        return f"{scale}{' · '.join(factors)}"
    if not all(scores[name] for name in ("length_penalty", "position_penalty", "harmonic_mean")):
        return f"{scale}0, because a factor is 0,"
    parts = " + ".join(f"{weight:g}/{factor}" for weight, factor in zip(scorer.weights, factors, strict=True))
    return f"{scale}{sum(scorer.weights):g} / ({parts})"
