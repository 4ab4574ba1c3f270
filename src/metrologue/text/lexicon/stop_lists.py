"""The English stop words of other packages. Others own these lists, so they are read where they are installed."""

from __future__ import annotations

import runpy
import zipfile
from importlib.util import find_spec
from pathlib import Path

from metrologue.errors import InputError
from metrologue.text.lexicon.locate import nltk_folders

__all__ = ["nltk_words", "sklearn_words", "spacy_words"]


def sklearn_words() -> list[str]:
    """scikit-learn's ``ENGLISH_STOP_WORDS``, 318 words.

    Raises
    ------
    InputError
        If scikit-learn is not installed; the same holds of the other lists.
    """
    return _of_module("sklearn", "scikit-learn", "feature_extraction/_stop_words.py", "ENGLISH_STOP_WORDS")


def spacy_words() -> list[str]:
    """spaCy's English ``STOP_WORDS``, 326 words."""
    return _of_module("spacy", "spacy", "lang/en/stop_words.py", "STOP_WORDS")


def _of_module(package: str, distribution: str, file: str, name: str) -> list[str]:
    """The words in a module of a package, which itself is not imported: that would take seconds."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    if not folders or not (place := Path(folders[0]) / file).is_file():
        raise InputError(
            f"stop_words: {distribution}, whose list this is, is not installed: pip install {distribution}."
        )
    return sorted(runpy.run_path(str(place))[name])


def nltk_words() -> list[str]:
    """nltk's English stop words, which are part of its data."""
    for folder in nltk_folders():
        file: Path | zipfile.Path = folder / "corpora" / "stopwords" / "english"
        if not file.is_file() and zipfile.is_zipfile(packed := folder / "corpora" / "stopwords.zip"):
            file = zipfile.Path(packed, "stopwords/english")
        if file.is_file():
            return sorted({*file.read_text("utf-8").split()})
    raise InputError("stop_words: nltk's data has no stop words: python -m nltk.downloader stopwords.")
