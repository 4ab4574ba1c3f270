"""The alignment of a hypothesis with each of its references: the properties of words, the matches, and their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import Strings
from metrologue.scorers.meteor.kernels import Stages, align
from metrologue.segments import Segments, View
from metrologue.text import lexicon, stemmers
from metrologue.text.reading import Text, Types

GREEDY = ("greedy", "greedy-again")  # nltk's aligners


class Match(NamedTuple):
    """Words of the hypothesis and words of the reference that mean the same.

    Attributes
    ----------
    stage : str
        The stage that found the match: "exact", "stem", "synonym" or "paraphrase".
    hypothesis, hypothesis_length : int
        The index of the first word in the hypothesis, from 0, and the number of words.
    reference, reference_length : int
        The same in the reference.
    chunk : int
        The number of its chunk, from 0. A chunk is a run of matches that are contiguous in both texts.
    """

    stage: str
    hypothesis: int
    hypothesis_length: int
    reference: int
    reference_length: int
    chunk: int


class Alignment(NamedTuple):
    """The words of two texts, and the matches between them.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        Words as they are compared.
    hypothesis_function, reference_function : tuple of bool
        Whether each word is a function word.
    matches : tuple of Match
        In the order of the hypothesis.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    hypothesis_function: tuple[bool, ...]
    reference_function: tuple[bool, ...]
    matches: tuple[Match, ...]


class Aligned(NamedTuple):
    """The alignments of the pairs of a view: counts and matches as ``kernels.align`` gives them."""

    counts: NDArray[np.int64]  # (n_pairs, k)
    matches: NDArray[np.int32]  # (n_matches, 6)
    view: View
    function: NDArray[np.bool_]  # whether each type is a function word
    stages: tuple[str, ...]

    def alignments(self) -> tuple[Alignment, ...]:
        """The alignment of each pair, if the view has one segment."""
        view = self.view
        kinds = np.split(self.function[view.ids], view.offsets[1:-1])
        (hypothesis, own_function), *references = (
            (tuple(view.tokens_of(text)), tuple(kind.tolist())) for text, kind in enumerate(kinds)
        )
        rows = self.matches
        return tuple(
            Alignment(
                hypothesis, reference, own_function, its_function, _matches(rows[rows[:, 0] == pair, 1:], self.stages)
            )
            for pair, (reference, its_function) in enumerate(references)
        )


def _matches(rows: NDArray[np.int32], stages: Sequence[str]) -> tuple[Match, ...]:
    """Matches in the order of the hypothesis. The rows are in the order in which chunks are counted."""
    _, start, length, reference, reference_length = rows.T
    breaks = (start[1:] != (start + length)[:-1]) | (reference[1:] != (reference + reference_length)[:-1])
    chunks = np.concatenate([[0], np.cumsum(breaks)])[: len(rows)]
    return tuple(
        Match(stages[stage], start, length, reference, reference_length, chunk)
        for start, length, reference, reference_length, stage, chunk in sorted(
            zip(*rows.T[1:].tolist(), rows[:, 0].tolist(), chunks.tolist(), strict=True)
        )
    )


class Search(NamedTuple):
    """The options of METEOR that decide which words match; each has the name that it has there."""

    language: str
    stages: tuple[str, ...]
    aligner: str
    beam: int
    stemmer: str
    synonyms: str
    paraphrases: str
    function_words: str | None
    unit: str


def align_texts(view: View, search: Search) -> Aligned:
    """The alignments of each hypothesis with each of its references. Raises an InputError if a table is missing."""
    types, stages, language = view.vocabulary, search.stages, search.language
    exact, paraphrase = (stages.index(stage) if stage in stages else -1 for stage in ("exact", "paraphrase"))
    with types.unchanged():
        ours, theirs = stage_keys(search, types)
        phrases = find_phrases(view, None if paraphrase < 0 else search.paraphrases, language)
        function = which_are_function(types, search.function_words)
        numbers = number_spellings(types, hashed=search.aligner == "beam")
        sizes = word_sizes(types, search.unit)
    # A key numbers the types, or the keys of a stage that some word of a reference has.
    keyed = Stages(len(stages), exact, paraphrase, max(len(numbers), len(theirs.keys)), numbers, *ours, *theirs)
    beam = 0 if search.aligner in GREEDY else search.beam
    again = stages.index("stem") if search.aligner == "greedy-again" and "stem" in stages else -1
    counts, matches = align(view.paired, keyed, phrases, function, sizes, beam, search.aligner == "paper", again)
    return Aligned(counts, matches, view, function, stages)


def number_spellings(types: Types, hashed: bool) -> NDArray[np.int32]:
    """A number for each type. Types with the same number count as the same word.

    With `hashed`, words with the same Java hash code count as the same, as in METEOR 1.5.

    Examples
    --------
    >>> from metrologue.text.reading import Tokenize
    >>> from metrologue.segments import Segments
    >>> types = Segments(["Aa BB"], ["Aa"]).read((Tokenize("whitespace"),)).vocabulary
    >>> number_spellings(types, hashed=False), number_spellings(types, hashed=True)
    (array([0, 1], dtype=int32), array([2112, 2112], dtype=int32))
    """
    if hashed:
        return types.layer("java hash", lexicon.java_hashes)
    return np.arange(len(types), dtype=np.int32)


def stage_keys(search: Search, types: Types) -> tuple[lexicon.Keys, lexicon.Keys]:
    """The match keys of each type in a hypothesis and in a reference, type by type, for one stage after another.

    Keys are small numbers, which have another meaning in each stage. Types have no keys in the stage "paraphrase",
    because phrases match there, not words.
    """
    keys, itself = [], np.arange(len(types), dtype=np.int32)
    stages, stemmer, language = search.stages, search.stemmer, search.language
    for place, stage in enumerate(stages):
        compared, row_of = types, itself
        # nltk looks up the synonyms of stems, because its stem stage has replaced words by their stems.
        if stage == "stem" or (stage == "synonym" and search.aligner == "greedy" and "stem" in stages[:place]):
            compared, row_of = types.derived(
                ("stem", stemmer, language), lambda words: stemmers.stems(words, stemmer, language)
            )
        if stage == "synonym":
            ours, theirs = _synonyms(compared, search.synonyms, language)
            keys.append(((ours, row_of), (theirs, row_of)))
        else:
            same = _no_keys(len(types)) if stage == "paraphrase" else _one_key(compared, search.aligner == "beam")
            keys.append(((same, row_of), (same, row_of)))
    by_type = np.arange(len(stages) * len(types), dtype=np.int32).reshape(len(stages), -1).T.ravel()
    ours, theirs = (lexicon.Keys.joined([(lexicon.Keys.joined(side), by_type)]) for side in zip(*keys, strict=True))
    return ours, theirs


def _no_keys(count: int) -> lexicon.Keys:
    return lexicon.Keys(np.zeros(count + 1, np.int64), np.zeros(0, np.int32))


def _one_key(types: Types, hashed: bool) -> lexicon.Keys:
    """One key for each type: the same words have the same key."""
    numbers = number_spellings(types, hashed)
    if hashed:
        numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int32)
    return lexicon.Keys(np.arange(len(numbers) + 1), numbers)


def _synonyms(types: Types, source: str, language: str) -> tuple[lexicon.Keys, lexicon.Keys]:
    """Keys that synonyms share. A key of the hypotheses is left out if no word of a reference can have it."""
    ours, theirs = types.layer_of_texts(
        ("synonyms", source, language),
        lambda words: lexicon.synonym_keys(words, source, language),
        lambda parts: tuple(map(_appended, zip(*parts, strict=True))),
    )
    return ours.shared(theirs)


def _appended(parts: Sequence[lexicon.Keys]) -> lexicon.Keys:
    """All keys of several parts."""
    return lexicon.Keys.joined((keys, np.arange(len(keys.offsets) - 1, dtype=np.int32)) for keys in parts)


def find_phrases(view: View, paraphrases: str | None, language: str) -> lexicon.Phrases:
    """The phrases of the texts that have paraphrases; none if `paraphrases` is None."""
    if paraphrases is None:
        none, nowhere = np.zeros(0, np.int32), np.zeros(1, np.int64)
        return lexicon.Phrases(np.zeros_like(view.offsets), none, none, none, nowhere, none)
    listed = view.vocabulary.layer(
        ("phrase words", paraphrases, language), lambda words: lexicon.phrase_words(words, paraphrases, language)
    )
    return lexicon.phrases(view.ids, view.offsets, listed, paraphrases, language)


def which_are_function(types: Types, source: str | None) -> NDArray[np.bool_]:
    """Whether each type is a function word, bool (n,). Without a list (`source` is None), none is."""
    if source is None:
        return np.zeros(len(types), np.bool_)
    return types.layer(("function words", source), lambda words: lexicon.function_words(words, source))


def word_sizes(types: Types, unit: str) -> NDArray[np.int64]:
    """The size of each type, int64 (n,): 1, or its number of UTF-16 code units, which are Java's characters.

    Examples
    --------
    >>> from metrologue.text.reading import Tokenize
    >>> from metrologue.segments import Segments
    >>> types = Segments(["dog"], ["😀"]).read((Tokenize("whitespace"),)).vocabulary
    >>> word_sizes(types, "words"), word_sizes(types, "characters")
    (array([1, 1]), array([3, 2]))
    """
    return np.ones(len(types), np.int64) if unit == "words" else types.layer("utf-16 length", _utf_16_lengths)


def _utf_16_lengths(words: Sequence[str]) -> NDArray[np.int64]:
    return np.array([len(word.encode("utf-16-le")) // 2 for word in words], np.int64)


# The characters that Java's String.trim removes.
_TRIMMED = "".join(map(chr, range(0x21)))


def through_protocol(segments: Segments) -> Segments:
    """The texts that the program sees: ``|||`` splits a reference into several, and is dropped from a hypothesis.

    Examples
    --------
    >>> through_protocol(Segments(["a|||b"], ["a b ||| c"])).pair(0)
    ('ab', ['a b', 'c'])
    """
    hypotheses = Text(Strings.of([text.replace("|||", "").strip(_TRIMMED) for text in segments.strings().to_pylist()]))
    references = segments.references
    if not references or not references.shared:
        return Segments.of_columns({"predictions": hypotheses, "references": _parted(segments)})
    # Shared references are split only once for all systems.
    parted = references.memoize("line protocol", lambda: _parted(segments))
    parted.shared = True
    return Segments.of_columns({"predictions": hypotheses, "references": parted})


def _parted(segments: Segments) -> Text:
    split = [text.split("|||") for text in segments.strings("references").to_pylist()]
    ends = np.cumsum([0, *map(len, split)])
    return Text(
        Strings.of([part.strip(_TRIMMED) for parts in split for part in parts]), ends[segments.reference_offsets]
    )
