"""The trace of WER: that of an error rate, and what became of each phrase of the list that a text has."""

from __future__ import annotations

from dataclasses import replace

from metrologue.scorers.families.error_rates import trace as error_rates
from metrologue.scorers.wer import WordErrorRate
from metrologue.scorers.wer.focus import COUNTS
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace

__all__ = ["build", "report"]

report = error_rates.report

_HEADER = ("phrase", "classes", "both", "reference", "hypothesis", "S", "D", "I", "N")


def build(scorer: WordErrorRate, segment: Segments) -> Trace:
    """The trace of one segment: the edits with each reference, and the phrases that matter."""
    trace = error_rates.build(scorer, segment)
    if scorer.focus is None:
        return trace
    counts, result = scorer.counts_by_phrase(segment), scorer.corpus(segment)
    rows = [Row(cells=(phrase, ", ".join(classes), *map(int, found))) for phrase, classes, found in counts]
    table = Table(
        name="focus",
        header=_HEADER,
        rows=tuple(rows),
        summary=f"{len(rows)} phrases" if len(rows) != 1 else "1 phrase",
        caption="the phrases of the list, in both texts at one place, in the reference, in the hypothesis, and the "
        "edits and the number of their words",
    )
    h, r, p, s, d, i, n = (int(result.scores[name]) for name in COUNTS)
    rules = (
        f"focus_recall = both/reference = {_share(h, r)}, focus_precision = both/hypothesis = {_share(h, p)}",
        f"focus_error_rate = (missed + false)/reference = {_share(f'({r - h} + {p - h})', r)}, "
        f"b_wer = (S + D + I)/N = {_share(f'({s} + {d} + {i})', n)}",
    )
    values = {name: result.scores[name] for name in ("focus_recall", "focus_precision", "focus_f1", "b_wer", "u_wer")}
    return replace(
        trace, remarks=(*trace.remarks, *rules), blocks=(table, *trace.blocks), values={**trace.values, **values}
    )


def _share(part: object, whole: int) -> str:
    return f"{part}/{whole}" if whole else f"{part}/0, which has a value by definition"
