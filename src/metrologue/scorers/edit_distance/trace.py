"""The trace of the edit distance: both texts in columns, and what their edits cost."""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.scorers.core.described import meaning_of
from metrologue.scorers.edit_distance import EditDistance
from metrologue.scorers.families.edits.trace import trace_edits
from metrologue.segments import Segments
from metrologue.tracing import Trace


def build(scorer: EditDistance, segment: Segments) -> Trace:
    """The trace of one segment: the edits with each reference, and what they cost."""
    costs = {"S": scorer.substitution_cost, "D": scorer.deletion_cost, "I": scorer.insertion_cost}
    if scorer.transpositions != "none":
        costs["T"] = 1.0
    divisor = meaning_of(EditDistance, "normalization", scorer.normalization)
    divided = "" if scorer.normalization == "none" else f", divided by {divisor}"
    rule = f"distance = {' + '.join(_times(cost, letter) for letter, cost in costs.items())}{divided}"

    def terms(counts: Mapping[str, float], letters: Mapping[str, int]) -> str:
        drawn = {letter: letters[letter] for letter in costs if letters.get(letter)}
        distance = " + ".join(_times(costs[letter], str(number)) for letter, number in drawn.items())
        if scorer.normalization == "none":
            return distance or "0"
        share = f"({distance})/{counts['divisor']:g}" if distance else "0"
        return share if scorer.scale == 1 else f"{scorer.scale:g}·{share}"

    return trace_edits(scorer, segment, scorer.edits, scorer.tokenizer, rule, terms)


def _times(cost: float, number: str) -> str:
    return number if cost == 1 else f"{cost:g}·{number}"
