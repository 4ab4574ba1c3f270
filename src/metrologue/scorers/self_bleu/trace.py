"""The trace of Self-BLEU: a text's n-grams in the other texts, the texts nearest to it, and what all texts repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metrologue.scorers.bleu import Bleu
from metrologue.scorers.bleu.trace import Order, formula, orders_of
from metrologue.scorers.core.inputs import holds_groups, single_texts
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.trace import build as build_plain
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.self_bleu import SelfBleu
from metrologue.segments import Segments
from metrologue.tracing import (
    CLIPPING,
    Block,
    Notes,
    Row,
    Span,
    Table,
    Text,
    Texts,
    Trace,
    ngrams,
    short,
    state_legend,
    token_texts,
)

# How many texts and n-grams the two lists have at most.
NEAREST, MOST_NGRAMS = 5, 10

Tokens = Sequence[str]


def build(scorer: SelfBleu, segment: Segments) -> Trace:
    """The trace of one text against the pool of the scorer; without a pool, a table of its numbers.

    The trace of a group has the score of each of its texts, and the n-grams that most of them have.

    It has a table for each order, as the trace of ``Bleu``, with the greatest count in one other text and the number of
    other texts that have the n-gram. The nearest texts are those with the greatest BLEU as a single reference, by their
    place in the pool. ``repeated n-grams`` are the n-grams that most texts of the pool have.
    """
    if scorer.others == "group" and holds_groups(segment):
        return _group(scorer, segment)
    if scorer.pool is None:
        return build_plain(scorer, single_texts(segment))
    result = scorer.corpus(segment)
    scores, orders = result.scores, orders_of(scorer, result.scores)
    text = segment.pair(0)[0]
    pool = Segments(scorer.pool.table.text("text").to_pylist())
    reading = scorer._words
    ours, view = list(segment.read(reading).tokens_of(0)), pool.read(reading)
    tokens = [view.tokens_of(index) for index in range(len(pool))]
    # One text with the same tokens is the text itself.
    itself = next((index for index, each in enumerate(tokens) if list(each) == ours), -1)
    places = [index for index in range(len(pool)) if index != itself]
    others = [tokens[index] for index in places]
    penalty, c, r = (scores[name] for name in ("brevity_penalty", "hypothesis_length", "reference_length"))
    shown = f"Self-BLEU = {formula(scorer, penalty, orders)} = {result.value}"
    remarks = (
        f"brevity penalty {short(penalty)}: c = {c:g}, r = {r:g} ({scorer.reference_length} of the lengths of "
        f"{len(places)} other texts)",
    )
    blocks = (
        token_texts([ours]),
        state_legend(CLIPPING),
        *(_clipped(ours, others, order) for order in orders),
        Notes(lines=("the texts nearest to it, counted from 1, by BLEU with one reference:",)),
        _nearest(scorer, text, pool, tokens, places),
        *(_repeated(tokens, order.number) for order in orders),
    )
    values = {**scores, "other_texts": len(places)}
    return trace_of(scorer, result, shown, blocks, remarks, values)


def _group(scorer: SelfBleu, segment: Segments) -> Trace:
    """The trace of a group: the score of each text against the others, and what most of them repeat."""
    result, texts = scorer.corpus(segment), single_texts(segment)
    values = replace(scorer, others="all").segment_scores(texts)[scorer.primary]
    view = texts.read(scorer._words)
    tokens = [view.tokens_of(index) for index in range(len(view))]
    mean = f" = ({' + '.join(map(short, values))})/{len(values)}" if scorer.aggregation == "mean" else ""
    each = (
        Text(name=f"text {index}", sentences=(tuple(text),), size=f"Self-BLEU {short(value)}")
        for index, (text, value) in enumerate(zip(tokens, values.tolist(), strict=True), 1)
    )
    blocks = (
        Notes(lines=("the texts, counted from 1:",)),
        Texts(texts=tuple(each)),
        *(_repeated(tokens, n) for n in range(1, scorer.max_order + 1)),
    )
    return trace_of(scorer, result, f"Self-BLEU{mean} = {result.value}", blocks)


def _clipped(ours: Tokens, others: Sequence[Tokens], order: Order) -> Table:
    """The n-grams of the text, as they first occur, with their counts in the other texts."""
    counts = Counter(ngrams(ours, order.number))
    most, texts = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for tokens in others:
        for ngram, count in Counter(ngrams(tokens, order.number)).items():
            if ngram in counts:
                most[ngram] = max(most[ngram], count)
                texts[ngram] += 1
    rows = []
    for ngram, count in counts.items():
        clipped = min(count, most[ngram])
        state = "missing" if not clipped else "matched" if clipped == count else "clipped"
        cells = (Span(tokens=ngram, state=state), most[ngram], texts[ngram], count, clipped, f"{clipped}/{order.total}")
        rows.append(Row(cells=cells, state=state))
    return Table(
        name=f"{order.number}-grams",
        header=("n-gram", "max other", "other texts", "count", "clipped", "contribution"),
        rows=tuple(rows),
        caption=order.title,
        meanings=tuple(CLIPPING.items()),
    )


def _nearest(scorer: SelfBleu, text: str, pool: Segments, tokens: Sequence[Tokens], places: Sequence[int]) -> Texts:
    """The texts of the pool that give the greatest BLEU as the only reference."""
    bleu = Bleu._from_fields({name: getattr(scorer, name) for name in options_of(Bleu)})
    pairs = Segments([text] * len(pool), [[each] for each in pool.texts().to_pylist()])
    values = bleu.segment_scores(pairs)[bleu.primary][places]
    best = [places[index] for index in np.argsort(-values, kind="stable")[:NEAREST]]
    nearest = zip(best, np.sort(values)[::-1].tolist(), strict=False)
    return Texts(
        texts=tuple(
            Text(name=f"segment {place + 1}", sentences=(tuple(tokens[place]),), size=f"BLEU {short(value)}")
            for place, value in nearest
        )
    )


def _repeated(texts: Sequence[Tokens], order: int) -> Block:
    """The n-grams that most texts have, if more than one has them; otherwise a line that says so."""
    having = Counter(ngram for tokens in texts for ngram in {*ngrams(tokens, order)})
    often = sorted(((-count, ngram) for ngram, count in having.items() if count > 1))[:MOST_NGRAMS]
    rows = tuple(Row(cells=(Span(tokens=ngram), -count, f"{-count}/{len(texts)}")) for count, ngram in often)
    name, caption = f"repeated {order}-grams", f"{order}-grams that most texts have"
    table = Table(name=name, header=("n-gram", "texts", "share"), rows=rows, caption=caption)
    return table if rows else Notes(lines=(f"no {order}-gram is in two texts",))
