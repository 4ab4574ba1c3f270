"""The trace of TER: the shifts, both texts in columns after the shifts, and the formula."""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.scorers.families.edits.trace import trace_edits
from metrologue.scorers.ter import Ter
from metrologue.segments import Segments
from metrologue.tracing import Trace

RULE = "ter = (S + D + I + shifts)/N, with N words of the reference, or the mean of several"


def build(scorer: Ter, segment: Segments) -> Trace:
    """The trace of one segment: the edits with each reference, divided by the words of the reference."""

    def terms(counts: Mapping[str, float], _: Mapping[str, int]) -> str:
        edits = [f"{counts[name]:.0f}" for name in ("substitutions", "deletions", "insertions", "shifts")]
        length = counts["reference_length"]
        share = f"({' + '.join(edits)})/{length:.6g}" if length else f"{counts['edits'] > 0:d}"
        return share if scorer.scale == 1 else f"{scorer.scale:g}·{share}"

    return trace_edits(scorer, segment, scorer.edits, scorer._cut_by, RULE, terms)
