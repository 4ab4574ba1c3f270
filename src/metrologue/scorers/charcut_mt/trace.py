"""The trace of CharCut: both texts in parts that match, have moved or differ, a table of the parts, and the formula."""

from __future__ import annotations

from metrologue.scorers.charcut_mt import CharcutMt, line_pairs
from metrologue.scorers.charcut_mt.kernels import MATCHED, MOVED
from metrologue.scorers.core.trace import factor, trace_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Key, Legend, Row, Section, Span, Table, Text, Texts, Trace, reference_names

RULE = "the longest part of both texts is taken first, then the longest of what is left"
_STATES = {MATCHED: "matched", MOVED: "shifted"}
_KEYS = (
    Key(mark="matched", meaning="part that both texts have in the same order", state="matched"),
    Key(mark="moved", meaning="part that has moved", state="shifted"),
    Key(mark="differs", meaning="characters of this text only", state="missing"),
)


def build(scorer: CharcutMt, segment: Segments) -> Trace:
    """The trace of one segment: the parts of both texts, for each reference."""
    prediction, references = segment.pair(0)
    result = scorer.corpus(segment)
    names, sections, formulas = reference_names(len(references)), [], []
    for name, reference in zip(names, references, strict=True):
        pair = Segments([prediction], [reference])
        counts = scorer.corpus(pair).scores
        lengths = int(counts["hypothesis_length"]), int(counts["reference_length"])
        divisor = f"{lengths[0]} + {lengths[1]}" if scorer.normalization == "both" else f"2·{lengths[0]}"
        formulas.append(f"{factor(scorer.scale)}{counts['cost']:g}/({divisor})" if counts["cost"] else "0")
        sections.append(
            Section(
                name=name, title=f"{name}: CharCut = {formulas[-1]} = {counts[scorer.primary]:.6g}",
                blocks=tuple(
                    block for hypothesis, right in line_pairs(prediction, reference)
                    for block in _parts(scorer, Segments([hypothesis], [right]), name)
                ),
                values=counts,
            )
        )  # fmt: skip
    best = min(range(len(sections)), key=lambda index: sections[index].values[scorer.primary])
    formula = f"charcut_mt = {formulas[best]} = {result.value}"
    return trace_of(scorer, result, formula, (Legend(keys=_KEYS), *sections), (RULE,))


def _parts(scorer: CharcutMt, pair: Segments, name: str) -> tuple[Block, ...]:
    """Both texts cut at their parts, and a table of the parts."""
    view = scorer._view(pair)
    texts = ["".join(view.tokens_of(index)) for index in range(2)]
    parts = scorer._parts(pair)[1].tolist()
    shown = []
    for side, (called, text) in enumerate(zip(("hypothesis", name), texts, strict=True)):
        pieces, done = [], 0
        places = sorted((part[side], part[2], part[3]) for part in parts if part[3] in _STATES)
        for start, length, kind in [*places, (len(text), 0, MATCHED)]:
            if start > done:
                pieces.append(Span(tokens=(text[done:start],), state="missing"))
            if length:
                pieces.append(Span(tokens=(text[start : start + length],), state=_STATES[kind]))
            done = start + length
        shown.append(Text(name=called, sentences=(tuple(pieces),), size=f"{len(text)} characters"))
    said = {MATCHED: "matches", MOVED: "has moved"}
    rows = tuple(
        Row(cells=(Span(tokens=(texts[0][i : i + length],)), length, i, j, said.get(kind, "has moved too far")))
        for i, j, length, kind in parts
    )
    table = Table(
        name=f"parts of {name}", header=("part", "characters", "place", "in the reference", ""), rows=rows,
        summary=f"{len(rows)} parts",
    )  # fmt: skip
    return (Texts(texts=tuple(shown)), *((table,) if rows else ()))
