"""What METEOR works out of each word, once: what it matches by, its kind and its size. All are layers of the types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue import lexicon, stemmers
from metrologue.lexicon import Keys, Phrases
from metrologue.reading import Types
from metrologue.segments import View

__all__ = ["find_phrases", "number_spellings", "stage_keys", "which_are_function", "word_sizes"]


def number_spellings(types: Types, hashed: bool) -> NDArray[np.int32]:
    """A number for each type: the same where words are.

    Parameters
    ----------
    types : Types
        Of n words.
    hashed : bool
        Whether words are the same where their Java hash codes are, as METEOR 1.5 has it.

    Returns
    -------
    int32 (n,)

    Examples
    --------
    >>> from metrologue.reading import Tokenize
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
    """What each word of a hypothesis, and each word of a reference, matches by: words of one stage after another.

    Parameters
    ----------
    stages : sequence of str
    types : Types
    aligner, stemmer, synonyms, language : str
        The fields of the scorer.

    Returns
    -------
    Keys, Keys
        Of small numbers, which mean another thing in each stage. Phrases, not words, match in the stage "paraphrase",
        where words have no keys.
    """
    found = []
    for place, stage in enumerate(stages):
        compared, row_of = types, np.arange(len(types), dtype=np.int32)
        # nltk looks up synonyms of what its stem stage left, which is stems.
        if stage == "stem" or (stage == "synonym" and aligner == "greedy" and "stem" in stages[:place]):
            compared, row_of = types.derived(
                ("stem", stemmer, language), lambda words: stemmers.stem_spellings(words, stemmer, language)
            )
        if stage == "synonym":
            own, its = _synonyms(compared, synonyms, language)
            found.append((own.take(row_of), its.take(row_of)))
        else:
            same = _no_keys(len(types)) if stage == "paraphrase" else _one_key(compared, row_of, aligner == "beam")
            found.append((same, same))
    own, its = (Keys.joined(side) for side in zip(*found, strict=True))
    return own, its


def _no_keys(count: int) -> Keys:
    return Keys(np.zeros(count + 1, np.int64), np.zeros(0, np.int32))


def _one_key(compared: Types, row_of: NDArray[np.int32], hashed: bool) -> Keys:
    """Words that are the same have the same key."""
    numbers = number_spellings(compared, hashed)
    if hashed:
        numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int32)
    return Keys(np.arange(len(row_of) + 1), numbers[row_of])


def _synonyms(types: Types, source: str, language: str) -> tuple[Keys, Keys]:
    """Keys by which words are synonyms, those of hypotheses that no word of a reference can have left out."""
    own, its = types.layer(
        ("synonyms", source, language),
        lambda words: lexicon.synonym_keys(words, source, language),
        lambda parts: tuple(map(Keys.joined, zip(*parts, strict=True))),
    )
    first = 1 + max(int(keys.keys.max(initial=-1)) for keys in (own, its))
    own, its = (keys.of_themselves(first) for keys in (own, its))
    wanted = np.unique(its.keys)
    return own.among(wanted), its.among(wanted)


def find_phrases(view: View, paraphrases: str | None, language: str) -> Phrases:
    """The paraphrases in the texts; none if there is no table to look them up in."""
    if paraphrases is None:
        none, nowhere = np.zeros(0, np.int32), np.zeros(1, np.int64)
        return Phrases(np.zeros_like(view.offsets), none, none, none, nowhere, none)
    listed = view.vocabulary.layer(
        ("phrase words", paraphrases, language), lambda words: lexicon.phrase_words(words, paraphrases, language)
    )
    return lexicon.phrases(view.ids, view.offsets, listed, paraphrases, language)


def which_are_function(types: Types, source: str | None) -> NDArray[np.bool_]:
    """Which words are function words, bool (n,); none if there is no list of them."""
    if source is None:
        return np.zeros(len(types), np.bool_)
    return types.layer(("function words", source), lambda words: lexicon.function_words(words, source))


def word_sizes(types: Types, unit: str) -> NDArray[np.int64]:
    """What each word counts, int64 (n,): 1, or its UTF-16 code units, which are Java's characters.

    Examples
    --------
    >>> from metrologue.reading import Tokenize
    >>> from metrologue.segments import Segments
    >>> types = Segments(["dog"], ["😀"]).read((Tokenize("whitespace"),)).vocabulary
    >>> word_sizes(types, "words"), word_sizes(types, "characters")
    (array([1, 1]), array([3, 2]))
    """
    return np.ones(len(types), np.int64) if unit == "words" else types.layer("utf-16 length", _utf_16_lengths)


def _utf_16_lengths(words: Sequence[str]) -> NDArray[np.int64]:
    return np.array([len(word.encode("utf-16-le")) // 2 for word in words], np.int64)
