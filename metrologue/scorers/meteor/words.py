"""The words of texts, and what METEOR looks up of each distinct word: what it matches by, its kind and its size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.lexicon import Keys, Phrases, function_words, java_hashes, phrases, synonym_keys
from metrologue.stemmers import stem_spellings

__all__ = ["Words", "find_phrases", "number_spellings", "stage_keys", "which_are_function", "word_sizes"]


class Words(NamedTuple):
    """Texts as words.

    Attributes
    ----------
    words : list of n str
        The word of each number, and maybe words of texts that were read before.
    ids : int32 (n_tokens,)
        The word of each token.
    offsets : int64 (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    """

    words: list[str]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


def number_spellings(spellings: Sequence[str], hashed: bool) -> NDArray[np.int32]:
    """A number for each spelling: the same where spellings are.

    Parameters
    ----------
    spellings : sequence of n str
    hashed : bool
        Whether they are the same where their Java hash codes are, as METEOR 1.5 has it.

    Returns
    -------
    int32 (n,)

    Examples
    --------
    >>> number_spellings(["Aa", "BB", "Aa"], hashed=False), number_spellings(["Aa", "BB"], hashed=True)
    (array([0, 1, 0], dtype=int32), array([2112, 2112], dtype=int32))
    """
    if hashed:
        return java_hashes(spellings)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(spelling, len(numbers)) for spelling in spellings], np.int32)


def stage_keys(
    stages: Sequence[str], words: Sequence[str], *, aligner: str, stemmer: str, synonyms: str, language: str
) -> list[tuple[Keys, Keys]]:
    """What each word of a hypothesis, and each word of a reference, matches by in each stage.

    Parameters
    ----------
    stages : sequence of str
    words : sequence of n str
        Each word once.
    aligner, stemmer, synonyms, language : str
        The fields of the scorer.

    Returns
    -------
    list of (Keys, Keys)
        One pair for each stage. Phrases, not words, match in the stage "paraphrase": it has no keys.
    """
    hashed = aligner == "beam"
    one_each, none = np.arange(len(words) + 1), np.zeros(len(words) + 1, np.int64)
    stems = stem_spellings(words, stemmer, language) if "stem" in stages else []
    found = []
    for place, stage in enumerate(stages):
        if stage == "synonym":
            # nltk looks up what its stem stage left, which is stems.
            of_stems = aligner == "greedy" and "stem" in stages[:place]
            found.append(
                _synonyms_of_stems(stems, synonyms, language) if of_stems else synonym_keys(words, synonyms, language)
            )
            continue
        if stage == "paraphrase":
            same = Keys(none, np.zeros(0, np.int32))
        else:
            same = Keys(one_each, number_spellings(stems if stage == "stem" else words, hashed))
        found.append((same, same))
    return found


def _synonyms_of_stems(stems: Sequence[str], synonyms: str, language: str) -> tuple[Keys, Keys]:
    """The keys of each word's stem."""
    rows = number_spellings(stems, hashed=False)

    def of_words(keys: Keys) -> Keys:
        lengths = np.diff(keys.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        entries = np.arange(offsets[-1]) + np.repeat(keys.offsets[rows] - offsets[:-1], lengths)
        return Keys(offsets, keys.keys[entries])

    hypothesis, reference = synonym_keys([*dict.fromkeys(stems)], synonyms, language)
    return of_words(hypothesis), of_words(reference)


def find_phrases(texts: Words, paraphrases: str | None, language: str) -> Phrases:
    """The paraphrases in the texts; none if there is no table to look them up in."""
    if paraphrases is None:
        none, nowhere = np.zeros(0, np.int32), np.zeros(1, np.int64)
        return Phrases(np.zeros_like(texts.offsets), none, none, none, nowhere, none)
    return phrases(texts.ids, texts.offsets, texts.words, paraphrases, language)


def which_are_function(words: Sequence[str], source: str | None) -> NDArray[np.bool_]:
    """Which words are function words, bool (n,); none if there is no list of them."""
    return np.zeros(len(words), np.bool_) if source is None else function_words(words, source)


def word_sizes(words: Sequence[str], unit: str) -> NDArray[np.int64]:
    """What each word counts, int64 (n,): 1, or its UTF-16 code units, which are Java's characters.

    Examples
    --------
    >>> word_sizes(["dog", "😀"], "words"), word_sizes(["dog", "😀"], "characters")
    (array([1, 1]), array([3, 2]))
    """
    if unit == "words":
        return np.ones(len(words), np.int64)
    return np.array([len(word.encode("utf-16-le")) // 2 for word in words], np.int64)
