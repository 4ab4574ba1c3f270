"""The trace of Word Mover's Distance: how much weight moves from which word to which, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.kernels.transport import Bags, transport_plan
from metrologue.scorers.wmd import Wmd
from metrologue.segments import Segments
from metrologue.tracing import Block, Matrix, Notes, Row, Section, Table, Trace, reference_names, short

__all__ = ["build", "costs_between", "moves"]

# A map of more words does not fit a page.
MOST_WORDS = 40


def build(scorer: Wmd, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    view, table, bags = scorer._texts(segment)
    names = reference_names(len(segment.pair(0)[1]))
    result = scorer.corpus(segment)
    sections = []
    for name, own, its in zip(names, *(side.tolist() for side in view.pairs), strict=True):
        entries = [[*map(view.spelling, entry_rows(bags, text).tolist())] for text in (own, its)]
        blocks = moves(name, entries, costs_between(table.vectors, bags, own, its), *counts_of(bags, own, its))
        sections.append(Section(name=name, title=f"moves to {name}", blocks=blocks))
    bounds = {
        kind: replace(scorer, transport=kind, empty="infinite").corpus(segment).value
        for kind in ("centroids", "relaxed", "exact")
    }
    left = [view.spelling(each) for each in np.unique(view.ids).tolist() if not table.known[each]]
    stopped = [view.spelling(each) for each in np.unique(view.ids).tolist() if table.stopped[each]]
    remarks = [f"bounds: WCD {short(bounds['centroids'])} and RWMD {short(bounds['relaxed'])}, neither above "
               f"WMD {short(bounds['exact'])}"]  # fmt: skip
    remarks += [f"without a vector: {', '.join(left)}"] * bool(left)
    remarks += [f"stop words: {', '.join(stopped)}"] * bool(stopped)
    remarks += [f"{len(names)} references: the nearest one counts"] * (len(names) > 1)
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=scorer.signature,
        formula=f"WMD = sum of weight * distance = {result.value}",
        remarks=(*remarks, *scorer._hints(segment)),
        blocks=tuple(sections),
        values=result.scores,
    )


def entry_rows(bags: Bags, text: int) -> np.ndarray:
    """The rows of the entries of a bag."""
    return bags.rows[bags.offsets[text] : bags.offsets[text + 1]]


def counts_of(bags: Bags, own: int, its: int) -> tuple[np.ndarray, np.ndarray]:
    """The counts of the entries of two bags."""
    one, other = (bags.counts[bags.offsets[text] : bags.offsets[text + 1]] for text in (own, its))
    return one, other


def costs_between(vectors: Floats, bags: Bags, own: int, its: int) -> Floats:
    """The Euclidean distance of each entry of one bag from each of another one."""
    apart = vectors[entry_rows(bags, own)][:, None] - vectors[entry_rows(bags, its)][None]
    costs: Floats = np.sqrt(np.einsum("ijk,ijk->ij", apart, apart))
    return costs


def moves(
    name: str, entries: list[list[str]], costs: Floats, own: np.ndarray, its: np.ndarray, noun: str = "words"
) -> tuple[Block, ...]:
    """A map of the weights that move between entries, and a table of the moves, the dearest first."""
    if not costs.size:
        return (Notes(lines=(f"one of the texts has no {noun} to move",)),)
    plan = transport_plan(costs, own, its)
    cells = [(float(plan[i, j] * costs[i, j]), int(i), int(j)) for i, j in np.argwhere(plan > 0)]
    rows = [
        Row(cells=(entries[0][i], entries[1][j], float(plan[i, j]), float(costs[i, j]), cost))
        for cost, i, j in sorted(cells, key=lambda cell: (-cell[0], cell[1:]))
    ]
    table = Table(
        name=f"moves to {name}",
        header=("from", "to", "weight", "distance", "cost"),
        rows=tuple(rows),
        caption=f"the costs sum to {sum(cost for cost, _, _ in cells):.6g}",
        summary=f"{len(rows)} moves",
    )
    if max(costs.shape) > MOST_WORDS:
        return (table,)
    flow = Matrix(
        name=f"weights that move to {name}",
        axes=("hypothesis", "reference"),
        labels=tuple(entries[0]),
        columns=tuple(entries[1]),
        cells=tuple(tuple(round(value, 4) for value in row) for row in plan.tolist()),
        marked=tuple((i, j) for _, i, j in sorted(cells, key=lambda cell: cell[1:])),
    )
    return flow, table
