"""Lookups of words and texts in lexical tables. All raise an InputError if a table is missing or has malformed lines.

The message says where, or what to install. A source is the name of a table: see ``canonical_source``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import Strings
from metrologue.text.lexicon import paraphrases, synonyms
from metrologue.text.lexicon.names import loaded, source_of


def stem_table(stemmer: str) -> dict[str, str]:
    """The stems of a registered table, by word."""
    table = loaded("stemmer", source_of("stemmer", stemmer, ""))
    return dict(zip(table.text("words").to_pylist(), table.text("stems").to_pylist(), strict=True))


def synonym_keys(
    words: Sequence[str] | Strings, source: str, language: str = "en"
) -> tuple[synonyms.Keys, synonyms.Keys]:
    """Keys of words. A word of a hypothesis and a word of a reference are synonyms if they share a key.

    Parameters
    ----------
    words : sequence of n str, or Strings
    source : str
        "wordnet", "meteor-1.5", or a table of your own.
    language : str
        One of METEOR 1.5's languages.

    Returns
    -------
    Keys, Keys
        The keys of each word in a hypothesis, and of each word in a reference. For "wordnet", a key stands for a name,
        or for the word itself: nltk looks for the word of the reference among the names of the word of the hypothesis.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_synonyms
    >>> name = register_synonyms("pets", [["cat", "kitty"], ["dog"]])
    >>> hypothesis, reference = synonym_keys(["cat", "dog", "kitty"], name)
    >>> hypothesis.offsets, hypothesis.keys
    (array([0, 1, 2, 3]), array([0, 1, 0], dtype=int32))
    """
    table = source_of("synonyms", source, language)
    texts = words if isinstance(words, Strings) else Strings.of(words)
    return table.rule(loaded("synonyms", table)).keys(texts)


def phrase_words(words: Sequence[str], source: str, language: str = "en") -> NDArray[np.int32]:
    """The number of each word in a table of paraphrases, int32 (n,); -1 if no phrase contains the word.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_paraphrases
    >>> name = register_paraphrases("spite", [["in spite of", "despite"]])
    >>> phrase_words(["of", "all", "in"], name)
    array([ 2, -1,  1], dtype=int32)
    """
    table = loaded("paraphrases", source_of("paraphrases", source, language))
    return table.vocabulary("vocabulary").find(Strings.of(words)).astype(np.int32)


def phrases(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], numbers: NDArray[np.int32], source: str, language: str = "en"
) -> paraphrases.Phrases:
    """The phrases of a table of paraphrases that can match each other in these texts.

    Parameters
    ----------
    ids, offsets : int32 (n_tokens,), int64 (n_texts + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    numbers : int32 (n_types,)
        The result of ``phrase_words`` for the word of each id.
    source, language : str
        As for ``synonym_keys``.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_paraphrases
    >>> name = register_paraphrases("spite", [["in spite of", "despite"]])
    >>> numbers = phrase_words(["in", "spite", "of", "despite"], name)
    >>> matching = phrases(np.arange(4, dtype=np.int32), np.array([0, 3, 4]), numbers, name)
    >>> matching.lengths, matching.targets
    (array([3, 1], dtype=int32), array([1], dtype=int32))
    """
    return paraphrases.find(loaded("paraphrases", source_of("paraphrases", source, language)), ids, offsets, numbers)


def function_words(words: Sequence[str], source: str, language: str = "en") -> NDArray[np.bool_]:
    """Whether each word is a function word, bool (n,). Case is ignored.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_function_words
    >>> name = register_function_words("articles", ["a", "an", "the"])
    >>> function_words(["The", "cat"], name)
    array([ True, False])
    """
    return _listed(words, "function_words", source, language)


def stop_words(words: Sequence[str], source: str) -> NDArray[np.bool_]:
    """Whether each word is a stop word of "sklearn", "spacy", "nltk", "rouge-1.5.5" or a list of your own, bool (n,).

    Case is ignored.

    Examples
    --------
    >>> stop_words(["The", "cat"], "sklearn")
    array([ True, False])
    """
    return _listed(words, "stop_words", source, "en")


def _listed(words: Sequence[str], kind: str, source: str, language: str) -> NDArray[np.bool_]:
    listed = set(loaded(kind, source_of(kind, source, language)).text("words").to_pylist())
    return np.array([word in listed or word.lower() in listed for word in words], np.bool_)
