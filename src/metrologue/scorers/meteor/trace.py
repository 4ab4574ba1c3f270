"""The trace of METEOR: the alignment as a picture, the matches of each stage, the chunks, and the formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.meteor import Alignment, Meteor
from metrologue.segments import Segments
from metrologue.tracing import (
    FUNCTION_WORD,
    SHAPES,
    Block,
    Key,
    Legend,
    Link,
    Listing,
    Notes,
    Row,
    Section,
    Span,
    Table,
    Trace,
    Word,
    reference_names,
)
from metrologue.tracing import Alignment as Picture

SIDES = ("hypothesis", "reference")
STAGE_SHAPES = {"exact": "circle", "stem": "triangle", "synonym": "diamond", "paraphrase": "square"}

Scores = Mapping[str, float]


def build(scorer: Meteor, segment: Segments) -> Trace:
    """The trace of one segment: for each reference the alignment, formulas, chunks, and matches of each stage."""
    result = scorer.corpus(segment)
    # The texts after the line protocol: each part of a reference is a reference.
    read, texts = scorer._compared(segment).pair(0)
    scores = [scorer.corpus(Segments([read], [[text]])).scores for text in texts]
    best = max(range(len(texts)), key=lambda index: scores[index]["meteor"])
    pairs = zip(reference_names(len(texts)), scorer.alignments(*segment.pair(0)), scores, strict=True)
    sections = []
    for index, (name, alignment, numbers) in enumerate(pairs):
        counts = ", which counts" if len(texts) > 1 and index == best else ""
        sections.append(_section(scorer, name, counts, alignment, numbers))
    formula = f"METEOR = {_meteor_terms(scorer, scores[best])} = {result.value}"
    blocks = (_legend(scorer), *sections)
    return trace_of(scorer, result, formula, blocks, _rules(scorer))


def _apart(scorer: Meteor) -> bool:
    """Whether function words count differently from content words."""
    return scorer.function_words is not None


def _rules(scorer: Meteor) -> list[str]:
    """The rules behind the formulas."""
    counts = "the weight of its stage"
    if _apart(scorer):
        delta = f"{scorer.delta:g}"
        counts += f", {delta} times as a content word and {1 - scorer.delta:g} times as a function word"
    return [
        f"F = 1/((1 - {scorer.alpha:g})/P + {scorer.alpha:g}/R); in P and R a matched word counts {counts}",
        f"penalty = {scorer.gamma:g}·(chunks/m)^{scorer.beta:g}, with m the mean of both texts' matched words",
        *(["P and R count the characters of words"] if scorer.unit == "characters" else []),
    ]


def _legend(scorer: Meteor) -> Legend:
    shapes = [(stage, STAGE_SHAPES[stage]) for stage in scorer.stages]
    keys = [Key(mark=SHAPES[shape], meaning=stage, state=shape) for stage, shape in shapes]
    function = [Key(mark=FUNCTION_WORD, meaning="function word", state="function")] if _apart(scorer) else []
    return Legend(keys=(*keys, *function))


def _section(scorer: Meteor, name: str, counts: str, alignment: Alignment, scores: Scores) -> Section:
    """The hypothesis and one reference."""
    picture = _picture(name, alignment)
    blocks: list[Block] = [picture, Notes(lines=("no word matches",))]
    if picture.links:
        chunks = _chunks(alignment)
        title = f"{len(chunks)} chunk{'s'[: len(chunks) != 1]}"
        blocks[1:] = [
            Notes(lines=tuple(_formulas(scorer, scores))),
            Listing(name=title, spans=tuple(Span(tokens=chunk) for chunk in chunks), summary=title),
            _table(scorer, name, scores),
        ]
    title = f"{name}{counts}: METEOR = {scores['meteor']:.6g}"
    return Section(name=name, title=title, blocks=tuple(blocks), values=scores)


def _picture(name: str, alignment: Alignment) -> Picture:
    links = tuple(
        Link(
            name=match.stage,
            shape=STAGE_SHAPES[match.stage],
            starts=(match.hypothesis, match.reference),
            lengths=(match.hypothesis_length, match.reference_length),
        )
        for match in alignment.matches
    )
    rows = (
        _words(alignment.hypothesis, alignment.hypothesis_function, links, 0),
        _words(alignment.reference, alignment.reference_function, links, 1),
    )
    return Picture(names=("hypothesis", name), rows=rows, links=links)


def _words(words: Sequence[str], function: Sequence[bool], links: Sequence[Link], row: int) -> tuple[Word, ...]:
    """The words of one text, each with the number of its match (0 for none)."""
    numbers = {
        place: number
        for number, link in enumerate(links, start=1)
        for place in range(link.starts[row], link.starts[row] + link.lengths[row])
    }
    return tuple(
        Word(text=word, link=numbers.get(place, 0), function=bool(function[place])) for place, word in enumerate(words)
    )


def _chunks(alignment: Alignment) -> list[tuple[str, ...]]:
    """The words of each chunk in the hypothesis."""
    chunks: dict[int, tuple[str, ...]] = {}
    for match in alignment.matches:
        words = alignment.hypothesis[match.hypothesis : match.hypothesis + match.hypothesis_length]
        chunks[match.chunk] = chunks.get(match.chunk, ()) + tuple(words)
    return list(chunks.values())


def _table(scorer: Meteor, name: str, scores: Scores) -> Table:
    """The number of words of each text and kind that each stage matched."""
    apart = ("hypothesis content", "function", "reference content", "function")
    kinds = ("content", "function") if _apart(scorer) else ("content",)
    rows = []
    for stage, weight in zip(scorer.stages, scorer._weight_of_each, strict=True):
        counts = [_matched(scores, stage, side, kind) for side in SIDES for kind in kinds]
        rows.append(Row(cells=(f"{SHAPES[STAGE_SHAPES[stage]]} {stage}", float(weight), *counts)))
    header = ("stage", "weight", *(apart if _apart(scorer) else SIDES))
    return Table(name=f"Stages with {name}", header=header, rows=tuple(rows))


def _matched(scores: Scores, stage: str, side: str, kind: str) -> int:
    """The number of words of one text and kind ("content" or "function") that a stage matched."""
    return int(scores[f"{stage}_{side}_{kind}_count"])


def _formulas(scorer: Meteor, scores: Scores) -> list[str]:
    """The formulas with a reference."""
    precision, recall, fmean, penalty = (
        f"{scores[name] / scorer.scale:.6g}" for name in ("precision", "recall", "fmean", "penalty")
    )
    ours, theirs, chunks = (
        int(scores[name]) for name in ("hypothesis_match_count", "reference_match_count", "chunk_count")
    )
    fragments = f"{scorer.gamma:g}·({chunks}/(({ours} + {theirs})/2))^{scorer.beta:g}"
    return [
        f"P = {_ratio(scorer, scores, 'hypothesis')} = {precision}",
        f"R = {_ratio(scorer, scores, 'reference')} = {recall}",
        f"F = 1/((1 - {scorer.alpha:g})/{precision} + {scorer.alpha:g}/{recall}) = {fmean}",
        f"penalty = {fragments} = {penalty}"
        if scorer.penalize_whole or not scores["whole_count"]
        else "penalty = 0, as one chunk matches both texts completely",
        f"METEOR = {_meteor_terms(scorer, scores)} = {scores['meteor']:.6g}",
    ]


def _meteor_terms(scorer: Meteor, scores: Scores) -> str:
    scale = factor(scorer.scale, "·")
    fmean, penalty = (scores[name] / scorer.scale for name in ("fmean", "penalty"))
    return f"{scale}{fmean:.6g}·(1 - {penalty:.6g})"


def _ratio(scorer: Meteor, scores: Scores, side: str) -> str:
    """The weighted share of a text that is matched. Content and function words are apart if their weights differ."""
    length, function = int(scores[f"{side}_length"]), int(scores[f"{side}_function_length"])
    content = _weighed(scorer, scores, side, "content")
    if not _apart(scorer):
        return f"({content})/{length}"
    delta, rest = f"{scorer.delta:g}", f"{1 - scorer.delta:g}"
    matched = f"{delta}·({content}) + {rest}·({_weighed(scorer, scores, side, 'function')})"
    return f"({matched})/({delta}·{length - function} + {rest}·{function})"


def _weighed(scorer: Meteor, scores: Scores, side: str, kind: str) -> str:
    terms = [
        f"{weight:g}·{count}"
        for stage, weight in zip(scorer.stages, scorer._weight_of_each, strict=True)
        if (count := _matched(scores, stage, side, kind))
    ]
    return " + ".join(terms) or "0"
