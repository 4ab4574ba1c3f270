"""The trace of BLEU: its n-gram tables, its brevity penalty, and its formula."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from metrologue.reading import words
from metrologue.scorers.bleu import Bleu
from metrologue.scorers.bleu.orders import effective_weights, few_word_weights
from metrologue.segments import Segments
from metrologue.trace.base import MARKS, Trace, legend, ngrams, short, table, token_grid, trace, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["BleuTrace", "BrevityPenalty", "NgramRow", "OrderTable"]

LEGEND = {"matched": "counts in full", "clipped": "clipped to the references' count", "missing": "in no reference"}


@dataclass(frozen=True, kw_only=True)
class NgramRow:
    """One n-gram of the hypothesis: how often each text holds it, and how many of these count.

    Attributes
    ----------
    ngram : tuple of str
        Its tokens.
    references : tuple of int
        Occurrences in each reference.
    maximum : int
        The largest of these.
    hypothesis : int
        Occurrences in the hypothesis.
    clipped : int
        The smaller of ``maximum`` and ``hypothesis``: what the row adds to the numerator of the precision.
    """

    ngram: tuple[str, ...]
    references: tuple[int, ...]
    maximum: int
    hypothesis: int
    clipped: int

    @property
    def state(self) -> str:
        """``matched`` (all occurrences count), ``clipped`` (some do) or ``missing`` (none does)."""
        if self.clipped == 0:
            return "missing"
        return "matched" if self.clipped == self.hypothesis else "clipped"


@dataclass(frozen=True, kw_only=True)
class OrderTable:
    """All n-grams of one order, and the precision that the scorer makes of them.

    Attributes
    ----------
    order : int
        n.
    rows : tuple of NgramRow
        The hypothesis's n-grams, in the order of their first occurrence.
    clipped, total : int
        Numerator and denominator as the scorer has them, its floors included.
    precision : float
        The scorer's, 0 to 1: ``clipped / total``, or what smoothing or the zero rule makes of it.
    weight : float
        The precision's weight in the formula; 0 for an order that is left out.
    """

    order: int
    rows: tuple[NgramRow, ...]
    clipped: int
    total: int
    precision: float
    weight: float

    @property
    def raw(self) -> float:
        """The precision before smoothing; 0 where the hypothesis has no n-gram."""
        return self.clipped / self.total if self.total else 0.0

    @property
    def smoothed(self) -> bool:
        """Whether smoothing changed the precision. A scale of 100 leaves its rounding, pycocoevalcap 1e-9 and more."""
        return self.precision > 0 and not math.isclose(self.precision, self.raw, rel_tol=1e-14)

    @property
    def term(self) -> str:
        """The precision as the formula prints it: the fraction, or the number that smoothing put in its place."""
        number = short(self.precision)
        return number if self.smoothed and number != short(self.raw) else f"{self.clipped}/{self.total}"

    @property
    def title(self) -> str:
        """The order and its precision, before and after smoothing."""
        parts = [f"{self.order}-grams: {self.clipped}/{self.total}" + (f" = {short(self.raw)}" if self.total else "")]
        if self.smoothed:
            parts.append(f"after smoothing {self.precision:.12g}")
        if not self.weight:
            parts.append("left out")
        return ", ".join(parts)

    @property
    def drawn(self) -> list[tuple[str, tuple[str, ...]]]:
        """State and cells of each row."""
        return [(row.state, self.cells(row)) for row in self.rows]

    def cells(self, row: NgramRow) -> tuple[str, ...]:
        """What the table prints for a row; its contribution is its share of the precision."""
        ngram = f"{MARKS[row.state]} {' '.join(map(visible, row.ngram))}"
        counts = (*row.references, row.maximum, row.hypothesis, row.clipped)
        return (ngram, *map(str, counts), f"{row.clipped}/{self.total}")


@dataclass(frozen=True, kw_only=True)
class BrevityPenalty:
    """What a hypothesis shorter than its references loses.

    Attributes
    ----------
    penalty : float
        The factor in the formula, 0 to 1.
    hypothesis_length, reference_length : int or float
        c and r, in tokens; only an average has a fraction.
    reference_lengths : tuple of int
        Lengths of all references, among which ``rule`` chose r.
    rule : str
        The scorer's ``reference_length``: "closest", "shortest", ….
    """

    penalty: float
    hypothesis_length: float
    reference_length: float
    reference_lengths: tuple[int, ...]
    rule: str

    @property
    def sentence(self) -> str:
        """The penalty in words, with its numbers."""
        lengths = ", ".join(map(str, self.reference_lengths))
        c, r = self.hypothesis_length, self.reference_length
        return f"brevity penalty {short(self.penalty)}: c = {c}, r = {r} ({self.rule} of the references' {lengths})"


@dataclass(frozen=True, kw_only=True)
class BleuTrace(Trace):
    """How BLEU comes to its number for one segment.

    Attributes
    ----------
    value : float
        The score, on the scorer's own scale.
    scale : float
        1 or 100.
    signature : str
        The scorer's configuration.
    hypothesis : tuple of str
        Tokens of the hypothesis.
    references : tuple of tuple of str
        Tokens of each reference.
    orders : tuple of OrderTable
        One table for each order of n-grams.
    brevity : BrevityPenalty
        The penalty and the lengths behind it.
    zero_rule : str
        The scorer's ``zero_when``.
    """

    template: ClassVar[str] = "trace_bleu.html"

    value: float
    scale: float
    signature: str
    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[OrderTable, ...]
    brevity: BrevityPenalty
    zero_rule: str

    @property
    def formula(self) -> str:
        """BLEU's formula with this segment's numbers in it."""
        scale = "" if self.scale == 1 else f"{self.scale:g} · "
        terms = " + ".join(f"{table.weight:g}·ln({table.term})" for table in self.orders if table.weight)
        return f"BLEU = {scale}{short(self.brevity.penalty)} · exp({terms}) = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """What the formula alone does not say: the brevity penalty's lengths, and why a score is 0."""
        unmatched = ", ".join(f"{table.order}-gram" for table in self.orders if not table.clipped)
        zero = [f"0, because no {unmatched} matches (zero rule: {self.zero_rule})"]
        return [self.brevity.sentence, *(zero if not self.value and unmatched else [])]

    @property
    def texts(self) -> list[tuple[str, tuple[str, ...]]]:
        """Name and tokens of the hypothesis and of each reference."""
        references = ((f"reference {index}", tokens) for index, tokens in enumerate(self.references, start=1))
        return [("hypothesis", self.hypothesis), *references]

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns of ``OrderTable.cells``."""
        references = (f"ref {index}" for index in range(1, len(self.references) + 1))
        return ("n-gram", *references, "max ref", "count", "clipped", "contribution")

    @property
    def legend(self) -> dict[str, str]:
        """What the mark of each state means."""
        return LEGEND

    def parts(self) -> Iterator[RenderableType]:
        yield from (self.formula, *self.remarks, self.signature, "")
        yield token_grid((name, f"{len(tokens)} tokens", " ".join(map(visible, tokens))) for name, tokens in self.texts)
        for found in self.orders:
            yield from ("", found.title)
            if found.rows:
                yield table(self.header, map(found.cells, found.rows))
        yield from ("", legend(LEGEND))


@trace.register
def _trace_bleu(scorer: Bleu, prediction: str, references: Sequence[str]) -> BleuTrace:
    segment = Segments([prediction], [references], owner=type(scorer).__name__)
    result = scorer.score_segments(segment)
    scores = result.scores
    hypothesis, texts = segment.read(words(scorer.tokenizer, scorer.lowercase)).tokens(0)
    orders = range(1, scorer.max_order + 1)
    return BleuTrace(
        value=result.value,
        scale=scorer.scale,
        signature=result.signature,
        hypothesis=tuple(hypothesis),
        references=tuple(map(tuple, texts)),
        orders=tuple(
            OrderTable(
                order=order,
                rows=_rows(hypothesis, texts, order),
                clipped=int(scores[f"clipped_count_{order}"]),
                total=int(scores[f"count_{order}"]),
                precision=scores[f"precision_{order}"] / scorer.scale,
                weight=weight,
            )
            for order, weight in zip(orders, _weights(scorer, scores), strict=True)
        ),
        brevity=BrevityPenalty(
            penalty=scores["brevity_penalty"],
            hypothesis_length=scores["hypothesis_length"],
            reference_length=scores["reference_length"],
            reference_lengths=tuple(map(len, texts)),
            rule=scorer.reference_length,
        ),
        zero_rule=scorer.zero_when,
    )


def _weights(scorer: Bleu, scores: Mapping[str, float]) -> list[float]:
    """The weights as they enter the formula: 0 for an order that is left out.

    A score of 0 leaves no order out because of its precision, so that the formula shows which of them are 0.
    """
    weights = np.array(scorer.weights)
    if scorer.auto_reweigh:
        weights = few_word_weights(weights, np.array(scores["hypothesis_length"]))
    orders = range(1, scorer.max_order + 1)
    precision = np.array([scores[f"precision_{n}"] for n in orders])
    if scorer.effective_order:
        count = np.array([scores[f"count_{n}"] for n in orders])
        weights = effective_weights(weights, (precision > 0) | (count > 0))
    left_out = (precision == 0) & (scores[scorer.primary] > 0)
    return [float(weight) for weight in np.where(left_out, 0.0, weights)]


def _rows(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int) -> tuple[NgramRow, ...]:
    counts = [Counter(ngrams(tokens, order)) for tokens in references]
    rows = []
    for ngram, count in Counter(ngrams(hypothesis, order)).items():
        found = tuple(reference[ngram] for reference in counts)
        most = max(found)
        rows.append(NgramRow(ngram=ngram, references=found, maximum=most, hypothesis=count, clipped=min(count, most)))
    return tuple(rows)
