"""Stems, and the numbers by which METEOR 1.5 compares words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.lexicon.tables import stem_table
from metrologue.vocabulary import STEMMERS

__all__ = ["java_hashes", "stem_spellings", "stems"]


def java_hashes(words: Sequence[str]) -> NDArray[np.int32]:
    """Java's ``String.hashCode`` of each word, by which METEOR 1.5 compares words and stems.

    Parameters
    ----------
    words : sequence of n str

    Returns
    -------
    int32 (n,)

    Examples
    --------
    >>> java_hashes(["Aa", "BB", "METEOR"])
    array([       2112,        2112, -2024228436], dtype=int32)
    """
    encoded = [word.encode("utf-16-le") for word in words]
    units = np.frombuffer(b"".join(encoded), "<u2").astype(np.uint32)
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded)) // 2
    first = np.cumsum(lengths) - lengths
    hashes = np.zeros(len(words), np.uint32)
    longest_first = np.argsort(-lengths, kind="stable")
    # Horner's rule modulo 2^32, one place of all words that reach so far at a time.
    reach = np.searchsorted(-lengths[longest_first], -np.arange(int(lengths.max(initial=0))))
    for place, count in enumerate(reach):
        left = longest_first[:count]
        hashes[left] = hashes[left] * np.uint32(31) + units[first[left] + place]
    return hashes.view(np.int32)


def stem_spellings(words: Sequence[str], stemmer: str, language: str = "en") -> list[str]:
    """The stem of each word.

    Parameters
    ----------
    words : sequence of n str
    stemmer : str
        "meteor-1.5": METEOR 1.5's own for the language: Snowball's of its time, a table for Arabic. Or one of
        ``metrologue.vocabulary.STEMMERS``: "porter" is nltk's. Or a table of your own: see ``register_stems``.
    language : str
        One of METEOR 1.5's.

    Returns
    -------
    list of n str

    Raises
    ------
    InputError
        If there is no such stemmer, METEOR 1.5 has none for the language, or its data is missing.

    Examples
    --------
    >>> stem_spellings(["cats", "always"], "porter")
    ['cat', 'alway']
    """
    if stemmer == "meteor-1.5":
        from metrologue.lexicon.stemmers import meteor_stems

        return meteor_stems(words, language)
    if stemmer in STEMMERS:
        return [*map(STEMMERS[stemmer](), words)]
    table = stem_table(stemmer)
    return [table.get(word, word) for word in words]


def stems(words: Sequence[str], stemmer: str, language: str = "en") -> NDArray[np.int32]:
    """A number for the stem of each word; arguments and errors as for ``stem_spellings``.

    Returns
    -------
    int32 (n,)
        Java's hash codes, which METEOR 1.5 compares: of unlike stems they may be equal.

    Examples
    --------
    >>> cats, cat, dog = stems(["cats", "cat", "dog"], "porter").tolist()
    >>> cats == cat, cats == dog
    (True, False)
    """
    return java_hashes(stem_spellings(words, stemmer, language))
