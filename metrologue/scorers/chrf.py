"""chrF and chrF++ (Popović 2015, 2017), as every library computes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.ngrams import paired_counts
from metrologue.scorers.base import LONGEST_NGRAM, Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.references import first_best
from metrologue.segments import Segments
from metrologue.tokenizers import canonical_name

__all__ = ["Chrf", "Level"]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
# Of float64, or of float32 where a library compares its references in that.
Numbers = NDArray[Any]

_COUNTS = ("match", "hypothesis", "reference")
_EPSILON = 1e-16


class Level(NamedTuple):
    """What n-grams are made of: "char" or "word", the tokenizer that cuts a text so, the first and the last order."""

    name: str
    tokenizer: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Chrf(Scorer):
    """F-score of the character n-grams, and for chrF++ also word n-grams, that two texts share; higher is better.

    The defaults are sacrebleu's chrF: 0 to 100.

    Parameters
    ----------
    char_order, word_order : int
        Longest n-gram of characters and of words, up to 100; 0 for none. `word_order` 2 is chrF++, 1 is chrF+.
    min_char_order : int
        Shortest n-gram of characters, 1 to `char_order`.
    tokenizer : str
        What the characters are: "char" (all but blanks), "char-nltk" and "char-torchmetrics" (other ideas of a blank),
        or any other name out of ``metrologue.tokenizers.list_tokenizers()``.
    whitespace : bool
        Keep blanks: take every character of a text, whatever `tokenizer` says.
    word_tokenizer : str
        What the words are; "chrf" takes one ASCII punctuation mark off a word.
    lowercase : bool
        ``str.lower()`` before that.
    beta : float
        Weight of recall, 0 to 2^31 - 1: F = (1 + beta^2) P R / (beta^2 P + R).
    average : str
        What is averaged over the orders: "precision-recall", of which F is made then (the paper, sacrebleu), or
        "fscore", the F of each order (chrF++.py, nltk, torchmetrics).
    effective_order : bool
        Leave out of that the orders of which one of the texts has no n-gram. Without it a short text that equals its
        reference has no perfect score.
    smoothing : str
        What a ratio is whose denominator is 0: "none", 0; "epsilon", 1e-16 (sacrebleu's eps_smoothing); "epsilon-all",
        precision, recall and F of the order are all 1e-16 if one of them has such a denominator (nltk).
    references : str
        Of several references the one with the "best" score counts, the first of several; "best-single" compares the
        scores in float32, where more of them are equal (torchmetrics).
    count_unpaired : bool
        Count a hypothesis's n-grams of an order of which its reference has none (torchmetrics); it costs precision.
    drop_unmatched : bool
        Do not count the n-grams of a reference that has nothing in common with the hypothesis (torchmetrics, whose best
        score begins at 0): segments that are all wrong cost no recall then.
    aggregation : str
        "corpus": of the summed counts; "mean": of the segments' scores (nltk).
    scale : float
        What a perfect score is.

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
    nltk 0.4919
    torchmetrics 0.6691
    """

    name: ClassVar[str] = "chrf"

    char_order: int = 6
    word_order: int = 0
    min_char_order: int = 1
    tokenizer: str = "char"
    whitespace: bool = False
    word_tokenizer: str = "chrf"
    lowercase: bool = False
    beta: float = 2.0
    average: str = "precision-recall"
    effective_order: bool = True
    smoothing: str = "none"
    references: str = "best"
    count_unpaired: bool = False
    drop_unmatched: bool = False
    scale: float = 100.0

    # All that makes the score of a pair is a matter of statistics: by it a segment's best reference is chosen.
    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("characters", ("tokenizer", "whitespace"), "view"),
        Choice("words", ("word_tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice("orders", ("char_order", "word_order", "min_char_order"), "statistics"),
        Choice("beta", ("beta",), "statistics"),
        Choice("average", ("average",), "statistics"),
        Choice("effective order", ("effective_order",), "statistics"),
        Choice("smoothing", ("smoothing",), "statistics"),
        Choice("several references", ("references",), "statistics"),
        Choice("unpaired orders", ("count_unpaired",), "statistics"),
        Choice("unmatched references", ("drop_unmatched",), "statistics"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(
            average=("precision-recall", "fscore"), smoothing=("none", "epsilon", "epsilon-all"),
            references=("best", "best-single"),
        )  # fmt: skip
        self._check_numbers("beta")
        self._check_numbers("char_order", "word_order", greatest=LONGEST_NGRAM)
        self._check("char_order", self.char_order + self.word_order > 0, "an order above 0 here or in `word_order`")
        self._check_numbers("min_char_order", least=1, greatest=LONGEST_NGRAM)
        most = max(self.char_order, 1)
        self._check("min_char_order", self.min_char_order <= most, f"at most {most}, for `char_order`,")
        self._set_field(tokenizer=canonical_name(self.tokenizer), word_tokenizer=canonical_name(self.word_tokenizer))

    @property
    def primary(self) -> str:
        """Always "chrf"."""
        return "chrf"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The n-grams that are counted: of characters, of words."""
        characters = "characters" if self.whitespace else self.tokenizer
        levels = (
            Level("char", characters, self.min_char_order, self.char_order),
            Level("word", self.word_tokenizer, 1, self.word_order),
        )
        return tuple(level for level in levels if level.last)

    @property
    def _orders(self) -> tuple[tuple[str, int], ...]:
        return tuple((level.name, n) for level in self.levels for n in range(level.first, level.last + 1))

    @property
    def count_columns(self) -> tuple[str, ...]:
        """The n-grams matched, those of the hypothesis and those of the reference, of each order."""
        return tuple(f"{level}_{kind}_count_{n}" for kind in _COUNTS for level, n in self._orders)

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """From 0 to the scale; counts have no upper bound."""
        ratios = [f"{level}_{kind}_{n}" for level, n in self._orders for kind in ("precision", "recall", "fscore")]
        return {
            **dict.fromkeys(("chrf", "precision", "recall", *ratios), (0.0, self.scale)),
            **dict.fromkeys(self.count_columns, (0.0, math.inf)),
        }

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True for all but the counts."""
        return {key: True for key in self.range if "_count_" not in key}

    def counts(self, segments: Segments) -> Floats:
        """Rows of `count_columns`, of each hypothesis and the reference that counts."""
        pairs = self._pair_counts(segments)
        rows = pairs[self._best(segments, pairs)]
        if self.drop_unmatched:
            k = len(self._orders)
            rows[~rows[:, :k].any(axis=1), 2 * k :] = 0
        return rows

    def best_references(self, segments: Segments) -> Indices:
        """Which of a segment's references counts, from 0: (n_segments,)."""
        best: Indices = self._best(segments, self._pair_counts(segments)) - segments.reference_offsets[:-1]
        return best

    def _best(self, segments: Segments, pairs: Floats) -> Indices:
        """The pair of each segment that counts."""
        if len(pairs) == len(segments):
            return np.arange(len(pairs))
        single = self.references == "best-single"
        *_, scores = self._ratios(pairs.astype(np.float32), apart=True) if single else self._ratios(pairs)
        return first_best(scores, segments.reference_offsets)

    def _pair_counts(self, segments: Segments) -> Floats:
        """Rows of `count_columns`, of each hypothesis with each of its references."""
        found = [self._level_counts(segments, level) for level in self.levels]
        matches, hypotheses, references = (np.concatenate(columns, axis=1) for columns in zip(*found, strict=True))
        if not self.count_unpaired:
            hypotheses = np.where(references > 0, hypotheses, 0.0)
        return np.concatenate([matches, hypotheses, references], axis=1)

    def _level_counts(self, segments: Segments, level: Level) -> tuple[Floats, Floats, Floats]:
        """Matches, n-grams of the hypothesis and n-grams of the reference, (n_pairs, orders) each; remembered."""
        view = segments.view(level.tokenizer, self.lowercase)
        hypotheses, references = view.pairs

        def count() -> tuple[Floats, Floats]:
            totals = np.maximum(np.diff(view.offsets)[:, None] - np.arange(level.last), 0.0)
            return paired_counts(view.ids, view.offsets, hypotheses, references, level.last, False), totals

        matches, totals = segments.memoize(("common n-grams", view.key, level.last), count)
        wanted = slice(level.first - 1, None)
        return matches[:, wanted], totals[hypotheses, wanted], totals[references, wanted]

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """chrF and what it is made of."""
        *orders, precision, recall, score = self._ratios(counts)
        numbers = {"chrf": score, "precision": self.scale * precision, "recall": self.scale * recall}
        for k, (level, n) in enumerate(self._orders):
            for kind, values in zip(("precision", "recall", "fscore"), orders, strict=True):
                numbers[f"{level}_{kind}_{n}"] = self.scale * values[..., k]
        return {**numbers, **{key: counts[..., i] for i, key in enumerate(self.count_columns)}}

    def _ratios(self, counts: Numbers, apart: bool = False) -> tuple[Numbers, ...]:
        """Precision, recall and F of each order, (..., orders), the means of the first two and the score, (...).

        In the type of `counts` and in the order of the libraries' own sums, because references that are equally good
        are told apart by the last bit; `apart`: characters and words are added up apart (torchmetrics).
        """
        matches, hypothesis, reference = np.split(counts, 3, axis=-1)
        undefined = _EPSILON if self.smoothing == "epsilon" else 0.0
        factor = self.beta**2

        def harmonic(precision: Numbers, recall: Numbers) -> Numbers:
            return _ratio((1 + factor) * precision * recall, factor * precision + recall, undefined)

        precision, recall = _ratio(matches, hypothesis, undefined), _ratio(matches, reference, undefined)
        fscore = harmonic(precision, recall)
        if self.smoothing == "epsilon-all":
            precision, recall, fscore = (np.where(matches > 0, each, _EPSILON) for each in (precision, recall, fscore))
        counted = (hypothesis > 0) & (reference > 0) | (not self.effective_order)
        number = counted.sum(axis=-1).astype(counts.dtype)
        sizes = [level.last - level.first + 1 for level in self.levels] if apart else [counts.shape[-1] // 3]

        def total(values: Numbers) -> Numbers:
            parts = np.split(np.where(counted, values, 0.0), np.cumsum(sizes)[:-1], axis=-1)
            added: Numbers = np.add.reduce([np.cumsum(part, axis=-1)[..., -1] for part in parts])
            return added

        means = [_ratio(total(each), number, 0.0) for each in (precision, recall)]
        if self.average == "fscore":
            score = _ratio(self.scale * total(fscore), number, 0.0)
        else:
            score = self.scale * harmonic(*means)
        return precision, recall, fscore, *means, score

    _variants: ClassVar[dict[str, Variant]] = {}


def _ratio(part: Numbers, whole: Numbers, otherwise: float) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, otherwise)


Chrf._variants.update(
    {
        "sacrebleu": Variant(
            "sacrebleu",
            "CHRF() and the Hub's `chrf`: F2 of the mean precision and recall of the orders that both texts have",
            live="sacrebleu.chrf",
        ),
        "chrf++": Variant(
            "sacrebleu",
            "the same with word_order=2: words and pairs of words too",
            {"word_order": 2},
            live="sacrebleu.chrf",
            options={"word_order": 2},
        ),
        "nltk": Variant(
            "nltk",
            "sentence_chrf and corpus_chrf: mean F3 of orders 1 to 6 and of segments, 1e-16 where nothing matches",
            {
                "tokenizer": "char-nltk", "beta": 3.0, "average": "fscore", "effective_order": False,
                "smoothing": "epsilon-all", "aggregation": "mean", "scale": 1.0,
            },
            live="nltk.chrf",
        ),
        "torchmetrics": Variant(
            "torchmetrics",
            "chrf_score: chrF++ as the mean F2 of all orders, in float32 there; a wrong segment costs no recall",
            {
                "word_order": 2, "tokenizer": "char-torchmetrics", "average": "fscore", "effective_order": False,
                "references": "best-single", "count_unpaired": True, "drop_unmatched": True, "scale": 1.0,
            },
            live="torchmetrics.chrf",
        ),
    }
)  # fmt: skip
