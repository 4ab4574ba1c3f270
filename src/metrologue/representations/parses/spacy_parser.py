"""A pipeline of spaCy as a parser (https://spacy.io)."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError, instead_of, shown
from metrologue.language_models.loaded_digest import name_in_signature
from metrologue.origin import pip_install
from metrologue.representations.parses.columns import NAMED, Names, Parses, entity_columns, placed
from metrologue.text.lexicon.file_digest import digest

if TYPE_CHECKING:
    from spacy.tokens import Doc

_COLUMNS: list[int | str] = ["ORTH", "LEMMA", "TAG", "POS", "DEP", "HEAD", "SENT_START", "IDX", "LENGTH"]
_one_at_a_time = threading.Lock()  # a pipeline is not safe in several threads

Array = NDArray[np.int64]


class SpacyParser:
    """A parser that is a pipeline of spaCy. Whitespace is never a token, and does not change a parse.

    The components of a pipeline decide what a parse has: a tagger, a lemmatizer, a parser, entities. Texts are parsed
    in batches, so a parse that is nearly a tie may depend on the other texts.

    Parameters
    ----------
    pipeline : str or path
        The name of an installed pipeline, such as "en_core_web_sm", or the folder of one.

    Attributes
    ----------
    name : str
        The name and version of the pipeline with the digest of its files, as in "en_core_web_sm-3.8.0@06dcd770684d".

    Raises
    ------
    InputError
        If spaCy is not installed, or has no such pipeline, or cannot load it. The message names those that are
        installed.

    Examples
    --------
    >>> parser = SpacyParser("en_core_web_sm")  # doctest: +SKIP
    >>> parser.parse(["The cats slept."]).texts("lemmas", 0)  # doctest: +SKIP
    ['the', 'cat', 'sleep', '.']
    """

    def __init__(self, pipeline: str | os.PathLike[str]) -> None:
        if not isinstance(pipeline, str | os.PathLike):
            raise InputError(f"SpacyParser: `pipeline` is {shown(pipeline)}; a name or a folder is expected.")
        self._pipeline = os.fsdecode(pipeline)
        self._nlp = _loaded(self._pipeline)
        folder = Path(self._nlp.path)
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
        meta = self._nlp.meta
        label = f"{meta['lang']}_{meta['name']}-{meta['version']}"
        self.name = f"{name_in_signature(label)}@{digest(files)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return spacy_parser, (self._pipeline,)

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses of texts.

        Raises
        ------
        InputError
            If a text is longer than the pipeline takes.
        """
        for index, text in enumerate(texts):
            if len(text) > self._nlp.max_length:
                what = f" has {len(text)} characters; at most {self._nlp.max_length} are expected."
                raise InputError.at(self.name, "texts", index, what)
        with _one_at_a_time:
            docs = [*self._nlp.pipe(" ".join(text.split()) for text in texts)]
            return _columns(texts, docs, self._nlp.vocab.strings)


@cache
def spacy_parser(pipeline: str) -> SpacyParser:
    """The parser of a pipeline, which a process loads once."""
    return SpacyParser(pipeline)


def _loaded(pipeline: str) -> Any:
    """The pipeline of this name or in this folder."""
    try:
        import spacy
    except ImportError:
        raise InputError(
            f"SpacyParser: spacy is not installed; {pip_install('spacy')}, and a pipeline such as en_core_web_sm."
        ) from None
    installed = spacy.util.get_installed_models()
    if pipeline not in installed and not os.path.isdir(pipeline):
        listed = instead_of(pipeline, installed) if installed else "none is installed; python -m spacy download NAME."
        raise InputError(f"SpacyParser: there is no pipeline or folder {shown(pipeline)}; {listed}")
    try:
        return spacy.load(pipeline)
    except Exception as error:  # whatever the components of a pipeline raise
        raise InputError(f"SpacyParser: {shown(pipeline)} cannot be loaded: {str(error).splitlines()[0]}") from error


def _columns(texts: Sequence[str], docs: Sequence[Doc], strings: Any) -> Parses:
    """The columns of spaCy's own arrays. There is no Python object for a token."""
    offsets = np.cumsum([0, *map(len, docs)])
    arrays = [doc.to_array(_COLUMNS).reshape(-1, len(_COLUMNS)) for doc in docs]
    table = np.concatenate([np.zeros((0, len(_COLUMNS)), np.uint64), *arrays])
    names = Names()
    named: dict[str, Any] = {column: _codes(table[:, at], names, strings) for at, column in enumerate(NAMED)}
    heads, starts, begins, lengths = table[:, len(NAMED) :].astype(np.int64).T  # wraps round below 0, as it should
    places = np.arange(len(table)) - np.repeat(offsets[:-1], np.diff(offsets))
    sentences = np.cumsum((places == 0) | (starts == 1)) - 1
    spans = np.column_stack([begins, begins + lengths])
    for text, a, b in zip(texts, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        spans[a:b] = _in_text(text, spans[a:b])
    return Parses(
        offsets=offsets,
        known=np.ones(len(docs), np.bool_),
        **named,
        heads=np.where(heads == 0, -1, places + heads),
        sentences=sentences - sentences[np.arange(len(table)) - places],
        spans=spans,
        **entity_columns([[(one.start, one.end, one.label_) for one in doc.ents] for doc in docs], names),
        names=names.all(),
    )


def _codes(hashes: NDArray[np.uint64], names: Names, strings: Any) -> NDArray[np.int32]:
    """Hashes of spaCy's table of strings as indices of names."""
    distinct, places = np.unique(hashes, return_inverse=True)
    return names.codes([strings[int(each)] if each else "" for each in distinct])[places.ravel()]


def _in_text(text: str, spans: Array) -> Array:
    """Places in a text whose whitespace was made single spaces, as places in the text itself."""
    if (clean := " ".join(text.split())) == text:
        return spans
    before = np.cumsum([0, *(character != " " for character in clean)])
    return placed(text, before[spans])
