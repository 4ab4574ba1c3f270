"""ROUGE (Lin 2004), as the original script and every library compute it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Flags, Floats
from metrologue.data.strings import changed
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.hints import DROPPED, are_compared, dropped_letters, refuse_empty
from metrologue.scorers.core.numbers import each, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, join, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.rouge import matches
from metrologue.scorers.rouge.kernels import measures_of, put_f_measures
from metrologue.scorers.rouge.matches import LEADING, Texts
from metrologue.scorers.rouge.rules import BOOTSTRAPS, F_FORMS, MEASURES, RULES, Form, RougeType, parse_type
from metrologue.scorers.rouge.variants import VARIANTS
from metrologue.segments import Segments
from metrologue.text.reading import (
    Drop,
    FirstBytes,
    FirstOfStripped,
    FirstWords,
    Lower,
    Reading,
    Sentences,
    Stem,
    Tokenize,
    View,
)
from metrologue.text.reading.text import Text
from metrologue.text.scripts import Language

__all__ = ["MEASURES", "Rouge", "f_measure", "rouge"]


def rouge(
    match_count: Floats,
    hypothesis_count: Floats,
    reference_count: Floats,
    *,
    lcs_weight: float = 1.0,
    beta: float = 1.0,
    f_epsilon: float = 0.0,
    round_digits: int | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F-measure from the counts of matches, hypothesis and reference.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)
        Numbers of n-grams, of skip-bigrams, or of tokens in a longest common subsequence; for ROUGE-W, weights.
    lcs_weight : float
        For ROUGE-W, the exponent of a run's length. Both shares are raised to its inverse.
    beta, f_epsilon : float
        As for ``f_measure``.
    round_digits : int or None
        Round precision and recall to so many decimals, compute F from them, and round F too. None: do not round.

    Returns
    -------
    three of float64 (...)
        0 to 1; 0 if there is nothing to match.

    References
    ----------
    Lin 2004, https://aclanthology.org/W04-1013, sections 2 (recall of n-grams), 3.1 to 3.3, and 4.

    Examples
    --------
    "police kill the gunman" and "police killed the gunman" have a common subsequence of three words out of four.

    >>> rouge(np.array([3.0]), np.array([4.0]), np.array([4.0]))
    (array([0.75]), array([0.75]), array([0.75]))
    """
    totals = np.broadcast_arrays(match_count, hypothesis_count, reference_count, reference_count)
    counts, roots = np.stack(totals, axis=-1).astype(np.float64), np.array(1 / lcs_weight)
    rows = _measures(counts, roots if lcs_weight != 1 else None, F_FORMS["beta"](beta, f_epsilon), round_digits)
    precision, recall, fmeasure, _ = columns_of(rows)
    return precision, recall, fmeasure


def f_measure(precision: Floats, recall: Floats, beta: float = 1.0, f_epsilon: float = 0.0) -> Floats:
    """F-measure: the weighted harmonic mean of P and R, (1 + beta^2) P R / (R + beta^2 P); 0 where P or R is 0.

    Parameters
    ----------
    precision, recall : float64 (...)
    beta : float
        Weight of recall. With an infinite beta, F is the recall.
    f_epsilon : float
        Added to P + R in the denominator.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> f_measure(np.array([0.5, 0.5]), np.array([1.0, 0.0]), beta=2.0).round(4)
    array([0.8333, 0.    ])
    """
    return _f_of(precision, recall, F_FORMS["beta"](beta, f_epsilon))


def _f_of(precision: Floats, recall: Floats, form: Form) -> Floats:
    rows = np.stack(np.broadcast_arrays(precision, recall, recall), axis=-1).astype(np.float64)
    put_f_measures(rows, form)
    fmeasure: Floats = rows[..., 2]
    return fmeasure


def _measures(counts: Floats, roots: Floats | None, form: Form, round_digits: int | None) -> Floats:
    """Precision, recall, F and the share that ROUGE-1.5.5 compares, (..., 4), from counts (..., 4) of ``matches``.

    The shares are raised to the power `roots`, (...), which is for ROUGE-W only.
    """
    rows = measures_of(counts, form)
    if roots is not None or round_digits is not None:
        if roots is not None:
            rows **= roots[..., None]
        rows[..., :2] = _rounded(rows[..., :2], round_digits)
        _put_f(rows, form, round_digits)
    return rows


def _put_f(rows: Floats, form: Form, round_digits: int | None) -> None:
    """Write F into column 2 of rows (..., k), from precision and recall in the columns before it."""
    put_f_measures(rows, form)
    rows[..., 2] = _rounded(rows[..., 2], round_digits)


def _rounded(numbers: Floats, digits: int | None) -> Floats:
    """Numbers rounded as C's printf rounds, which looks at all digits of a float.

    Times a power of ten, a number may lie on the other side of the middle between two decimals. So those near it are
    printed; of all others the nearest whole number, divided, is the float that the printed text stands for.
    """
    if digits is None:
        return numbers
    shape = np.shape(numbers)
    numbers = np.atleast_1d(numbers)
    scaled = numbers * 10.0**digits
    rounded = np.rint(scaled) / 10.0**digits
    near = np.abs(np.abs(scaled - np.rint(scaled)) - 0.5) < np.maximum(1e-6, np.abs(scaled) * 2.0**-50)
    rounded[near] = [float(f"{number:.{digits}f}") for number in numbers[near].tolist()]
    return rounded.reshape(shape)


# These tokenizers end a token at the end of a line. So a text that is first split into lines has the same tokens.
_PARTED_BY_LINES = ("whitespace", "rouge-score", "rouge-1.5.5", "unicode-words", "uax29-words")

# So many texts are looked at for sentences, and so many sentences in each are several.
_SENTENCE_TEXTS, _SENTENCES = 100, 1.8
_SENTENCE_END = re.compile(rb"(?<![.!?\s.])[.!?]+[\"')\]]* +(?=[A-Z\xc3\xce-\xd1])")
_END_OF_SENTENCE = re.compile(r"(?<=[^.!?\s][.!?]) +(?=[A-ZÀ-ÖØ-ÞΑ-ΩА-Я])")
# The column that counts the segments that rougeW scores.
_SCORED_BY_W = "rougeW_segments"


@dataclass(frozen=True, kw_only=True)
class Rouge(PairScorer):
    """Overlap of a text with its references: n-grams, common subsequences or skip-bigrams; higher is better, 0-1.

    Each type has a precision, a recall and an F-measure: ``rouge1_precision``, ``rouge1_recall``, ``rouge1_fmeasure``.
    The defaults are those of Google's rouge_score.

    Raises
    ------
    InputError
        If a type is unknown or a value is out of range.

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
    about: ClassVar = About(
        papers=("lin-2004-rouge",),
        growth=Growth("words", 2, 40_000),
        printed_means={
            "mean of ROUGE-1, ROUGE-2 and ROUGE-L": ("rouge1_fmeasure", "rouge2_fmeasure", "rougeL_fmeasure")
        },
        advised_by="Google's tokenizer keeps only a to z and 0 to 9",
    )
    title: ClassVar[str] = "ROUGE"
    _variants: ClassVar = VARIANTS

    # fmt: off
    types: tuple[str, ...] = option(
        ("rouge1", "rouge2", "rougeL", "rougeLsum"), stage="pairs", choice="types",
        about='"rougeN": n-grams, N from 1 to 100. "rougeL": longest common subsequence. "rougeLsum": union of the '
        'common subsequences of sentences. "rougeW": a common subsequence in which long runs weigh more. "rougeSG": '
        'skip-bigrams with a gap of at most G words, 0 to 2^31 - 1, or "*" for any gap. "rougeSUG": the same with '
        "unigrams. `value` is the F-measure of rougeL if it is among the types, otherwise of the first type.",
    )
    tokenizer: str = option(
        "rouge-score", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows. Those that are named after a ROUGE also fold "
        "case, except `rouge`.",
    )
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")
    stemmer: str | None = option(
        None, stage="read", choice="stemmer",
        about="The stemmer; None: words are not stemmed.",
        one_of={
            "porter": "nltk's, used by rouge_score",
            "porter-1.5.5": "the script's",
            "porter-1.5.5-regular": "the script's without its irregular forms",
            "porter-original": "nltk's ORIGINAL_ALGORITHM, with the script's irregular forms (py-rouge)",
        },
    )
    stem_longer_than: int = option(
        3, stage="read", choice="stemmer", about="Tokens of at most this many characters are not stemmed."
    )
    stop_words: bool = option(
        False, stage="read", choice="stop words", about="Whether to drop ROUGE-1.5.5's stop words."
    )
    max_words: int | None = option(
        None, stage="read", choice="length limit", least=1,
        about="Read only this many words of each text (ROUGE-1.5.5's -l).",
    )
    max_bytes: int | None = option(
        None, stage="read", choice="length limit", least=1,
        about="Read only this many bytes of each text (ROUGE-1.5.5's -b); characters with limit_of `stripped-lines`.",
    )
    limit_of: str = option(
        "lines", stage="read", choice="length limit",
        about="What the limits count.",
        one_of={
            "lines": "words between ASCII whitespace, and bytes (ROUGE-1.5.5)",
            "stripped-lines": "words of str.split(), and characters, in lines without whitespace at their ends "
                "(py-rouge)",
        },
    )
    sentences: str = option(
        "newline", stage="read", choice="sentences",
        about="What ends a sentence, for rougeLsum and whatever else uses sentences.",
        one_of={
            "none": "nothing, so that a text is one sentence",
            "newline": "a line end",
            "period": "a period",
            "spaced-period": "a space and a period; what follows a < in a sentence is left out (files2rouge)",
            "punkt": "what nltk's English model of sentence ends finds",
        },
    )
    lcs_of: str = option(
        "texts", stage="read", choice="sentences",
        about="What rougeL compares.",
        one_of={
            "texts": "whole texts",
            "sentences": "sentences, so that rougeL is the same as rougeLsum (ROUGE-1.5.5)",
        },
    )
    lcs_tie_break: str = option(
        "skip-reference", stage="pairs", choice="common subsequence",
        about="Which of two equally long subsequences counts. The walk goes back from the end of both texts. Where it "
        "could go on in either text, it skips a token of one.",
        one_of={
            "skip-reference": "it skips a token of the reference",
            "skip-hypothesis": "it skips a token of the hypothesis (`rouge`)",
        },
    )
    binary: bool = option(
        False, stage="pairs", choice="bag or set",
        about="Whether each distinct n-gram or matched token counts once (`rouge`).",
    )
    lcs_weight: float = option(
        1.2, stage="pairs", choice="weighted subsequence", least=1, greatest=5,
        about="The exponent w of ROUGE-W: a run of k matches weighs k^w.",
    )
    root_of: str = option(
        "weighted", stage="join", choice="weighted subsequence",
        about="Which shares are raised to the power 1 / lcs_weight.",
        one_of={"weighted": "those of rougeW", "subsequences": "those of rougeL and rougeLsum too (py-rouge)"},
    )
    weight_rule: str = option(
        "runs", stage="pairs", choice="weighted subsequence",
        about="What ROUGE-W weighs.",
        one_of={
            "runs": "the runs of matched tokens in the reference (ROUGE-1.5.5)",
            "paper": "the runs of the common subsequence itself",
        },
    )
    skip_unigrams: str = option(
        "all", stage="pairs", choice="unigrams of skip-bigrams", about="Which unigrams ROUGE-SU counts.", one_of=LEADING
    )
    beta: float = option(
        1.0, stage="join", choice="F-measure", infinite=True,
        about="Weight of recall in F: F = (1 + beta^2) P R / (R + beta^2 P). ROUGE-1.5.5's option -p is alpha = 1 / (1 "
        "+ beta^2). With alpha 0, F is the recall, and beta is infinite.",
    )
    f_epsilon: float = option(0.0, stage="join", choice="F-measure", about="Added to P + R (`rouge`).")
    f_form: str = option(
        "beta", stage="join", choice="F-measure",
        about="The form in which F is computed. The last bits of the two differ, unless beta is 1.", one_of=F_FORMS,
    )
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        about="How several references join, for each type on its own.", one_of=RULES,
    )
    round_digits: int | None = option(
        None, stage="join", choice="rounding", greatest=17,
        about="Round the numbers of each segment and of the corpus to this many decimals (ROUGE-1.5.5: five). None: do "
        "not round.",
    )
    empty: str = option(
        "zero", stage="pairs", choice="empty text",
        about="What happens to a text without a sentence, or without a word.",
        one_of={
            "zero": "it scores 0",
            "error": "it is refused without a sentence (`rouge`)",
            "error-words": "it is refused without a sentence, or without a word (`rouge-chinese`)",
            "skip-w": "it scores 0, but a segment with such a reference is left out of rougeW, where ROUGE-1.5.5 "
                "divides by zero",
        },
    )
    aggregation: str = option(
        "mean", stage="score", choice="aggregation",
        one_of={
            "mean": "the mean of the segments",
            "mean-pr": "the mean precision, the mean recall, and F of these two",
            **BOOTSTRAPS,
        },
    )
    samples: int = option(
        1000, stage="score", choice="aggregation", least=1, greatest=100_000, about="The number of resamples."
    )
    seed: int = option(
        0, stage="score", choice="aggregation", greatest=2**32 - 1,
        about="The seed of the generator that draws the resamples.",
    )
    # fmt: on

    def _derive(self) -> None:
        self._set_field(types=tuple(dict.fromkeys(self.types)))

    def _check_together(self) -> None:
        self._check("types", bool(self.types), "a list of at least one type")
        for name in self.types:
            parse_type(name)

    @property
    def _usual(self) -> str:
        """The F-measure of rougeL if it is among the types, otherwise of the first type."""
        return f"{'rougeL' if 'rougeL' in self.types else self.types[0]}_fmeasure"

    @property
    def _columns(self) -> tuple[str, ...]:
        names = tuple(f"{name}_{measure}" for name in self.types for measure in MEASURES)
        return (*names, _SCORED_BY_W) if self._skips else names

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics. If segments are left out of rougeW, one counts those that are not."""
        return (*self._columns, "segments")

    @cached_property
    def _skips(self) -> bool:
        """Whether segments may be left out of rougeW."""
        return self.empty == "skip-w" and "Wsum" in self._rules

    @cached_property
    def _places_of_w(self) -> list[int]:
        """The columns of rougeW."""
        return [i for i, name in enumerate(self._columns[:-1]) if name.startswith("rougeW_")]

    numbers: ClassVar = (
        each(
            "types",
            number(
                "{type}_precision", 0, "scale", better="higher", digits="round_digits",
                about="what matches, divided by what the hypothesis has, for {type}",
            ),
            number(
                "{type}_recall", 0, "scale", better="higher", digits="round_digits",
                about="what matches, divided by what the reference has, for {type}",
            ),
            number(
                "{type}_fmeasure", 0, "scale", better="higher", title="{type} F", digits="round_digits",
                heading="{type}", about="F-measure of the precision and the recall of {type}",
            ),
        ),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        name, _, measure = key.rpartition("_")
        kinds = ("n", "S", "SU") if self.lcs_of == "sentences" else ("n", "L", "S", "SU")
        return measure == "fmeasure" and self.beta == 1 and not self.max_bytes and self._type(name).kind in kinds

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        """Words of any script; Google's tokenizer has those of English only."""
        return {} if language.code == "en" else {"tokenizer": "unicode-words"}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint if the tokenizer treats letters of the references as whitespace, or leaves a reference no word."""
        hints = super()._hints(segments, of_each)
        share = dropped_letters(self.tokenizer, segments)
        if share >= DROPPED:
            hints = [
                f"Rouge: {share:.0%} of the letters are outside ASCII, and the tokenizer {self.tokenizer!r} drops "
                "them; use the variant 'unicode', or a tokenizer that keeps them, such as 'unicode-words'."
            ]
        if are_compared(segments) and not of_each:
            hints += self._hints_of_sentences(segments)
        if not self._skips or not are_compared(segments):
            return hints
        if (left := np.flatnonzero(self._rows(segments, None)[:, -1] == 0)).size:
            hints.append(
                f"Rouge: the tokenizer {self.tokenizer!r} finds no word in `references[{segments.first + left[0]}]`"
                f"{f', nor in those of {left.size - 1} other segments' if left.size > 1 else ''}; ROUGE-1.5.5 divides "
                f"by zero there for rougeW, and prints 0 for other types. So rougeW is "
                f"{'0 there' if of_each or left.size == len(segments) else 'that of the other segments'}."
            )
        return hints

    def _hints_of_sentences(self, segments: Segments) -> list[str]:
        """A hint if rougeLsum is rougeL because no newline parts the sentences."""
        if "rougeLsum" not in self.types or self.sentences != "newline" or self.lcs_of != "texts":
            return []
        sides = [segments.strings("predictions"), segments.strings("references")]
        known = [each.leading(_SENTENCE_TEXTS) for each in sides]
        typed = next((mark for mark in ("<n>", "\\n") if any(mark.encode() in each for each in known)), "")
        if any(b"\n" in each for each in known) or not (typed or all(map(_SENTENCE_END.search, known))):
            return []
        first = [each.cut(0, _SENTENCE_TEXTS).to_pylist() for each in sides]
        if typed:
            what, change = f"“{typed}” stands where a newline is expected", lambda text: text.replace(typed, "\n")
        else:
            count = [
                sum(1 + len(_SENTENCE_END.findall(text.encode())) for text in texts) / len(texts) for texts in first
            ]
            if min(count) < _SENTENCES:
                return []
            what = f"a text has {count[1]:.1f} sentences, but no newline parts them"
            change = lambda text: _END_OF_SENTENCE.sub("\n", text)  # noqa: E731
        columns = {
            name: type(column)(changed(column.strings, change), column.offsets)
            for name, column in segments.columns.items()
            if isinstance(column, Text)
        }
        key = "rougeLsum_fmeasure"
        alone = replace(self, types=("rougeLsum",))
        value = alone._scored(Segments.of_columns({**segments.columns, **columns}, first=segments.first), None).scores
        if key not in value or f"{value[key]:.4f}" == f"{alone._scored(segments, None).scores[key]:.4f}":
            return []
        told = f"with a newline {'there' if typed else 'after each sentence'}, it is {value[key]:.4f}"
        return [f"Rouge: {what}, so rougeLsum is rougeL; {told}."]

    # From texts to precision, recall and F-measure of each segment.

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Four counts for each type, float64 (n_pairs, 4 * types); see ``rouge.matches``."""
        if self.empty in ("error", "error-words"):
            view = self._read(segments, self.sentences).whole
            taken = np.zeros(len(view.sentences) - 1, bool)
            taken[np.concatenate(view.pairs)] = True
            self._refuse(segments, view, taken & (np.diff(view.sentences) == 0), "sentence")
            without_words = taken & (view.text_lengths == 0) & (self.empty == "error-words")
            self._refuse(segments, view, without_words, "word")
        longest = self._longest
        texts: dict[str, Texts] = {}  # kinds that read texts alike share them
        for rule in self._rules.values():
            if rule not in texts:
                texts[rule] = self._read(segments, rule)
        ngrams = matches.ngram_matches(texts[self._sentences_of("n")].whole, longest, self.binary) if longest else None
        counts = [
            ngrams[:, 4 * n - 4 : 4 * n] if kind == "n" and ngrams is not None
            else self._matches(segments, texts[self._sentences_of(kind)], kind, n)
            for kind, n in self._kinds
        ]  # fmt: skip
        return np.concatenate(counts, axis=1)

    def _refuse(self, segments: Segments, view: View, empty: Flags, what: str) -> None:
        """Raise an InputError for the first prediction, or the first reference, that lacks a `what`."""
        reason = (
            f"has no {what}, which the mirrored library refuses; drop the segment, or choose another variant or `empty`"
        )
        n = len(view)
        refuse_empty(self._label, "predictions", empty[:n], reason, segments.first)
        refuse_empty(self._label, "references", empty[n:], reason, segments.first, view.reference_offsets)

    def _type(self, name: str) -> RougeType:
        return parse_type(name, self.lcs_of, self.weight_rule)

    @cached_property
    def _kinds(self) -> list[RougeType]:
        return [self._type(name) for name in self.types]

    @cached_property
    def _longest(self) -> int:
        """The order of the longest n-grams; 0 without any."""
        return max((number for kind, number in self._kinds if kind == "n"), default=0)

    @cached_property
    def _form(self) -> Form:
        return F_FORMS[self.f_form](self.beta, self.f_epsilon)

    @cached_property
    def _roots(self) -> Floats | None:
        """The power to which the shares of each type are raised, (n_types,); None if no type is weighted."""
        letters = ("W", "L") if self.root_of == "subsequences" else "W"
        weighted = np.array([kind.startswith(letters) for kind, _ in self._kinds])
        return np.where(weighted, 1 / self.lcs_weight, 1.0) if weighted.any() else None

    def _texts(self, segments: Segments, kind: str) -> Texts:
        """The texts as a kind reads them."""
        return self._read(segments, self._sentences_of(kind))

    def _sentences_of(self, kind: str) -> str:
        """The rule by which a kind splits texts."""
        return self._rules.get(kind, "none")

    @cached_property
    def _rules(self) -> dict[str, str]:
        """The rule by which each kind splits texts. They are split only if a kind needs it: that takes time."""
        kinds = [*dict.fromkeys(kind for kind, _ in self._kinds)]
        apart = kinds if self.lcs_of == "sentences" else [kind for kind in kinds if kind in ("Lsum", "W", "Wsum")]
        # Other kinds share the split texts if they have the same tokens. A limit counts the words of sentences.
        needed = bool(apart or self.max_words or self.max_bytes)
        shared = needed and self.sentences == "newline" and self.tokenizer in _PARTED_BY_LINES
        return {kind: self.sentences if shared or kind in apart else "none" for kind in kinds}

    def _read(self, segments: Segments, sentences: str) -> Texts:
        whole, parted = self._readings[sentences]
        view = segments.read(whole)
        return Texts(view, view if parted == whole else segments.read(parted))

    @cached_property
    def _readings(self) -> dict[str, tuple[Reading, Reading]]:
        """For each rule of sentences that may be needed, the reading of whole texts and the one for sentences."""
        readings = {}
        for rule in ("none", self.sentences):
            whole = self._reading(rule, False)
            in_parts = bool(self.max_bytes) and self.lcs_of == "sentences" and self.limit_of == "lines"
            readings[rule] = (whole, self._reading(rule, True) if in_parts else whole)
        return readings

    def _reading(self, sentences: str, bytes_of_each: bool) -> Reading:
        """What is done to a text. Sentences come first: a capital letter is one of the signs of where one begins."""
        return (
            *([Sentences(sentences)] if sentences != "none" else []),
            *([Lower()] if self.lowercase else []),
            *self._limits(bytes_of_each),
            Tokenize(self.tokenizer),
            *([Drop()] if self.stop_words else []),
            *([Stem(self.stemmer, self.stem_longer_than)] if self.stemmer else []),
        )

    def _limits(self, bytes_of_each: bool) -> Reading:
        if self.limit_of == "stripped-lines":
            return (FirstOfStripped(self.max_words, self.max_bytes),) if self.max_words or self.max_bytes else ()
        return (
            *([FirstWords(self.max_words)] if self.max_words else []),
            *([FirstBytes(self.max_bytes, bytes_of_each)] if self.max_bytes else []),
        )

    def _matches(self, segments: Segments, texts: Texts, kind: str, gap: int) -> Floats:
        keep_reference = self.lcs_tie_break == "skip-hypothesis"
        match kind:
            case "L":
                return matches.lcs_matches(texts.whole)
            case "Lsum":
                return matches.union_matches(texts, self.binary, keep_reference)
            case "W":
                return matches.weighted_lcs_matches(texts.whole, self.lcs_weight)
            case "Wsum":
                return matches.weighted_union_matches(texts, self.lcs_weight, self.binary, keep_reference)
        return matches.skip_matches(texts.whole, gap, self.skip_unigrams if kind == "SU" else None)

    def _statistics(self, segments: Segments) -> Floats:
        offsets = segments.reference_offsets
        counts = self._pairs(segments).reshape(-1, len(self.types), 4)
        rows = self._measured(counts) if len(counts) == len(offsets) - 1 else self._joined(counts, offsets)
        rows = rows[..., :3].reshape(len(rows), -1)
        if self._skips:
            worded = counts[:, self.types.index("rougeW"), 2] > 0
            scored = np.logical_and.reduceat(worded, offsets[:-1]).astype(float)
            rows[:, self._places_of_w] *= scored[:, None]
            rows = np.column_stack([rows, scored])
        return rows

    def _joined(self, counts: Floats, offsets: NDArray[np.int64]) -> Floats:
        """What ``_measured`` gives for each segment, (n_segments, n_types, 4), from the counts of its pairs."""
        rule, quality, _ = RULES[self.multi_reference]
        if rule == "pooled":
            return self._measured(join(rule, counts, offsets, quality))
        measured = self._measured(counts)
        joined = [join(rule, measured[:, i], offsets, quality) for i in range(len(self.types))]
        rows = np.stack(joined, axis=1)
        if rule == "best-each":
            _put_f(rows, self._form, self.round_digits)
        return rows

    def _measured(self, counts: Floats) -> Floats:
        """Precision, recall, F and the number that ROUGE-1.5.5 compares, (n, n_types, 4), from the counts of types."""
        rows = _measures(counts, self._roots, self._form, self.round_digits)
        if self.round_digits is not None:
            # The script compares rounded recalls, except for unions: those it compares before it rounds them.
            whole = [i for i, (kind, _) in enumerate(self._kinds) if not kind.endswith("sum")]
            rows[:, whole, 3] = rows[:, whole, 1]
        return rows

    # From the segments' numbers to the corpus's.

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        scaled = np.multiply(columns_of(statistics[..., : len(self._reported)]), self.scale, order="C")
        return dict(zip(self._reported, scaled, strict=True))

    @property
    def _additive(self) -> bool:
        """Whether the corpus score follows from sums of rows. A bootstrap needs the rows themselves."""
        return self.aggregation not in BOOTSTRAPS

    def _for_resampling(self) -> Self:
        """The scorer that takes the mean, if this one is a bootstrap of means."""
        return self if self._additive else replace(self, aggregation="mean")

    def _narrowed(self) -> Self:
        """The scorer of one type, that of the primary number. A bootstrap draws other resamples for it."""
        return replace(self, types=(self.primary.removesuffix("_fmeasure"),))

    def aggregate(self, rows: Floats) -> Floats:
        """The sum of the rows. For a bootstrap: the median or mean of the resampled means, and 1 as their number."""
        if self._additive or not len(rows):
            return super().aggregate(rows)
        if not self._skips:
            return BOOTSTRAPS[self.aggregation](rows, self.samples, self.seed)
        scored, rows = rows[:, -2] > 0, np.delete(rows, -2, axis=1)
        totals = BOOTSTRAPS[self.aggregation](rows, self.samples, self.seed)
        if not scored.all():  # rougeW is that of a corpus without these segments
            others = BOOTSTRAPS[self.aggregation](rows[scored], self.samples, self.seed) if scored.any() else 0 * totals
            totals[self._places_of_w] = others[self._places_of_w]
        return np.insert(totals, -1, 1.0)

    def _row_numbers(self, rows: Floats) -> Floats:
        numbers = super()._row_numbers(rows)
        return np.insert(numbers, -1, rows[:, -1], axis=1) if self._skips else numbers

    def score(self, totals: Floats) -> dict[str, Floats]:
        """The mean of each number. With "mean-pr", F is computed from the mean precision and the mean recall."""
        numbers = super().score(totals)
        if self._skips:
            scored = totals[..., -2]
            numbers |= {self._columns[i]: ratio(totals[..., i], scored) for i in self._places_of_w}
        if self.aggregation == "mean-pr":
            for name in self.types:
                precision, recall = (numbers[f"{name}_{measure}"] / self.scale for measure in MEASURES[:2])
                numbers[f"{name}_fmeasure"] = self.scale * _f_of(precision, recall, self._form)
        return {name: _rounded(number, self.round_digits) for name, number in numbers.items()}
