"""CUAD: spans of contracts that answer a question, and how they overlap with the right ones (Hendrycks et al. 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, spans, spans_of, texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name, harmonic_mean, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue.text.reading.text import Text
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["Cuad", "Span", "precision_curve"]

QUESTIONS = "questions"
_ERASED = str.maketrans("/", " ", ".,;:")


class Span(NamedTuple):
    """A span of a contract."""

    text: str
    words: frozenset[str]  # lower case, cut at U+0020, without the marks .,;:
    answer: tuple[str, ...]  # the words as SQuAD normalizes them

    @classmethod
    def of(cls, text: str) -> Span:
        """A span of this text."""
        words = text.translate(_ERASED).lower().split(" ")
        return cls(text, frozenset(words), tuple(get_tokenizer("squad")(text)))

    def overlaps(self, other: Span, least: float) -> bool:
        """Whether the words of both, divided by those of either, are at least this share."""
        return len(self.words & other.words) / len(self.words | other.words) >= least


def precision_curve(precisions: Sequence[float], recalls: Sequence[float]) -> dict[str, float]:
    """The area below the curve of precision and recall, and the precision at recalls of 80 and 90 per cent.

    The questions are points of the curve, in ascending order of their recall. A precision is the best one at a recall
    that is as high or higher. The area is 0 if a point is NaN.

    Parameters
    ----------
    precisions, recalls : n floats
        Of each question, 0 to 1; NaN for 0 divided by 0.

    Examples
    --------
    >>> precision_curve([1.0, 0.5], [0.5, 1.0])
    {'aupr': 0.375, 'prec_at_80_recall': 0.5, 'prec_at_90_recall': 0.5}
    """
    points = sorted(zip(recalls, precisions, strict=True))  # with NaN, the order is that of Python's sort
    best = [precision for _, precision in points]
    ordered = sorted(recalls)
    for place in range(len(best) - 2, -1, -1):
        best[place] = max(best[place + 1], best[place])
    widths, heights = np.diff(ordered), np.array(best)
    area = float((widths * (heights[1:] + heights[:-1]) / 2).sum())
    found: dict[str, float] = {"aupr": 0 if np.isnan(area) else area}
    for percent in (80, 90):
        enough = (height for height, recall in zip(best, ordered, strict=True) if recall >= percent / 100)
        found[f"prec_at_{percent}_recall"] = next(enough, 0)
    return found


@dataclass(frozen=True, kw_only=True)
class Cuad(OfTexts, Scorer):
    """How well spans of contracts answer questions; higher is better, 0-100.

    A prediction is a span, or a list of spans, perhaps none; an empty text is none. The references are the right spans;
    an empty one alone says that there is none. A right span is found if the words of a predicted one overlap with it;
    for a question whose id has "Parties", also if a predicted one contains it. ``f1`` is the mean over the questions of
    the F1 of precision and recall. Questions where one of them is 0 divided by 0 do not count; ``undefined_count`` is
    their number. ``exact_match`` is the share of the questions with a span that equals a right one, as SQuAD normalizes
    them.

    References
    ----------
    Hendrycks et al. 2021, https://arxiv.org/abs/2103.06268, and the script of CUAD.

    Examples
    --------
    >>> cuad = Cuad()
    >>> cuad.corpus([["The Seller:", "the buyer of all goods"]], [["The seller"]]).value.__round__(2)
    66.67
    """

    name: ClassVar[str] = "cuad"
    title: ClassVar[str] = "CUAD"
    inputs: ClassVar[tuple[Input, ...]] = (
        spans("predictions", about="a span, or a list of spans"),
        texts("references", many=True, about="the right spans; an empty one alone says that there is none"),
        texts(QUESTIONS, required=False, about="the id of each question"),
    )
    about: ClassVar = About(papers=("hendrycks-etal-2021-cuad",))

    # fmt: off
    overlap: float = option(
        0.5, stage="pairs", choice="overlap", greatest=1.0,
        about="The share of common words, of all words of both spans, from which two spans overlap.",
    )
    spans: str = option(
        "list", stage="read", choice="spans", about="What a prediction holds.",
        one_of={"list": "a span, or a list of spans", "lines": "the same, with a span on each line of a text"},
    )
    # fmt: on
    scale: float = 100.0

    _columns = (
        "f1_sum", "exact_count", "question_count", "undefined_count", "found_count", "missed_count", "wrong_count",
    )  # fmt: skip

    numbers: ClassVar = (
        number("f1", 0, "scale", better="higher", title="F1", about="mean F1 of the questions that have one"),
        number("exact_match", 0, "scale", better="higher", about="share of the questions with an exact span"),
        counted("question_count", "questions", about="all questions"),
        counted("undefined_count", "questions", about="questions whose precision or recall is 0 divided by 0"),
        counted("found_count", "spans", about="right spans that are found"),
        counted("missed_count", "spans", about="right spans that are not found"),
        counted("wrong_count", "spans", about="predicted spans that overlap with no right one"),
    )

    @property
    def _cut_by(self) -> str:
        """What finds the words whose overlap makes a span found."""
        return "squad"

    def _statistics(self, segments: Segments) -> Floats:
        predictions = spans_of(segments.predictions, self.spans == "lines", self._label, "predictions")
        flat = segments.strings("references").to_pylist()
        limits = segments.reference_offsets.tolist()
        column = segments.columns.get(QUESTIONS)
        ids = segments.strings(QUESTIONS).to_pylist() if isinstance(column, Text) else [""] * len(predictions)
        spans = {text: Span.of(text) for text in {*flat, *(line for lines in predictions for line in lines)}}
        rows = np.empty((len(predictions), len(self._columns)))
        for i, lines in enumerate(predictions):
            given = [spans[line] for line in lines if line]
            right = [spans[text] for text in flat[limits[i] : limits[i + 1]] if text]
            rows[i] = self._row(given, right, "Parties" in ids[i])
        return rows

    def _row(self, given: Sequence[Span], right: Sequence[Span], may_contain: bool) -> tuple[float, ...]:
        """The counts of a question."""
        found, hit = [False] * len(right), [False] * len(given)
        for i, one in enumerate(right):
            for j, other in enumerate(given):
                if other.overlaps(one, self.overlap) or (may_contain and one.text in other.text):
                    found[i] = hit[j] = True
        tp, missed, wrong = sum(found), found.count(False), hit.count(False)
        undefined = not tp + wrong or not tp + missed
        f1 = 0.0 if undefined else float(harmonic_mean(np.array(tp / (tp + wrong)), np.array(tp / (tp + missed))))
        exact = any(one.answer == other.answer for one in right for other in given)
        return f1, float(exact), 1.0, float(undefined), tp, missed, wrong

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        defined = counts["question_count"] - counts["undefined_count"]
        numbers = {
            "f1": self.scale * ratio(counts["f1_sum"], defined),
            "exact_match": self.scale * ratio(counts["exact_count"], counts["question_count"]),
            **counts,
        }
        return {name: numbers[name] for name in self.range}

    def curve(self, segments: Segments) -> dict[str, float]:
        """``precision_curve`` of the questions: aupr, prec_at_80_recall and prec_at_90_recall, 0 to 1.

        Errors are those of ``corpus``.

        Examples
        --------
        >>> Cuad().curve(Segments(["the seller", "a buyer"], [["the seller"], ["a buyer", "all goods"]]))
        {'aupr': 0.5, 'prec_at_80_recall': 1.0, 'prec_at_90_recall': 1.0}
        """
        rows = by_name(self._columns, self.statistics(segments))
        found = rows["found_count"]
        shares = (ratio(found, found + rows[name], np.nan) for name in ("wrong_count", "missed_count"))
        return precision_curve(*(share.tolist() for share in shares))

    _variants: ClassVar = {
        "evaluate": Variant("evaluate", "the Hub's `cuad`: the script of CUAD", live="evaluate-squad.cuad"),
    }
