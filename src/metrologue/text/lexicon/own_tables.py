"""Tables of the user, from text files or from data. Each is registered under a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from metrologue.text.lexicon.names import register
from metrologue.text.lexicon.sources import READERS


def register_synonyms(name: str, table: str | Path | Iterable[Sequence[str]]) -> str:
    """Make a table of synonyms usable as the field `synonyms` of a scorer, for any language.

    Parameters
    ----------
    name : str
        The name of the table.
    table : path, or iterable of sequences of str
        Sets of words that mean the same. A word may be in several sets. A text file is UTF-8, with one set per line and
        whitespace between words; a line that begins with # is a comment.

    Returns
    -------
    str
        The value for the field: ``name@digest``. The digest identifies the content in a signature. The bare name also
        works while it is registered.

    Raises
    ------
    InputError
        If the name is taken or cannot be part of a signature, or the table cannot be read.

    Examples
    --------
    >>> register_synonyms("polish", [["kot", "kotek"], ["ganek", "taras", "weranda"]])
    'polish@772669cd68e5'
    """
    return register("synonyms", name, READERS["synonyms"](table))


def register_paraphrases(name: str, table: str | Path | Iterable[Sequence[str]]) -> str:
    """Make a table of paraphrases usable as the field `paraphrases` of a scorer, for any language.

    The name, the result and the errors are those of ``register_synonyms``.

    Parameters
    ----------
    table : path, or iterable of sequences of str
        Groups of phrases that mean the same. A phrase has one or more words. A text file is UTF-8, with one group per
        line and TABs between phrases; a line that begins with # is a comment. A file in METEOR's own format (such as
        ``paraphrase-de.gz``) has three lines per entry: a probability, a phrase and its paraphrase.

    Examples
    --------
    >>> register_paraphrases("polish", [["na złość", "na przekór"]])
    'polish@881c55c5f122'
    """
    return register("paraphrases", name, READERS["paraphrases"](table))


def register_function_words(name: str, table: str | Path | Iterable[str]) -> str:
    """Make a list of function words usable as the field `function_words` of a scorer, for any language.

    The name, the result and the errors are those of ``register_synonyms``.

    Parameters
    ----------
    table : path, or iterable of str
        Words in lower case. A text file is UTF-8, with whitespace between words; a line that begins with # is a
        comment.

    Examples
    --------
    >>> register_function_words("polish", ["na", "i", "w", "z"])
    'polish@c4153a875e7f'
    """
    return register("function_words", name, READERS["function_words"](table))


def register_stop_words(name: str, table: str | Path | Iterable[str]) -> str:
    """Make a list of words usable as the field `stop_words` of a scorer with word vectors, for any language.

    The table, the name, the result and the errors are those of ``register_function_words``.

    Examples
    --------
    >>> register_stop_words("polish", ["na", "i", "w", "z"])
    'polish@c4153a875e7f'
    """
    return register("stop_words", name, READERS["stop_words"](table))


def register_stems(name: str, table: str | Path | Iterable[Sequence[str]]) -> str:
    """Make a table of stems usable as the field `stemmer` of a scorer, for a language that has no stemmer.

    The name, the result and the errors are those of ``register_synonyms``.

    Parameters
    ----------
    table : path, or iterable of sequences of str
        Rows: a stem, then the words with this stem. A text file is UTF-8, with one row per line and whitespace between
        words; a line that begins with # is a comment.

    Examples
    --------
    >>> from metrologue.text.stemmers import stem_spellings
    >>> stem_spellings(["siedzi", "siedział", "kot"], register_stems("polish", [["siedzieć", "siedzi", "siedział"]]))
    ['siedzieć', 'siedzieć', 'kot']
    """
    return register("stemmer", name, READERS["stemmer"](table))
