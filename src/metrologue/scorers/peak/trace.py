"""The trace of PEAK: the units of triples that are alike, which models have them, and what the summary expresses."""

from __future__ import annotations

from metrologue.scorers.peak import Peak
from metrologue.scorers.peak.reading import Triple
from metrologue.scorers.pyramid.trace import Scu, pyramid_trace
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace


def build(scorer: Peak, segment: Segments) -> Trace:
    """The trace of one summary."""
    triples, topics = scorer._facts(segment)
    [topic], [(summary, _)] = scorer._topics(segment), topics
    said = [_spelled(triples[triple]) if triple >= 0 else "" for triple in topic.expressed]
    scus = [
        Scu(_spelled(triples[group[0]]), sorted(models), own)
        for group, models, own in zip(topic.scus, topic.models, said, strict=True)
    ]
    others = [_spelled(triples[triple]) for triple in dict.fromkeys(summary) if triple not in topic.expressed]
    rows = tuple(
        Row(cells=(str(number), model + 1, *triples[triple]))
        for number, (group, models) in enumerate(zip(topic.scus, topic.models, strict=True), 1)
        for triple, model in zip(group, models, strict=True)
        if len(group) > 1
    )
    header = ("SCU", "model", "subject", "predicate", "object")
    table = Table(
        name="triples", header=header, rows=rows, caption="triples that are alike", summary=f"{len(rows)} triples"
    )
    return pyramid_trace(scorer, segment, scorer._pyramids(segment), scus, others, *([table] if rows else []))


def _spelled(triple: Triple) -> str:
    return " | ".join(triple)
