"""hLEPOR, LEPOR and nLEPOR (Han et al. 2012, 2013): lengths, positions, precision and recall of the words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import buffers
from metrologue.errors import InputError
from metrologue.kernels.context_alignment import (
    PREFERENCES,
    WINDOWS,
    context_alignment,
    position_differences,
)
from metrologue.kernels.ngrams import equal_texts
from metrologue.reading import View, words
from metrologue.reading.text import Text
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.hlepor.variants import VARIANTS
from metrologue.segments import Segments

__all__ = ["Hlepor", "harmonic_mean", "length_penalty", "lepor"]

Floats = NDArray[np.float64]
Offsets = NDArray[np.int64]

_FACTORS = ("length_penalty", "position_penalty", "harmonic_mean")
_COUNTS = ("match_count", "hypothesis_length", "reference_length", "position_difference")


def length_penalty(length: Floats, reference_length: Floats, length_ratio: str = "longer-by-shorter") -> Floats:
    """The penalty of a length difference: exp(1 - longer/shorter), which is 1 for equal lengths; 0 without words.

    Parameters
    ----------
    length, reference_length : float64 (...)
        The words of both texts.
    length_ratio : str
        "longer-by-shorter", or "shorter-by-longer" for the inverse ratio.

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
        return np.where(shorter > 0, np.exp(1 - part / whole), 0.0)


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
class Hlepor(PairScorer):
    """The lengths, the positions, the precision and the recall of the words in one number; higher is better, 0-1.

    Each word of the hypothesis is aligned with an equal word of the reference. Three factors come from this alignment:
    a penalty of a length difference; a penalty of position differences, exp(-d / hypothesis length), where d is the sum
    of the differences of the relative places of aligned words; and the harmonic mean of precision and recall. hLEPOR is
    the weighted harmonic mean of the factors, and LEPOR their product. In nLEPOR the third factor is the geometric mean
    over several orders of n-grams. A text without words has the score 0.

    With several references, the one with the best score counts. The papers have one reference. The score of a corpus is
    the mean over the segments ("mean"), or the score of the mean factors ("corpus").

    Parameters
    ----------
    tokenizer : str
        One of ``metrologue.tokenizers.list_tokenizers()``.
    lowercase : bool
        Whether to apply ``str.lower()`` first.
    combination : str
        "harmonic": the weighted harmonic mean of the three factors. "product": their product.
    weights : tuple of 3 float
        The weights of the length penalty, of the position penalty, and of precision and recall, in the harmonic mean.
        The authors' Perl scripts have (2, 1, 3).
    alpha, beta : float
        The weights of the recall and of the precision in their harmonic mean.
    epsilon : float
        Added to the precision and to the recall (nltk).
    max_order : int
        The longest n-grams whose precision and recall count, 1 to 100. An order without a match makes the score 0.
    length_ratio : str
        "longer-by-shorter": the length penalty is exp(1 - longer / shorter). "shorter-by-longer": nltk has the inverse
        ratio, so that a difference of lengths is rewarded, with a factor of up to e.
    context : int
        How many words before and after a word are its context.
    context_match : str
        Contexts are alike if they have a common word: "any-place", or at the "same-place" from both words.
    context_window : str
        The context before a word near the beginning of a text. "clipped": what there is. "slice": a start below 0
        counts from the end of the text, so that mostly nothing is left (the package on PyPI). "without-first": the
        first word is in no context (nltk).
    preference : str
        Which word of the reference is taken if several are possible: the "nearest" or the "farthest". With
        "nearest-index", if the nearest is number k of those with a common context, number k of all is taken (the
        package on PyPI). The first one counts if several are equally near.
    exclusive : bool
        Whether a word of the reference is aligned only once.
    positions : str
        The place of a word in the hypothesis: its number among all "words", or among the "matches" (nltk).
    equal_in_order : bool
        Whether the position difference of two equal texts is 0, however their words are aligned.
    empty : str
        What happens to a text without words: a score of "zero"; an "error" (nltk); or an "error-of-nothing", if a text
        has not even whitespace (the package on PyPI).

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
    papers: ClassVar[tuple[str, ...]] = ("han-etal-2012-lepor", "han-etal-2013-language", "han-etal-2013-description")
    _tracer: ClassVar[str] = "metrologue.scorers.hlepor.trace"

    tokenizer: str = option("whitespace", stage="read", choice="tokenizer", kind="tokenizer")
    lowercase: bool = option(True, stage="read", choice="case")
    context: int = option(2, stage="pairs", choice="alignment", greatest=LONGEST_NGRAM)
    context_match: str = option("any-place", stage="pairs", choice="alignment", one_of=("any-place", "same-place"))
    context_window: str = option("clipped", stage="pairs", choice="alignment", one_of=WINDOWS)
    preference: str = option("nearest", stage="pairs", choice="alignment", one_of=PREFERENCES)
    exclusive: bool = option(True, stage="pairs", choice="alignment")
    positions: str = option("words", stage="pairs", choice="positions", one_of=("words", "matches"))
    equal_in_order: bool = option(False, stage="pairs", choice="positions")
    length_ratio: str = option(
        "longer-by-shorter", stage="pairs", choice="length penalty", one_of=("longer-by-shorter", "shorter-by-longer")
    )
    max_order: int = option(1, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM)
    alpha: float = option(9.0, stage="pairs", choice="recall and precision")
    beta: float = option(1.0, stage="pairs", choice="recall and precision")
    epsilon: float = option(0.0, stage="pairs", choice="recall and precision", greatest=1.0)
    empty: str = option("zero", stage="pairs", choice="empty texts", one_of=("zero", "error", "error-of-nothing"))
    # The best reference depends on these.
    combination: str = option("harmonic", stage="join", choice="combination", one_of=("harmonic", "product"))
    weights: tuple[float, ...] = option((2.0, 1.0, 7.0), stage="join", choice="combination")
    aggregation: str = "mean"

    _columns = (*(f"{name}_sum" for name in _FACTORS), *_COUNTS, "segment_count")
    _variants: ClassVar = VARIANTS

    def _check_together(self) -> None:
        holds = len(self.weights) == 3 and sum(self.weights) > 0
        self._check("weights", holds, "three numbers from 0 on that are not all 0")
        self._check("beta", self.alpha + self.beta > 0, "a number above 0, because `alpha` is 0,")

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number: factors are at most 1, or e for nltk's length penalty."""
        greatest = 1.0 if self.length_ratio == "longer-by-shorter" else math.e
        # Where a word of the reference may be aligned twice, the recall can be above 1.
        shares = (0.0, 1.0) if self.exclusive else (0.0, math.inf)
        factors = {"length_penalty": (0.0, greatest), "position_penalty": (0.0, 1.0), "harmonic_mean": shares}
        best = self.scale * greatest if self.exclusive else math.inf
        more = {"precision": (0.0, 1.0), "recall": shares, **dict.fromkeys(_COUNTS, (0.0, math.inf))}
        return {"hlepor": (0.0, best), **factors, **more}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True for the score, its factors, precision and recall."""
        return dict.fromkeys(("hlepor", *_FACTORS, "precision", "recall"), True)

    def alignment(self, prediction: str, reference: str) -> tuple[list[str], list[str], Offsets]:
        """The words of both texts, and the place in the reference of each word of the prediction, -1 for none.

        Examples
        --------
        >>> Hlepor().alignment("the cat on the mat", "on the mat the cat")[2]
        array([1, 4, 0, 3, 2])
        """
        view = self._view(Segments([prediction], [reference], owner=self._label))
        return view.tokens_of(0), view.tokens_of(1), self._places(view)

    def pair_statistics(self, segments: Segments) -> Floats:
        """The three factors of each pair, its counts, and a 1."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        self._refuse_empty(segments, view)
        lengths = np.diff(view.offsets)
        own, its = lengths[hypotheses], lengths[references]
        difference, matches = position_differences(self._places(view), own, its, self.positions == "matches")
        if self.equal_in_order:
            difference[equal_texts(view.ids, view.offsets, hypotheses, references)] = 0.0
        counts = np.column_stack([matches, own, its]).astype(np.float64)
        penalties = length_penalty(own, its, self.length_ratio), np.exp(-difference / np.maximum(own, 1))
        return np.column_stack([*penalties, self._means(view, counts), counts, difference, np.ones(len(own))])

    def _view(self, segments: Segments) -> View:
        return segments.read(words(self.tokenizer, self.lowercase))

    def _places(self, view: View) -> Offsets:
        return context_alignment(
            view.ids, view.offsets, *view.pairs, view.type_count,
            context=self.context, any_place=self.context_match == "any-place", window=self.context_window,
            preference=self.preference, exclusive=self.exclusive,
        )  # fmt: skip

    def _means(self, view: View, counts: Floats) -> Floats:
        """The harmonic mean of precision and recall of each pair; of several orders, their geometric mean."""
        matches, own, its = counts.T[..., None]
        if self.max_order > 1:
            more = common_counts(view, self.max_order, False)[:, 1:]
            matches = np.column_stack([matches, more])
        less = np.arange(self.max_order)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                np.where(matches > 0, matches / np.maximum(length - less, 0), 0.0) for length in (own, its)
            )
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
            if empty.any():
                index = (
                    int(np.searchsorted(column.offsets, np.flatnonzero(empty)[0], side="right")) - 1 + segments.first
                )
                raise InputError(f"Hlepor: `{name}[{index}]` has a text without words; choose empty='zero'.")

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *sums, segments = np.moveaxis(statistics, -1, 0)
        counts = dict(zip(_COUNTS, sums[3:], strict=True))
        factors = np.stack(sums[:3], axis=-1) / segments[..., None]
        own, its = counts["hypothesis_length"], counts["reference_length"]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = {
                name: np.where(counts["match_count"] > 0, counts["match_count"] / length, 0.0)
                for name, length in (("precision", own), ("recall", its))
            }
        return {
            "hlepor": self.scale * lepor(factors, self.combination, self.weights),
            **dict(zip(_FACTORS, np.moveaxis(factors, -1, 0), strict=True)),
            **shares,
            **counts,
        }
