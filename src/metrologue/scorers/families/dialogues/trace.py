"""The trace of metrics of dialogues: the score after each turn, and all numbers of the whole conversation."""

from __future__ import annotations

from typing import Any

from metrologue.scorers.core.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Curve, Row, Table, Trace


def build(scorer: Any, segment: Segments) -> Trace:
    """The trace of one conversation. The score after a turn is that of the conversation up to this turn."""
    result = scorer.corpus(segment)
    [turns] = scorer._conversations(segment)
    shown = scorer._of_turns or (scorer.primary,)
    found = scorer.segment_scores(scorer._along(segment))
    scores = {name: found[name].tolist() for name in shown}
    rows = [Row(cells=(text, place + 1, *(own[place] for own in scores.values()))) for place, text in enumerate(turns)]
    numbers = {name: value for name, value in result.scores.items() if name != "segments"}
    places = tuple(float(place) for place in range(1, len(turns) + 1))
    curves = (
        Curve(name=f"{name} after each turn", axis="turn", places=places, values=tuple(values))
        for name, values in scores.items()
    )
    along = Table(
        name="turns", header=("turn", "place", *shown), rows=tuple(rows),
        caption="the score of the conversation up to each turn", summary=f"{len(rows)} turns",
    )  # fmt: skip
    whole = Table(
        name="numbers", header=("number", "value"), rows=tuple(Row(cells=cells) for cells in numbers.items()),
        caption="the numbers of the whole conversation", summary=f"{len(numbers)} numbers",
    )  # fmt: skip
    formula = f"{scorer.primary} = {result.value}"
    return trace_of(scorer, result, formula, (*curves, along, whole), scorer._hints(segment))
