"""The trace of DAE: the arcs over the text, each with its probability, and what the model is known to reach."""

from __future__ import annotations

from collections.abc import Iterator

from metrologue.learned.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import (
    Block,
    Edge,
    Graph,
    Node,
    Row,
    Section,
    Span,
    Table,
    Text,
    Texts,
    Trace,
    reference_names,
    short,
    state_legend,
)
from metrologue_research.dae import Compared, Dae

_HALF = 0.5
_MOST_TERMS = 6  # of the formula
_STATES = {"matched": "probability of 0.5 or more", "missing": "probability below 0.5"}


def build(scorer: Dae, segment: Segments) -> Trace:
    """The trace of one segment."""
    compared = scorer._arcs(segment)
    names = [name.replace("reference", "source") for name in reference_names(len(compared.its))]
    blocks: list[Block] = [state_legend(_STATES, "a word, of its least probable arc")]
    for pair, name in enumerate(names):
        own = tuple(_blocks(compared, pair, "" if len(names) == 1 else f", {name}"))
        blocks += own if len(names) == 1 else [Section(name=name, title=name, blocks=own, values={})]
    return trace_of(scorer, segment, blocks, f"DAE{_formula(scorer, compared)}")


def _formula(scorer: Dae, compared: Compared) -> str:
    """What the score of a single source is made of; nothing for several."""
    values = [short(value) for value in compared.probabilities.tolist()]
    if len(compared.its) != 1 or not values:
        return ""
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}·"
    told = values if len(values) <= _MOST_TERMS else [*values[: _MOST_TERMS - 1], "…", values[-1]]
    if scorer.pooling == "min":
        return f" = {scale}min({', '.join(told)})"
    return f" = {scale}({' + '.join(told)})/{len(values)}"


def _blocks(compared: Compared, pair: int, of: str) -> Iterator[Block]:
    """The text with its marks, its arcs as a graph, and as a table."""
    parses, text = compared.parses, int(compared.own[pair])
    first = int(parses.offsets[text])
    words, part = parses.texts("forms", text), slice(compared.offsets[pair], compared.offsets[pair + 1])
    arcs = slice(compared.arcs.offsets[text], compared.arcs.offsets[text + 1])
    children = (compared.arcs.children[arcs] - first).tolist()
    heads = (compared.arcs.heads[arcs] - first).tolist()
    values, found = compared.probabilities[part].tolist(), compared.found[part].tolist()
    relations = parses.texts("relations", text)
    least: dict[int, float] = {}
    for child, head, value in zip(children, heads, values, strict=True):
        for word in (child, head):
            least[word] = min(least.get(word, 1.0), value)
    spans = {word: Span(tokens=(words[word],), state=_state(value)) for word, value in sorted(least.items())}
    pieces = tuple(spans.get(place, word) for place, word in enumerate(words))
    yield Texts(texts=(Text(name=f"prediction{of}", sentences=(pieces,), size=f"{len(values)} arcs"),))
    places = {word: number for number, word in enumerate(spans)}
    edges = tuple(
        Edge(
            source=places[head],
            target=places[child],
            name=Span(tokens=(relations[child] or "arc", short(value)), state=_state(value)),
        )
        for child, head, value in zip(children, heads, values, strict=True)
    )
    yield Graph(name=f"arcs{of}", nodes=tuple(Node(name=span) for span in spans.values()), edges=edges)
    rows = [
        Row(cells=(words[child], relations[child], words[head], value, "yes" if same else "no"))
        for child, head, value, same in zip(children, heads, values, found, strict=True)
    ]
    yield Table(
        name=f"probabilities{of}",
        header=("word", "relation", "head", "probability", "the source has it"),
        rows=tuple(rows),
        caption="how probably each arc follows from the source; whether the source's parse has one of both lemmas",
        summary=f"{len(rows)} arcs",
    )


def _state(value: float) -> str:
    return "matched" if value >= _HALF else "missing"
