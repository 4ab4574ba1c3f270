"""Properties of each type for METEOR: its match keys, its kind and its size, computed once for a type."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.segments import View
from metrologue.text import lexicon, stemmers
from metrologue.text.lexicon import Keys, Phrases
from metrologue.text.reading import Types

__all__ = ["find_phrases", "number_spellings", "stage_keys", "which_are_function", "word_sizes"]


def number_spellings(types: Types, hashed: bool) -> NDArray[np.int32]:
    """A number for each type. Types with the same number count as the same word.

    Parameters
    ----------
    types : Types
        n types.
    hashed : bool
        Whether words with the same Java hash code count as the same, as in METEOR 1.5.

    Returns
    -------
    int32 (n,)

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


def stage_keys(
    stages: Sequence[str], types: Types, *, aligner: str, stemmer: str, synonyms: str, language: str
) -> tuple[Keys, Keys]:
    """The match keys of each type in a hypothesis and in a reference, for one stage after another.

    Parameters
    ----------
    stages : sequence of str
    types : Types
    aligner, stemmer, synonyms, language : str
        The fields of the scorer.

    Returns
    -------
    Keys, Keys
        Small numbers, which have another meaning in each stage. Types have no keys in the stage "paraphrase", because
        phrases match there, not words.
    """
    found, itself = [], np.arange(len(types), dtype=np.int32)
    for place, stage in enumerate(stages):
        compared, row_of = types, itself
        # nltk looks up the synonyms of stems, because its stem stage has replaced words by their stems.
        if stage == "stem" or (stage == "synonym" and aligner == "greedy" and "stem" in stages[:place]):
            compared, row_of = types.derived(
                ("stem", stemmer, language), lambda words: stemmers.stems(words, stemmer, language)
            )
        if stage == "synonym":
            own, its = _synonyms(compared, synonyms, language)
            found.append(((own, row_of), (its, row_of)))
        else:
            same = _no_keys(len(types)) if stage == "paraphrase" else _one_key(compared, aligner == "beam")
            found.append(((same, row_of), (same, row_of)))
    own, its = (Keys.joined(side) for side in zip(*found, strict=True))
    return own, its


def _no_keys(count: int) -> Keys:
    return Keys(np.zeros(count + 1, np.int64), np.zeros(0, np.int32))


def _one_key(types: Types, hashed: bool) -> Keys:
    """One key for each type: the same words have the same key."""
    numbers = number_spellings(types, hashed)
    if hashed:
        numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int32)
    return Keys(np.arange(len(numbers) + 1), numbers)


def _synonyms(types: Types, source: str, language: str) -> tuple[Keys, Keys]:
    """Keys that synonyms share. A key of the hypotheses is left out if no word of a reference can have it."""
    own, its = types.layer_of_texts(
        ("synonyms", source, language),
        lambda words: lexicon.synonym_keys(words, source, language),
        lambda parts: tuple(map(_appended, zip(*parts, strict=True))),
    )
    return own.shared(its)


def _appended(parts: Sequence[Keys]) -> Keys:
    """All keys of several parts."""
    return Keys.joined((keys, np.arange(len(keys.offsets) - 1, dtype=np.int32)) for keys in parts)


def find_phrases(view: View, paraphrases: str | None, language: str) -> Phrases:
    """The phrases of the texts that have paraphrases; none if `paraphrases` is None."""
    if paraphrases is None:
        none, nowhere = np.zeros(0, np.int32), np.zeros(1, np.int64)
        return Phrases(np.zeros_like(view.offsets), none, none, none, nowhere, none)
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
