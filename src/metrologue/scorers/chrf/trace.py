"""The trace of chrF: the table of n-gram orders, the n-grams that match, and the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from metrologue.scorers.chrf import Chrf, Level
from metrologue.scorers.core.trace import factor, trace_of
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.tracing import (
    Block,
    Listing,
    Notes,
    Piece,
    Row,
    Section,
    Span,
    Table,
    Text,
    Texts,
    Trace,
    ngrams,
    reference_names,
    short,
    state_legend,
)

MEANINGS = {"matched": "counts in full", "clipped": "the hypothesis has it more often than the reference"}
UNITS = {"char": "characters", "word": "words"}
HEADER = ("n-grams", "matched", "hypothesis", "reference", "P", "R", "F")


class _Order(NamedTuple):
    """One order: the scorer's counts, its ratios from 0 to 1, and whether the average includes them."""

    level: Level
    number: int
    counts: tuple[int, int, int]
    ratios: tuple[float, float, float]
    counted: bool

    @property
    def name(self) -> str:
        """The name of the n-grams, such as "2-grams of characters"."""
        return f"{self.number}-grams of {UNITS[self.level.name]}"


def build(scorer: Chrf, segment: Segments) -> Trace:
    """The trace of one segment: for each reference, the table of orders and the n-grams that both texts have."""
    prediction, references = segment.pair(0)
    result, best = scorer.corpus(segment), int(scorer._best_references(segment)[0])
    pairs = [Segments([prediction], [[reference]]) for reference in references]
    sections = []
    for index, (name, pair) in enumerate(zip(reference_names(len(pairs)), pairs, strict=True)):
        counts = ", which counts" if len(pairs) > 1 and index == best else ""
        sections.append(_section(scorer, name, counts, pair))
    averaged = "F is made of the means of P and R" if _of_means(scorer) else "the F of all orders are averaged"
    formula = f"chrF = {_terms(scorer, pairs[best])} = {result.value}"
    remarks = (f"F = {_fscore_terms(scorer.beta, 'P', 'R')}, and 0 where P or R is 0; {averaged}",)
    blocks = (_texts(scorer, segment), state_legend(MEANINGS), *sections)
    return trace_of(scorer, result, formula, blocks, remarks)


def _of_means(scorer: Chrf) -> bool:
    return scorer.average == "precision-recall"


def _texts(scorer: Chrf, segment: Segments) -> Texts:
    """The texts as they are compared: as characters, or as words if no character n-grams are counted."""
    level = scorer._levels[0]
    hypothesis, references = segment.read(words(level.tokenizer, scorer.lowercase)).tokens(0)
    texts = zip(["hypothesis", *reference_names(len(references))], [hypothesis, *references], strict=True)
    return Texts(
        texts=tuple(
            Text(name=name, sentences=(_sentence(level, tokens),), size=f"{len(tokens)} {UNITS[level.name]}")
            for name, tokens in texts
        )
    )


def _sentence(level: Level, tokens: Sequence[str]) -> tuple[Piece, ...]:
    return tuple(tokens) if level.name == "word" else (Span(tokens=_spelled(level, tokens)),)


def _spelled(level: Level, tokens: Sequence[str]) -> tuple[str, ...]:
    """Words as they are; characters joined into one text."""
    return tuple(tokens) if level.name == "word" else ("".join(tokens),)


def _orders(scorer: Chrf, scores: Mapping[str, float]) -> Iterator[_Order]:
    for level in scorer._levels:
        for n in range(level.first, level.last + 1):
            matched, ours, theirs = (
                int(scores[f"{level.name}_{kind}_count_{n}"]) for kind in ("match", "hypothesis", "reference")
            )
            precision, recall, fscore = (
                scores[f"{level.name}_{kind}_{n}"] / scorer.scale for kind in ("precision", "recall", "fscore")
            )
            counted = bool(ours and theirs) or not scorer.effective_order
            yield _Order(level, n, (matched, ours, theirs), (precision, recall, fscore), counted)


def _section(scorer: Chrf, name: str, counts: str, pair: Segments) -> Section:
    """The hypothesis and one reference."""
    scores = scorer.corpus(pair).scores
    orders = list(_orders(scorer, scores))
    table = Table(
        name=f"n-grams shared with {name}",
        header=HEADER,
        rows=tuple(
            Row(
                cells=(order.name, *order.counts, *(order.ratios if order.counted else ["left out"] * 3)),
                state="" if order.counts[0] else "missing",
            )
            for order in orders
        ),
    )
    blocks: list[Block] = [table, *_listings(scorer, orders, pair)]
    if means := _means(scorer, scores, [order for order in orders if order.counted]):
        blocks.insert(0, Notes(lines=tuple(means)))
    title = f"{name}{counts}: chrF = {_terms(scorer, pair)} = {scores[scorer.primary]:.6g}"
    return Section(name=name, title=title, blocks=tuple(blocks), values=scores)


def _means(scorer: Chrf, scores: Mapping[str, float], counted: Sequence[_Order]) -> list[str]:
    """The lines that compute the means in the formula."""
    if not (_of_means(scorer) and counted):
        return []
    return [
        f"{letter} = ({' + '.join(short(order.ratios[place]) for order in counted)})/{len(counted)} = "
        f"{scores[ratio] / scorer.scale:.6g}"
        for place, (letter, ratio) in enumerate((("P", "precision"), ("R", "recall")))
    ]


def _listings(scorer: Chrf, orders: Sequence[_Order], pair: Segments) -> Iterator[Listing]:
    """The n-grams that both texts have. An n-gram that matches several times has that number as a note."""
    for order in orders:
        hypothesis, (reference,) = pair.read(words(order.level.tokenizer, scorer.lowercase)).tokens(0)
        ours, theirs = (Counter(ngrams(tokens, order.number)) for tokens in (hypothesis, reference))
        spans = []
        for ngram, count in ours.items():
            if matched := min(count, theirs[ngram]):
                state = "matched" if matched == count else "clipped"
                note = f"×{matched}" if matched > 1 else ""
                spans.append(Span(tokens=_spelled(order.level, ngram), state=state, note=note))
        if spans:
            yield Listing(name=order.name, spans=tuple(spans), summary=f"{len(spans)} {order.name}")


def _terms(scorer: Chrf, pair: Segments) -> str:
    """The right side of the formula, with the numbers of one reference."""
    scores = scorer.corpus(pair).scores
    scale = factor(scorer.scale, "·")
    if _of_means(scorer):
        precision, recall = (scores[ratio] / scorer.scale for ratio in ("precision", "recall"))
        if not precision * recall:
            return f"{scale}0"
        return f"{scale}{_fscore_terms(scorer.beta, f'{precision:.6g}', f'{recall:.6g}')}"
    counted = [order.ratios[2] for order in _orders(scorer, scores) if order.counted]
    fscores = " + ".join(f"{fscore:.6g}" for fscore in counted)
    return f"{scale}({fscores or 0})/{len(counted) or 1}"


def _fscore_terms(beta: float, precision: str, recall: str) -> str:
    square = beta**2
    weighed = precision if square == 1 else f"{square:g}·{precision}"
    return f"{1 + square:g}·{precision}·{recall}/({weighed} + {recall})"
