"""The trace of COMET: of xCOMET the errors and the parts of its score; otherwise that of learned metrics."""

from __future__ import annotations

from collections.abc import Iterator

from metrologue.learned import trace as learned
from metrologue.scorers.comet import Comet
from metrologue.scorers.comet.network import ErrorSpan, Marked
from metrologue.segments import Segments
from metrologue.tracing import Block, Piece, Row, Section, Span, Table, Text, Texts, Trace, short, state_legend

_HEADER = ("severity", "start", "end", "text", "confidence")


def build(scorer: Comet, segment: Segments) -> Trace:
    """The trace of one segment."""
    marks = scorer._ratings(segment).details
    if marks is None:
        return learned.build(scorer, segment)
    text = segment.texts("predictions").to_pylist()[0]
    blocks: list[Block] = [state_legend({"missing": "an error, with its severity and how probable it is"})]
    for number, mark in enumerate(marks, start=1):
        own = tuple(_blocks(text, mark, number))
        blocks += (
            own if len(marks) == 1 else [Section(name=f"reference {number}", title=f"reference {number}", blocks=own)]
        )
    remark = "xCOMET: 0.12 src + 0.33 ref + 0.33 src+ref + 0.22 mqm; without references 0.78 src + 0.22 mqm"
    return learned.trace_of(scorer, segment, blocks, remarks=(remark,))


def _blocks(text: str, mark: Marked, number: int) -> Iterator[Block]:
    yield Texts(texts=(Text(name="prediction", sentences=(tuple(_pieces(text, mark.errors)),)),))
    after = "" if number == 1 else f" {number}"
    rows = tuple(Row(cells=tuple(each)) for each in mark.errors)
    if rows:
        yield Table(name=f"errors{after}", header=_HEADER, rows=rows, caption="characters from start to before end")
    parts = tuple(Row(cells=(name, value)) for name, value in mark.parts.items())
    yield Table(name=f"parts{after}", header=("part", "score"), rows=parts)


def _pieces(text: str, errors: tuple[ErrorSpan, ...]) -> Iterator[Piece]:
    """The words of a text; an error is one piece."""
    before = 0
    for each in errors:
        yield from text[before : each.start].split()
        if words := tuple(text[each.start : each.end].split()):
            yield Span(tokens=words, state="missing", note=f"{each.severity} {short(each.confidence)}")
        before = max(before, each.end)
    yield from text[before:].split()
