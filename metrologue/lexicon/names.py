"""What a name of a table stands for."""

from __future__ import annotations

import os
import re
from pathlib import Path

from metrologue.errors import InputError, shown
from metrologue.lexicon.own_tables import READERS
from metrologue.lexicon.sources import (
    BUILT_IN,
    REGISTRARS,
    Source,
    full_name,
    is_built_in,
    known_names,
    register,
    registered,
)
from metrologue.lexicon.table_cache import Table

__all__ = ["canonical_source", "loaded", "named_source", "source_of"]

_loaded: dict[tuple[str, str], Table] = {}


def canonical_source(kind: str, source: str, language: str = "en") -> str:
    """The one name of a table, with the digest of its content.

    Parameters
    ----------
    kind : str
        "synonyms", "paraphrases", "function_words" or "stemmer": the scorer's field.
    source : str
        "wordnet", "meteor-1.5", a registered name, or the path of a file, which is then registered under its stem.
    language : str
        One of METEOR 1.5's; the tables of "meteor-1.5" depend on it.

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
    >>> from metrologue.lexicon import register_function_words
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> canonical_source("function_words", "short") == name
    True
    """
    if _is_settled(kind, source):
        return source
    if full := full_name(kind, source):
        return full
    if (kind, source) in BUILT_IN:
        try:
            return f"{source}@{BUILT_IN[kind, source](language, False).digest}"
        except InputError:
            return source
    if os.path.isfile(source):
        return register(kind, Path(source).name.split(".")[0], READERS[kind](Path(source)))
    if "@" in source:
        raise InputError(f"{kind}: {shown(source)} is not registered here; {_cure(kind, source)}.")
    raise InputError(
        f"{kind}: {shown(source)} is neither a file nor a table known here; there are "
        f"{', '.join(known_names(kind))}. "
        f"Register your own with metrologue.lexicon.{REGISTRARS[kind]}(name, table)."
    )


def _is_settled(kind: str, name: str) -> bool:
    """Whether a name says all: a stemmer's without data, a registered one with its digest, a built-in one with any."""
    bare, _, digest = name.partition("@")
    if not digest:
        return kind == "stemmer" and is_built_in(kind, name)
    return registered(kind, name) is not None or ((kind, bare) in BUILT_IN and bool(re.fullmatch("[0-9a-f]+", digest)))


def _cure(kind: str, name: str) -> str:
    """How to come by a table that a name with a digest is about."""
    bare = name.partition("@")[0]
    return f"metrologue.lexicon.{REGISTRARS[kind]}({shown(bare)}, table) with the table of that digest"


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
    >>> from metrologue.lexicon import register_function_words
    >>> name = register_function_words("short", ["a", "an", "the"])
    >>> named_source("function_words", name) == name
    True
    """
    if table is not None:
        bare, _, wanted = name.partition("@")
        source = READERS[kind](Path(table))
        if wanted not in ("", source.digest):
            raise InputError(f"{kind}: {table} has the digest {source.digest}, but {shown(name)} is asked for.")
        return register(kind, bare, source)
    if _is_settled(kind, name) or is_built_in(kind, name) or full_name(kind, name):
        return name
    raise InputError(
        f"{kind}: the signature names {shown(name)}, which is neither built in nor registered here, and a signature "
        f"opens no file: give its path beside the signature, {kind}=PATH, or {_cure(kind, name)}."
    )


def source_of(kind: str, name: str, language: str) -> Source:
    """The table of a name.

    Raises
    ------
    InputError
        If there is none, or what is installed has another digest than the name.
    """
    full = canonical_source(kind, name, language)
    if own := registered(kind, full):
        return own
    bare, _, wanted = full.partition("@")
    source = BUILT_IN[kind, bare](language, True)
    if wanted not in ("", source.digest):
        raise InputError(
            f"{kind}: {full!r} is asked for, but what is installed is {bare}@{source.digest}: another version or "
            f"another language ({language!r} here)."
        )
    return source


def loaded(kind: str, source: Source) -> Table:
    """A table's content, converted or read from the cache once."""
    if (kind, source.digest) not in _loaded:
        _loaded[kind, source.digest] = source.load()
    return _loaded[kind, source.digest]
