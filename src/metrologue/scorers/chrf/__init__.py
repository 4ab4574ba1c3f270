"""chrF and chrF++ (Popović 2015, 2017), as every library computes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.scorers.chrf.kernels import EPSILON, Formula, numbers_of
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Reported
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option, with_default
from metrologue.scorers.core.rows import first_best, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.segments import Segments
from metrologue.text.reading import words

__all__ = ["Chrf", "Level", "chrf", "fscore"]

_COUNTS = ("match", "hypothesis", "reference")


def chrf(match_count: Floats, hypothesis_count: Floats, reference_count: Floats, beta: float = 2.0) -> Floats:
    """chrF: the F-score of the mean precision and the mean recall. The means are over the orders that both texts have.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (..., orders)
        For each order: the matching n-grams, the n-grams of the hypothesis and the n-grams of the reference. Orders are
        those of characters, and for chrF++ also those of words.
    beta : float
        Weight of recall: recall counts `beta` times as much as precision.

    Returns
    -------
    float64 (...)
        0 to 1; 0 if no order has n-grams in both texts.

    References
    ----------
    Popović 2015, https://aclanthology.org/W15-3049, section 2. The mean over these orders alone is sacrebleu's choice.

    Examples
    --------
    "abc" and "abd" share two of three characters, and one of two character bigrams.

    >>> float(chrf(np.array([2.0, 1.0]), np.array([3.0, 2.0]), np.array([3.0, 2.0])).round(4))
    0.5833
    """
    formula = Formula(1.0, beta**2, 0.0, False, False, True, True, False)
    score: Floats = numbers_of(np.concatenate([match_count, hypothesis_count, reference_count], axis=-1), formula)[0]
    return score


def fscore(
    precision: Floats, recall: Floats, beta: float, undefined: float = 0.0, product_first: bool = False
) -> Floats:
    """F-score: (1 + beta^2) P R / (beta^2 P + R); `undefined` where the denominator is 0.

    With `product_first`, P R is multiplied first, which can change the last bit.
    """
    factor = beta**2
    whole = (1 + factor) * (precision * recall) if product_first else (1 + factor) * precision * recall
    return ratio(whole, factor * precision + recall, undefined)


class Level(NamedTuple):
    """One kind of n-grams: "char" or "word", its tokenizer, and its first and last order."""

    name: str
    tokenizer: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Chrf(PairScorer, Reported):
    """F-score of the character n-grams, and for chrF++ also word n-grams, that two texts share; higher is better.

    The defaults are those of sacrebleu's chrF, which is from 0 to 100.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Popović 2015, https://aclanthology.org/W15-3049; Popović 2017, https://aclanthology.org/W17-4770.

    Examples
    --------
    >>> texts = ["the cat sat on the mat", "so"]
    >>> references = ["the cat is on the mat", "so"]
    >>> for name in Chrf.variants():
    ...     print(f"{name} {Chrf.variant(name).corpus(texts, references).value:.4f}")
    sacrebleu 64.9307
    chrf++ 66.9223
    chrf++.py 66.9114
    sacrebleu-1.5.1 0.6493
    nltk 0.4919
    torchmetrics 0.6691
    """

    name: ClassVar[str] = "chrf"
    about: ClassVar = About(papers=("popovic-2015-chrf", "popovic-2017-chrf"))

    # fmt: off
    char_order: int = option(
        6, stage="pairs", choice="orders", greatest=LONGEST_NGRAM, about="Longest n-gram of characters; 0 for none."
    )
    word_order: int = option(
        0, stage="pairs", choice="orders", greatest=LONGEST_NGRAM,
        about="Longest n-gram of words; 0 for none. 2 is chrF++, 1 is chrF+.",
    )
    min_char_order: int = option(
        1, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM,
        about="Shortest n-gram of characters, at most `char_order`.",
    )
    tokenizer: str = option(
        "char", stage="read", choice="characters", kind="tokenizer",
        about='Which characters count: "char" (all except whitespace), "char-nltk" and "char-torchmetrics" (all except '
        "what these libraries treat as whitespace), or any other name that "
        "`metrologue list tokenizers` shows.",
    )
    whitespace: bool = option(
        False, stage="read", choice="characters",
        about="Whether whitespace counts. Then every character of a text counts, and `tokenizer` has no effect.",
    )
    word_tokenizer: str = option(
        "chrf", stage="read", choice="words", kind="tokenizer",
        about='What the words are. "chrf" splits one ASCII punctuation mark off a word.',
    )
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")
    # These fields decide which reference of a segment counts, down to the last bit of the score. So does the scale.
    beta: float = option(
        2.0, stage="join", choice="beta", about="Weight of recall: F = (1 + beta^2) P R / (beta^2 P + R)."
    )
    average: str = option(
        "precision-recall", stage="join", choice="average",
        about="What is averaged over the orders.",
        one_of={
            "precision-recall": "precision and recall; F is computed from the two means (the paper, sacrebleu)",
            "fscore": "the F of each order (chrF++.py, nltk, torchmetrics)",
        },
    )
    effective_order: bool = option(
        True, stage="join", choice="effective order",
        about="Average only over the orders in which both texts have n-grams. Otherwise a short text that equals its "
        "reference does not reach the perfect score.",
    )
    smoothing: str = option(
        "none", stage="join", choice="smoothing",
        about="What an order without a match has.",
        one_of={
            "none": "a ratio with the denominator 0 is 0",
            "epsilon": "a ratio with the denominator 0 is 1e-16 (sacrebleu's eps_smoothing)",
            "epsilon-all": "precision, recall and F of each order without a match are 1e-16 (nltk)",
        },
    )
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        about="How several references join.",
        one_of={
            "best": "the one with the best score counts; ties: the first",
            "best-single": "the same, but scores are compared in float32, where more of them are equal (torchmetrics)",
            "first": "the first one counts alone (sacrebleu up to 1.5.1)",
        },
    )
    count_unpaired: bool = option(
        False, stage="pairs", choice="unpaired orders",
        about="Whether a hypothesis's n-grams count in orders in which its reference has none (torchmetrics). They "
        "lower the precision.",
    )
    drop_unmatched: bool = option(
        False, stage="join", choice="unmatched references",
        about="Leave out the n-grams of a reference that shares none with the hypothesis (torchmetrics, because its "
        "best score starts at 0). A segment without a match then does not lower the recall.",
    )
    arithmetic: str = option(
        "left-to-right", stage="join", choice=None,
        about="The order of operations in F, which changes the last bit only.",
        one_of={"left-to-right": "(1 + beta^2) * P * R", "product-first": "(1 + beta^2) * (P * R) (nltk)"},
    )
    scale: float = option(100.0, stage="join", choice=None, least=1e-9)
    aggregation: str = with_default("corpus", one_of={"mean": "the mean of the segments' own scores (nltk)"})
    # fmt: on

    def _check_together(self) -> None:
        self._check("char_order", self.char_order + self.word_order > 0, "an order above 0 here or in `word_order`")
        most = max(self.char_order, 1)
        self._check("min_char_order", self.min_char_order <= most, f"at most {most}, for `char_order`,")

    @property
    def _title_here(self) -> str:
        return f"{self.title}{self.beta:g}{'+' * self.word_order}"

    @property
    def _cut_by(self) -> str:
        """What finds the words of chrF+ and chrF++; the characters of chrF are right in every script."""
        return self.word_tokenizer if self.word_order else self.tokenizer

    @property
    def _of_characters(self) -> Mapping[str, int]:
        """What leaves the words out."""
        return {"word_order": 0} if self.char_order else {}

    @property
    def _levels(self) -> tuple[Level, ...]:
        """The kinds of n-grams that are counted: characters, words, or both."""
        characters = "characters" if self.whitespace else self.tokenizer
        levels = (
            Level("char", characters, self.min_char_order, self.char_order),
            Level("word", self.word_tokenizer, 1, self.word_order),
        )
        return tuple(level for level in levels if level.last)

    @property
    def _orders(self) -> tuple[tuple[str, int], ...]:
        return tuple((level.name, n) for level in self._levels for n in range(level.first, level.last + 1))

    @property
    def _columns(self) -> tuple[str, ...]:
        return tuple(f"{level}_{kind}_count_{n}" for kind in _COUNTS for level, n in self._orders)

    numbers: ClassVar = (
        number(
            "chrf", 0, "scale", better="higher", title="chrF",
            about="F-measure of character and word n-grams, in which recall counts `beta` times as much as precision",
        ),
        number("precision", 0, "scale", better="higher", about="mean precision of the orders"),
        number("recall", 0, "scale", better="higher", about="mean recall of the orders"),
        each(
            "_orders",
            number(
                "{level}_precision_{n}", 0, "scale", better="higher",
                about="share of the {level} {n}-grams of the hypothesis that match",
            ),
            number(
                "{level}_recall_{n}", 0, "scale", better="higher",
                about="share of the {level} {n}-grams of the reference that match",
            ),
            number(
                "{level}_fscore_{n}", 0, "scale", better="higher",
                about="F-measure of the precision and the recall of {level} {n}-grams",
            ),
        ),
        each("_orders", counted("{level}_match_count_{n}", "n-grams", about="{level} {n}-grams that match")),
        each("_orders", counted("{level}_hypothesis_count_{n}", "n-grams", about="{level} {n}-grams of hypotheses")),
        each("_orders", counted("{level}_reference_count_{n}", "n-grams", about="{level} {n}-grams of references")),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        alike = self.smoothing == "none" and not (self.count_unpaired or self.drop_unmatched)
        return key == "chrf" and self.beta == 1 and alike

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: matches, n-grams of the hypothesis and n-grams of the reference, for each order."""
        return self._counts([self._level_counts(segments, level) for level in self._levels])

    def _counts(self, of_levels: Sequence[tuple[Floats, Floats, Floats]]) -> Floats:
        """The rows of pairs, from the counts of each level."""
        matches, hypotheses, references = zip(*of_levels, strict=True)
        if not self.count_unpaired:
            hypotheses = tuple(ours * (theirs > 0) for ours, theirs in zip(hypotheses, references, strict=True))
        return np.concatenate([*matches, *hypotheses, *references], axis=1)

    def _level_counts(self, segments: Segments, level: Level) -> tuple[Floats, Floats, Floats]:
        """Matches, n-grams of the hypothesis and n-grams of the reference, (n_pairs, orders) each."""
        reading = words(level.tokenizer, self.lowercase)
        view = segments.read(reading)
        hypotheses, references = view.pairs

        def count() -> tuple[Floats, Floats]:
            totals = np.maximum(view.text_lengths[:, None] - np.arange(level.last), 0.0)
            return common_counts(view, level.last, False), totals

        matches, totals = segments.memoize(("common n-grams", reading, level.last), count)
        wanted = slice(level.first - 1, None)
        return matches[:, wanted], totals[hypotheses, wanted], totals[references, wanted]

    def _statistics(self, segments: Segments) -> Floats:
        rows = super()._statistics(segments)
        if not self.drop_unmatched:
            return rows
        matches, hypothesis, reference = np.split(rows, 3, axis=1)
        matched = matches.any(axis=1, keepdims=True)
        return np.concatenate([matches, hypothesis, np.where(matched, reference, 0.0)], axis=1)

    def _best_references(self, segments: Segments) -> Integers:
        """The index of the reference that counts in each segment, from 0, (n_segments,)."""
        offsets = segments.reference_offsets
        best: Integers = first_best(self._quality(self._pairs(segments)), offsets) - offsets[:-1]
        return best

    def _quality(self, rows: Floats) -> Floats:
        if self.multi_reference == "best":
            return super()._quality(rows)
        if self.multi_reference == "first":
            return np.zeros(len(rows))  # of equal ones, the first
        sizes = [level.last - level.first + 1 for level in self._levels]
        quality: Floats = numbers_of(rows, self._formula._replace(single=True), sizes)[0]
        return quality

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        return dict(zip(self._reported, numbers_of(statistics, self._formula), strict=True))

    @cached_property
    def _formula(self) -> Formula:
        return Formula(
            self.scale, self.beta**2, EPSILON if self.smoothing == "epsilon" else 0.0, self.smoothing == "epsilon-all",
            self.arithmetic == "product-first", self.average == "precision-recall", self.effective_order, False,
        )  # fmt: skip

    _variants: ClassVar = {
        "sacrebleu": Variant(
            "sacrebleu",
            "CHRF() and the Hub's `chrf`: F2 of mean precision and mean recall, over the orders that both texts have",
            live="sacrebleu.chrf",
            recommended=Recommended("its signature says which orders and which beta it has", "post-2018-call"),
        ),
        "chrf++": Variant(
            "sacrebleu", "CHRF(word_order=2): the same with words and word bigrams", {"word_order": 2},
            live="sacrebleu.chrf", options={"word_order": 2},
        ),
        "chrf++.py": Variant(
            "chrF++.py", "the author's program: chrF++ as the mean F2 over all orders; its avgF2: aggregation=mean",
            {"word_order": 2, "tokenizer": "char-torchmetrics", "average": "fscore", "effective_order": False},
        ),
        "sacrebleu-1.5.1": Variant(
            "sacrebleu", "corpus_chrf up to 1.5.1: from 0 to 1, and of several references the first",
            {"multi_reference": "first", "scale": 1.0}, version="1.5.1",
        ),
        "nltk": Variant(
            "nltk",
            "sentence_chrf and corpus_chrf: mean F3 over orders 1 to 6, and over segments; 1e-16 if nothing matches",
            {
                "tokenizer": "char-nltk", "beta": 3.0, "average": "fscore", "effective_order": False,
                "smoothing": "epsilon-all", "aggregation": "mean", "arithmetic": "product-first", "scale": 1.0,
            },
            live="nltk.chrf",
        ),
        "torchmetrics": Variant(
            "torchmetrics",
            "chrf_score: chrF++ as the mean F2 over all orders, in float32 there; a segment without a match costs no "
            "recall",
            {
                "word_order": 2, "tokenizer": "char-torchmetrics", "average": "fscore", "effective_order": False,
                "multi_reference": "best-single", "count_unpaired": True, "drop_unmatched": True, "scale": 1.0,
            },
            live="torchmetrics.chrf",
        ),
    }  # fmt: skip
