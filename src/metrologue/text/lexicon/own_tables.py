"""Tables of the user, from text files or from data. Each is registered under a name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from metrologue.errors import InputError
from metrologue.files.regular import open_regular, read_text
from metrologue.text.lexicon import paraphrases, synonyms
from metrologue.text.lexicon.file_digest import digest_of
from metrologue.text.lexicon.sources import Source, meteor_paraphrases, register
from metrologue.text.lexicon.table_cache import Table

__all__ = [
    "READERS",
    "register_function_words",
    "register_paraphrases",
    "register_stems",
    "register_stop_words",
    "register_synonyms",
]


def _lines(path: str | Path, separator: str | None) -> list[list[str]]:
    """The rows of a text file, each as a list of its parts. Empty lines and lines that begin with # are skipped."""
    try:
        lines = read_text(path, "the table").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}.") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        rows.append([part.strip() for part in line.split(separator)])
        if separator and (len(rows[-1]) < 2 or not all(rows[-1])):
            raise InputError(f"{path}, line {number}: {line.strip()!r:.60} is not two or more phrases between TABs.")
    return rows


def _rows(table: Any, owner: str, nested: bool) -> list[Any]:
    """The rows of a table that is given as data: lists of str if `nested`, otherwise str."""
    rows = list(table)
    for index, row in enumerate(rows):
        strings = [row] if not nested else [] if isinstance(row, str) else list(row)
        if not strings or not all(isinstance(item, str) for item in strings):
            wanted = "a list of str" if nested else "a str"
            raise InputError(f"{owner}: `table[{index}]` is {row!r:.60}; {wanted} is expected.")
    return [list(row) if nested else row for row in rows]


def _digest_of(rows: Sequence[Any]) -> str:
    return digest_of([json.dumps(rows, ensure_ascii=False).encode()])


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
    return register("synonyms", name, _synonyms(table))


def _synonyms(table: str | Path | Iterable[Sequence[str]]) -> Source:
    rows = _lines(table, None) if isinstance(table, (str, Path)) else _rows(table, "register_synonyms", nested=True)
    return Source(_digest_of(rows), lambda: Table.of(synonyms.set_arrays(rows)))


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
    return register("paraphrases", name, _paraphrases(table))


def _paraphrases(table: str | Path | Iterable[Sequence[str]]) -> Source:
    if isinstance(table, (str, Path)):
        try:
            with open_regular(table, "the table") as file:
                meteors = paraphrases.is_meteors(file.read(1 << 12))
        except OSError as error:
            raise InputError(f"{table} cannot be read: {error}.") from error
        if meteors:
            return meteor_paraphrases(Path(table).absolute())
        rows, owner = _lines(table, "\t"), str(table)
    else:
        rows, owner = _rows(table, "register_paraphrases", nested=True), "register_paraphrases"
    arrays = paraphrases.group_arrays(rows, owner)  # now, so that a phrase without words is reported at once
    return Source(_digest_of(rows), lambda: Table.of(arrays))


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
    return register("function_words", name, _function_words(table))


def register_stop_words(name: str, table: str | Path | Iterable[str]) -> str:
    """Make a list of words usable as the field `stop_words` of a scorer with word vectors, for any language.

    The table, the name, the result and the errors are those of ``register_function_words``.

    Examples
    --------
    >>> register_stop_words("polish", ["na", "i", "w", "z"])
    'polish@c4153a875e7f'
    """
    return register("stop_words", name, _stop_words(table))


def _function_words(table: str | Path | Iterable[str], owner: str = "register_function_words") -> Source:
    if isinstance(table, (str, Path)):
        words = [word for row in _lines(table, None) for word in row]
    else:
        words = _rows(table, owner, nested=False)
    return Source(_digest_of(words), lambda: Table.of({"words": words}))


def _stop_words(table: str | Path | Iterable[str]) -> Source:
    return _function_words(table, "register_stop_words")


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
    return register("stemmer", name, _stems(table))


def _stems(table: str | Path | Iterable[Sequence[str]]) -> Source:
    rows = _lines(table, None) if isinstance(table, (str, Path)) else _rows(table, "register_stems", nested=True)
    pairs = {word: stem for stem, *words in rows for word in words}
    arrays = {"words": list(pairs), "stems": list(pairs.values())}
    return Source(_digest_of(rows), lambda: Table.of(arrays))


READERS: dict[str, Callable[[Path], Source]] = {
    "stemmer": _stems,
    "synonyms": _synonyms,
    "paraphrases": _paraphrases,
    "function_words": _function_words,
    "stop_words": _stop_words,
}
