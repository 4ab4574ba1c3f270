"""The trace of the error rates: both texts in columns, and the formula of the rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.edits.trace import trace_edits, unit_name
from metrologue.scorers.families.error_rates import ErrorRate
from metrologue.scorers.families.error_rates.edited import Edited, edited_units
from metrologue.segments import Segments
from metrologue.text.normalizers import normalizer_of
from metrologue.tracing import Row, Table, Trace

_MOST = 20  # of each kind are shown


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
    for text, changed in zip(texts, normalizer_of(scorer.normalizer)(texts), strict=True):
        if changed != text:
            yield f"{scorer.normalizer}: {text!r} is {changed!r}"


def report(scorer: ErrorRate, segments: Segments, groups: Mapping[str, Sequence[str]]) -> Trace:
    """The most frequent confusions, insertions and deletions of all segments, and the rates of each group of them."""
    result, found = scorer.corpus(segments), edited_units(scorer, segments)
    counts = {name: int(found.rows[:, column].sum()) for column, name in enumerate(scorer.columns[:6])}
    shown = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items())
    wrong = int((found.rows[:, 1:4].sum(axis=1) > 0).sum())
    remarks = (shown, f"segments {len(segments):,}, with an edit {wrong:,}")
    blocks = [*_of_groups(scorer, found, groups), *_of_units(found)]
    formula = f"{scorer.primary} = {result.value}"
    return trace_of(scorer, result, formula, blocks, remarks)


def _of_units(found: Edited) -> Iterator[Table]:
    """A table of each kind of edit, the most frequent first."""
    kinds = (
        ("confusions", ("count", "reference", "hypothesis"), found.confusions),
        ("insertions", ("count", "hypothesis"), found.insertions),
        ("deletions", ("count", "reference"), found.deletions),
    )
    for name, header, counted in kinds:
        total = sum(count for count, *_ in counted)
        most = f", the {_MOST} most frequent" if len(counted) > _MOST else ""
        yield Table(
            name=name, header=header, rows=tuple(Row(cells=each) for each in counted[:_MOST]),
            caption=f"{name}: {total:,} in all, {len(counted):,} different{most}",
        )  # fmt: skip


def _of_groups(scorer: ErrorRate, found: Edited, groups: Mapping[str, Sequence[str]]) -> Iterator[Table]:
    """A table of the rates of each speaker, or of each file, if there are two or more."""
    header = ("segments", *scorer.columns[:4], "reference_length", scorer.primary, "segments with an edit")
    for name, column in groups.items():
        members: dict[str, list[int]] = {}
        for row, each in enumerate(column):
            members.setdefault(each, []).append(row)
        if len(members) < 2:
            continue
        rows = []
        for each, places in members.items():
            own = found.rows[places]
            sums = own.sum(axis=0)
            rate = float(scorer.score(scorer.aggregate(found.statistics[places]))[scorer.primary])
            wrong = int((own[:, 1:4].sum(axis=1) > 0).sum())
            rows.append(Row(cells=(each, len(places), *map(int, sums[:4]), int(sums[5]), rate, wrong)))
        yield Table(
            name=name, header=(name, *header), rows=tuple(rows), caption=f"each {name}", summary=f"{len(rows)} {name}s"
        )
