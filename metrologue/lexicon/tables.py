"""Tables by name: those that are found on the machine, and those of a user's."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.lexicon import paraphrases, synonyms
from metrologue.lexicon.locate import File, jar_file, long_name, paraphrase_file, wordnet_files
from metrologue.lexicon.table_cache import Table, digest, digest_of, stored

__all__ = [
    "canonical_source", "function_words", "named_source", "phrases", "register_function_words", "register_paraphrases",
    "register_stems", "register_synonyms", "stem_table", "synonym_keys",
]  # fmt: skip

# The kinds of table, each the name of the scorer's field that names one, and what registers one.
_REGISTRARS = {
    "stemmer": "register_stems",
    "synonyms": "register_synonyms",
    "paraphrases": "register_paraphrases",
    "function_words": "register_function_words",
}


class _Source(NamedTuple):
    """A table that may still have to be converted.

    Attributes
    ----------
    digest : str
        Of its content.
    load : callable
        Gives the table.
    rule : class, optional
        How words are looked up in it, if it is one of synonyms.
    """

    digest: str
    load: Callable[[], Table]
    rule: type[synonyms.Synonyms] = synonyms.Sets


_registered: dict[tuple[str, str], _Source] = {}
_full_names: dict[tuple[str, str], str] = {}
_loaded: dict[tuple[str, str], Table] = {}


def _wordnet(language: str, download: bool) -> _Source:
    files = wordnet_files(download)
    return _Source(
        digest(files), lambda: stored("wordnet", files, lambda: synonyms.wordnet_arrays(files)), synonyms.WordNet
    )


def _meteor_synonyms(language: str, download: bool) -> _Source:
    if language != "en":
        raise InputError(f"METEOR 1.5 has synonyms for English only, not for {language!r}; give a table of your own.")
    files = [jar_file(f"synonym/english.{part}") for part in ("synsets", "exceptions")]
    return _Source(
        digest(files),
        lambda: stored("synonyms", files, lambda: synonyms.meteor_arrays(*files)),
        synonyms.MeteorSynonyms,
    )


def _meteor_paraphrases(language: str, download: bool) -> _Source:
    return _paraphrases_of(paraphrase_file(language))


def _paraphrases_of(file: File) -> _Source:
    return _Source(digest([file]), lambda: stored("paraphrases", [file], lambda: paraphrases.meteor_arrays(file)))


def _meteor_function_words(language: str, download: bool) -> _Source:
    file = jar_file(f"function/{long_name(language)}.words")
    return _Source(digest([file]), lambda: Table.of({"words": file.read_text("utf-8").splitlines()}))


_BUILT_IN: dict[tuple[str, str], Callable[[str, bool], _Source]] = {
    ("synonyms", "wordnet"): _wordnet,
    ("synonyms", "meteor-1.5"): _meteor_synonyms,
    ("paraphrases", "meteor-1.5"): _meteor_paraphrases,
    ("function_words", "meteor-1.5"): _meteor_function_words,
}


# Stemmers that are algorithms: ``metrologue.stemmers`` has them.
_STEMMERS = ("meteor-1.5", "porter", "porter-1.5.5", "porter-1.5.5-regular")


def _is_built_in(kind: str, name: str) -> bool:
    return (kind, name) in _BUILT_IN or (kind == "stemmer" and name in _STEMMERS)


def _register(kind: str, name: str, source: _Source) -> str:
    if not is_name(name) or _is_built_in(kind, name):
        raise InputError(
            f"{_REGISTRARS[kind]}: `name` {shown(name)} is taken, or holds {NOT_IN_NAMES}; choose another."
        )
    full = f"{name}@{source.digest}"
    _registered[kind, full] = source
    _full_names[kind, name] = full
    return full


def _lines(path: str | Path, separator: str | None) -> list[list[str]]:
    """The rows of a text file, each of its parts; empty lines and those that begin with # are none."""
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
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
    """A table that is given as data, as lists of str."""
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
        What to call it.
    table : path, or iterable of sequences of str
        Sets of words that mean the same; a word may be in several. As a text file: UTF-8, a set on each line, its words
        between blanks; a line that begins with # is none.

    Returns
    -------
    str
        The value for the field: ``name@digest``, by which a signature tells one content from another. The bare name
        works as well while it is registered.

    Raises
    ------
    InputError
        If the name is taken or cannot stand in a signature, or the table cannot be read.

    Examples
    --------
    >>> register_synonyms("polish", [["kot", "kotek"], ["ganek", "taras", "weranda"]])
    'polish@772669cd68e5'
    """
    return _register("synonyms", name, _synonyms(table))


def _synonyms(table: str | Path | Iterable[Sequence[str]]) -> _Source:
    rows = _lines(table, None) if isinstance(table, (str, Path)) else _rows(table, "register_synonyms", nested=True)
    return _Source(_digest_of(rows), lambda: Table.of(synonyms.set_arrays(rows)))


def register_paraphrases(name: str, table: str | Path | Iterable[Sequence[str]]) -> str:
    """Make a table of paraphrases usable as the field `paraphrases` of a scorer, for any language.

    Parameters
    ----------
    name : str
        What to call it.
    table : path, or iterable of sequences of str
        Groups of phrases that mean the same, each phrase one or more words. As a text file: UTF-8, a group on each
        line, its phrases between TABs; a line that begins with # is none. Or a file of METEOR's own format (such as
        ``paraphrase-de.gz``): three lines an entry, of a probability, a phrase and its paraphrase.

    Returns
    -------
    str
        The value for the field: ``name@digest``, as for ``register_synonyms``.

    Raises
    ------
    InputError
        If the name is taken or cannot stand in a signature, or the table cannot be read.

    Examples
    --------
    >>> register_paraphrases("polish", [["na złość", "na przekór"]])
    'polish@881c55c5f122'
    """
    return _register("paraphrases", name, _paraphrases(table))


def _paraphrases(table: str | Path | Iterable[Sequence[str]]) -> _Source:
    if isinstance(table, (str, Path)):
        try:
            with Path(table).open("rb") as file:
                meteors = paraphrases.is_meteors(file.read(1 << 12))
        except OSError as error:
            raise InputError(f"{table} cannot be read: {error}.") from error
        if meteors:
            return _paraphrases_of(Path(table))
        rows, owner = _lines(table, "\t"), str(table)
    else:
        rows, owner = _rows(table, "register_paraphrases", nested=True), "register_paraphrases"
    arrays = paraphrases.group_arrays(rows, owner)  # here, so that a phrase without words is found at once
    return _Source(_digest_of(rows), lambda: Table.of(arrays))


def register_function_words(name: str, table: str | Path | Iterable[str]) -> str:
    """Make a list of function words usable as the field `function_words` of a scorer, for any language.

    Parameters
    ----------
    name : str
        What to call it.
    table : path, or iterable of str
        Words in lower case. As a text file: UTF-8, between blanks; a line that begins with # is none.

    Returns
    -------
    str
        The value for the field: ``name@digest``, as for ``register_synonyms``.

    Raises
    ------
    InputError
        If the name is taken or cannot stand in a signature, or the table cannot be read.

    Examples
    --------
    >>> register_function_words("polish", ["na", "i", "w", "z"])
    'polish@c4153a875e7f'
    """
    return _register("function_words", name, _function_words(table))


def _function_words(table: str | Path | Iterable[str]) -> _Source:
    if isinstance(table, (str, Path)):
        words = [word for row in _lines(table, None) for word in row]
    else:
        words = _rows(table, "register_function_words", nested=False)
    return _Source(_digest_of(words), lambda: Table.of({"words": words}))


def register_stems(name: str, table: str | Path | Iterable[Sequence[str]]) -> str:
    """Make a table of stems usable as the field `stemmer` of a scorer, for a language that has no stemmer.

    Parameters
    ----------
    name : str
        What to call it.
    table : path, or iterable of sequences of str
        Rows of words with one stem: the stem, then the words. As a text file: UTF-8, a row on each line, between
        blanks; a line that begins with # is none.

    Returns
    -------
    str
        The value for the field: ``name@digest``, as for ``register_synonyms``.

    Raises
    ------
    InputError
        If the name is taken or cannot stand in a signature, or the table cannot be read.

    Examples
    --------
    >>> from metrologue.stemmers import stem_spellings
    >>> stem_spellings(["siedzi", "siedział", "kot"], register_stems("polish", [["siedzieć", "siedzi", "siedział"]]))
    ['siedzieć', 'siedzieć', 'kot']
    """
    return _register("stemmer", name, _stems(table))


def _stems(table: str | Path | Iterable[Sequence[str]]) -> _Source:
    rows = _lines(table, None) if isinstance(table, (str, Path)) else _rows(table, "register_stems", nested=True)
    pairs = {word: stem for stem, *words in rows for word in words}
    arrays = {"words": list(pairs), "stems": list(pairs.values())}
    return _Source(_digest_of(rows), lambda: Table.of(arrays))


def stem_table(stemmer: str) -> dict[str, str]:
    """The stems of a registered table.

    Raises
    ------
    InputError
        If there is none of this name.
    """
    table = _table("stemmer", _source("stemmer", stemmer, ""))
    return dict(zip(table.text("words").to_pylist(), table.text("stems").to_pylist(), strict=True))


_READERS: dict[str, Callable[[Path], _Source]] = {
    "stemmer": _stems,
    "synonyms": _synonyms,
    "paraphrases": _paraphrases,
    "function_words": _function_words,
}


def canonical_source(kind: str, source: str, language: str = "en") -> str:
    """The one name of a table, with the digest of its content.

    Parameters
    ----------
    kind : str
        "synonyms", "paraphrases", "function_words" or "stemmer": the scorer's field.
    source : str
        "wordnet", "meteor-1.5", a registered name, or the path of a file, which is then registered under its stem.
    language : str
        One of METEOR 1.5's; the tables of "meteor-1.5" hang on it.

    Returns
    -------
    str
        ``name@digest``; the name alone where the data is not on this machine, so that a scorer can be made and printed
        without it. A name that has a digest already stays as it is, if it is built in or registered.

    Raises
    ------
    InputError
        If there is no such table.

    Examples
    --------
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> canonical_source("function_words", "short") == name
    True
    """
    if _is_settled(kind, source):
        return source
    if (kind, source) in _full_names:
        return _full_names[kind, source]
    if (kind, source) in _BUILT_IN:
        try:
            return f"{source}@{_BUILT_IN[kind, source](language, False).digest}"
        except InputError:
            return source
    if os.path.isfile(source):
        return _register(kind, Path(source).name.split(".")[0], _READERS[kind](Path(source)))
    if "@" in source:
        raise InputError(f"{kind}: {shown(source)} is not registered here; {_cure(kind, source)}.")
    built_in = [*_STEMMERS] if kind == "stemmer" else [name for other, name in _BUILT_IN if other == kind]
    raise InputError(
        f"{kind}: {shown(source)} is neither a file nor a table known here; there are "
        f"{', '.join([*built_in, *(name for other, name in _full_names if other == kind)])}. "
        f"Register your own with metrologue.lexicon.{_REGISTRARS[kind]}(name, table)."
    )


def _is_settled(kind: str, name: str) -> bool:
    """Whether a name says all: a stemmer's without data, a registered one with its digest, a built-in one with any."""
    bare, _, digest = name.partition("@")
    if not digest:
        return kind == "stemmer" and _is_built_in(kind, name)
    return (kind, name) in _registered or ((kind, bare) in _BUILT_IN and bool(re.fullmatch("[0-9a-f]+", digest)))


def _cure(kind: str, name: str) -> str:
    """How to come by a table that a name with a digest is about."""
    bare = name.partition("@")[0]
    return f"metrologue.lexicon.{_REGISTRARS[kind]}({shown(bare)}, table) with the table of that digest"


def named_source(kind: str, name: str, table: str | Path | None = None) -> str:
    """The table that a signature names; no file is opened but one that is given.

    Parameters
    ----------
    kind : str
        As for ``canonical_source``.
    name : str
        What the signature says.
    table : path, optional
        Where that table is, if it is not registered here; it is then.

    Returns
    -------
    str
        ``name@digest``, or a built-in name.

    Raises
    ------
    InputError
        If the name is neither built in nor registered and no table is given, or one with another digest.

    Examples
    --------
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> named_source("function_words", name) == name
    True
    """
    if table is not None:
        bare, _, wanted = name.partition("@")
        source = _READERS[kind](Path(table))
        if wanted not in ("", source.digest):
            raise InputError(f"{kind}: {table} has the digest {source.digest}, but {shown(name)} is asked for.")
        return _register(kind, bare, source)
    if _is_settled(kind, name) or _is_built_in(kind, name) or (kind, name) in _full_names:
        return name
    raise InputError(
        f"{kind}: the signature names {shown(name)}, which is neither built in nor registered here, and a signature "
        f"opens no file: give its path beside the signature, {kind}=PATH, or {_cure(kind, name)}."
    )


def _source(kind: str, name: str, language: str) -> _Source:
    full = canonical_source(kind, name, language)
    if (kind, full) in _registered:
        return _registered[kind, full]
    bare, _, wanted = full.partition("@")
    source = _BUILT_IN[kind, bare](language, True)
    if wanted not in ("", source.digest):
        raise InputError(
            f"{kind}: {full!r} is asked for, but what is installed is {bare}@{source.digest}: another version or "
            f"another language ({language!r} here)."
        )
    return source


def _table(kind: str, source: _Source) -> Table:
    if (kind, source.digest) not in _loaded:
        _loaded[kind, source.digest] = source.load()
    return _loaded[kind, source.digest]


def synonym_keys(words: Sequence[str], source: str, language: str = "en") -> tuple[synonyms.Keys, synonyms.Keys]:
    """Keys by which words are synonyms: a word of a hypothesis and another of a reference are, if they share one.

    Parameters
    ----------
    words : sequence of n str
        Each word once.
    source : str
        "wordnet", "meteor-1.5", or a table of your own: see ``canonical_source``.
    language : str
        One of METEOR 1.5's.

    Returns
    -------
    Keys, Keys
        Of each word in a hypothesis; of each word in a reference. For "wordnet" a key is the index of a word: nltk
        looks for the reference's word itself among the names of the hypothesis' word.

    Raises
    ------
    InputError
        If the table is not there or has malformed lines; the message says where, or what to install.

    Examples
    --------
    >>> name = register_synonyms("pets", [["cat", "kitty"], ["dog"]])
    >>> hypothesis, reference = synonym_keys(["cat", "dog", "kitty"], name)
    >>> hypothesis.offsets, hypothesis.keys
    (array([0, 1, 2, 3]), array([0, 1, 0], dtype=int32))
    """
    found = _source("synonyms", source, language)
    return found.rule(_table("synonyms", found)).keys(pa.array(words, pa.large_string()))


def phrases(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], words: Sequence[str], source: str, language: str = "en"
) -> paraphrases.Phrases:
    """Look up the phrases of a table of paraphrases in texts.

    Parameters
    ----------
    ids, offsets : int32 (n_tokens,), int64 (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    words : sequence of str
        The word of each id.
    source, language : str
        As for ``synonym_keys``.

    Returns
    -------
    Phrases
        Those that can match each other in these texts.

    Raises
    ------
    InputError
        As for ``synonym_keys``.

    Examples
    --------
    >>> name = register_paraphrases("spite", [["in spite of", "despite"]])
    >>> found = phrases(np.arange(4, dtype=np.int32), np.array([0, 3, 4]), ["in", "spite", "of", "despite"], name)
    >>> found.lengths, found.targets
    (array([3, 1], dtype=int32), array([1], dtype=int32))
    """
    table = _table("paraphrases", _source("paraphrases", source, language))
    return paraphrases.find(table, ids, offsets, pa.array(words, pa.large_string()))


def function_words(words: Sequence[str], source: str, language: str = "en") -> NDArray[np.bool_]:
    """Which words are function words; case is ignored.

    Parameters
    ----------
    words : sequence of n str
    source, language : str
        As for ``synonym_keys``.

    Returns
    -------
    bool (n,)

    Raises
    ------
    InputError
        As for ``synonym_keys``.

    Examples
    --------
    >>> name = register_function_words("articles", ["a", "an", "the"])
    >>> function_words(["The", "cat"], name)
    array([ True, False])
    """
    listed = set(_table("function_words", _source("function_words", source, language)).text("words").to_pylist())
    return np.array([word in listed or word.lower() in listed for word in words], np.bool_)
