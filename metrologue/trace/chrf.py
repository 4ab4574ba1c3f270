"""The trace of chrF: the table of n-gram orders, the n-grams that match, and the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from metrologue.reading import words
from metrologue.scorers.chrf import Chrf
from metrologue.segments import Segments
from metrologue.trace.base import MARKS, PairTrace, legend, ngrams, short, table, token_grid, trace, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["ChrfOrder", "ChrfPair", "ChrfTrace", "CommonNgram"]

LEGEND = {"matched": "counts in full", "clipped": "the hypothesis has it more often than the reference"}
UNITS = {"char": "characters", "word": "words"}


@dataclass(frozen=True, kw_only=True)
class CommonNgram:
    """An n-gram that both texts have.

    Attributes
    ----------
    tokens : tuple of str
        Its characters or words.
    hypothesis, reference : int
        Occurrences in each text; the smaller number counts.
    """

    tokens: tuple[str, ...]
    hypothesis: int
    reference: int

    @property
    def matched(self) -> int:
        """Occurrences that count."""
        return min(self.hypothesis, self.reference)

    @property
    def state(self) -> str:
        """``matched``, or ``clipped`` if the hypothesis has more of them."""
        return "matched" if self.matched == self.hypothesis else "clipped"


@dataclass(frozen=True, kw_only=True)
class ChrfOrder:
    """All n-grams of one order.

    Attributes
    ----------
    level : str
        "char" or "word".
    order : int
        n.
    matched, hypothesis, reference : int
        The scorer's counts: n-grams in both texts, and in each.
    precision, recall, fscore : float
        The scorer's, 0 to 1.
    counted : bool
        Whether the order is part of the average.
    common : tuple of CommonNgram
        In the order of the hypothesis.
    """

    level: str
    order: int
    matched: int
    hypothesis: int
    reference: int
    precision: float
    recall: float
    fscore: float
    counted: bool
    common: tuple[CommonNgram, ...]

    @property
    def name(self) -> str:
        """What is counted."""
        return f"{self.order}-grams of {UNITS[self.level]}"

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table prints."""
        counts = map(str, (self.matched, self.hypothesis, self.reference))
        ratios = [f"{ratio:.6g}" for ratio in (self.precision, self.recall, self.fscore)]
        return (self.name, *counts, *(ratios if self.counted else ["left out"] * 3))

    @property
    def matches(self) -> list[str]:
        """The common n-grams as they are drawn, with the number of those that count, if there are several."""
        return [
            f"{MARKS[ngram.state]} {_spelled(ngram.tokens, UNITS[self.level])}"
            + (f" ×{ngram.matched}" if ngram.matched > 1 else "")
            for ngram in self.common
        ]


@dataclass(frozen=True, kw_only=True)
class ChrfPair:
    """The hypothesis and one reference.

    Attributes
    ----------
    value, precision, recall : float
        The scorer's with this reference alone: the score on its scale, the averages 0 to 1.
    orders : tuple of ChrfOrder
    """

    value: float
    precision: float
    recall: float
    orders: tuple[ChrfOrder, ...]

    @property
    def counted(self) -> list[ChrfOrder]:
        """The orders that are averaged."""
        return [order for order in self.orders if order.counted]


@dataclass(frozen=True, kw_only=True)
class ChrfTrace(PairTrace[ChrfPair]):
    """How chrF comes to its number for one segment.

    Attributes
    ----------
    texts : tuple of tuple of str
        Characters of the hypothesis and of each reference; words, where there are no character n-grams.
    best : int
        Index of the reference that counts.
    """

    template: ClassVar[str] = "trace_chrf.html"
    header: ClassVar[tuple[str, ...]] = ("n-grams", "matched", "hypothesis", "reference", "P", "R", "F")

    scorer: Chrf
    texts: tuple[tuple[str, ...], ...]
    best: int

    @property
    def formula(self) -> str:
        """The formula with the numbers of the reference that counts in it."""
        return f"chrF = {self._terms(self.pairs[self.best])} = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """The rules behind the formula."""
        averaged = "F is made of the means of P and R" if self._of_means else "the F of all orders are averaged"
        return [f"F = {_fscore_terms(self.scorer.beta, 'P', 'R')}, and 0 where P or R is 0; {averaged}"]

    @property
    def legend(self) -> dict[str, str]:
        """What the mark of each state means."""
        return LEGEND

    @property
    def unit(self) -> str:
        """What ``texts`` are made of."""
        return UNITS[self.scorer.levels[0].name]

    def joined(self, text: Sequence[str]) -> str:
        """A text as it is compared."""
        return _spelled(text, self.unit)

    @property
    def _of_means(self) -> bool:
        return self.scorer.average == "precision-recall"

    def title(self, name: str, pair: ChrfPair) -> str:
        """The score with a reference alone."""
        counts = ", which counts" if len(self.pairs) > 1 and pair is self.pairs[self.best] else ""
        return f"{name}{counts}: chrF = {self._terms(pair)} = {pair.value:.6g}"

    def lines(self, pair: ChrfPair) -> list[str]:
        """The means behind the formula."""
        if not (self._of_means and pair.counted):
            return []
        return [
            f"{letter} = ({' + '.join(short(getattr(order, ratio)) for order in pair.counted)})/{len(pair.counted)} = "
            f"{getattr(pair, ratio):.6g}"
            for letter, ratio in (("P", "precision"), ("R", "recall"))
        ]

    def rows(self, pair: ChrfPair) -> list[tuple[str, tuple[str, ...]]]:
        """State and cells of each order."""
        return [("" if order.matched else "missing", order.cells) for order in pair.orders]

    def parts(self) -> Iterator[RenderableType]:
        yield from (self.formula, *self.remarks, self.signature, "")
        yield token_grid(
            (name, f"{len(text)} {self.unit}", self.joined(text))
            for name, text in zip(("hypothesis", *self.names), self.texts, strict=True)
        )
        for name, pair in self.named:
            yield from ("", self.title(name, pair), *self.lines(pair))
            yield table(self.header, (cells for _, cells in self.rows(pair)))
            yield from (f"{order.name}: {' · '.join(order.matches)}" for order in pair.orders if order.common)
        yield from ("", legend(LEGEND))

    def _terms(self, pair: ChrfPair) -> str:
        scale = "" if self.scorer.scale == 1 else f"{self.scorer.scale:g}·"
        if self._of_means:
            if not pair.precision * pair.recall:
                return f"{scale}0"
            return f"{scale}{_fscore_terms(self.scorer.beta, f'{pair.precision:.6g}', f'{pair.recall:.6g}')}"
        fscores = " + ".join(f"{order.fscore:.6g}" for order in pair.counted)
        return f"{scale}({fscores or 0})/{len(pair.counted) or 1}"


def _spelled(tokens: Sequence[str], unit: str) -> str:
    return " ".join(map(visible, tokens)) if unit == "words" else visible("".join(tokens))


def _fscore_terms(beta: float, precision: str, recall: str) -> str:
    square = beta**2
    weighed = precision if square == 1 else f"{square:g}·{precision}"
    return f"{1 + square:g}·{precision}·{recall}/({weighed} + {recall})"


@trace.register
def _trace_chrf(scorer: Chrf, prediction: str, references: Sequence[str]) -> ChrfTrace:
    segment = Segments([prediction], [references], owner=type(scorer).__name__)
    texts = segment.pair(0)[1]
    view = segment.read(words(scorer.levels[0].tokenizer, scorer.lowercase))
    hypothesis, others = view.tokens(0)
    return ChrfTrace(
        value=scorer.score_segments(segment).value,
        scorer=scorer,
        texts=(tuple(hypothesis), *map(tuple, others)),
        pairs=tuple(_pair(scorer, Segments([prediction], [[reference]])) for reference in texts),
        best=int(scorer.best_references(segment)[0]),
    )


def _pair(scorer: Chrf, segment: Segments) -> ChrfPair:
    scores = scorer.score_segments(segment).scores
    orders = []
    for level in scorer.levels:
        hypothesis, (reference,) = segment.read(words(level.tokenizer, scorer.lowercase)).tokens(0)
        for order in range(level.first, level.last + 1):
            matched, ours, theirs = (
                int(scores[f"{level.name}_{kind}_count_{order}"]) for kind in ("match", "hypothesis", "reference")
            )
            precision, recall, fscore = (
                scores[f"{level.name}_{kind}_{order}"] / scorer.scale for kind in ("precision", "recall", "fscore")
            )
            orders.append(
                ChrfOrder(
                    level=level.name,
                    order=order,
                    matched=matched,
                    hypothesis=ours,
                    reference=theirs,
                    precision=precision,
                    recall=recall,
                    fscore=fscore,
                    counted=bool(ours and theirs) or not scorer.effective_order,
                    common=_common(hypothesis, reference, order),
                )
            )
    return ChrfPair(
        value=scores[scorer.primary],
        precision=scores["precision"] / scorer.scale,
        recall=scores["recall"] / scorer.scale,
        orders=tuple(orders),
    )


def _common(hypothesis: Sequence[str], reference: Sequence[str], order: int) -> tuple[CommonNgram, ...]:
    ours, theirs = (Counter(ngrams(tokens, order)) for tokens in (hypothesis, reference))
    return tuple(
        CommonNgram(tokens=ngram, hypothesis=count, reference=theirs[ngram])
        for ngram, count in ours.items()
        if ngram in theirs
    )
