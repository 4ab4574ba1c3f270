"""The trace of SPICE: both scene graphs with the tuples that match, and the score of each category."""

from __future__ import annotations

from typing import NamedTuple

from metrologue.data.arrays import Ids
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.spice import CATEGORIES, Compared, Spice
from metrologue.segments import Segments
from metrologue.tracing import Edge, Graph, Node, Row, Span, Table, Trace, reference_names, short, state_legend


class Concept(NamedTuple):
    """A tuple of a graph, by what is new in it: an object, an attribute or a relation."""

    kind: int  # 0 to 2
    # The objects to which it belongs; -1 for none.
    source: int
    target: int
    words: tuple[int, ...]
    # Its words, and their sets of synonyms: two concepts that share a mark are similar.
    marks: frozenset[tuple[str, int]]


def build(scorer: Spice, segment: Segments) -> Trace:
    """The trace of one segment."""
    result = scorer.corpus(segment)
    scores, compared = result.scores, scorer._compared(segment)
    own, its = (_concepts(compared, graph) for graph in range(2))
    names = reference_names(len(segment.pair(0)[1]))
    p, r = short(scores["precision"]), short(scores["recall"])
    match, ours, theirs = (scores[f"{key}_count"] for key in ("match", "hypothesis", "reference"))
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}·"
    remarks = [f"P = {match}/{ours}, R = {match}/{theirs} tuples"]
    remarks += [f"the graph of the references has the tuples of all {len(names)}"] * (len(names) > 1)
    blocks = (
        state_legend({"matched": "matches a tuple of the other graph", "missing": "matches none"}),
        _table(scores),
        _drawn("hypothesis", compared, own, its),
        _drawn("references" if len(names) > 1 else names[0], compared, its, own),
    )
    formula = f"{scorer.title} = {scale}2·P·R/(P + R), P {p}, R {r} = {result.value}"
    return trace_of(scorer, result, formula, blocks, (*remarks, *scorer._hints(segment)))


def _concepts(compared: Compared, graph: int) -> list[Concept]:
    """The concepts of a graph, in its order."""
    first, last = compared.offsets[graph : graph + 2].tolist()
    count = int(compared.graphs.counts[graph])
    words: list[dict[int, None]] = [{} for _ in range(count)]
    for concepts, spelled in zip(compared.graphs.slots[first:last], compared.tuples[first:last], strict=True):
        for concept, word in zip(concepts.tolist(), spelled.tolist(), strict=True):
            if word >= 0:
                words[concept][word] = None
    rows = compared.graphs.concepts[3 * first : 3 * first + count, :3].tolist()
    return [
        Concept(kind, source, target, tuple(own), _marks(compared, own))
        for (kind, source, target), own in zip(rows, words, strict=True)
    ]


def _marks(compared: Compared, words: dict[int, None]) -> frozenset[tuple[str, int]]:
    limits, keys = compared.keys
    sets: list[Ids] = [keys[limits[word] : limits[word + 1]] for word in words]
    return frozenset({("word", word) for word in words} | {("set", key) for each in sets for key in each.tolist()})


def _similar(one: Concept, other: Concept, own: list[Concept], its: list[Concept]) -> bool:
    """Whether the tuples of two concepts match."""
    ends = ((one.source, other.source), (one.target, other.target))
    return (
        one.kind == other.kind
        and not one.marks.isdisjoint(other.marks)
        and all(a < 0 or not own[a].marks.isdisjoint(its[b].marks) for a, b in ends)
    )


def _drawn(name: str, compared: Compared, own: list[Concept], its: list[Concept]) -> Graph:
    """A graph, with the state of each of its concepts."""

    def span(concept: Concept) -> Span:
        spelled = " / ".join(compared.words.spelled[word] for word in concept.words)
        matches = any(_similar(concept, other, own, its) for other in its)
        return Span(tokens=tuple(spelled.split()), state="matched" if matches else "missing")

    places = {place: number for number, place in enumerate(i for i, each in enumerate(own) if each.kind == 0)}
    nodes = [
        Node(name=span(own[place]), attributes=tuple(span(c) for c in own if c.kind == 1 and c.source == place))
        for place in places
    ]
    edges = [
        Edge(source=places[each.source], target=places[each.target], name=span(each)) for each in own if each.kind == 2
    ]
    return Graph(name=name, nodes=tuple(nodes), edges=tuple(edges))


def _table(scores: dict[str, float | int]) -> Table:
    rows = [
        Row(cells=(name, scores[name] if scores[f"{name}_segments"] else "none in the references"))
        for name in CATEGORIES
    ]
    return Table(name="categories", header=("tuples", "F1"), rows=tuple(rows), summary="scores of categories")
