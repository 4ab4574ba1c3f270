"""The trace of BLEU: its n-gram tables, its brevity penalty, and its formula."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from metrologue.scorers.bleu import Bleu
from metrologue.scorers.bleu.rules import effective_weights, few_word_weights
from metrologue.scorers.core.trace import factor, trace_of
from metrologue.segments import Segments
from metrologue.tracing import CLIPPING, Row, Span, Table, Trace, ngrams, short, state_legend, token_texts


class Order(NamedTuple):
    """One order: the scorer's counts (floors included), its precision from 0 to 1, and its weight."""

    number: int
    clipped: int
    total: float
    precision: float
    weight: float

    @property
    def raw(self) -> float:
        """The precision before smoothing; 0 where the hypothesis has no n-gram."""
        return self.clipped / self.total if self.total else 0.0

    @property
    def smoothed(self) -> bool:
        """Whether smoothing changed the precision.

        A scale of 100 changes the last bits by rounding, which does not count. pycocoevalcap changes it by 1e-9 or
        more.
        """
        return self.precision > 0 and not math.isclose(self.precision, self.raw, rel_tol=1e-14)

    @property
    def term(self) -> str:
        """The precision as the formula prints it: the fraction, or the number after smoothing."""
        number = short(self.precision)
        return number if self.smoothed and number != short(self.raw) else f"{self.clipped}/{self.total:.12g}"

    @property
    def title(self) -> str:
        """The order and its precision, before and after smoothing."""
        parts = [
            f"{self.number}-grams: {self.clipped}/{self.total:.12g}" + (f" = {short(self.raw)}" if self.total else "")
        ]
        if self.smoothed:
            parts.append(f"after smoothing {self.precision:.12g}")
        if not self.weight:
            parts.append("left out")
        return ", ".join(parts)


def build(scorer: Bleu, segment: Segments) -> Trace:
    """The trace of one segment: a table of n-grams for each order. Its values are sums over the tables.

    ``precision_n`` is the clipped count divided by the count, without smoothing and whatever `precision_weight` is.
    ``unclipped_precision_n`` counts all occurrences of the n-grams that a reference has.
    """
    result = scorer.corpus(segment)
    scores = result.scores
    hypothesis, references = scorer._view(segment).tokens(0)
    orders = orders_of(scorer, scores)
    tables = [_table(hypothesis, references, order) for order in orders]
    unmatched = ", ".join(f"{order.number}-gram" for order in orders if not order.clipped)
    zero = [f"0, because no {unmatched} matches (zero rule: {scorer.zero_when})"] if unmatched else []
    shown = f"BLEU = {formula(scorer, scores['brevity_penalty'], orders)} = {result.value}"
    remarks = (_brevity(scorer.reference_length, scores, references), *([] if result.value else zero))
    blocks = (token_texts([hypothesis, *references]), state_legend(CLIPPING), *tables)
    values = {
        "bleu": result.value,
        "brevity_penalty": scores["brevity_penalty"],
        **{
            name: number
            for order, table in zip(orders, tables, strict=True)
            for name, number in _sums(order.number, table).items()
        },
    }
    return trace_of(scorer, result, shown, blocks, remarks, values)


def formula(scorer: Bleu, brevity_penalty: float, orders: Sequence[Order]) -> str:
    """The right side of the formula, with its numbers."""
    terms = " + ".join(f"{order.weight:g}·ln({order.term})" for order in orders if order.weight)
    return f"{factor(scorer.scale)}{short(brevity_penalty)} · exp({terms})"


def _brevity(rule: str, scores: Mapping[str, float], references: Sequence[Sequence[str]]) -> str:
    """The brevity penalty in words, with its numbers."""
    c, r, penalty = (scores[name] for name in ("hypothesis_length", "reference_length", "brevity_penalty"))
    lengths = ", ".join(str(len(tokens)) for tokens in references)
    return f"brevity penalty {short(penalty)}: c = {c}, r = {r} ({rule} of the references' {lengths})"


def orders_of(scorer: Bleu, scores: Mapping[str, float]) -> list[Order]:
    """The orders of one segment, from its numbers."""
    return [
        Order(
            number=number,
            clipped=int(scores[f"clipped_count_{number}"]),
            total=scores[f"count_{number}"],
            precision=scores[f"precision_{number}"] / scorer.scale,
            weight=weight,
        )
        for number, weight in enumerate(_weights(scorer, scores), start=1)
    ]


def _weights(scorer: Bleu, scores: Mapping[str, float]) -> list[float]:
    """The weights in the formula: 0 for an order that is left out.

    If the score is 0, no order is left out because of its precision, so that the formula shows which precisions are 0.
    """
    weights = np.array(scorer.weights)
    if scorer.auto_reweigh:
        weights = few_word_weights(weights, np.array(scores["hypothesis_length"]))
    orders = range(1, scorer.max_order + 1)
    precision = np.array([scores[f"precision_{n}"] for n in orders])
    if scorer.effective_order:
        count = np.array([scores[f"count_{n}"] for n in orders])
        exists = np.logical_and.accumulate((precision > 0) | (count > 0))
        weights = effective_weights(weights, int(exists.sum()))
    left_out = (precision == 0) & (scores[scorer.primary] > 0)
    return [float(weight) for weight in np.where(left_out, 0.0, weights)]


def _table(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: Order) -> Table:
    """The table of one order: the n-grams of the hypothesis, as they first occur, with their clipped counts."""
    counts = [Counter(ngrams(tokens, order.number)) for tokens in references]
    rows = []
    for ngram, count in Counter(ngrams(hypothesis, order.number)).items():
        occurrences = [reference[ngram] for reference in counts]
        clipped = min(count, max(occurrences))
        state = "missing" if not clipped else "matched" if clipped == count else "clipped"
        share = f"{clipped}/{order.total:.12g}"
        rows.append(
            Row(
                cells=(Span(tokens=ngram, state=state), *occurrences, max(occurrences), count, clipped, share),
                state=state,
            )
        )
    names = (f"ref {number}" for number in range(1, len(references) + 1))
    return Table(
        name=f"{order.number}-grams",
        header=("n-gram", *names, "max ref", "count", "clipped", "contribution"),
        rows=tuple(rows),
        caption=order.title,
        meanings=tuple(CLIPPING.items()),
    )


def _sums(order: int, table: Table) -> dict[str, float]:
    """The sums over a table, and the precisions that follow from them."""
    most, counts = table.numbers("max ref"), table.numbers("count")
    count, clipped = sum(counts), sum(table.numbers("clipped"))
    held = sum(number for number, is_matched in zip(counts, most, strict=True) if is_matched)
    return {
        f"count_{order}": count,
        f"clipped_count_{order}": clipped,
        f"precision_{order}": clipped / count if count else 0.0,
        f"unclipped_precision_{order}": held / count if count else 0.0,
    }
