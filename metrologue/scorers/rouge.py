"""ROUGE (Lin 2004), as the original script and every library compute it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels.ngrams import distinct_counts, paired_counts
from metrologue.kernels.skipgrams import skip_bigram_counts, skip_bigram_matches
from metrologue.kernels.subsequence import lcs_lengths, union_hits, union_lcs, weighted_lcs
from metrologue.scorers.base import LARGEST, LONGEST_NGRAM, Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.references import first_best
from metrologue.segments import Segments, View
from metrologue.tokenizers import canonical_name
from metrologue.vocabulary import STEMMERS

__all__ = ["Rouge"]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

MEASURES = ("precision", "recall", "fmeasure")
_UNLIMITED = -1
_TYPE = re.compile(
    r"rouge(?:(?P<n>[1-9][0-9]{0,9})|(?P<whole>Lsum|L|W)|(?P<skip>SU?)(?:(?P<gap>0|[1-9][0-9]{0,9})|\*))"
)
# To these the end of a line is between tokens: a text cut into lines first has the same tokens.
_PARTED_BY_LINES = ("whitespace", "rouge-score", "rouge-1.5.5", "unicode-words")


class _Type(NamedTuple):
    """A member of the family: its name, its kind (n, L, Lsum, W, S or SU), and its n or gap."""

    name: str
    kind: str
    number: int


class _Matches(NamedTuple):
    """What two texts have in common: one number for each pair of hypothesis and reference, (pairs,) each.

    `compared` is what ROUGE-1.5.5 looks at to find the best reference, where that is not the rounded recall.
    """

    hits: Floats
    hypothesis: Floats
    reference: Floats
    compared: Floats | None = None


@dataclass(frozen=True, kw_only=True)
class Rouge(Scorer):
    """Overlap of a text with its references: n-grams, longest common subsequences, skip-bigrams; higher is better, 0-1.

    Each type has a precision, a recall and an F-measure: ``rouge1_precision``, ``rouge1_recall``, ``rouge1_fmeasure``.
    The defaults are those of Google's rouge_score.

    Parameters
    ----------
    types : tuple of str
        "rougeN" (n-grams, N from 1 to 100), "rougeL" (longest common subsequence), "rougeLsum" (union over
        sentences), "rougeW" (runs weigh more), "rougeSG" and "rougeSUG" (skip-bigrams over a gap of at most G words, 0
        to 2^31 - 1 or "*" for any; U: with unigrams). `value` is the F-measure of rougeL where it is among them,
        otherwise of the first one.
    tokenizer, lowercase : str, bool
        As for every metric; all of the tokenizers that are named after a ROUGE but `rouge` fold case themselves.
    stemmer : str or None
        "porter" (nltk's, as rouge_score has it) or "porter-1.5.5"; tokens of up to `stem_longer_than` characters (0
        to 2^31 - 1) stay.
    stop_words : bool
        Whether to drop ROUGE-1.5.5's stop words.
    max_words, max_bytes : int or None
        Read only so much of each text, 1 to 2^31 - 1 (ROUGE-1.5.5's -l and -b).
    sentences : str
        What ends a sentence, for rougeLsum and whatever else looks at sentences: "newline", "period", "none", or
        "punkt", which finds them with nltk's English model.
    lcs_of : str
        rougeL compares whole "texts", or is rougeLsum by another name: "sentences" (ROUGE-1.5.5).
    keep_reference : bool
        Which of two equally long subsequences is taken: the one that leaves out a token of the hypothesis (`rouge`).
    once : bool
        Count each distinct n-gram or matched token once (`rouge`).
    weight : float
        ROUGE-W's w, 1 to 5: a run of k matches weighs k^w.
    weigh : str
        The weight of "runs" of matched tokens in the reference, as ROUGE-1.5.5 has it, or of the common subsequence
        itself, as the "paper" has it.
    skip_unigrams : str
        Which unigrams ROUGE-SU counts: "all", all "but-last" (ROUGE-1.5.5), or those within reach of a marker at the
        "begin" of the text (the paper).
    beta : float
        Weight of recall in F, 0 to 2^31 - 1 or infinite: F = (1 + beta^2) P R / (R + beta^2 P). ROUGE-1.5.5's
        -p is alpha = 1 / (1 + beta^2); for alpha 0, where F is the recall, beta is infinite.
    f_epsilon : float
        Added to P + R (`rouge`), 0 to 2^31 - 1.
    references : str
        How several references join: "best-f", "best-single-f" (F in float32, where more of them are equal),
        "best-recall", "best-1.5.5" (what ROUGE-1.5.5 takes for the best recall under -f B), the "average", their
        "pooled" counts, the best precision and the best recall apart ("best-each"), or "jackknife": the mean of the
        best over all sets that leave one out.
    decimals : int or None
        Round each segment's numbers, and the corpus's, to 0 to 17 (ROUGE-1.5.5 prints and computes with five).
    empty : str
        A text without a sentence scores "zero", or is an "error" (`rouge` raises); "error-w" refuses only a reference
        without a word, and that only for rougeW (ROUGE-1.5.5 divides by zero there).
    aggregation : str
        "mean" of the segments; "mean-pr": of precisions and recalls, with F of these; the "bootstrap-median" of that
        mean over `samples` resamples that NumPy's legacy generator draws from `seed` (rouge_score's aggregator); the
        "bootstrap-mean" over resamples that Perl draws (ROUGE-1.5.5).
    samples, seed : int
        Of the bootstraps: 1 to 100,000, and 0 to 2^32 - 1.

    Raises
    ------
    InputError
        If a type is unknown or a value out of range.

    References
    ----------
    Lin 2004, https://aclanthology.org/W04-1013; the script ROUGE-1.5.5.pl.

    Examples
    --------
    >>> rouge = Rouge.variant("rouge_score", types=("rouge1", "rougeL"))
    >>> result = rouge.corpus(["the gunman kill police"], ["police killed the gunman"])
    >>> result.value, result.scores["rouge1_recall"]
    (0.5, 0.75)
    """

    name: ClassVar[str] = "rouge"
    _aggregations: ClassVar[tuple[str, ...]] = ("mean", "mean-pr", "bootstrap-median", "bootstrap-mean")

    types: tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    tokenizer: str = "rouge-score"
    lowercase: bool = False
    stemmer: str | None = None
    stem_longer_than: int = 3
    stop_words: bool = False
    max_words: int | None = None
    max_bytes: int | None = None
    sentences: str = "newline"
    lcs_of: str = "texts"
    keep_reference: bool = False
    once: bool = False
    weight: float = 1.2
    weigh: str = "runs"
    skip_unigrams: str = "all"
    beta: float = 1.0
    f_epsilon: float = 0.0
    references: str = "best-f"
    decimals: int | None = None
    empty: str = "zero"
    aggregation: str = "mean"
    samples: int = 1000
    seed: int = 0

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("tokenizer", ("tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice("stemmer", ("stemmer", "stem_longer_than"), "view"),
        Choice("stop words", ("stop_words",), "view"),
        Choice("length limit", ("max_words", "max_bytes"), "view"),
        Choice("sentences", ("sentences", "lcs_of"), "view"),
        Choice("types", ("types",), "statistics"),
        Choice("common subsequence", ("keep_reference",), "statistics"),
        Choice("bag or set", ("once",), "statistics"),
        Choice("weighted subsequence", ("weight", "weigh"), "statistics"),
        Choice("unigrams of skip-bigrams", ("skip_unigrams",), "statistics"),
        Choice("F-measure", ("beta", "f_epsilon"), "statistics"),
        Choice("several references", ("references",), "statistics"),
        Choice("rounding", ("decimals",), "statistics"),
        Choice("empty text", ("empty",), "statistics"),
        Choice("aggregation", ("aggregation", "samples", "seed"), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_field(types=tuple(dict.fromkeys(self.types)))
        self._check("types", bool(self.types), "a list of at least one type")
        for name in self.types:
            _parse(name)
        self._check("stemmer", self.stemmer is None or self.stemmer in STEMMERS, " or ".join(["None", *STEMMERS]))
        self._check_names(
            sentences=("none", "newline", "period", "punkt"),
            lcs_of=("texts", "sentences"), weigh=("runs", "paper"), skip_unigrams=_LEADING, references=_JOINS,
            empty=("zero", "error", "error-w"),
        )  # fmt: skip
        self._check_numbers("weight", least=1, greatest=5)
        self._check_numbers("f_epsilon", "stem_longer_than")
        if self.beta != math.inf:
            self._check_numbers("beta")
        self._check_numbers("max_words", "max_bytes", least=1)
        self._check_numbers("samples", least=1, greatest=100_000)
        self._check_numbers("seed", greatest=2**32 - 1)
        self._check_numbers("decimals", greatest=17)
        self._set_field(tokenizer=canonical_name(self.tokenizer))

    @property
    def primary(self) -> str:
        """The F-measure of rougeL, or of the first type."""
        return f"{'rougeL' if 'rougeL' in self.types else self.types[0]}_fmeasure"

    @property
    def count_columns(self) -> tuple[str, ...]:
        """Precision, recall and F-measure of each type: the numbers themselves, which a corpus averages."""
        return tuple(f"{name}_{measure}" for name in self.types for measure in MEASURES)

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """From 0 to the scale, all of them."""
        return dict.fromkeys(self.count_columns, (0.0, self.scale))

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True, for all of them."""
        return dict.fromkeys(self.count_columns, True)

    @property
    def printed_digits(self) -> int | None:
        """`decimals`."""
        return self.decimals

    @property
    def additive(self) -> bool:
        """Whether the corpus score is one of sums; a bootstrap needs the rows."""
        return not self.aggregation.startswith("bootstrap")

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """The columns by name, on the scorer's scale."""
        return {name: self.scale * counts[..., i] for i, name in enumerate(self.count_columns)}

    def aggregate(self, rows: Floats) -> Floats:
        """The sum of rows; for a bootstrap the median or the mean of the resampled means, with 1 for the segments."""
        if self.additive or not len(rows):
            return super().aggregate(rows)
        return _BOOTSTRAPS[self.aggregation](rows, self.samples, self.seed)

    def score(self, totals: Floats) -> dict[str, Floats]:
        """The mean of every number, with F of the mean precision and recall where the library takes that."""
        numbers = super().score(totals)
        if self.aggregation == "mean-pr":
            for name in self.types:
                precision, recall = (numbers[f"{name}_{measure}"] / self.scale for measure in MEASURES[:2])
                numbers[f"{name}_fmeasure"] = self.scale * self._fmeasure(precision, recall)
        return {name: self._rounded(number) for name, number in numbers.items()}

    # The counts.

    def counts(self, segments: Segments) -> Floats:
        """Precision, recall and F-measure of each type for each segment, several references joined."""
        pairs = self._pairs(segments)
        return np.column_stack([column for name in self.types for column in self._joined(name, pairs[name])])

    def _pairs(self, segments: Segments) -> dict[str, _Pairs]:
        """What each type compares: texts whole or in sentences, which are looked for only where one needs them."""
        parted = self.sentences == "newline" and self.tokenizer in _PARTED_BY_LINES
        whole = self if self.lcs_of == "sentences" or parted else replace(self, sentences="none")
        readers = {name: self if _parse(name).kind in ("Lsum", "W") else whole for name in self.types}
        # Only a reader of sentences sees that a text has none.
        needed = {*readers.values(), *[self] * (self.empty == "error")}
        made = {reader: _Pairs(reader, segments) for reader in needed}
        return {name: made[reader] for name, reader in readers.items()}

    def _joined(self, name: str, pairs: _Pairs) -> tuple[Floats, Floats, Floats]:
        kind = _parse(name).kind
        matches = pairs.matches(name)
        power = 1 / self.weight if kind == "W" else 1.0

        def measured(found: _Matches) -> tuple[Floats, Floats, Floats]:
            precision, recall = (
                self._rounded(_ratio(found.hits, total) ** power) for total in (found.hypothesis, found.reference)
            )
            return precision, recall, self._rounded(self._fmeasure(precision, recall))

        return _JOINS[self.references](self, measured, matches, pairs.view.reference_offsets)

    def _fmeasure(self, precision: Floats, recall: Floats) -> Floats:
        alpha = 1 / (1 + self.beta**2)
        weighed = alpha * recall + (1 - alpha) * precision + alpha * self.f_epsilon
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(precision * recall > 0, precision * recall / weighed, 0.0)

    def _rounded(self, numbers: Floats) -> Floats:
        """To `decimals` places as C's printf rounds: np.round multiplies first and can be one off."""
        if self.decimals is None:
            return numbers
        exact = [float(f"{number:.{self.decimals}f}") for number in numbers.ravel().tolist()]
        return np.array(exact).reshape(numbers.shape)

    _variants: ClassVar[dict[str, Variant]] = {}


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Part by whole, 0 of nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, 0.0)


def _parse(name: str) -> _Type:
    """The kind and the number of a type."""
    if match := _TYPE.fullmatch(name):
        if match["whole"]:
            return _Type(name, match["whole"], 0)
        if match["n"] and int(match["n"]) <= LONGEST_NGRAM:
            return _Type(name, "n", int(match["n"]))
        if match["skip"] and int(match["gap"] or 0) <= LARGEST:
            return _Type(name, match["skip"], int(match["gap"]) if match["gap"] else _UNLIMITED)
    raise InputError(
        f"Rouge: the type {name!r:.60} is unknown; there are rouge1, rouge2 and so on to rouge{LONGEST_NGRAM}, rougeL, "
        f"rougeLsum, rougeW, rougeS4 and rougeSU4 with any gap up to {LARGEST}, rougeS* and rougeSU*."
    )


class _Pairs:
    """Each hypothesis with each of its references, and the matches of each type, what types share made once."""

    def __init__(self, rouge: Rouge, segments: Segments) -> None:
        self.rouge = rouge
        self.segments = segments
        self.view = self._read(segments)
        # ROUGE-1.5.5 counts the bytes of its limit in another way where it looks at sentences.
        self.sentence_view = (
            self._read(segments, True) if rouge.max_bytes and rouge.lcs_of == "sentences" else self.view
        )
        self.hypotheses, self.references = self.view.pairs
        if rouge.empty == "error":
            self._refuse(np.diff(self.view.sentences) == 0, "sentence")

    def _refuse(self, texts: NDArray[np.bool_], what: str) -> None:
        """An InputError for the first of these texts, (n_texts,), which have no `what`."""
        if not texts.any():
            return
        n, text = len(self.view), int(np.argmax(texts))
        segment = int(np.searchsorted(self.view.reference_offsets, text - n, "right")) - 1
        first = self.segments.first
        place = f"`predictions[{first + text}]`" if text < n else f"a reference of segment {first + segment}"
        raise InputError(
            f"Rouge: {place} has no {what}, which the mirrored library refuses; drop the segment, or choose another "
            "variant or `empty`."
        )

    def _read(self, segments: Segments, bytes_of_each: bool = False) -> View:
        rouge = self.rouge
        return segments.view(
            rouge.tokenizer,
            rouge.lowercase,
            sentences=rouge.sentences,
            max_words=rouge.max_words,
            max_bytes=rouge.max_bytes,
            bytes_of_each=bytes_of_each,
            stop_words=rouge.stop_words,
            stemmer=rouge.stemmer,
            stem_longer_than=rouge.stem_longer_than,
        )

    def matches(self, name: str) -> _Matches:
        """The matches of a type; remembered, because how they become a score is another choice."""
        _, kind, number = _parse(name)
        chosen = tuple(getattr(self.rouge, field) for field in _FIELDS[kind])
        key = ("rouge", name, self.view.key, self.sentence_view.key, chosen)
        found: _Matches = self.segments.memoize(key, lambda: getattr(self, f"of_{kind}")(number))
        return found

    @cached_property
    def _lengths(self) -> Indices:
        """Tokens of each text, (n_texts,)."""
        return np.diff(self.view.offsets)

    @cached_property
    def _ngrams(self) -> tuple[Floats, Floats]:
        """Matches of each pair and n-grams of each text, of all orders that are wanted."""
        view, rouge = self.view, self.rouge
        longest = max([1, *(kind.number for name in rouge.types if (kind := _parse(name)).kind == "n")])
        matches = paired_counts(view.ids, view.offsets, self.hypotheses, self.references, longest, rouge.once)
        if rouge.once:
            return matches, distinct_counts(view.ids, view.offsets, longest)
        return matches, np.maximum(self._lengths[:, None] - np.arange(longest), 0).astype(float)

    @cached_property
    def _unigrams(self) -> Floats:
        """What rougeLsum divides by: tokens of each text, or distinct ones."""
        return self._ngrams[1][:, 0] if self.rouge.once else self._lengths.astype(float)

    def _matches(self, hits: NDArray[np.generic], totals: Floats, references: Floats | None = None) -> _Matches:
        by_reference = totals if references is None else references
        return _Matches(hits.astype(float), totals[self.hypotheses], by_reference[self.references])

    def of_n(self, order: int) -> _Matches:
        """n-grams."""
        matches, totals = self._ngrams
        return self._matches(matches[:, order - 1], totals[:, order - 1])

    def of_L(self, _: int) -> _Matches:
        """The longest common subsequence of two texts; or rougeLsum, where the library calls that so."""
        if self.rouge.lcs_of == "sentences":
            return self.of_Lsum(0)
        view = self.view
        return self._matches(
            lcs_lengths(view.ids, view.offsets, self.hypotheses, self.references, view.type_count),
            self._lengths.astype(float),
        )

    @cached_property
    def _bags(self) -> tuple[NDArray[np.int32], int]:
        """The tokens of all texts under the types of the sentences, and how many types both have."""
        if self.sentence_view is self.view:
            return self.view.ids, self.view.type_count
        types = {self.sentence_view.spelling(index): index for index in range(self.sentence_view.type_count)}
        renamed = [types.setdefault(self.view.spelling(index), len(types)) for index in range(self.view.type_count)]
        return np.array(renamed, np.int32)[self.view.ids], len(types)

    def _union(self, weight: float) -> tuple[Indices, Floats]:
        view, (bags, types) = self.sentence_view, self._bags
        marked = union_lcs(
            view.ids, view.sentence_offsets, view.sentences, self.hypotheses, self.references, types, weight,
            self.rouge.keep_reference,
        )  # fmt: skip
        hits: tuple[Indices, Floats] = union_hits(
            view.ids, view.sentence_offsets, view.sentences, self.hypotheses, self.references, marked, bags,
            self.view.offsets, types, weight, self.rouge.once,
        )  # fmt: skip
        return hits

    def of_Lsum(self, _: int) -> _Matches:
        """The union of common subsequences of sentences (Lin 2004, section 3.2), clipped by unigrams."""
        # Under a limit in bytes the script divides by the tokens of the reference's sentences.
        limited = self.sentence_view is not self.view
        reference = np.diff(self.sentence_view.offsets).astype(float) if limited else self._unigrams
        matches = self._matches(self._union(1.0)[0], self._unigrams, reference)
        return matches._replace(compared=_ratio(matches.hits, matches.reference))

    def of_W(self, _: int) -> _Matches:
        """The weighted common subsequence, before the inverse of the weight is taken."""
        weight = self.rouge.weight
        if self.rouge.weigh == "paper":
            view = self.view
            value = weighted_lcs(view.ids, view.offsets, self.hypotheses, self.references, view.type_count, weight)
            return self._matches(value, _power(self._lengths, weight))
        view = self.sentence_view
        text_of_each = np.repeat(np.arange(len(view.sentences) - 1), np.diff(view.sentences))
        powers = _power(np.diff(view.sentence_offsets), weight)
        reference: NDArray[Any] = np.bincount(text_of_each, powers, len(view.sentences) - 1)
        if self.rouge.empty == "error-w":
            self._refuse((reference == 0) & (np.arange(len(reference)) >= len(view)), "word for rougeW")
        # The script raises this sum of powers to the power once more, but not to find the best reference.
        matches = self._matches(self._union(weight)[1], _power(self._lengths, weight), _power(reference, weight))
        return matches._replace(compared=_ratio(matches.hits, reference[self.references]) ** (1 / weight))

    def _skipped(self, gap: int, leading: Indices) -> _Matches:
        view = self.view
        matches = skip_bigram_matches(
            view.ids, view.offsets, self.hypotheses, self.references, view.type_count, gap, leading
        )
        return self._matches(matches, (skip_bigram_counts(self._lengths, gap) + leading).astype(float))

    def of_S(self, gap: int) -> _Matches:
        """Skip-bigrams: pairs of words with at most `gap` others between them."""
        return self._skipped(gap, np.zeros_like(self._lengths))

    def of_SU(self, gap: int) -> _Matches:
        """Skip-bigrams and unigrams."""
        return self._skipped(gap, _LEADING[self.rouge.skip_unigrams](self._lengths, gap))


def _power(values: NDArray[Any], weight: float) -> Floats:
    powers: Floats = values**weight
    return powers


# The fields, beside those of the view, that the matches of each kind depend on.
_FIELDS: dict[str, tuple[str, ...]] = {
    "n": ("once",),
    "L": ("once", "keep_reference", "lcs_of"),
    "Lsum": ("once", "keep_reference"),
    "W": ("keep_reference", "weight", "weigh", "empty"),
    "S": (),
    "SU": ("skip_unigrams",),
}

# How many tokens at the beginning of a text ROUGE-SU counts as unigrams, (n_texts,).

_LEADING: dict[str, Callable[[Indices, int], Indices]] = {
    "all": lambda lengths, gap: lengths,
    "but-last": lambda lengths, gap: np.maximum(lengths - 1, 0),
    "begin": lambda lengths, gap: lengths if gap == _UNLIMITED else np.minimum(lengths, gap + 1),
}

# From the matches of each pair to precision, recall and F-measure of each segment, (n_segments,) each.

Measured = tuple[Floats, Floats, Floats]
Measure = Callable[[_Matches], Measured]


def _taken(measured: Measured, pairs: Indices) -> Measured:
    precision, recall, fmeasure = measured
    return precision[pairs], recall[pairs], fmeasure[pairs]


def _best_f(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    measured = measure(matches)
    return _taken(measured, first_best(measured[2], offsets))


def _best_single_f(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    measured = measure(matches)
    return _taken(measured, first_best(measured[2].astype(np.float32).astype(float), offsets))


def _best_recall(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    measured = measure(matches)
    return _taken(measured, first_best(measured[1], offsets))


def _best_as_1_5_5(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    measured = measure(matches)
    compared = measured[1] if matches.compared is None else matches.compared
    return _taken(measured, first_best(compared, offsets))


def _average(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    precision, recall, fmeasure = (
        np.add.reduceat(values, offsets[:-1]) / np.diff(offsets) for values in measure(matches)
    )
    return precision, recall, fmeasure


def _pooled(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    return measure(_Matches(*(np.add.reduceat(values, offsets[:-1]) for values in matches[:3])))


def _best_each(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    precision, recall = (np.maximum.reduceat(values, offsets[:-1]) for values in measure(matches)[:2])
    return precision, recall, rouge._fmeasure(precision, recall)


def _jackknife(rouge: Rouge, measure: Measure, matches: _Matches, offsets: Indices) -> Measured:
    measured = measure(matches)
    best = first_best(measured[2], offsets)
    others = measured[2].copy()
    others[best] = -1.0
    second = first_best(others, offsets)
    # Of the sets that leave one reference out, all but one hold the best.
    count = np.diff(offsets)
    precision, recall, fmeasure = (
        np.where(count == 1, values[best], ((count - 1) * values[best] + values[second]) / count) for values in measured
    )
    return precision, recall, fmeasure


_JOINS: dict[str, Callable[[Rouge, Measure, _Matches, Indices], Measured]] = {
    "best-f": _best_f,
    "best-single-f": _best_single_f,
    "best-recall": _best_recall,
    "best-1.5.5": _best_as_1_5_5,
    "average": _average,
    "pooled": _pooled,
    "best-each": _best_each,
    "jackknife": _jackknife,
}

# From rows (n, k) to totals (k,): what stands for the mean, with 1 for the number of segments at the end.


def _median_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """rouge_score's aggregator: resamples of each type one after another, from NumPy's legacy generator."""
    generator = np.random.RandomState(seed)
    n, columns = len(rows), rows.shape[1] - 1
    totals = np.ones(columns + 1)
    for first in range(0, columns, len(MEASURES)):
        measures = rows[:, first : first + len(MEASURES)]
        means = np.empty((samples, measures.shape[1]))
        for sample in range(samples):
            means[sample] = np.bincount(generator.randint(0, n, n), minlength=n) @ measures / n
        totals[first : first + len(MEASURES)] = np.percentile(means, 50, axis=0)
    return totals


def _mean_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """ROUGE-1.5.5: resample i draws with Perl's rand() from srand(i); segments in the order of their ids as strings."""
    n = len(rows)
    by_id = rows[sorted(range(n), key=lambda index: f"{index + 1}.A")]
    # Perl's rand() is drand48: X -> (0x5DEECE66D X + 0xB) mod 2^48, and X / 2^48 the number.
    state = (np.arange(seed, seed + samples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    sums = np.zeros((samples, rows.shape[1]))
    for _ in range(n):
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        sums += by_id[(state / 2.0**48 * n).astype(np.int64)]
    # Added up one by one from the least, as the script does: the fifth decimal may hang on the last bit.
    totals: Floats = np.cumsum(np.sort(sums / n, axis=0), axis=0)[-1] / samples
    return totals


_BOOTSTRAPS: dict[str, Callable[[Floats, int, int], Floats]] = {
    "bootstrap-median": _median_of_means,
    "bootstrap-mean": _mean_of_means,
}

_PERL = {
    "types": ("rouge1", "rouge2", "rougeL", "rougeW", "rougeS4", "rougeSU4"), "tokenizer": "rouge-1.5.5",
    "lcs_of": "sentences", "skip_unigrams": "but-last", "references": "pooled",
}  # fmt: skip
Rouge._variants.update(
    {
        "rouge_score": Variant(
            "rouge_score",
            "Google's RougeScorer: ASCII words, best reference by F, mean of the segments",
            live="rouge_score.rouge",
        ),
        "evaluate": Variant(
            "evaluate",
            "the Hub's `rouge`: rouge_score, then the median of 1000 resampled means, of a seed that is fixed here",
            {"aggregation": "bootstrap-median"},
            live="evaluate.rouge",
            options={"seed": 0},
        ),
        "rouge-1.5.5": Variant(
            "ROUGE-1.5.5.pl",
            "Lin's script with -n 2 -w 1.2 -2 4 -U: pooled references, five decimals, the mean of resampled means",
            {**_PERL, "decimals": 5, "empty": "error-w", "aggregation": "bootstrap-mean"},
            live="rouge-1.5.5.rouge",
            needs=("perl",),
        ),
        "paper-2004": Variant(
            "Lin",
            "the paper: the weight of the common subsequence, a marker where a text begins, the jackknife",
            {**_PERL, "weigh": "paper", "skip_unigrams": "begin", "references": "jackknife"},
        ),
        "rouge": Variant(
            "rouge",
            "sets of n-grams, sentences end at periods, 1e-8 in the denominator of F; fails on empty text",
            {
                "types": ("rouge1", "rouge2", "rougeL"), "tokenizer": "rouge", "sentences": "period",
                "lcs_of": "sentences", "keep_reference": True, "once": True, "f_epsilon": 1e-8, "empty": "error",
            },
            live="rouge.rouge",
        ),
        "pycocoevalcap": Variant(
            "pycocoevalcap",
            "ROUGE-L over split(' '), beta 1.2, the best precision and the best recall of all references",
            {
                "types": ("rougeL",), "tokenizer": "blank", "sentences": "none", "beta": 1.2, "references": "best-each",
            },
            live="pycocoevalcap.rouge",
        ),
        "torchmetrics": Variant(
            "torchmetrics",
            "rouge_score's words in float32; rougeLsum, whose sentences nltk's punkt finds, where it is asked for",
            {"types": ("rouge1", "rouge2", "rougeL"), "sentences": "punkt", "references": "best-single-f"},
            live="torchmetrics.rouge",
            needs=("punkt",),
        ),
        "rouge-metric": Variant(
            "rouge-metric",
            "PyRouge: words between blanks in any script, pooled references, F of mean precision and mean recall",
            {**_PERL, "tokenizer": "whitespace", "aggregation": "mean-pr"},
            live="rouge-metric.rouge",
        ),
        "unicode": Variant(
            "metrologue",
            "words of any script, case-folded, each Han, kana or Thai character a word; else as rouge_score",
            {"tokenizer": "unicode-words"},
        ),
    }
)  # fmt: skip
