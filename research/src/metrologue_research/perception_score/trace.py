"""The trace of Perception Score: what each word adds, and how sure the network is."""

from __future__ import annotations

from metrologue.learned.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace, short
from metrologue_research.perception_score import PerceptionScore
from metrologue_research.perception_score.network import Perception

_MOST = 60  # words that are left out, one after another


def build(scorer: PerceptionScore, segment: Segments) -> Trace:
    """The trace of one segment."""
    model = scorer._trained
    [text] = segment.texts().to_pylist()
    words = text.split()
    without = [" ".join([*words[:place], *words[place + 1 :]]) for place in range(len(words[:_MOST]))]
    scores, spreads = model.network_as(Perception)(model.features.of_texts([text, *without]))
    rows = [
        Row(cells=(word, float(score), float(spread), float(scores[0] - score)))
        for word, score, spread in zip(words, scores[1:], spreads[1:], strict=False)
    ]
    table = Table(
        name="words",
        header=("word", "score without it", "spread without it", "adds"),
        rows=tuple(rows),
        caption=(
            f"the network gives {short(float(scores[0]))}, and {short(float(spreads[0]))} is how far it is off when "
            "parts are left out; a word adds what the score loses without it"
        ),
        summary=f"{len(rows)} words",
    )
    return trace_of(scorer, segment, [table])
