"""METEOR (Banerjee and Lavie 2005; Denkowski and Lavie 2014), as the original program and every library compute it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError, shown
from metrologue.kernels.meteor_alignment import align
from metrologue.scorers.base import Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.references import first_best
from metrologue.segments import Segments
from metrologue.tokenizers import canonical_name

if TYPE_CHECKING:
    from metrologue.lexicon import Keys, Phrases

__all__ = ["TASKS", "Alignment", "Match", "Meteor", "task_fields"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

STAGES = ("exact", "stem", "synonym", "paraphrase")
_LENGTHS = ("hypothesis_length", "reference_length", "hypothesis_function_length", "reference_function_length")
_BY_STAGE = (
    "hypothesis_content_count", "reference_content_count", "hypothesis_function_count", "reference_function_count",
)  # fmt: skip
_ALIGNED = ("chunk_count", "whole_count", "hypothesis_match_count", "reference_match_count")
_RATIOS = ("meteor", "precision", "recall", "f1", "fmean", "penalty")


class Match(NamedTuple):
    """Words of the hypothesis and words of the reference that mean the same.

    Attributes
    ----------
    stage : str
        What matches: "exact", "stem", "synonym" or "paraphrase".
    hypothesis, hypothesis_length : int
        The first word there, from 0, and how many words.
    reference, reference_length : int
    chunk : int
        Which chunk it is in: matches that go on in both texts without a gap.
    """

    stage: str
    hypothesis: int
    hypothesis_length: int
    reference: int
    reference_length: int
    chunk: int


class Alignment(NamedTuple):
    """The words of two texts and which match which.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        Words as they are compared.
    hypothesis_function, reference_function : tuple of bool
        Which are function words.
    matches : tuple of Match
        In the order of the hypothesis.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    hypothesis_function: tuple[bool, ...]
    reference_function: tuple[bool, ...]
    matches: tuple[Match, ...]


class _Task(NamedTuple):
    """What METEOR 1.5 was tuned to for one kind of human judgement: its parameters, and the weight of each stage."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


# The tasks of METEOR 1.5 by language; "*" is any language.
TASKS: dict[str, dict[str, _Task]] = {
    "rank": {
        "en": _Task(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
        "cz": _Task(0.95, 0.2, 0.6, 0.8, (1.0, 0.4)),
        "fr": _Task(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4)),
        "es": _Task(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6)),
        "de": _Task(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2)),
        "ru": _Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5)),
    },
    "adq": {"en": _Task(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8))},
    "hter": {"en": _Task(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))},
    "util": {"en": _Task(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8))},
    "li": {"*": _Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5))},
    "tune": {"*": _Task(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5))},
}
# The stages that METEOR 1.5 has data for; of languages that are not here, exact and stem.
_STAGES_OF = {
    "en": STAGES,
    **dict.fromkeys(("fr", "es", "de", "ru"), ("exact", "stem", "paraphrase")),
    "cz": ("exact", "paraphrase"),
    "other": ("exact",),
}


def task_fields(task: str | None = None, language: str = "en") -> dict[str, Any]:
    """Field values of a task of METEOR 1.5 (its options -t and -l).

    Parameters
    ----------
    task : str, optional
        "rank" (the default where the language has been tuned for it), "adq", "hter", "util", "li" (the same for all
        languages; the default of the others) or "tune".
    language : str
        One of ``metrologue.lexicon.LANGUAGES``.

    Returns
    -------
    dict
        Values of language, stages, weights, alpha, beta, gamma and delta.

    Raises
    ------
    InputError
        If there is no such task or language, or METEOR 1.5 was not tuned to the task in this language.

    Examples
    --------
    >>> task_fields("rank", "de")["stages"], task_fields("rank", "de")["weights"]
    (('exact', 'stem', 'paraphrase'), (1.0, 0.8, 0.2))
    """
    language = _language(language)
    task = ("rank" if language in TASKS["rank"] else "li") if task is None else task
    if not isinstance(task, str) or task not in TASKS:
        raise InputError(f"Meteor: `task` is {shown(task)}; {' or '.join(TASKS)} is expected.")
    tuned = TASKS[task].get(language) or TASKS[task].get("*")
    if tuned is None:
        raise InputError(
            f"Meteor: the task {task!r} has no parameters for {language!r}, only for {', '.join(TASKS[task])}; "
            "take the task 'li', or give alpha, beta, gamma, delta and weights."
        )
    stages = _STAGES_OF.get(language, ("exact", "stem"))
    return {**tuned._asdict(), "language": language, "stages": stages, "weights": tuned.weights[: len(stages)]}


def _language(name: str) -> str:
    from metrologue.lexicon import LANGUAGES

    names = {**{short: short for short in LANGUAGES}, **{full: short for short, full in LANGUAGES.items()}}
    names |= {"cs": "cz", "sv": "se"}
    if not isinstance(name, str) or str.__str__(name) not in names:
        raise InputError(f"Meteor: `language` is {shown(name)}; one of {', '.join(LANGUAGES)} is expected.")
    return names[str.__str__(name)]


@dataclass(frozen=True, kw_only=True)
class Meteor(Scorer):
    """Words that match a reference, and how scattered they are; higher is better, 0-1.

    Words are aligned in stages, and P and R are the weighed parts of hypothesis and reference that are matched. With
    F = 1 / ((1 - alpha) / P + alpha / R) and a penalty of gamma (chunks / matched words)^beta, METEOR is
    F (1 - penalty). Chunks are runs of matches that go on in both texts. With several references the best one counts.
    What METEOR 1.5 prints as NaN, of texts without a word or a match, is 0 here. The defaults are those of METEOR 1.5
    for English (-l en).

    ``variant`` also takes `task`, which is no field: it stands for the values that METEOR 1.5 was tuned to for it in
    `language` (see ``task_fields``); values given beside it win.

    Parameters
    ----------
    tokenizer : str
        "meteor-1.5" takes words as they are, "meteor-1.5-en" normalizes English (-norm), and so on for cz, fr, es, de
        and ru; "nltk-words" is nltk's word_tokenize.
    lowercase : bool
        Whether to apply ``str.lower()`` to each token, as nltk does.
    language : str
        Of stems, synonyms and paraphrases: one of ``metrologue.lexicon.LANGUAGES``.
    stages : tuple of str
        Of "exact", "stem", "synonym" and "paraphrase", in the order in which they are tried.
    weights : tuple of float
        What a word that is matched in each stage counts, from 0 to 1.
    aligner : str
        "paper": cover most words, then have fewest chunks, then the least distance between the starts of matches, by
        the beam search of METEOR 1.5. "beam": as the program itself has it. There a word covered in another stage than
        the exact one counts half, in whole numbers; a match adds its distance to other paths than its own; and words
        are the same where their Java hash codes are. "greedy": nltk's. Each stage takes what the one before left, and
        as that left it: synonyms are those of stems.
    beam : int
        How many partial alignments the search keeps, 1 to 10,000.
    stemmer : str
        "meteor-1.5" (Snowball's of the language), "porter" (nltk's), or a table of your own. A table is given by its
        path, or by a name from ``metrologue.lexicon.register_stems`` and so on, and held by name and digest: that is
        what a signature shows, which never names a path (see ``from_signature``).
    synonyms : str
        "meteor-1.5" (its tables, of WordNet 3.0), "wordnet" (as nltk reads it), or a table of your own.
    paraphrases : str
        "meteor-1.5", or a table of your own.
    function_words : str or None
        "meteor-1.5" (its English list, which it takes whatever the language is), a list of your own, or None: all words
        are content words.
    alpha, beta, gamma : float
        Weight of recall, 0 to 1; shape of the penalty, 0 to 2^31 - 1; and the greatest penalty, 0 to 1.
    penalize_whole : bool
        Whether a segment that is matched whole in one chunk has a penalty too: by nltk and the first papers, not by
        METEOR 1.5.
    delta : float
        Weight of content words, 0 to 1; function words have 1 - delta.
    unit : str
        Count matched "words" or their "characters" (-ch).
    protocol : bool
        Whether texts go through the line protocol of METEOR 1.5, as with pycocoevalcap. There ``|||`` is dropped from
        hypotheses and parts a reference into several, and control characters at either end of a text are lost.
    aggregation : str
        "corpus": the score of the summed counts, as METEOR 1.5 has it; "mean": of the segments' scores.

    Raises
    ------
    InputError
        If a value is out of range. Where data are missing, making a scorer works and using it does not.

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
    tables: ClassVar[tuple[str, ...]] = ("stemmer", "synonyms", "paraphrases", "function_words")

    tokenizer: str = "meteor-1.5"
    lowercase: bool = False
    language: str = "en"
    stages: tuple[str, ...] = STAGES
    weights: tuple[float, ...] = TASKS["rank"]["en"].weights
    aligner: str = "beam"
    beam: int = 40
    stemmer: str = "meteor-1.5"
    synonyms: str = "meteor-1.5"
    paraphrases: str = "meteor-1.5"
    function_words: str | None = "meteor-1.5"
    alpha: float = TASKS["rank"]["en"].alpha
    beta: float = TASKS["rank"]["en"].beta
    gamma: float = TASKS["rank"]["en"].gamma
    penalize_whole: bool = False
    delta: float = TASKS["rank"]["en"].delta
    unit: str = "words"
    protocol: bool = False

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("line protocol", ("protocol",), "view"),
        Choice("tokenizer", ("tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice(
            "stages and aligner",
            ("stages", "weights", "aligner", "beam", "stemmer", "synonyms", "paraphrases", "language"),
            "statistics",
        ),
        Choice("function words", ("function_words", "delta"), "statistics"),
        Choice("parameters", ("alpha", "beta", "gamma", "penalize_whole"), "statistics"),
        Choice("unit", ("unit",), "statistics"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        from metrologue.lexicon import canonical_source

        super().__post_init__()
        stages = set(self.stages)
        self._check(
            "stages",
            0 < len(stages) == len(self.stages) and stages <= set(STAGES),
            f"some of {', '.join(STAGES)}, each once,",
        )
        self._check("weights", len(self.weights) == len(stages), f"a number for each of {len(stages)} stages")
        self._check_names(aligner=("beam", "paper", "greedy"), unit=("words", "characters"))
        self._check(
            "stages",
            self.aligner != "greedy" or "paraphrase" not in stages,
            "a list without 'paraphrase', as the greedy aligner matches single words,",
        )
        self._check_numbers("weights", "alpha", "gamma", "delta", greatest=1)
        self._check("protocol", isinstance(self.protocol, bool), "True or False")
        self._check_numbers("beta")
        self._check_numbers("beam", least=1, greatest=10_000)
        language = _language(self.language)
        self._set_field(tokenizer=canonical_name(self.tokenizer), language=language)
        for field in self.tables:
            if (source := getattr(self, field)) is not None:
                # METEOR 1.5 takes its English list of function words whatever the language is.
                spoken = "en" if field == "function_words" else language
                self._set_field(**{field: canonical_source(field, source, spoken)})

    @classmethod
    def from_fields(cls, values: Mapping[str, Any]) -> Self:
        """The scorer of these field values; a `task` or a `language` brings those that METEOR 1.5 was tuned to."""
        given = dict(values)
        if given.keys() & {"task", "language"}:
            given = {**task_fields(given.pop("task", None), given.get("language", "en")), **given}
            given["language"] = _language(given["language"])
        return super().from_fields(given)

    @property
    def primary(self) -> str:
        """METEOR itself."""
        return "meteor"

    @property
    def count_columns(self) -> tuple[str, ...]:
        """Lengths, matches by stage and side, chunks, and segments matched whole in one chunk."""
        return (*_LENGTHS, *(f"{stage}_{count}" for stage in self.stages for count in _BY_STAGE), *_ALIGNED)

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """From 0 to the scale, and counts of 0 or more."""
        return dict.fromkeys(_RATIOS, (0.0, self.scale)) | dict.fromkeys(self.count_columns, (0.0, math.inf))

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """False for the penalty."""
        return {name: name != "penalty" for name in _RATIOS}

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """METEOR and what it is made of, then the counts; in the order of METEOR 1.5's own operations."""
        column = dict(zip(self.count_columns, np.moveaxis(counts, -1, 0), strict=True))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                self._weighed(column, side)
                / (
                    self.delta * (column[f"{side}_length"] - column[f"{side}_function_length"])
                    + (1.0 - self.delta) * column[f"{side}_function_length"]
                )
                for side in ("hypothesis", "reference")
            )
            f1 = (2 * precision * recall) / (precision + recall)
            fmean = 1.0 / ((1.0 - self.alpha) / precision + self.alpha / recall)
            matched = (column["hypothesis_match_count"] + column["reference_match_count"]) / 2
            chunks = column["chunk_count"] - (0 if self.penalize_whole else column["whole_count"])
            penalty = self.gamma * (chunks / matched) ** self.beta
            meteor = fmean * (1.0 - penalty)
        ratios = dict(zip(_RATIOS, (meteor, precision, recall, f1, fmean, penalty), strict=True))
        return {name: self.scale * np.where(np.isnan(ratio), 0.0, ratio) for name, ratio in ratios.items()} | column

    def _weighed(self, column: Mapping[str, Floats], side: str) -> Floats:
        """The matches of one side under the weights of stages and kinds of words."""
        total = np.zeros_like(column["chunk_count"])
        for kind, share in (("content", self.delta), ("function", 1.0 - self.delta)):
            for stage, weight in zip(self.stages, self.weights, strict=True):
                total = total + column[f"{stage}_{side}_{kind}_count"] * weight * share
        return total

    def read(self, segments: Segments) -> Segments:
        """The texts that are compared: these, or what the line protocol makes of them.

        Examples
        --------
        >>> Meteor(protocol=True).read(Segments(["a|||b"], ["a b ||| c"])).pair(0)
        ('ab', ['a b', 'c'])
        """
        if not self.protocol:
            return segments
        return segments.memoize(("meteor", "protocol"), lambda: _through_protocol(segments))

    def counts(self, segments: Segments) -> Floats:
        """The counts of each hypothesis with that of its references that gives the best score."""
        segments = self.read(segments)
        offsets = segments.reference_offsets
        words = _Words(self, segments)
        pairs = segments.memoize(words.key, words.counts).astype(float)
        if len(pairs) == len(segments):
            return pairs
        best: Floats = pairs[first_best(self.numbers(pairs)["meteor"], offsets)]
        return best

    def alignments(self, prediction: str, references: Sequence[str]) -> tuple[Alignment, ...]:
        """How a text is aligned with each of its references.

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
        return _Words(self, self.read(Segments([prediction], [list(references)], owner="Meteor"))).alignments()

    _variants: ClassVar[dict[str, Variant]] = {}


# What Java trims.
_TRIMMED = "".join(map(chr, range(0x21)))


def _through_protocol(segments: Segments) -> Segments:
    pairs = [segments.pair(index) for index in range(len(segments))]
    return Segments(
        [hypothesis.replace("|||", "").strip(_TRIMMED) for hypothesis, _ in pairs],
        [[part.strip(_TRIMMED) for text in references for part in text.split("|||")] for _, references in pairs],
    )


# The fields, beside those of the view, that an alignment depends on.
_ALIGNED_BY = (
    "lowercase", "language", "stages", "aligner", "beam", "stemmer", "synonyms", "paraphrases", "function_words",
    "unit",
)  # fmt: skip


class _Words:
    """The words of all texts, and what is known of each."""

    def __init__(self, meteor: Meteor, segments: Segments) -> None:
        self.meteor = meteor
        self.view = segments.view(meteor.tokenizer)
        self.key = ("meteor", self.view.key, *(getattr(meteor, field) for field in _ALIGNED_BY))

    def counts(self) -> Counts:
        """Counts of each pair of hypothesis and reference, (pairs, columns)."""
        return self._align()[0]

    def alignments(self) -> tuple[Alignment, ...]:
        """The alignment of each pair of the one segment that there is."""
        _, rows = self._align()
        words, function = np.array(self.words, object)[self.ids], self._function[self.ids]
        (hypothesis, own_function), *references = (
            (tuple(words[start:stop].tolist()), tuple(function[start:stop].tolist()))
            for start, stop in pairwise(self.view.offsets)
        )
        return tuple(
            Alignment(hypothesis, reference, own_function, its_function, self._matches(rows[rows[:, 0] == pair, 1:]))
            for pair, (reference, its_function) in enumerate(references)
        )

    def _matches(self, rows: NDArray[np.int32]) -> tuple[Match, ...]:
        """Matches in the order of the hypothesis; rows are in that of the reference."""
        _, start, length, reference, reference_length = rows.T
        breaks = (start[1:] != (start + length)[:-1]) | (reference[1:] != (reference + reference_length)[:-1])
        chunks = np.concatenate([[0], np.cumsum(breaks)])[: len(rows)]
        return tuple(
            Match(self.meteor.stages[stage], start, length, reference, reference_length, chunk)
            for start, length, reference, reference_length, stage, chunk in sorted(
                zip(*rows.T[1:].tolist(), rows[:, 0].tolist(), chunks.tolist(), strict=True)
            )
        )

    @property
    def words(self) -> list[str]:
        """Each distinct word, in lower case where the scorer folds case."""
        return self._vocabulary[0]

    @property
    def ids(self) -> NDArray[np.int32]:
        """The texts of the view, as these words."""
        return self._vocabulary[1]

    @cached_property
    def _vocabulary(self) -> tuple[list[str], NDArray[np.int32]]:
        spellings = self.view.spellings()
        if not self.meteor.lowercase:
            return spellings, self.view.ids
        numbers: dict[str, int] = {}
        names = [numbers.setdefault(word.lower(), len(numbers)) for word in spellings]
        return [*numbers], np.array(names, np.int32)[self.view.ids]

    @cached_property
    def _function(self) -> NDArray[np.bool_]:
        from metrologue.lexicon import function_words

        meteor = self.meteor
        if meteor.function_words is None:
            return np.zeros(len(self.words), np.bool_)
        return function_words(self.words, meteor.function_words)

    @cached_property
    def _spellings(self) -> NDArray[np.int32]:
        """Words are the same where these numbers are."""
        return self._numbered(self.words)

    @cached_property
    def _stem_numbers(self) -> NDArray[np.int32]:
        """Stems are the same where these numbers are."""
        return self._numbered(self._stems)

    @cached_property
    def _stems(self) -> list[str]:
        from metrologue.lexicon import stem_spellings

        return stem_spellings(self.words, self.meteor.stemmer, self.meteor.language)

    def _numbered(self, spellings: list[str]) -> NDArray[np.int32]:
        """Numbers that are the same where METEOR 1.5 takes spellings for the same, or where they are."""
        from metrologue.lexicon import java_hashes

        if self.meteor.aligner == "beam":
            return java_hashes(spellings)
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(spelling, len(numbers)) for spelling in spellings], np.int32)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        """What each word counts: 1, or its UTF-16 code units, which are Java's characters."""
        if self.meteor.unit == "words":
            return np.ones(len(self.words), np.int64)
        return np.array([len(word.encode("utf-16-le")) // 2 for word in self.words], np.int64)

    def _keys(self, stage: str) -> tuple[Keys, Keys]:
        """What words of the hypothesis and words of the reference match by in a stage."""
        from metrologue.lexicon import Keys, synonym_keys

        meteor, words = self.meteor, self.words
        own = np.arange(len(words) + 1)
        if stage == "exact":
            same = Keys(own, self._spellings)
        elif stage == "stem":
            same = Keys(own, self._stem_numbers)
        elif stage == "paraphrase":
            same = Keys(np.zeros_like(own), np.zeros(0, np.int32))
        elif meteor.aligner == "greedy" and "stem" in meteor.stages[: meteor.stages.index("synonym")]:
            return self._synonyms_of_stems()
        else:
            return synonym_keys(words, meteor.synonyms, meteor.language)
        return same, same

    def _synonyms_of_stems(self) -> tuple[Keys, Keys]:
        """nltk looks up what its stem stage left, which is stems."""
        from metrologue.lexicon import Keys, synonym_keys

        rows = self._stem_numbers

        def of_words(stem_keys: Keys) -> Keys:
            lengths = np.diff(stem_keys.offsets)[rows]
            offsets = np.concatenate([[0], np.cumsum(lengths)])
            entries = np.arange(offsets[-1]) + np.repeat(stem_keys.offsets[rows] - offsets[:-1], lengths)
            return Keys(offsets, stem_keys.keys[entries])

        hypothesis, reference = synonym_keys([*dict.fromkeys(self._stems)], self.meteor.synonyms, self.meteor.language)
        return of_words(hypothesis), of_words(reference)

    def _phrases(self) -> Phrases:
        """The paraphrases in the texts."""
        from metrologue.lexicon import Phrases, phrases

        meteor, view = self.meteor, self.view
        if "paraphrase" not in meteor.stages:
            none, nowhere = np.zeros(0, np.int32), np.zeros(1, np.int64)
            return Phrases(np.zeros_like(view.offsets), none, none, none, nowhere, none)
        return phrases(self.ids, view.offsets, self.words, meteor.paraphrases, meteor.language)

    def _align(self) -> tuple[Counts, NDArray[np.int32]]:
        meteor, view = self.meteor, self.view
        by_stage = [self._keys(stage) for stage in meteor.stages]
        # Keys get small numbers, since the kernel has a slot for each.
        renamed = []
        for hypothesis, reference in by_stage:
            numbers = np.unique(np.concatenate([hypothesis.keys, reference.keys]), return_inverse=True)[1]
            renamed.append(np.split(numbers.astype(np.int32), [len(hypothesis.keys)]))
        own_offsets, its_offsets = (
            np.cumsum(np.concatenate([[0], *(np.diff(keys[side].offsets) for keys in by_stage)])) for side in range(2)
        )
        own_keys, its_keys = (np.concatenate([numbers[side] for numbers in renamed]) for side in range(2))
        exact, paraphrase = (
            meteor.stages.index(stage) if stage in meteor.stages else -1 for stage in ("exact", "paraphrase")
        )
        n_keys = 1 + max(int(keys.max(initial=-1)) for keys in (own_keys, its_keys))
        found = self._phrases()
        return align(
            self.ids, view.offsets, *view.pairs, len(meteor.stages), own_offsets, own_keys, its_offsets, its_keys,
            self._spellings, n_keys, exact, paraphrase,
            found.offsets, found.starts, found.numbers, found.lengths, found.target_offsets, found.targets,
            self._function, self._sizes, 0 if meteor.aligner == "greedy" else meteor.beam, meteor.aligner == "paper",
        )  # fmt: skip


_NLTK = {
    "tokenizer": "whitespace", "lowercase": True, "stages": STAGES[:3], "weights": (1.0, 1.0, 1.0),
    "aligner": "greedy", "stemmer": "porter", "synonyms": "wordnet", "function_words": None,
    "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "penalize_whole": True, "delta": 1.0, "aggregation": "mean",
}  # fmt: skip
Meteor._variants.update(
    {
        "meteor-1.5": Variant(
            "meteor",
            "the jar with -l en: ranking parameters for English, words as they are, pooled counts",
            live="meteor-1.5.meteor",
            needs=("meteor-1.5", "java"),
        ),
        "pycocoevalcap": Variant(
            "pycocoevalcap",
            "the same jar with -l en -norm, by its line protocol",
            {"tokenizer": "meteor-1.5-en", "protocol": True},
            live="pycocoevalcap.meteor",
            needs=("meteor-1.5", "java"),
        ),
        "meteor-1.0": Variant(
            "meteor",
            "by definition, proved by one published figure: three stages that weigh the same, normalized English",
            {
                "tokenizer": "meteor-1.5-en", "aligner": "paper", "stages": STAGES[:3], "weights": (1.0, 1.0, 1.0),
                "function_words": None, "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "penalize_whole": True, "delta": 1.0,
            },
            needs=("meteor-1.5",),
            version="1.0",
        ),
        "nltk": Variant(
            "nltk",
            "meteor_score on text.split(): greedy matches, synonyms of stems, mean of the segments",
            _NLTK,
            live="nltk.meteor",
            needs=("wordnet",),
        ),
        "evaluate": Variant(
            "evaluate",
            "the Hub's `meteor`: nltk's on tokens of word_tokenize",
            {**_NLTK, "tokenizer": "nltk-words"},
            live="evaluate.meteor",
            needs=("wordnet", "punkt"),
        ),
    }
)  # fmt: skip
