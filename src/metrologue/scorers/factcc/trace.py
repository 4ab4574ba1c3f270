"""The trace of FactCC: the probability of each claim, where its error may be, and what in the source supports it."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.trace import trace_of
from metrologue.scorers.factcc import FactCC
from metrologue.scorers.factcc.network import TokenRows
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Section, Span, Table, Text, Texts, Trace, short, state_legend


def within(ends: Floats) -> Floats:
    """How probably each token is in the span, (n,): it has begun, and has not ended.

    Examples
    --------
    >>> within(np.array([[0.5, 0.0], [0.5, 1.0], [0.0, 0.0]]))
    array([0.5, 1. , 0. ])
    """
    begun = np.cumsum(ends[:, 0])
    not_ended = np.cumsum(ends[::-1, 1])[::-1]
    shares: Floats = np.clip(begun * not_ended, 0.0, 1.0)
    return shares


def best_span(ends: Floats) -> tuple[int, int]:
    """The first and the last token of the most probable span.

    Examples
    --------
    >>> best_span(np.array([[0.1, 0.7], [0.8, 0.1], [0.1, 0.2]]))
    (1, 2)
    """
    products = np.triu(ends[:, :1] * ends[:, 1][None])
    first, last = np.unravel_index(int(products.argmax()), products.shape)
    return int(first), int(last)


def build(scorer: FactCC, segment: Segments) -> Trace:
    """The trace of one segment, with the source that counts, or the first one."""
    asked, (judged, _) = scorer._asked(segment), scorer._judged(segment)
    rows = scorer._pairs(segment)
    pairs = asked[int(scorer._quality(rows).argmax())]
    rights = [judged[pair] for pair in pairs]
    tokens = scorer._tokens(segment) if scorer._marks_errors else None
    listed = " + ".join(map(short, rights))
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}\u00b7"
    mean = f" = {scale}({listed})/{len(rights)}" if rights and len(rows) == 1 else ""
    if tokens is None:
        claims = [Row(cells=(claim, right)) for (claim, _), right in zip(pairs, rights, strict=True)]
        header = ("claim", "probability")
        return trace_of(scorer, segment, [Table(name="claims", header=header, rows=tuple(claims))], f"factcc{mean}")
    sections = [_section(scorer, tokens, number, *pair) for number, pair in enumerate(pairs, start=1)]
    legend = state_legend({"missing": "where the error is, if there is one", "matched": "what supports the claim"})
    return trace_of(scorer, segment, [legend, *sections], f"factcc{mean}")


def _section(scorer: FactCC, tokens: TokenRows, number: int, claim: str, source: str) -> Section:
    """A claim and its source, with both spans and the probability of each token of the claim."""
    checked = scorer._checked(tokens, claim, source)
    blocks: list[Block] = []
    if len(checked.claim) and len(checked.source):
        parts = (("claim", claim, checked.claim, "missing"), ("source", source, checked.source, "matched"))
        blocks.append(Texts(texts=tuple(_marked(tokens, *part) for part in parts)))
        names = [claim[start:stop] for start, stop in tokens.spans[claim]]
        share = within(checked.claim)
        rows = [Row(cells=(name, float(own))) for name, own in zip(names, share, strict=True)]
        blocks.append(
            Table(
                name=f"tokens of claim {number}",
                header=("token", "in the error"),
                rows=tuple(rows),
                summary=f"{len(rows)} tokens",
                caption="how probably each token is in the error, if there is one",
            )
        )
    title = f"claim {number}: probability {short(checked.right)}"
    return Section(name=f"claim {number}", title=title, blocks=tuple(blocks), values={"factcc": checked.right})


def _marked(tokens: TokenRows, name: str, text: str, ends: Floats, state: str) -> Text:
    """A text with its most probable span, and how probable that is."""
    first, last = best_span(ends)
    start, stop = int(tokens.spans[text][first, 0]), int(tokens.spans[text][last, 1])
    share = float(ends[first, 0] * ends[last, 1])
    marked = Span(tokens=tuple(text[start:stop].split()), state=state, note=short(share))
    return Text(name=name, sentences=((*text[:start].split(), marked, *text[stop:].split()),))
