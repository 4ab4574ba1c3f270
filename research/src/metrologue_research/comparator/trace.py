"""The trace of the comparator: its three probabilities for both orders of two texts, and what the model reaches."""

from __future__ import annotations

import numpy as np

from metrologue.learned.trace import trace_of
from metrologue.learned.training.networks import pair_features
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace, reference_names, short
from metrologue_research.comparator import Comparator


def build(scorer: Comparator, segment: Segments) -> Trace:
    """The trace of one segment."""
    model = scorer._trained
    [parts] = model.features.of_pairs(segment)
    u, v = (np.hstack([np.split(part, 4, axis=1)[side] for part in parts]) for side in (0, 1))
    there, back = model.layers(pair_features(v, u)), model.layers(pair_features(u, v))[:, ::-1]
    rows = [
        Row(cells=(f"{order} {name}", *map(float, shares[place, ::-1])))
        for place, name in enumerate(reference_names(len(u)))
        for order, shares in (("before", there), ("after", back))
    ]
    wins = [short(float(row[2] + row[1] / 2)) for row in (there[0], back[0])]
    both = f"({wins[0]} + {wins[1]})/2" if len(u) == 1 else f"the mean over {len(u)} references"
    orders = Table(
        name="both orders",
        header=("the text stands", "it is better", "tie", "it is worse"),
        rows=tuple(rows),
        caption="the score is the probability that it is better, plus half of that of a tie, over both orders",
        summary=f"{len(rows)} orders",
    )
    return trace_of(scorer, segment, [orders], f"comparator = {both}")
