"""The trace of HUSE: how the neighbours of each text vote, and how many votes are wrong."""

from __future__ import annotations

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.huse import Huse, Neighbors, Points, points_of
from metrologue.segments import Segments
from metrologue.tracing import Notes, Row, Table, Trace, short

_BY = ("both features", "judgements", "probabilities")


def build(scorer: Huse, segments: Segments) -> Trace:
    """The trace of all texts."""
    result = scorer.corpus(segments)
    points = points_of(segments, type(scorer).__name__)
    fitted = scorer if scorer.points is not None else scorer.fit(segments)
    neighbors = fitted._neighbors(segments)
    wrong, count = neighbors.wrong.sum(axis=0).tolist(), len(points.by_model)
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g} · "
    count_of = scorer.neighbors + (scorer.radius == "next")
    told = (
        f"HUSE-Q = {scale}2 · {wrong[1]} / {count} = {short(result.scores['huse_q'])}",
        f"HUSE-D = {scale}(1 + 2 · {wrong[0]} / {count} - 2 · {wrong[1]} / {count}) = {short(result.scores['huse_d'])}",
    )
    rule = f"each text is given to the class of most of its {count_of} nearest neighbours, and of all that are as far"
    formula = f"HUSE = {scale}2 · {wrong[0]} / {count} = {result.value}"
    blocks = (Notes(lines=told), _classified(neighbors), _texts(points, neighbors, segments.first))
    return trace_of(scorer, result, formula, blocks, (rule, *scorer._hints(segments)))


def _classified(neighbors: Neighbors) -> Table:
    """How many texts of each author are told right."""
    rows = []
    for at, name in enumerate(_BY):
        right = ~neighbors.wrong[:, at]
        cells = (int((right & neighbors.by_model).sum()), int((right & ~neighbors.by_model).sum()))
        rows.append(Row(cells=(name, *cells, f"{right.mean():.1%}")))
    header = ("by", "model's texts told", "people's texts told", "accuracy")
    return Table(name="classified", header=header, rows=tuple(rows), caption="texts whose author is told right")


def _texts(points: Points, neighbors: Neighbors, first: int) -> Table:
    """The features of each text, and the votes of its neighbours."""
    rows = []
    for at, (judgement, log_probability) in enumerate(points.features.tolist()):
        votes = [f"{neighbors.for_model[at, by]} to {neighbors.for_people[at, by]}" for by in (0, 1)]
        cells = (str(first + at), "model" if points.by_model[at] else "human", judgement, log_probability, *votes)
        rows.append(Row(cells=cells, state="missing" if neighbors.wrong[at, 0] else "matched"))
    return Table(
        name="texts", header=("text", "by", "judgement", "log p per token", "model to people, both", "by judgements"),
        rows=tuple(rows), summary=f"{len(rows)} texts and the votes of their neighbours",
        meanings=(("matched", "both features tell the author"), ("missing", "they do not")),
    )  # fmt: skip
