"""METEOR (Banerjee and Lavie 2005; Denkowski and Lavie 2014), as the original program and every library compute it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.hints import joined_words_of, looks_english, other_letters
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import option, table_fields, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.families.kernels.c_math import powers
from metrologue.scorers.meteor.alignment import GREEDY, Aligned, Alignment, Match, Search, align_texts, through_protocol
from metrologue.scorers.meteor.kernels import Weighting, matched_shares, meteor_ratios, weighted_means
from metrologue.scorers.meteor.variants import (
    LANGUAGE_CODES,
    STAGES,
    TASKS,
    VARIANTS,
    default_weights,
    language_code,
    task_fields,
)
from metrologue.segments import Segments
from metrologue.text.lexicon.locate import LANGUAGES
from metrologue.text.reading import LowerTokens, Reading, Tokenize
from metrologue.text.reading import words as whole_words
from metrologue.text.scripts import Language

__all__ = [
    "STAGES", "TASKS", "Alignment", "Match", "Meteor", "fragmentation_penalty", "matched_share", "meteor",
    "task_fields", "weighted_mean",
]  # fmt: skip


def meteor(
    precision: Floats,
    recall: Floats,
    chunk_count: Floats,
    match_count: Floats,
    *,
    alpha: float,
    beta: float,
    gamma: float,
) -> Floats:
    """METEOR: F_mean times (1 - penalty).

    Parameters
    ----------
    precision, recall : float64 (...)
        See ``matched_share``.
    chunk_count, match_count : float64 (...)
        See ``fragmentation_penalty``.
    alpha, beta, gamma : float
        `alpha` is the weight of recall, `beta` the shape of the penalty, and `gamma` the greatest penalty.

    Returns
    -------
    float64 (...)
        0 to 1.

    References
    ----------
    Denkowski and Lavie 2014, https://aclanthology.org/W14-3348, section 2.

    Examples
    --------
    "the cat sat down" matches three words of "the cat lay down", in two chunks.

    >>> share = np.array(0.75)
    >>> meteor(share, share, np.array(2.0), np.array(3.0), alpha=0.9, beta=3.0, gamma=0.5).round(4)
    np.float64(0.6389)
    """
    penalty = fragmentation_penalty(chunk_count, match_count, beta, gamma)
    return weighted_mean(precision, recall, alpha) * (1.0 - penalty)


def weighted_mean(precision: Floats, recall: Floats, alpha: float, product: bool = False) -> Floats:
    """F_mean: the harmonic mean of precision and recall, in which recall has the weight alpha; 0 if either is 0.

    Parameters
    ----------
    precision, recall : float64 (...)
    alpha : float
        0 to 1.
    product : bool
        Whether it is computed as P R / (alpha P + (1 - alpha) R), which can change the last bit.

    Examples
    --------
    >>> weighted_mean(np.array(0.5), np.array(1.0), alpha=0.9)
    array(0.90909091)
    """
    return weighted_means(precision, recall, alpha, product)


def fragmentation_penalty(chunk_count: Floats, match_count: Floats, beta: float, gamma: float) -> Floats:
    """The penalty for matches in scattered order: gamma (chunks / matched words)^beta; 0 without a match.

    Parameters
    ----------
    chunk_count : float64 (...)
        Number of chunks: runs of matches that are contiguous in both texts.
    match_count : float64 (...)
        Matched words, as the mean of both texts.
    beta, gamma : float
        With a beta of 0 the penalty is always gamma.

    Examples
    --------
    >>> fragmentation_penalty(np.array(2.0), np.array(4.0), beta=3.0, gamma=0.5)
    array(0.0625)
    """
    return np.asarray(gamma * powers(ratio(chunk_count, match_count), beta))


def matched_share(
    content_matches: Floats,
    function_matches: Floats,
    length: Floats,
    function_length: Floats,
    weights: Sequence[float],
    delta: float,
) -> Floats:
    """The weighted share of matched words in a text; 0 if no word has a weight.

    The share of the hypothesis is the precision, and the share of the reference is the recall.

    Parameters
    ----------
    content_matches, function_matches : float64 (..., n_stages)
        For each stage, the matched content words and the matched function words of the text.
    length, function_length : float64 (...)
        All words of the text, and its function words.
    weights : sequence of float
        The weight of a match in each stage.
    delta : float
        Weight of content words; function words have 1 - delta.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    "the dog sat x" has one function word. The only stage matches all words except "x".

    >>> matched_share(np.array([2.0]), np.array([1.0]), np.array(4.0), np.array(1.0), weights=[1.0], delta=0.75)
    array(0.7)
    """
    return matched_shares(content_matches, function_matches, length, function_length, np.array(weights, float), delta)


# Columns for both texts, for each stage, and for the alignment.
_LENGTHS = ("hypothesis_length", "reference_length", "hypothesis_function_length", "reference_function_length")
_BY_STAGE = (
    "hypothesis_content_count",
    "reference_content_count",
    "hypothesis_function_count",
    "reference_function_count",
)
_ALIGNED = ("chunk_count", "whole_count", "hypothesis_match_count", "reference_match_count")
_RATIOS = ("meteor", "precision", "recall", "f1", "fmean", "penalty")
# METEOR 1.5's default parameters for English.
_RANK = TASKS["rank"]["en"]


@dataclass(frozen=True, kw_only=True)
class Meteor(PairScorer):
    """Words that match a reference, and how scattered they are; higher is better, 0-1.

    Words are aligned in stages. P and R are the weighted shares of matched words in the hypothesis and the reference. F
    is 1 / ((1 - alpha) / P + alpha / R), the penalty is gamma (chunks / matched words)^beta, and METEOR is
    F (1 - penalty). Chunks are runs of matches that are contiguous in both texts. With several references, the one with
    the best score counts. METEOR 1.5 prints NaN for texts without a word or a match; here they score 0. The defaults
    are those of METEOR 1.5 for English (-l en).

    ``variant`` also takes `task`, which is not a field. It sets the fields to the values to which METEOR 1.5 was tuned
    for this task in `language` (see ``task_fields``). Fields that are given as well keep the given values.

    Raises
    ------
    InputError
        If a value is out of range. If data are missing, the scorer can be made, but it raises this error when it is
        used.

    References
    ----------
    Banerjee and Lavie 2005, https://aclanthology.org/W05-0909; Denkowski and Lavie 2014,
    https://aclanthology.org/W14-3348.

    Examples
    --------
    >>> meteor = Meteor(stages=("exact",), weights=(1.0,), function_words=None)
    >>> result = meteor.corpus(["the cat sat down"], ["the cat lay down"])
    >>> result.scores["precision"], result.scores["chunk_count"]
    (0.75, 2)
    """

    name: ClassVar[str] = "meteor"
    about: ClassVar = About(
        papers=("banerjee-lavie-2005-meteor", "denkowski-lavie-2014-meteor"),
        growth=Growth("words", 2, 4_000),
        advised_by="METEOR has rules of its own for some languages",
    )
    _variants: ClassVar = VARIANTS

    # fmt: off
    tokenizer: str = option(
        "meteor-1.5", stage="read", choice="tokenizer", kind="tokenizer",
        about='"meteor-1.5" keeps words as they are. "meteor-1.5-norm" normalizes English (-norm), and '
        '"meteor-1.5-norm:language=de" German; cz, fr, es and ru are possible too. "nltk-words" is nltk\'s '
        "word_tokenize.",
    )
    lowercase: bool = option(
        False, stage="read", choice="case", about="Whether to apply ``str.lower()`` to each token, as nltk does."
    )
    protocol: bool = option(
        False, stage="read", choice="line protocol",
        about="Whether texts pass through the line protocol of METEOR 1.5, as in pycocoevalcap. The protocol drops "
        "``|||`` from hypotheses, splits a reference at ``|||`` into several, and drops control characters at both "
        "ends of a text.",
    )
    language: str = option(
        "en", stage="pairs", choice="stages and aligner",
        about="The language of stems, synonyms and paraphrases.", one_of=LANGUAGES,
    )
    stages: tuple[str, ...] = option(
        STAGES, stage="pairs", choice="stages and aligner",
        about="The stages of the alignment, in the order in which they are tried.",
        one_of={
            "exact": "equal words",
            "stem": "words with equal stems",
            "synonym": "words that share a set of synonyms",
            "paraphrase": "phrases that are paraphrases of each other",
        },
    )
    weights: tuple[float, ...] = option(
        None, stage="join", choice="stages and aligner", greatest=1,
        about="The weight of a word that is matched in each stage; stages beyond the last weight have 0. Left out, "
        "they are METEOR 1.5's: those of the task, or with own `alpha`, `beta`, `gamma` or `delta` 1, 1, 0.6 and 0.8 "
        "in English and 0 in other languages.",
    )
    aligner: str = option(
        "beam", stage="pairs", choice="stages and aligner",
        about="The search for the alignment.",
        one_of={
            "beam": "the search of the program METEOR 1.5 itself, which differs from the paper in three ways. On each "
                'side, the words of a match in a stage other than "exact" count half, rounded down. The distance of a '
                "match counts for the alignments that are tried after it, not for its own. Words are the same if their "
                "Java hash codes are the same",
            "paper": "cover the most words, then have the fewest chunks, then the least distance between the starts of "
                "matches, by the beam search of METEOR 1.5",
            "greedy": "nltk's search. Each stage takes the words that the stage before left, in the form in which it "
                "left them: the synonyms are those of stems",
            "greedy-again": "the same up to nltk 3.6.2: words that match by their stem can match again as synonyms, so "
                "that a score can be above 1, and synonyms are those of the words themselves",
        },
    )
    beam: int = option(
        40, stage="pairs", choice="stages and aligner", least=1, greatest=10_000,
        about="The number of partial alignments that the search keeps.",
    )
    stemmer: str = option(
        "meteor-1.5", stage="pairs", choice="stages and aligner", kind="table",
        about='"meteor-1.5" (Snowball\'s for the language), "porter" (nltk\'s), or a table of your own. A table is '
        "given by its path, or by a name from ``metrologue.text.lexicon.register_stems`` and the like. The field then "
        "keeps the table's name and digest. These are what a signature shows; a signature never has a path (see "
        "``from_signature``).",
    )
    synonyms: str = option(
        "meteor-1.5", stage="pairs", choice="stages and aligner", kind="table",
        about='"meteor-1.5" (its tables, from WordNet 3.0), "wordnet" (as nltk reads it), or a table of your own.',
    )
    paraphrases: str = option(
        "meteor-1.5", stage="pairs", choice="stages and aligner", kind="table",
        about='"meteor-1.5", or a table of your own.',
    )
    function_words: str | None = option(
        "meteor-1.5", stage="pairs", choice="function words", kind="table",
        about='"meteor-1.5" (its English list, which it uses for every language), or a list of your own. None: all '
        "words are content words.",
    )
    delta: float = option(
        _RANK.delta, stage="join", choice="function words", greatest=1,
        about="Weight of content words; function words have 1 - delta.",
    )
    alpha: float = option(_RANK.alpha, stage="join", choice="parameters", greatest=1, about="Weight of recall.")
    beta: float = option(_RANK.beta, stage="join", choice="parameters", about="Shape of the penalty.")
    gamma: float = option(_RANK.gamma, stage="join", choice="parameters", greatest=1, about="The greatest penalty.")
    arithmetic: str = option(
        "reciprocals", stage="join", choice=None,
        about="The order of operations in the mean of precision and recall, which changes the last bit only.",
        one_of={
            "reciprocals": "1 / ((1 - alpha) / P + alpha / R) (METEOR 1.5)",
            "product": "P R / (alpha P + (1 - alpha) R) (nltk)",
        },
    )
    penalize_whole: bool = option(
        False, stage="join", choice="parameters",
        about="Whether the penalty also applies to a segment that one chunk matches completely. It does in nltk and in "
        "the first papers, but not in METEOR 1.5.",
    )
    unit: str = option(
        "words", stage="pairs", choice="unit",
        about="What counts.",
        one_of={"words": "matched words", "characters": "the characters of matched words (-ch)"},
    )
    aggregation: str = with_default("corpus", one_of={"corpus": "the score of the summed statistics (METEOR 1.5)"})
    # fmt: on

    def _derive(self) -> None:
        self._set_field(language=language_code(self.language))
        weights: tuple[float, ...] | None = self.weights
        if weights is None:
            weights = default_weights(self.language, (self.alpha, self.beta, self.gamma, self.delta))[
                : len(self.stages)
            ]
        self._set_field(weights=weights)

    @property
    def _weight_of_each(self) -> tuple[float, ...]:
        """A weight for each stage; 0 for those that `weights` leaves out."""
        return self.weights + (0.0,) * (len(self.stages) - len(self.weights))

    def _check_together(self) -> None:
        from metrologue.text.lexicon import canonical_source  # here: it takes long to import

        stages = set(self.stages)
        self._check("stages", 0 < len(stages) == len(self.stages), f"some of {', '.join(STAGES)}, each once,")
        self._check(
            "weights", len(self.weights) <= len(stages), f"a number for each of {len(stages)} stages, or fewer,"
        )
        self._check(
            "stages",
            self.aligner not in GREEDY or "paraphrase" not in stages,
            "a list without 'paraphrase', as the greedy aligner matches single words,",
        )
        for field in table_fields(type(self)):
            if (source := getattr(self, field)) is not None:
                # METEOR 1.5 uses its English list of function words for every language.
                spoken = "en" if field == "function_words" else self.language
                self._set_field(**{field: canonical_source(field, source, spoken)})

    @classmethod
    def _from_fields(cls, values: Mapping[str, Any]) -> Self:
        """The scorer with these field values. A `task` or a `language` adds the values that METEOR 1.5 was tuned to."""
        given = dict(values)
        own = given.keys() & {"alpha", "beta", "gamma", "delta"}
        if given.keys() & {"task", "language"}:
            tuned = task_fields(given.pop("task", None), given.get("language", "en"))
            given = {**tuned, **({"weights": None} if own else {}), **given}
            stages = given["stages"]
            if given["weights"] is tuned["weights"] and isinstance(stages, (list, tuple)):
                given["weights"] = tuned["weights"][: len(stages)]
        if own and given.get("weights") is None:  # also if they equal those of a task
            given["weights"] = default_weights(given.get("language", "en"), None)[: len(given.get("stages", STAGES))]
        return super()._from_fields(given)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        """Names of the counts: lengths, matches by stage and side, chunks, segments that one chunk matches whole."""
        return (*_LENGTHS, *(f"{stage}_{count}" for stage in self.stages for count in _BY_STAGE), *_ALIGNED)

    numbers: ClassVar = (
        number("meteor", 0, "_most", unit="points", better="higher", title="METEOR", about="fmean times (1 - penalty)"),
        number(
            "precision", 0, "_most", unit="points", better="higher",
            about="weighted share of the hypothesis's words that match",
        ),
        number(
            "recall", 0, "_most", unit="points", better="higher",
            about="weighted share of the reference's words that match",
        ),
        number(
            "f1", 0, "_most", unit="points", better="higher", title="F1",
            about="harmonic mean of precision and recall",
        ),
        number(
            "fmean", 0, "_most", unit="points", better="higher", title="F-mean",
            about="harmonic mean of precision and recall, in which recall has the weight `alpha`",
        ),
        number("penalty", 0, "scale", better="lower", about="gamma * (chunks / matched words) ** beta"),
        counted("hypothesis_length", "words", about="words of the hypotheses"),
        counted("reference_length", "words", about="words of the references"),
        counted("hypothesis_function_length", "words", about="function words of the hypotheses"),
        counted("reference_function_length", "words", about="function words of the references"),
        each(
            "stages",
            counted(
                "{stage}_hypothesis_content_count", "words",
                about="content words of the hypotheses that match as {stage}",
            ),
            counted(
                "{stage}_reference_content_count", "words",
                about="content words of the references that match as {stage}",
            ),
            counted(
                "{stage}_hypothesis_function_count", "words",
                about="function words of the hypotheses that match as {stage}",
            ),
            counted(
                "{stage}_reference_function_count", "words",
                about="function words of the references that match as {stage}",
            ),
        ),
        counted("chunk_count", "chunks", about="runs of matches that are contiguous in both texts"),
        counted("whole_count", "segments", about="segments that one chunk matches as a whole"),
        counted("hypothesis_match_count", "words", about="words of the hypotheses that match"),
        counted("reference_match_count", "words", about="words of the references that match"),
    )  # fmt: skip

    @property
    def _most(self) -> float:
        """The greatest score: a word can match twice under "greedy-again"."""
        return (2.0 if self.aligner == "greedy-again" else 1.0) * self.scale

    def _compared(self, segments: Segments) -> Segments:
        """The texts that are compared: the given ones, or those after the line protocol.

        Examples
        --------
        >>> Meteor(protocol=True)._compared(Segments(["a|||b"], ["a b ||| c"])).pair(0)
        ('ab', ['a b', 'c'])
        """
        key = ("meteor", "protocol")
        return segments.memoize(key, lambda: through_protocol(segments)) if self.protocol else segments

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        code = LANGUAGE_CODES.get(language.code)
        return {"language": code} if code else {"language": "other", **super()._for_language(language)}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint if the language is English and the texts are not."""
        usual = super()._hints(segments, of_each)
        if self.language != "en" or joined_words_of(self, segments):
            return usual
        if other_letters(segments) >= 0.5:
            what = "are not in Latin script"
        elif "synonym" in self.stages and not looks_english(segments, self._has_synonyms):
            what = "do not look like English"
        else:
            return usual
        return [
            *usual,
            f"Meteor: the texts {what}, but stems, synonyms and function words are English; give the language, such as "
            "language='ru' or language='de', or tables of your own.",
        ]

    def _has_synonyms(self, words: Sequence[str]) -> Flags:
        """Whether the table of synonyms knows each word."""
        from metrologue.text.lexicon import synonym_keys

        keys, _ = synonym_keys(words, self.synonyms)
        of_word = np.repeat(np.arange(len(words)), np.diff(keys.offsets))
        return np.isin(np.arange(len(words)), of_word[keys.keys >= 0])

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The counts of each pair, (n_pairs, k). With `protocol`, each part of a reference is a reference."""
        return self._align(segments).counts.astype(np.float64)

    def alignments(self, prediction: str, references: Sequence[str]) -> tuple[Alignment, ...]:
        """The alignments of a text with each of its references.

        Parameters
        ----------
        prediction : str
        references : sequence of str

        Returns
        -------
        tuple of Alignment
            One for each reference; with `protocol`, for each part of one.

        Raises
        ------
        InputError
            As for ``corpus``.

        Examples
        --------
        >>> meteor = Meteor(stages=("exact",), weights=(1.0,), function_words=None)
        >>> (alignment,) = meteor.alignments("the cat sat", ["a cat sat"])
        >>> [(match.stage, match.hypothesis, match.reference, match.chunk) for match in alignment.matches]
        [('exact', 1, 1, 0), ('exact', 2, 2, 0)]
        """
        return self._align(self._to_segments([prediction], [list(references)])).alignments()

    @cached_property
    def _words(self) -> Reading:
        # nltk folds the case of tokens, not of texts. Where tokens end at whitespace that is the same, because
        # the lower case of a letter depends on nothing beyond whitespace. To read texts in lower case is quicker.
        if not self.lowercase or self.tokenizer == "whitespace":
            return whole_words(self.tokenizer, self.lowercase)
        return Tokenize(self.tokenizer), LowerTokens()

    def _align(self, segments: Segments) -> Aligned:
        search = Search(**{name: getattr(self, name) for name in Search._fields})
        return align_texts(self._compared(segments).read(self._words), search)

    def _quality(self, rows: Floats) -> Floats:
        return self._ratios(rows)["meteor"]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        """METEOR and the ratios that it is computed from, then the counts. Operations are in METEOR 1.5's order."""
        ratios = self._ratios(statistics)
        if self.scale != 1:  # a product takes time, even by 1
            ratios = {name: self.scale * ratio for name, ratio in ratios.items()}
        return ratios | by_name(self._columns, statistics)

    def _ratios(self, statistics: Floats) -> dict[str, Floats]:
        return by_name(_RATIOS, meteor_ratios(statistics, self._weighting))

    @cached_property
    def _weighting(self) -> Weighting:
        weights, product = np.array(self._weight_of_each, float), self.arithmetic == "product"
        return Weighting(weights, self.delta, self.alpha, product, self.beta, self.gamma, self.penalize_whole)
