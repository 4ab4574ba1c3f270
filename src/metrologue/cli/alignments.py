"""The alignment of a whole file, as jiwer's ``visualize_alignment`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metrologue.cli.tables import width_of

if TYPE_CHECKING:
    from metrologue.scorers.families.edits import Edits
    from metrologue.scorers.families.error_rates import ErrorRate
    from metrologue.segments import Segments

__all__ = ["alignment_lines"]

_START = 5  # the width of "REF: "


def alignment_lines(scorer: ErrorRate, segments: Segments, width: int = 0) -> Iterator[str]:
    """The edits of every segment that has any, and then the counts and the rates of all.

    Parameters
    ----------
    segments : Segments
        If a segment has several references, the edits are those to its best one; ties: the first.
    width : int
        Lines are broken before a unit that would go beyond it; 0: they are not broken.
    """
    gap = "" if scorer.tokenizer.startswith(("char", "graphemes")) else " "
    for index in range(len(segments)):
        prediction, references = segments.pair(index)
        edits = scorer.edits(prediction, _best(scorer, prediction, references))
        if any(step.kind != "H" for step in edits.operations):
            yield f"=== SENTENCE {index + 1} ===\n"
            yield from _rows(edits, gap, width)
            yield ""
    scores = scorer.corpus(segments).scores
    yield "=== SUMMARY ==="
    yield f"number of sentences: {len(segments)}"
    yield " ".join(f"{name}={scores[name]:.0f}" for name in ("substitutions", "deletions", "insertions", "hits"))
    yield ""
    rates = ("mer", "wil", "wip", "wer") if "wer" in scores else ("cer",)
    yield from (f"{name}={100 * scores[name] / scorer.scale:.2f}%" for name in rates)


def _best(scorer: ErrorRate, prediction: str, references: Sequence[str]) -> str:
    if len(references) == 1:
        return references[0]
    values = scorer.segments([prediction] * len(references), [*references])
    return references[int(values.argmax() if scorer.higher_is_better[scorer.primary] else values.argmin())]


def _rows(edits: Edits, gap: str, width: int) -> Iterator[str]:
    """Three lines: the reference, the hypothesis, and the letter of each edit. Further three if they are broken."""
    rows = ["REF: ", "HYP: ", " " * _START]
    for kind, i, j in edits.operations:
        in_reference = "" if kind == "I" else edits.reference[j]
        in_hypothesis = "" if kind == "D" else edits.hypothesis[i]
        size = max(width_of(in_reference), width_of(in_hypothesis), 1)
        if width and width_of(rows[0]) > _START and width_of(rows[0]) + size > width:
            yield from (row.removesuffix(gap) for row in rows)
            yield ""
            rows = ["REF: ", "HYP: ", " " * _START]
        for row, unit in enumerate(
            (in_reference or "*" * size, in_hypothesis or "*" * size, "" if kind == "H" else kind)
        ):
            rows[row] += " " * (size - width_of(unit)) + unit + gap
    yield from (row.removesuffix(gap) for row in rows)
