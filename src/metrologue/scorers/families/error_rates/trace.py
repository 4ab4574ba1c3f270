"""The trace of the error rates: both texts in columns, and the formula of the rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from metrologue.scorers.families.edits.trace import trace_edits, unit_name
from metrologue.scorers.families.error_rates import ErrorRate
from metrologue.segments import Segments
from metrologue.text.normalizers import NORMALIZERS
from metrologue.tracing import Trace


def build(scorer: ErrorRate, segment: Segments) -> Trace:
    """The trace of one segment: the edits with each reference, and the rate."""
    reference = f"N = H + S + D {unit_name(scorer.tokenizer)}s of the reference"
    both = f"{reference} and M = H + S + I of the hypothesis"
    rule = {
        "mer": "mer = (S + D + I)/(H + S + D + I)",
        "wip": f"wip = (H/N)·(H/M), with {both}",
        "wil": f"wil = 1 - (H/N)·(H/M), with {both}",
    }.get(scorer.name, f"{scorer.name} = (S + D + I)/N, or I where N is 0, with {reference}")

    def terms(counts: Mapping[str, float], _: Mapping[str, int]) -> str:
        h, s, d, i, m, n = map(int, [*counts.values()][:6])
        kept = f"({h}/{n})·({h}/{m})" if n and m else f"{n == m:d}"
        rate = {
            "mer": f"({s} + {d} + {i})/({h} + {s} + {d} + {i})" if n or m else "0",
            "wip": kept,
            "wil": f"(1 - {kept})",
        }.get(scorer.name, f"({s} + {d} + {i})/{n}" if n else f"{i}")
        return rate if scorer.scale == 1 else f"{scorer.scale:g}·{rate}"

    trace = trace_edits(scorer, segment, scorer.edits, scorer.tokenizer, rule, terms)
    return replace(trace, remarks=(*trace.remarks, *_normalized(scorer, segment)))


def _normalized(scorer: ErrorRate, segment: Segments) -> Iterator[str]:
    """What the normalizer has changed, text by text."""
    prediction, references = segment.pair(0)
    if scorer.normalizer is None:
        return
    texts = [prediction, *references]
    for text, changed in zip(texts, NORMALIZERS[scorer.normalizer].make()(texts), strict=True):
        if changed != text:
            yield f"{scorer.normalizer}: {text!r} is {changed!r}"
