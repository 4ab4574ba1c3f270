"""The trace of metrics of dialogues: the score after each turn, and all numbers of the whole conversation."""

from __future__ import annotations

from typing import Any

from metrologue.segments import Segments
from metrologue.tracing import Curve, Row, Table, Trace

__all__ = ["build"]


def build(scorer: Any, segment: Segments) -> Trace:
    """The trace of one conversation. The score after a turn is that of the conversation up to this turn."""
    result = scorer.corpus(segment)
    [turns] = scorer._conversations(segment)
    shown = scorer._of_turns or (scorer.primary,)
    found = scorer.segment_scores(scorer._along(segment))
    scores = {name: found[name].tolist() for name in shown}
    rows = [Row(cells=(text, place + 1, *(own[place] for own in scores.values()))) for place, text in enumerate(turns)]
    numbers = {name: value for name, value in result.scores.items() if name != "segments"}
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=result.signature,
        formula=f"{scorer.primary} = {result.value}",
        remarks=tuple(scorer._hints(segment)),
        blocks=(
            *(
                Curve(
                    name=f"{name} after each turn", axis="turn",
                    places=tuple(float(place) for place in range(1, len(turns) + 1)), values=tuple(own),
                )
                for name, own in scores.items()
            ),
            Table(
                name="turns",
                header=("turn", "place", *shown),
                rows=tuple(rows),
                caption="the score of the conversation up to each turn",
                summary=f"{len(rows)} turns",
            ),
            Table(
                name="numbers",
                header=("number", "value"),
                rows=tuple(Row(cells=(name, value)) for name, value in numbers.items()),
                caption="the numbers of the whole conversation",
                summary=f"{len(numbers)} numbers",
            ),
        ),
        values=result.scores,
    )  # fmt: skip
