"""The trace of TESLA-M: which n-grams match, how similar they are, and how much of their weight flows."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.kernels.arrays import Rows
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.tesla import _KINDS, Tesla
from metrologue.scorers.tesla.kernels import UNIT, soft_flow
from metrologue.segments import Segments
from metrologue.tracing import Block, Notes, Row, Section, Table, Trace, heat_map, reference_names, short


def build(scorer: Tesla, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    result = scorer.corpus(segment)
    names = reference_names(len(segment.pair(0)[1]))
    scores = [scorer.scale * float(row) for row in _means(scorer, segment)]
    rule = "the best" if scorer.multi_reference == "best" else "the mean"
    remarks = [] if len(names) == 1 else [f"{len(names)} references: {rule} of their scores counts"]
    if scorer.units == "words":
        remarks.append("without a parser: words as they are spelled, and none is a function word")
    joined = f"max({', '.join(map(short, scores))})" if rule == "the best" else f"mean({', '.join(map(short, scores))})"
    formula = f"{scorer.title} = {joined} = {result.value}"
    sections = (_section(scorer, segment, name, at, scores[at]) for at, name in enumerate(names))
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))


def _means(scorer: Tesla, segment: Segments) -> Floats:
    """The score of each reference."""
    measured, used = scorer._measured(scorer._pairs(segment))
    means: Floats = (measured[:, :, 0] * used).sum(axis=1) / np.maximum(used.sum(axis=1), 1)
    return means


def _section(scorer: Tesla, segment: Segments, name: str, pair: int, score: float) -> Section:
    """The hypothesis and one reference."""
    texts, pairs = scorer._texts(segment)
    own, its = (int(side[pair]) for side in pairs)
    measured, used = (each[pair] for each in scorer._measured(scorer._pairs(segment)))
    blocks: list[Block] = []
    at = 0
    for kind in scorer.similarities:
        for order in range(1, scorer.max_order + 1):
            noun = f"{order}-grams" if len(scorer.similarities) == 1 else f"{order}-grams by {kind}"
            flow = soft_flow(texts, own, its, scorer.max_order, order, _KINDS[kind], scorer._units)
            spelled = _ngrams(scorer, segment, own, flow[2], order), _ngrams(scorer, segment, its, flow[3], order)
            if at == 0:
                blocks.append(_map(spelled, flow[0], flow[1], name))
            if used[at]:
                blocks.append(_table(f"{noun} with {name}", order, spelled, flow[0], flow[1], measured[at]))
            at += 1
    if left := scorer.max_order - len({place % scorer.max_order for place in np.flatnonzero(used).tolist()}):
        blocks.append(Notes(lines=(f"{left} of {scorer.max_order} orders are left out: a text is shorter",)))
    return Section(name=name, title=f"{name}: {score:.6g}", blocks=tuple(blocks), values={"tesla": score})


def _ngrams(scorer: Tesla, segment: Segments, text: int, starts: Offsets, order: int) -> list[str]:
    """The distinct n-grams of a text, as people read them."""
    first, spelled = scorer._spelled(segment, text)
    return [" ".join(spelled[start : start + order]) for start in (starts - first).tolist()]


def _map(spelled: tuple[list[str], list[str]], amounts: Rows, halves: Rows, name: str) -> Block:
    """How similar distinct words are; those whose weights flow to each other are marked."""
    cells = ((value / 2 for value in row) for row in halves.tolist())
    marked = ((int(i), int(j)) for i, j in np.argwhere(amounts > 0))
    return heat_map(f"similarities with {name}", spelled, cells, marked, "distinct words; a map")


def _table(
    name: str, order: int, spelled: tuple[list[str], list[str]], amounts: Rows, halves: Rows, numbers: Floats
) -> Block:
    """The n-grams that match, those that add most first."""
    matches = []
    for i, j in np.argwhere(amounts > 0).tolist():
        weight, similarity = float(amounts[i, j]) / UNIT, float(halves[i, j]) / (2 * order)
        cells = spelled[0][i], spelled[1][j], similarity, weight, weight * similarity
        matches.append((weight * similarity, i, j, Row(cells=cells)))
    matches.sort(key=lambda each: (-each[0], each[1], each[2]))
    score, precision, recall = numbers.tolist()
    return Table(
        name=name, header=("hypothesis", "reference", "similarity", "weight", "matched"),
        rows=tuple(row for *_, row in matches),
        caption=f"{sum(each[0] for each in matches):.6g} match: P {precision:.6g}, R {recall:.6g}, F {score:.6g}",
        summary=f"{len(matches)} matches",
    )  # fmt: skip
