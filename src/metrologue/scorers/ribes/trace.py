"""The trace of RIBES: the words that stand for each other, the list of ranks, and the formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.ribes import Ranks, Ribes
from metrologue.segments import Segments
from metrologue.tracing import (
    Alignment,
    Block,
    Link,
    Notes,
    Row,
    Section,
    Table,
    Trace,
    aligned_words,
    reference_names,
    short,
)

Scores = Mapping[str, float]

# What the last column of the table counts for each word.
_SHARES = {
    "kendall": "pairs with words before it",
    "kendall-runs": "pairs with words before it in its run",
    "spearman": "squared difference",
}


def build(scorer: Ribes, segment: Segments) -> Trace:
    """The trace of one segment: for each reference the words that stand for each other, their ranks, and formulas."""
    result = scorer.corpus(segment)
    prediction, references = segment.pair(0)
    counting = replace(scorer, aggregation="corpus")
    scores = [counting.corpus([prediction], [text]).scores for text in references]
    best = max(range(len(scores)), key=lambda index: (scores[index]["reference_length"] > 0, scores[index]["ribes"]))
    sections = []
    for index, (name, text) in enumerate(zip(reference_names(len(references)), references, strict=True)):
        counts = ", which counts" if len(references) > 1 and index == best else ""
        sections.append(_section(scorer, name, counts, scorer.ranks(prediction, text), scores[index]))
    formula = f"RIBES = {_terms(scorer, scores[best])} = {result.value}"
    remarks = ("a word is identified by the shortest n-gram that begins or ends with it, and is unique in both texts",)
    return trace_of(scorer, result, formula, sections, remarks)


def _section(scorer: Ribes, name: str, counts: str, ranks: Ranks, scores: Scores) -> Section:
    """The hypothesis and one reference."""
    picture = _picture(name, ranks)
    blocks: list[Block] = [picture, Notes(lines=_formulas(scorer, scores)), _table(scorer, name, ranks)]
    if not picture.links:
        blocks[1] = Notes(lines=("no word has a place in the reference",))
    title = f"{name}{counts}: RIBES = {scores['ribes']:.6g}"
    return Section(name=name, title=title, blocks=tuple(blocks), values=scores)


def _picture(name: str, ranks: Ranks) -> Alignment:
    links = tuple(
        Link(name="context" if abs(context) > 1 else "word", shape="circle", starts=(i, rank), lengths=(1, 1))
        for i, (rank, context) in enumerate(zip(ranks.ranks.tolist(), ranks.contexts.tolist(), strict=True))
        if rank >= 0
    )
    return aligned_words(("hypothesis", name), (ranks.hypothesis, ranks.reference), links)


def _table(scorer: Ribes, name: str, ranks: Ranks) -> Table:
    """Each word that has a place, the n-gram that told it, and what the word adds to the correlation."""
    listed = ranks.ranks[ranks.ranks >= 0].tolist()
    rows: list[Row] = []
    for i, (word, rank, context) in enumerate(
        zip(ranks.hypothesis, ranks.ranks.tolist(), ranks.contexts.tolist(), strict=True)
    ):
        if rank < 0:
            rows.append(Row(cells=(word, "", "", "")))
            continue
        first = i + min(0, context + 1)
        ngram = " ".join(ranks.hypothesis[first : first + abs(context)])
        index = sum(bool(row.cells[1]) for row in rows)
        rows.append(Row(cells=(word, ngram, rank, _share(scorer.correlation, listed, index))))
    header = ("word", "context", "place", _SHARES[scorer.correlation])
    return Table(name=f"Ranks with {name}", header=header, rows=tuple(rows), summary="the list of ranks")


def _share(correlation: str, ranks: Sequence[int], i: int) -> float:
    """What one rank of the list adds to the correlation's sum."""
    before = ranks[:i]
    if correlation == "kendall":
        return sum(rank < ranks[i] for rank in before)
    if correlation == "kendall-runs":
        return next((run for run in range(i) if ranks[i - run - 1] != ranks[i] - run - 1), i)
    place = sum(rank < ranks[i] for rank in ranks) + (ranks.count(ranks[i]) - 1) / 2
    return (place - i) ** 2


def _formulas(scorer: Ribes, scores: Scores) -> tuple[str, ...]:
    """The formulas with a reference."""
    agreement, full, matches, length, reference_length = (
        f"{scores[name]:g}"
        for name in ("agreement", "full_agreement", "match_count", "hypothesis_length", "reference_length")
    )
    sums = {
        "kendall": f"ascending pairs of all pairs = {agreement}/{full}",
        "kendall-runs": f"pairs in runs of all pairs = {agreement}/{full}",
        "spearman": f"(1 + rho)/2 = {agreement}/{full}",
    }
    single = scores["match_count"] == 1 and scores["full_agreement"] > 0
    rule = "a single word, which matches = 1" if single else sums[scorer.correlation]
    return (
        f"rank correlation = {rule} = {short(scores['rank_correlation'])}",
        f"precision = {matches}/{length} = {short(scores['precision'])}",
        f"brevity penalty = min(1, exp(1 - {reference_length}/{length})) = {short(scores['brevity_penalty'])}",
        f"RIBES = {_terms(scorer, scores)} = {scores['ribes']:.6g}",
    )


def _terms(scorer: Ribes, scores: Scores) -> str:
    scale = factor(scorer.scale)
    correlation, precision, penalty = (
        short(scores[name]) for name in ("rank_correlation", "precision", "brevity_penalty")
    )
    return f"{scale}{correlation} · {precision}^{scorer.alpha:g} · {penalty}^{scorer.beta:g}"
