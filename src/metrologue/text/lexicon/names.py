"""The names of tables, and the tables that they stand for."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.text.lexicon.file_digest import changed_lately, quick_state
from metrologue.text.lexicon.locate import search_places
from metrologue.text.lexicon.sources import BUILT_IN, READERS, Source
from metrologue.text.lexicon.table_cache import Table

# The function that registers a user's table of each kind.
_REGISTRARS = {kind: f"register_{'stems' if kind == 'stemmer' else kind}" for kind in READERS}
# Stemmers that are algorithms. They are in ``metrologue.text.stemmers``.
_STEMMERS = ("meteor-1.5", "porter", "porter-1.5.5", "porter-1.5.5-regular", "porter-original")

# Registered tables by kind and full name; full names by kind and name.
_registered: dict[tuple[str, str], Source] = {}
_full_names: dict[tuple[str, str], str] = {}
_loaded: dict[tuple[str, str], Table] = {}
# The installed tables that were found by a name with a digest. Their content is known, whatever becomes of the files,
# so the files are not looked at again: that would take longer than to score a pair of texts.
_settled: dict[tuple[str, str, str], Source] = {}
# The digests of built-in tables that were found by a bare name, with the states of their files.
_digests: dict[tuple[Any, ...], tuple[dict[Path, tuple[int, ...]], str]] = {}


def register(kind: str, name: str, source: Source) -> str:
    """Register a table under a name, and get its full name.

    Raises an InputError if the name is built in, or cannot be part of a signature.
    """
    if not is_name(name) or _is_built_in(kind, name):
        raise InputError(
            f"{_REGISTRARS[kind]}: `name` {shown(name)} is taken, or holds {NOT_IN_NAMES}; choose another."
        )
    full = f"{name}@{source.digest}"
    _registered[kind, full] = source
    _full_names[kind, name] = full
    return full


def _is_built_in(kind: str, name: str) -> bool:
    return (kind, name) in BUILT_IN or (kind == "stemmer" and name in _STEMMERS)


def canonical_source(kind: str, source: str, language: str = "en") -> str:
    """The canonical name of a table, with the digest of its content: ``name@digest``.

    If the data is not on this machine, it is only the name, so a scorer can be made and printed without the data. A
    built-in or registered name that already has a digest stays as it is.

    Parameters
    ----------
    kind : str
        "synonyms", "paraphrases", "function_words" or "stemmer": the scorer's field.
    source : str
        "wordnet", "meteor-1.5", a registered name, or the path of a file. A file is registered under its name, up to
        the first period.
    language : str
        One of METEOR 1.5's languages. The tables of "meteor-1.5" depend on it.

    Raises
    ------
    InputError
        If there is no such table.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_function_words
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> canonical_source("function_words", "short") == name
    True
    """
    if _is_settled(kind, source):
        return source
    if full := _full_names.get((kind, source)):
        return full
    if (kind, source) in BUILT_IN:
        try:
            return f"{source}@{_digest(kind, source, language)}"
        except InputError:
            return source
    if os.path.isfile(source):
        return register(kind, Path(source).name.split(".")[0], READERS[kind](Path(source)))
    if "@" in source:
        raise InputError(f"{kind}: {shown(source)} is not registered here; {_cure(kind, source)}.")
    built_in = [*_STEMMERS] if kind == "stemmer" else [name for other, name in BUILT_IN if other == kind]
    names = [*built_in, *(name for other, name in _full_names if other == kind)]
    raise InputError(
        f"{kind}: {shown(source)} is neither a file nor a table known here; there are {', '.join(names)}. "
        f"Register your own with metrologue.text.lexicon.{_REGISTRARS[kind]}(name, table)."
    )


def _digest(kind: str, source: str, language: str) -> str:
    """The digest of the built-in table that is installed. It is kept until one of its files changes."""
    key = kind, source, language, *search_places()
    states, kept = _digests.get(key, ({}, ""))
    with suppress(OSError):
        if kept and all(quick_state(path) == state for path, state in states.items()):
            return kept
    table = BUILT_IN[kind, source](language, False)
    if table.files and not changed_lately(table.files):
        _digests[key] = {path: quick_state(path) for path in table.files}, table.digest
    return table.digest


def _is_settled(kind: str, name: str) -> bool:
    """Whether a name is complete: a stemmer without data, or a registered or built-in table with a digest."""
    bare, _, digest = name.partition("@")
    if not digest:
        return kind == "stemmer" and _is_built_in(kind, name)
    return (kind, name) in _registered or ((kind, bare) in BUILT_IN and bool(re.fullmatch("[0-9a-f]+", digest)))


def _cure(kind: str, name: str) -> str:
    """How to get the table of a name with a digest, for a message."""
    bare = name.partition("@")[0]
    return f"metrologue.text.lexicon.{_REGISTRARS[kind]}({shown(bare)}, table) with the table of that digest"


def named_source(kind: str, name: str, table: str | Path | None = None) -> str:
    """The name of the table that a signature names: ``name@digest``, or a built-in name.

    Only the file `table` is opened, if it is given. It is then registered under `name`.

    Raises
    ------
    InputError
        If the name is neither built in nor registered and no table is given, or if the table has another digest.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_function_words
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> named_source("function_words", name) == name
    True
    """
    if table is not None:
        bare, _, wanted = name.partition("@")
        source = READERS[kind](Path(table))
        if wanted not in ("", source.digest):
            raise InputError(f"{kind}: {table} has the digest {source.digest}, but {shown(name)} is needed.")
        return register(kind, bare, source)
    if _is_settled(kind, name) or _is_built_in(kind, name) or (kind, name) in _full_names:
        return name
    raise InputError(
        f"{kind}: the signature names {shown(name)}, which is neither built in nor registered here, and a signature "
        f"opens no file: give its path with the signature, {kind}=PATH, or {_cure(kind, name)}."
    )


def source_of(kind: str, name: str, language: str) -> Source:
    """The table that a name stands for.

    Raises an InputError if there is no such table, or the installed table has another digest than the name.
    """
    if source := _registered.get((kind, name)) or _settled.get((kind, name, language)):
        return source
    full = canonical_source(kind, name, language)
    if source := _registered.get((kind, full)):
        return source
    bare, _, wanted = full.partition("@")
    source = BUILT_IN[kind, bare](language, True)
    if wanted not in ("", source.digest):
        raise InputError(
            f"{kind}: {full!r} is needed, but {bare}@{source.digest} is installed: another version or "
            f"another language ({language!r} here)."
        )
    if wanted:
        _settled[kind, full, language] = source
    return source


def loaded(kind: str, source: Source) -> Table:
    """The content of a table. It is converted, or read from the cache, only once."""
    if (kind, source.digest) not in _loaded:
        _loaded[kind, source.digest] = source.load()
    return _loaded[kind, source.digest]
