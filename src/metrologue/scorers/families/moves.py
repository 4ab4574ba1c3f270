"""What the traces of metrics of optimal transport share: how much weight moves from what to what, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.scorers.families.kernels.transport import Bags, transport_plan
from metrologue.text.reading.view import View
from metrologue.tracing import Block, Matrix, Notes, Row, Section, Table, reference_names

# A map of more words does not fit a page.
MOST_WORDS = 40


def entries_of(bags: Bags, text: int) -> Integers:
    """The rows of the entries of a bag."""
    return bags.rows[bags.offsets[text] : bags.offsets[text + 1]]


def move_sections(
    vectors: Floats, bags: Bags, pairs: tuple[Integers, Integers], spelled: Callable[[int], list[str]], noun: str,
    notes: Sequence[str] = (),
) -> list[Section]:  # fmt: skip
    """What moves between a hypothesis and each of its references.

    Parameters
    ----------
    vectors : float64 (rows, width)
    bags : Bags
    pairs : two int64 (n_references,)
        The bags of each pair.
    spelled : callable
        The entries of a bag, as people read them.
    noun : str
        What an entry is.
    notes : sequence of str
        What the title of each section has at its end.
    """
    names = reference_names(len(pairs[0]))
    sections = []
    for place, (name, one, other) in enumerate(zip(names, *(side.tolist() for side in pairs), strict=True)):
        apart = vectors[entries_of(bags, one)][:, None] - vectors[entries_of(bags, other)][None]
        costs = np.sqrt(np.einsum("ijk,ijk->ij", apart, apart))
        masses = [bags.counts[bags.offsets[text] : bags.offsets[text + 1]] for text in (one, other)]
        blocks = _moves(name, [spelled(one), spelled(other)], costs, masses, noun)
        title = f"moves to {name}{notes[place] if notes else ''}"
        sections.append(Section(name=name, title=title, blocks=blocks))
    return sections


def _moves(name: str, entries: list[list[str]], costs: Floats, masses: list[Integers], noun: str) -> tuple[Block, ...]:
    """A map of the weights that move between entries, and a table of the moves, the dearest first."""
    if not costs.size:
        return (Notes(lines=(f"one of the texts has no {noun} to move",)),)
    plan = transport_plan(costs, *masses)
    cells = [(float(plan[i, j] * costs[i, j]), int(i), int(j)) for i, j in np.argwhere(plan > 0)]
    rows = [
        Row(cells=(entries[0][i], entries[1][j], float(plan[i, j]), float(costs[i, j]), cost))
        for cost, i, j in sorted(cells, key=lambda cell: (-cell[0], cell[1:]))
    ]
    table = Table(
        name=f"moves to {name}", header=("from", "to", "weight", "distance", "cost"), rows=tuple(rows),
        caption=f"the costs sum to {sum(cost for cost, _, _ in cells):.6g}", summary=f"{len(rows)} moves",
    )  # fmt: skip
    if max(costs.shape) > MOST_WORDS:
        return (table,)
    flow = Matrix(
        name=f"weights that move to {name}", axes=("hypothesis", "reference"), labels=tuple(entries[0]),
        columns=tuple(entries[1]), cells=tuple(tuple(round(value, 4) for value in row) for row in plan.tolist()),
        marked=tuple(sorted(cell[1:] for cell in cells)),
    )  # fmt: skip
    return flow, table


def word_remarks(view: View, unknown: Flags, stopped: Flags, references: int) -> list[str]:
    """Which words have no vector or are stop words, and which of several references counts."""
    types = np.unique(view.ids).tolist()
    left, stops = ([view.spelling(each) for each in types if chosen[each]] for chosen in (unknown, stopped))
    remarks = [f"without a vector: {', '.join(left)}"] * bool(left)
    remarks += [f"stop words: {', '.join(stops)}"] * bool(stops)
    return remarks + [f"{references} references: the nearest one counts"] * (references > 1)
