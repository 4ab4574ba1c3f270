"""The trace of MoverScore: how much weight moves from which token to which, and what it costs."""

from __future__ import annotations

import numpy as np

from metrologue.scorers.families.token_vectors import unit_vectors
from metrologue.scorers.moverscore import MoverScore
from metrologue.scorers.wmd.trace import costs_between, counts_of, entry_rows, moves
from metrologue.segments import Segments
from metrologue.tracing import Section, Trace, reference_names, short

__all__ = ["build"]


def build(scorer: MoverScore, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    fitted = scorer if scorer._is_fitted else scorer.fit(segment)
    own, its, found, bags = fitted._weighted(segment)
    spelled = np.array(fitted._spelled(segment), dtype=object)
    result = fitted.corpus(segment)
    names = reference_names(len(segment.pair(0)[1]))
    scores = fitted._pairs(segment)[:, 0].tolist()
    units = unit_vectors(found.vectors[0].astype(np.float64))
    sections = []
    for name, score, mine, theirs in zip(names, scores, own.tolist(), its.tolist(), strict=True):
        entries = [spelled[entry_rows(bags, text)].tolist() for text in (mine, theirs)]
        costs = costs_between(units, bags, mine, theirs)
        blocks = moves(name, entries, costs, *counts_of(bags, mine, theirs), noun="tokens")
        sections.append(Section(name=name, title=f"moves to {name}: {short(score)}", blocks=blocks))
    left = spelled[~fitted._kept(segment)].tolist()
    remarks = [f"left out: {', '.join(dict.fromkeys(left))}"] * bool(left)
    rules = {"best": "the best one counts", "mean": "the mean of their scores"}
    remarks += [f"{len(names)} references: {rules[fitted.multi_reference]}"] * (len(names) > 1)
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=scorer.signature,
        formula=f"MoverScore = 1 - sum of weight * distance = {result.value}",
        remarks=(*remarks, *scorer._hints(segment)),
        blocks=tuple(sections),
        values=result.scores,
    )
