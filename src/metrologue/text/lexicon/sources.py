"""The sources of tables: those that others own, which are found on the machine, and tables of the user."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from metrologue.errors import InputError, shown
from metrologue.files.regular import open_regular, read_text
from metrologue.text.lexicon import paraphrases, synonyms
from metrologue.text.lexicon.file_digest import digest, digest_of, on_disk
from metrologue.text.lexicon.locate import File, jar_file, long_name, paraphrase_file, wordnet_files
from metrologue.text.lexicon.table_cache import Table, stored
from metrologue.text.lexicon.word_lists import nltk_words, rouge_words, words_of_module


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
    files : tuple of Path
        The files on disk that the content comes from, if no others can change it.
    """

    digest: str
    load: Callable[[], Table]
    rule: type[synonyms.Synonyms] = synonyms.Sets
    files: tuple[Path, ...] = ()


def _converted(
    kind: str,
    files: Sequence[File],
    make: Callable[[], Mapping[str, Any]],
    rule: type[synonyms.Synonyms] = synonyms.Sets,
) -> Source:
    """The table that `make` gives for these files as they are now."""
    content = digest(files)
    return Source(content, lambda: stored(kind, files, make, content), rule, tuple({*map(on_disk, files)}))


def _wordnet(language: str, download: bool) -> Source:
    files = wordnet_files(download)
    return _converted("wordnet", files, lambda: synonyms.wordnet_arrays(files), synonyms.WordNet)


def _meteor_synonyms(language: str, download: bool) -> Source:
    if language != "en":
        raise InputError(f"METEOR 1.5 has synonyms for English only, not for {language!r}; give a table of your own.")
    files = [jar_file(f"synonym/english.{part}") for part in ("synsets", "exceptions")]
    return _converted("synonyms", files, lambda: synonyms.meteor_arrays(*files), synonyms.MeteorSynonyms)


def _meteor_paraphrases(file: File) -> Source:
    return _converted("paraphrases", [file], lambda: paraphrases.meteor_arrays(file))


def _meteor_function_words(language: str, download: bool) -> Source:
    file = jar_file(f"function/{long_name(language)}.words")
    content = file.read_bytes()
    table = partial(Table.of, {"words": content.decode().splitlines()})
    return Source(digest_of([content]), table, files=(on_disk(file),))


def _stop_words(words: Callable[[], Iterable[str]]) -> Callable[[str, bool], Source]:
    def source(language: str, download: bool) -> Source:
        listed = sorted(words())
        return Source(digest_of(["\n".join(listed).encode()]), lambda: Table.of({"words": listed}))

    return source


# scikit-learn's ENGLISH_STOP_WORDS (318 words), and spaCy's English STOP_WORDS (326 words).
_SKLEARN = ("sklearn", "scikit-learn", "feature_extraction/_stop_words.py", "ENGLISH_STOP_WORDS")
_SPACY = ("spacy", "spacy", "lang/en/stop_words.py", "STOP_WORDS")
# The functions that give the built-in tables for a language. The second argument says whether to download the data.
BUILT_IN: dict[tuple[str, str], Callable[[str, bool], Source]] = {
    ("synonyms", "wordnet"): _wordnet,
    ("synonyms", "meteor-1.5"): _meteor_synonyms,
    ("paraphrases", "meteor-1.5"): lambda language, download: _meteor_paraphrases(paraphrase_file(language)),
    ("function_words", "meteor-1.5"): _meteor_function_words,
    ("stop_words", "sklearn"): _stop_words(partial(words_of_module, *_SKLEARN)),
    ("stop_words", "spacy"): _stop_words(partial(words_of_module, *_SPACY)),
    ("stop_words", "nltk"): _stop_words(nltk_words),
    ("stop_words", "rouge-1.5.5"): _stop_words(rouge_words),
}


# Tables of the user. `owner` is the function that registers them, for messages.


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
            raise InputError(f"{path}, line {number}: {shown(line.strip())} is not two or more phrases between TABs.")
    return rows


def _rows(table: Any, owner: str, separator: str | None = None) -> list[list[str]]:
    """The rows of a table, which is a file or data."""
    if isinstance(table, (str, Path)):
        return _lines(table, separator)
    rows = list(table)
    for index, row in enumerate(rows):
        strings = [] if isinstance(row, str) else list(row)
        if not strings or not all(isinstance(item, str) for item in strings):
            raise InputError(f"{owner}: `table[{index}]` is {shown(row)}; a list of str is expected.")
    return [list(row) for row in rows]


def _source(rows: Sequence[Any], arrays: Callable[[], Mapping[str, Any]]) -> Source:
    return Source(digest_of([json.dumps(rows, ensure_ascii=False).encode()]), lambda: Table.of(arrays()))


def _synonyms(table: Any) -> Source:
    rows = _rows(table, "register_synonyms")
    return _source(rows, lambda: synonyms.set_arrays(rows))


def _paraphrases(table: Any) -> Source:
    owner = "register_paraphrases"
    if isinstance(table, (str, Path)):
        owner = str(table)
        try:
            with open_regular(table, "the table") as file:
                meteors = paraphrases.is_meteors(file.read(1 << 12))
        except OSError as error:
            raise InputError(f"{table} cannot be read: {error}.") from error
        if meteors:
            return _meteor_paraphrases(Path(table).absolute())
    rows = _rows(table, owner, separator="\t")
    arrays = paraphrases.group_arrays(rows, owner)  # now, so that a phrase without words is reported at once
    return _source(rows, lambda: arrays)


def _words(table: Any, owner: str) -> Source:
    if isinstance(table, (str, Path)):
        words = [word for row in _lines(table, None) for word in row]
    else:
        words = list(table)
        for index, word in enumerate(words):
            if not isinstance(word, str):
                raise InputError(f"{owner}: `table[{index}]` is {shown(word)}; a str is expected.")
    return _source(words, lambda: {"words": words})


def _stems(table: Any) -> Source:
    rows = _rows(table, "register_stems")
    pairs = {word: stem for stem, *words in rows for word in words}
    return _source(rows, lambda: {"words": list(pairs), "stems": list(pairs.values())})


# The kinds of table. Each is the name of a scorer's field, with the function that reads a table of the user.
READERS: dict[str, Callable[[Any], Source]] = {
    "stemmer": _stems,
    "synonyms": _synonyms,
    "paraphrases": _paraphrases,
    "function_words": partial(_words, owner="register_function_words"),
    "stop_words": partial(_words, owner="register_stop_words"),
}
