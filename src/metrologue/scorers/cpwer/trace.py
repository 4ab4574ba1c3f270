"""The trace of cpWER: who is compared with whom, and both texts of each pair in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrologue.data.columns import Column
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.cpwer import Cpwer
from metrologue.scorers.families.edits.trace import COUNTS, grid_of, legends
from metrologue.segments import Segments
from metrologue.tracing import Grid, Row, Table, Trace


def build(scorer: Cpwer, segment: Segments) -> Trace:
    """The trace of one session."""
    pairs = [*_pairs(scorer, segment)]
    result = scorer.corpus(segment)
    header = ("reference", "hypothesis", *COUNTS.values())
    rows = [Row(cells=(theirs, ours, *map(int, counts))) for theirs, ours, counts, _ in pairs]
    table = Table(
        name="assignment", header=header, rows=tuple(rows), summary=f"{len(rows)} pairs",
        caption="the speakers that are compared: the assignment with the fewest errors",
    )  # fmt: skip
    grids = [grid for *_, grid in pairs]
    totals = {name: sum(counts[i] for _, _, counts, _ in pairs) for i, name in enumerate(COUNTS.values())}
    hits, substitutions, deletions, insertions = map(int, totals.values())
    errors, length = f"({substitutions} + {deletions} + {insertions})", hits + substitutions + deletions
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}·"
    formula = f"cpwer = {scale}{f'{errors}/{length}' if length else insertions} = {result.value}"
    rule = "cpwer = (S + D + I)/N, or I where N is 0, with N = H + S + D words of the references of all speakers"
    return trace_of(scorer, result, formula, (table, *legends(grids), *grids), (rule, *scorer._hints(segment)))


def _pairs(scorer: Cpwer, segment: Segments) -> Iterator[tuple[str, str, Sequence[float], Grid]]:
    """Each pair: the names of both speakers, H, S, D and I, and both texts in columns."""
    sessions, found = scorer._sessions(segment), scorer._assigned(segment)
    ours, theirs = sessions.columns["predictions"].entries(0), sessions.columns["references"].entries(0)
    texts = [*ours, *theirs, ""]
    names = [
        *_names("hypothesis", len(ours), segment.columns.get("speakers")),
        *_names("reference", len(theirs), segment.columns.get("reference_speakers")),
        "nobody",
    ]
    numbers = zip(found.pairs.hypotheses.tolist(), found.pairs.references.tolist(), found.counts.tolist(), strict=True)
    for one, other, counts in numbers:
        both = (names[one], names[other])
        yield both[1], both[0], counts[:4], grid_of(both, scorer.edits(texts[one], texts[other]), scorer.tokenizer)


def _names(side: str, count: int, speakers: Column | None) -> list[str]:
    given = [*dict.fromkeys(speakers.entries(0))] if speakers else range(1, count + 1)
    return [f"{side} {name}" for name in given]
