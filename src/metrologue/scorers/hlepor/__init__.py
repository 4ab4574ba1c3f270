"""hLEPOR, LEPOR and nLEPOR (Han et al. 2012, 2013): lengths, positions, precision and recall of the words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.data.strings import buffers
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.hints import refuse_empty
from metrologue.scorers.core.kernels.ngrams import equal_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option, with_default
from metrologue.scorers.core.rows import by_name, columns_of, ratio, rows_of
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.families.kernels.c_math import exps
from metrologue.scorers.hlepor.kernels import context_alignment
from metrologue.scorers.hlepor.variants import VARIANTS
from metrologue.segments import Segments
from metrologue.text.reading import View
from metrologue.text.reading.text import Text

__all__ = ["Hlepor", "harmonic_mean", "length_penalty", "lepor"]


_FACTORS = ("length_penalty", "position_penalty", "harmonic_mean")
_COUNTS = ("match_count", "hypothesis_length", "reference_length", "position_difference")


def length_penalty(
    length: Floats,
    reference_length: Floats,
    length_ratio: str = "longer-by-shorter",
    exponential: Callable[[Floats], Floats] = exps,
) -> Floats:
    """The penalty of a length difference: exp(1 - longer/shorter), which is 1 for equal lengths; 0 without words.

    Parameters
    ----------
    length, reference_length : float64 (...)
        The words of both texts.
    length_ratio : str
        "longer-by-shorter", or "shorter-by-longer" for the inverse ratio.
    exponential : callable
        The exponential function: that of C, or NumPy's, which can differ in the last bit.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> length_penalty(np.array([18.0, 2.0, 1.0]), np.array([16.0, 2.0, 0.0])).round(6)
    array([0.882497, 1.      , 0.      ])
    """
    longer, shorter = np.maximum(length, reference_length), np.minimum(length, reference_length)
    part, whole = (longer, shorter) if length_ratio == "longer-by-shorter" else (shorter, longer)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(shorter > 0, exponential(1 - part / whole), 0.0)


def harmonic_mean(precision: Floats, recall: Floats, alpha: float, beta: float, epsilon: float = 0.0) -> Floats:
    """The harmonic mean of the recall, with the weight `alpha`, and the precision, with the weight `beta`.

    Parameters
    ----------
    precision, recall : float64 (...)
    alpha, beta : float
        Not both 0.
    epsilon : float
        Added to the precision and to the recall.

    Returns
    -------
    float64 (...)
        0 if both are 0, and `epsilon` is 0 too.

    Examples
    --------
    >>> harmonic_mean(np.array(2 / 3), np.array(0.75), 9.0, 1.0).round(6)
    np.float64(0.740741)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (alpha + beta) / (alpha / (recall + epsilon) + beta / (precision + epsilon))
    return np.where(precision + epsilon > 0, mean, 0.0)


def lepor(factors: Floats, combination: str, weights: tuple[float, ...]) -> Floats:
    """The three factors as one number: their weighted harmonic mean (hLEPOR), or their product (LEPOR).

    Parameters
    ----------
    factors : float64 (..., 3)
        The length penalty, the position penalty, and the harmonic mean of precision and recall.
    combination : str
        "harmonic" or "product".
    weights : tuple of 3 float
        The weights of the harmonic mean. A product has none.

    Returns
    -------
    float64 (...)
        0 if one of the factors is 0.

    Examples
    --------
    >>> factors = np.array([0.882497, 0.965129, 0.740741])
    >>> lepor(factors, "harmonic", (2, 1, 7)).round(4), lepor(factors, "product", (2, 1, 7)).round(4)
    (np.float64(0.7842), np.float64(0.6309))
    """
    if combination == "product":
        product: Floats = factors.prod(axis=-1)
        return product
    positive = (factors > 0).all(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sum(weights) / (np.array(weights) / factors).sum(axis=-1)
    return np.where(positive, mean, 0.0)


@dataclass(frozen=True, kw_only=True)
class Hlepor(Tokenized, PairScorer):
    """The lengths, the positions, the precision and the recall of the words in one number; higher is better, 0-1.

    Each word of the hypothesis is aligned with an equal word of the reference. Three factors come from this alignment:
    a penalty of a length difference; a penalty of position differences, exp(-d / hypothesis length), where d is the sum
    of the differences of the relative places of aligned words; and the harmonic mean of precision and recall. hLEPOR is
    the weighted harmonic mean of the factors, and LEPOR their product. In nLEPOR the third factor is the geometric mean
    over several orders of n-grams. A text without words has the score 0.

    With several references, the one with the best score counts. The papers have one reference. The score of a corpus is
    the mean over the segments ("mean"), or the score of the mean factors ("corpus").

    Raises
    ------
    InputError
        If a value is out of range, there are not three weights, or all weights are 0; when scoring, if a text has no
        words and `empty` refuses it.

    References
    ----------
    Han et al. 2012, https://aclanthology.org/C12-2044 (LEPOR); Han et al. 2013, MT Summit XIV, pages 215-222 (hLEPOR);
    Han et al. 2013, https://aclanthology.org/W13-2253 (nLEPOR); the package hLepor on PyPI; nltk's ``sentence_lepor``.

    Examples
    --------
    >>> round(Hlepor().corpus(["the cat sat on a mat"], ["a cat sat on the mat"]).value, 4)
    0.9757
    >>> round(Hlepor(combination="product").corpus(["the cat sat on a mat"], ["a cat sat on the mat"]).value, 4)
    0.8007
    """

    name: ClassVar[str] = "hlepor"
    about: ClassVar = About(
        papers=("han-etal-2012-lepor", "han-etal-2013-language", "han-etal-2013-description"),
        growth=Growth("words", 2, 30_000),
    )

    lowercase: bool = True
    # fmt: off
    context: int = option(
        2, stage="pairs", choice="alignment", greatest=LONGEST_NGRAM,
        about="How many words before and after a word are its context.",
    )
    context_match: str = option(
        "any-place", stage="pairs", choice="alignment",
        about="When two contexts match.",
        one_of={
            "any-place": "they have a common word",
            "same-place": "they have a common word at the same place from both words",
        },
    )
    context_window: str = option(
        "clipped", stage="pairs", choice="alignment",
        about="The context before a word near the beginning of a text.",
        one_of={
            "clipped": "what there is",
            "slice": "a start below 0 counts from the end of the text, so that mostly nothing is left (the package on "
                "PyPI)",
            "without-first": "the first word is in no context (nltk)",
        },
    )
    preference: str = option(
        "nearest", stage="pairs", choice="alignment",
        about="Which word of the reference is taken if several are possible.",
        one_of={
            "nearest": "the nearest; ties: the first",
            "farthest": "the farthest",
            "nearest-index": "if the nearest is number k of those with a common context, number k of all is taken (the "
                "package on PyPI)",
        },
    )
    exclusive: bool = option(
        True, stage="pairs", choice="alignment", about="Whether a word of the reference is aligned only once."
    )
    positions: str = option(
        "words", stage="pairs", choice="positions",
        about="The place of a word in the hypothesis.",
        one_of={"words": "its number among all words", "matches": "its number among the matches (nltk)"},
    )
    equal_in_order: bool = option(
        False, stage="pairs", choice="positions",
        about="Whether the position difference of two equal texts is 0, however their words are aligned.",
    )
    length_ratio: str = option(
        "longer-by-shorter", stage="pairs", choice="length penalty",
        about="The ratio r of the lengths in the length penalty exp(1 - r).",
        one_of={
            "longer-by-shorter": "longer / shorter",
            "shorter-by-longer": "shorter / longer, as nltk has it: a difference of lengths is rewarded, with a factor "
                "of up to e",
        },
    )
    max_order: int = option(
        1, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM,
        about="The longest n-grams whose precision and recall count. An order without a match makes the score 0.",
    )
    alpha: float = option(
        9.0, stage="pairs", choice="recall and precision",
        about="The weight of the recall in its harmonic mean with the precision.",
    )
    beta: float = option(
        1.0, stage="pairs", choice="recall and precision",
        about="The weight of the precision in its harmonic mean with the recall.",
    )
    epsilon: float = option(
        0.0, stage="pairs", choice="recall and precision", greatest=1.0,
        about="Added to the precision and to the recall (nltk).",
    )
    arithmetic: str = option(
        "c", stage="pairs", choice=None,
        about="Which exponential function is used. The last bits of the two can differ.",
        one_of={"c": "that of C, as in Python's `math`", "numpy": "NumPy's (hLepor)"},
    )
    empty: str = option(
        "zero", stage="pairs", choice="empty texts",
        about="What happens to a text without words.",
        one_of={
            "zero": "it scores 0",
            "error": "it is refused (nltk)",
            "error-of-nothing": "it is refused if it has not even whitespace (the package on PyPI)",
        },
    )
    # The best reference depends on these.
    combination: str = option(
        "harmonic", stage="join", choice="combination",
        about="How the three factors are combined.",
        one_of={"harmonic": "their weighted harmonic mean", "product": "their product"},
    )
    weights: tuple[float, ...] = option(
        (2.0, 1.0, 7.0), stage="join", choice="combination",
        about="The weights of the length penalty, of the position penalty, and of precision and recall, in the "
        "harmonic mean: three numbers. The authors' Perl scripts have (2, 1, 3).",
    )
    aggregation: str = with_default(
        "mean", one_of={"corpus": "the score of the mean factors", "mean": "the mean of the segments' own scores"}
    )
    # fmt: on

    _columns = (*(f"{name}_sum" for name in _FACTORS), *_COUNTS, "segment_count")

    _variants: ClassVar = VARIANTS

    def _check_together(self) -> None:
        holds = len(self.weights) == 3 and sum(self.weights) > 0
        self._check("weights", holds, "three numbers from 0 on that are not all 0")
        self._check("beta", self.alpha + self.beta > 0, "a number above 0, because `alpha` is 0,")

    numbers: ClassVar = (
        number(
            "hlepor", 0, "_most", better="higher", title="hLEPOR", unit="points",
            about="weighted harmonic mean of the three factors below, or their product",
        ),
        number(
            "length_penalty", 0, "_greatest_penalty", better="higher",
            about="exp(1 - longer / shorter), with the lengths of both texts; `length_ratio` may invert the ratio",
        ),
        number(
            "position_penalty", 0, 1, better="higher",
            about="exp(-d), where d is the mean difference of the positions of aligned words",
        ),
        number(
            "harmonic_mean", 0, "_greatest_mean", better="higher",
            about="weighted harmonic mean of precision and recall",
        ),
        number("precision", 0, 1, better="higher", about="aligned words, divided by the words of the hypothesis"),
        number(
            "recall", 0, "_greatest_recall", better="higher",
            about="aligned words, divided by the words of the reference",
        ),
        counted("match_count", "words", about="aligned words"),
        counted("hypothesis_length", "words", about="words of the hypotheses"),
        counted("reference_length", "words", about="words of the references"),
        number(
            "position_difference", 0, math.inf,
            about="sum over the aligned words of the difference of their relative positions in both texts",
        ),
    )  # fmt: skip

    @property
    def _greatest_penalty(self) -> float:
        """The greatest length penalty: e for nltk's, which rewards a difference of lengths."""
        return 1.0 if self.length_ratio == "longer-by-shorter" else math.e

    @property
    def _greatest_recall(self) -> float:
        """The greatest recall: it can be above 1 where a word of the reference may be aligned twice."""
        return 1.0 if self.exclusive else math.inf

    @property
    def _greatest_mean(self) -> float:
        """The greatest mean of precision and recall, to which `epsilon` is added."""
        return self._greatest_recall + self.epsilon

    @property
    def _most(self) -> float:
        return self.scale * self._greatest_penalty * self._greatest_mean

    def alignment(self, prediction: str, reference: str) -> tuple[list[str], list[str], Offsets]:
        """The words of both texts, and the place in the reference of each word of the prediction, -1 for none.

        Examples
        --------
        >>> Hlepor().alignment("the cat on the mat", "on the mat the cat")[2]
        array([1, 4, 0, 3, 2])
        """
        view = self._view(Segments([prediction], [reference], owner=self._label))
        return view.tokens_of(0), view.tokens_of(1), self._aligned(view)[0]

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The three factors of each pair, its counts, and a 1."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        self._refuse_empty(segments, view)
        lengths = np.diff(view.offsets)
        ours, theirs = lengths[hypotheses], lengths[references]
        _, difference, matches = self._aligned(view)
        if self.equal_in_order:
            difference[equal_texts(view.paired)] = 0.0
        counts = rows_of(matches, ours, theirs)
        exponential = np.exp if self.arithmetic == "numpy" else exps
        penalties = (
            length_penalty(ours, theirs, self.length_ratio, exponential),
            exponential(-difference / np.maximum(ours, 1)),
        )
        return rows_of(*penalties, self._means(view, counts), *counts.T, difference, np.ones(len(ours)))

    def _aligned(self, view: View) -> tuple[Offsets, Floats, Offsets]:
        return context_alignment(
            view.paired,
            view.type_count,
            context=self.context,
            any_place=self.context_match == "any-place",
            window=self.context_window,
            preference=self.preference,
            exclusive=self.exclusive,
            of_matches=self.positions == "matches",
        )

    def _means(self, view: View, counts: Floats) -> Floats:
        """The harmonic mean of precision and recall of each pair; of several orders, their geometric mean."""
        matches, ours, theirs = counts.T[..., None]
        if self.max_order > 1:
            more = common_counts(view, self.max_order, False)[:, 1:]
            matches = np.column_stack([matches, more])
        less = np.arange(self.max_order)
        precision, recall = (ratio(matches, np.maximum(length - less, 0)) for length in (ours, theirs))
        means = harmonic_mean(precision, recall, self.alpha, self.beta, self.epsilon)
        product: Floats = means.prod(axis=1) ** (1 / self.max_order)
        return product

    def _refuse_empty(self, segments: Segments, view: View) -> None:
        """Raise an InputError for a text without words, if they are refused."""
        if self.empty == "zero":
            return
        for name, lengths in (("predictions", view.lengths), ("references", view.reference_lengths)):
            column, empty = segments.columns[name], lengths == 0
            if self.empty == "error-of-nothing" and isinstance(column, Text):
                empty = np.diff(buffers(column.texts)[1]) == 0
            reason = "has a text without words; choose empty='zero'"
            refuse_empty(self._label, name, empty, reason, segments.first, column.offsets)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *sums, segments = columns_of(statistics)
        counts = dict(zip(_COUNTS, sums[3:], strict=True))
        factors = np.stack(sums[:3], axis=-1) / segments[..., None]
        ours, theirs = counts["hypothesis_length"], counts["reference_length"]
        shares = {
            name: ratio(counts["match_count"], length) for name, length in (("precision", ours), ("recall", theirs))
        }
        return {
            "hlepor": self.scale * lepor(factors, self.combination, self.weights),
            **by_name(_FACTORS, factors),
            **shares,
            **counts,
        }
