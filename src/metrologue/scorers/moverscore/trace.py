"""The trace of MoverScore: how much weight moves from which token to which, and what it costs."""

from __future__ import annotations

import numpy as np

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.moves import entries_of, move_sections
from metrologue.scorers.families.token_vectors import unit_vectors
from metrologue.scorers.moverscore import MoverScore
from metrologue.segments import Segments
from metrologue.tracing import Trace, short


def build(scorer: MoverScore, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    fitted = scorer if scorer._is_fitted else scorer.fit(segment)
    *pairs, vectors, bags = fitted._weighted(segment)
    tokens = np.array(fitted._spelled(segment), dtype=object)

    def spelled(text: int) -> list[str]:
        return list(tokens[entries_of(bags, text)])

    notes = [f": {short(score)}" for score in fitted._pairs(segment)[:, 0].tolist()]
    units = unit_vectors(vectors.vectors[0].astype(np.float64))
    sections = move_sections(units, bags, (pairs[0], pairs[1]), spelled, "tokens", notes)
    left = tokens[~fitted._kept(segment)].tolist()
    remarks = [f"left out: {', '.join(dict.fromkeys(left))}"] * bool(left)
    rules = {"best": "the best one counts", "mean": "the mean of their scores"}
    remarks += [f"{len(sections)} references: {rules[fitted.multi_reference]}"] * (len(sections) > 1)
    result = fitted.corpus(segment)
    formula = f"MoverScore = 1 - sum of weight * distance = {result.value}"
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))
