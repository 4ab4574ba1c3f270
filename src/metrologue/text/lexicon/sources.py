"""The sources of tables: built-in tables, which are found on the machine, and registered tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.text.lexicon import paraphrases, synonyms
from metrologue.text.lexicon.file_digest import digest, digest_of
from metrologue.text.lexicon.locate import File, jar_file, long_name, paraphrase_file, wordnet_files
from metrologue.text.lexicon.rouge_lists import stop_words as rouge_words
from metrologue.text.lexicon.stop_lists import nltk_words, sklearn_words, spacy_words
from metrologue.text.lexicon.table_cache import Table, stored

__all__ = [
    "BUILT_IN",
    "REGISTRARS",
    "Source",
    "full_name",
    "is_built_in",
    "known_names",
    "meteor_paraphrases",
    "register",
    "registered",
]

# The kinds of table. Each is the name of a scorer's field, with the function that registers such a table.
REGISTRARS = {
    "stemmer": "register_stems",
    "synonyms": "register_synonyms",
    "paraphrases": "register_paraphrases",
    "function_words": "register_function_words",
    "stop_words": "register_stop_words",
}


class Source(NamedTuple):
    """The source of a table, which may still have to be converted.

    Attributes
    ----------
    digest : str
        The digest of the content.
    load : callable
        Gives the table.
    rule : class, optional
        How words are looked up, if the table has synonyms.
    """

    digest: str
    load: Callable[[], Table]
    rule: type[synonyms.Synonyms] = synonyms.Sets


# Registered tables by kind and full name; full names by kind and name.
_registered: dict[tuple[str, str], Source] = {}
_full_names: dict[tuple[str, str], str] = {}


def _converted(
    kind: str,
    files: Sequence[File],
    make: Callable[[], Mapping[str, Any]],
    rule: type[synonyms.Synonyms] = synonyms.Sets,
) -> Source:
    """The table that `make` gives for these files as they are now."""
    content = digest(files)
    return Source(content, lambda: stored(kind, files, make, content), rule)


def _wordnet(language: str, download: bool) -> Source:
    files = wordnet_files(download)
    return _converted("wordnet", files, lambda: synonyms.wordnet_arrays(files), synonyms.WordNet)


def _meteor_synonyms(language: str, download: bool) -> Source:
    if language != "en":
        raise InputError(f"METEOR 1.5 has synonyms for English only, not for {language!r}; give a table of your own.")
    files = [jar_file(f"synonym/english.{part}") for part in ("synsets", "exceptions")]
    return _converted("synonyms", files, lambda: synonyms.meteor_arrays(*files), synonyms.MeteorSynonyms)


def meteor_paraphrases(file: File) -> Source:
    """The paraphrases in a file in METEOR's format."""
    return _converted("paraphrases", [file], lambda: paraphrases.meteor_arrays(file))


def _meteor_function_words(language: str, download: bool) -> Source:
    content = jar_file(f"function/{long_name(language)}.words").read_bytes()
    return Source(digest_of([content]), lambda: Table.of({"words": content.decode().splitlines()}))


def _stop_words(words: Callable[[], Iterable[str]]) -> Callable[[str, bool], Source]:
    def source(language: str, download: bool) -> Source:
        found = sorted(words())
        return Source(digest_of(["\n".join(found).encode()]), lambda: Table.of({"words": found}))

    return source


# The functions that give the built-in tables for a language. The second argument says whether to download the data.
BUILT_IN: dict[tuple[str, str], Callable[[str, bool], Source]] = {
    ("synonyms", "wordnet"): _wordnet,
    ("synonyms", "meteor-1.5"): _meteor_synonyms,
    ("paraphrases", "meteor-1.5"): lambda language, download: meteor_paraphrases(paraphrase_file(language)),
    ("function_words", "meteor-1.5"): _meteor_function_words,
    ("stop_words", "sklearn"): _stop_words(sklearn_words),
    ("stop_words", "spacy"): _stop_words(spacy_words),
    ("stop_words", "nltk"): _stop_words(nltk_words),
    ("stop_words", "rouge-1.5.5"): _stop_words(rouge_words),
}
# Stemmers that are algorithms. They are in ``metrologue.text.stemmers``.
_STEMMERS = ("meteor-1.5", "porter", "porter-1.5.5", "porter-1.5.5-regular")


def is_built_in(kind: str, name: str) -> bool:
    """Whether a name is built in."""
    return (kind, name) in BUILT_IN or (kind == "stemmer" and name in _STEMMERS)


def register(kind: str, name: str, source: Source) -> str:
    """Register a table under a name, and get its full name.

    Raises
    ------
    InputError
        If the name is built in, or cannot be part of a signature.
    """
    if not is_name(name) or is_built_in(kind, name):
        raise InputError(f"{REGISTRARS[kind]}: `name` {shown(name)} is taken, or holds {NOT_IN_NAMES}; choose another.")
    full = f"{name}@{source.digest}"
    _registered[kind, full] = source
    _full_names[kind, name] = full
    return full


def registered(kind: str, full: str) -> Source | None:
    """The registered table with this full name, or None."""
    return _registered.get((kind, full))


def full_name(kind: str, name: str) -> str | None:
    """The full name of the table that was registered last under this name, or None."""
    return _full_names.get((kind, name))


def known_names(kind: str) -> list[str]:
    """All names of one kind of table: built-in names, then registered names."""
    ours = [*_STEMMERS] if kind == "stemmer" else [name for other, name in BUILT_IN if other == kind]
    return [*ours, *(name for other, name in _full_names if other == kind)]
