"""N-gram language models from ARPA files, with the numbers of KenLM."""

from __future__ import annotations

import os
import re
import threading
from copy import copy
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.strings import buffers
from metrologue.errors import InputError
from metrologue.language_models.arpa.kernels.blocks import DamagedError
from metrologue.language_models.arpa.kernels.ngram_models import ORDER, ShortTexts, score_texts
from metrologue.language_models.arpa.tables import KeptTables, Tables
from metrologue.language_models.base import TokenScores

__all__ = ["ArpaModel", "NgramModel", "file_name"]

_ATTEMPTS = 3
_SPACES = re.compile("[ \t\n\v\f\r]+")


def file_name(path: str | os.PathLike[str]) -> str:
    """The name of a file, with "_" for the characters that a name in a signature cannot have.

    Examples
    --------
    >>> file_name("models/my news.arpa")
    'my_news.arpa'
    """
    return re.sub(r'[\s@|="]|[^ -~]', "_", Path(path).name)


class NgramModel:
    """Base of the models of KenLM: the tokens of a text are its words, and ``</s>``.

    Attributes
    ----------
    bos, eos : bool
        Whether the first word has ``<s>`` as its context, and whether ``</s>`` is scored after the last word.
    """

    base = 10.0
    bos: bool
    eos: bool
    _stem: str

    @property
    def name(self) -> str:
        """The name of the file and a digest of its content. ``-nobos`` and ``-noeos`` follow where they apply."""
        return f"{self._stem}{'' if self.bos else '-nobos'}{'' if self.eos else '-noeos'}"

    def without_boundaries(self) -> Self:
        """The same model with neither ``<s>`` nor ``</s>``, as KenLM's ``query -n`` scores."""
        model = copy(self)
        model.bos = model.eos = False
        return model

    def tokens(self, text: str) -> list[str]:
        """The words of a text, and ``</s>``."""
        return [*filter(None, _SPACES.split(text)), *["</s>"] * self.eos]


class ArpaModel(NgramModel):
    """An n-gram model with back-off, read from an ARPA file.

    The log-probabilities are those of ``kenlm.Model.full_scores``, bit for bit: KenLM reads numbers as floats of 32
    bits, and adds back-offs in 32 bits. Each text is a sentence. Its tokens are its words, and ``</s>``. Words are
    separated by the six characters of ASCII whitespace. A no-break space or a NUL is part of a word. (``kenlm.Model``
    takes a word for ended at a NUL; KenLM's program ``query`` does not.) An unknown word is scored as ``<unk>``.

    A file is read once on a machine. Its tables are kept in the cache, and mapped into memory. An n-gram is found by
    its exact words, so that none is taken for another; KenLM compares hashes of 64 bits.

    Parameters
    ----------
    path : str or path
        An ARPA file, plain or packed by gzip, xz or zstd. n-grams of any order; KenLM's own limit is 6, and it refuses
        a model of order 1.
    bos : bool
        Whether the first word has ``<s>`` as its context.
    eos : bool
        Whether ``</s>`` is scored after the last word. KenLM's ``query -n`` has neither.

    Attributes
    ----------
    base : float
        10.
    order : int
        The number of words of the longest n-grams.

    Raises
    ------
    InputError
        If the file is malformed: a line that does not parse, counts that differ from the header's, no end mark, a
        positive log-probability, a word that is not among the 1-grams, an n-gram that comes twice, one whose first
        n - 1 words are not listed, a model without ``<s>`` or ``</s>``, bytes that are not UTF-8, a damaged gzip.

    Notes
    -----
    A model without ``<unk>`` gives it a log-probability of -100. ``<UNK>`` is another spelling of it. A pruned model
    may list "a b c" and not "b c". KenLM then adds "b c" with the probability that back-off gives it, and so does this
    class: ``full_scores`` gives such an n-gram's length. KenLM has limited room for them; this class has not. Where
    positive back-offs make such a log-probability positive, KenLM loses the sign, and so does this class.

    References
    ----------
    Heafield 2011, https://aclanthology.org/W11-2123; kenlm 0.3.0.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "tiny.arpa"
    >>> header = ["\\\\data\\\\", "ngram 1=4", "ngram 2=2", ""]
    >>> unigrams = ["\\\\1-grams:", "-1\\t<unk>", "-99\\t<s>\\t-0.5", "-0.5\\t</s>", "-0.25\\ta\\t-0.125", ""]
    >>> bigrams = ["\\\\2-grams:", "-0.5\\t<s> a", "-1.5\\ta </s>", "", "\\\\end\\\\", ""]
    >>> _ = path.write_text("\\n".join([*header, *unigrams, *bigrams]))
    >>> model = ArpaModel(path)
    >>> model.tokens("a b"), model.score_texts(["a b"]).log_probabilities
    (['a', 'b', '</s>'], array([-0.5  , -1.125, -0.5  ]))
    """

    def __init__(self, path: str | os.PathLike[str], *, bos: bool = True, eos: bool = True) -> None:
        self._kept = KeptTables(path)
        self.order = int(self._kept.tables.layout[ORDER])
        self.bos, self.eos = bos, eos
        self._stem = f"{file_name(path)}@{self._kept.content}"
        self._threads = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process opens the file: its tables may be large."""
        return _opened_again, (self._kept.path, self._stem, self.bos, self.eos)

    def __copy__(self) -> ArpaModel:
        """The same model, with the same tables."""
        model = object.__new__(ArpaModel)
        model.__dict__.update(self.__dict__, _threads=threading.local())
        return model

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """The log-probabilities of the tokens of each text.

        Parameters
        ----------
        texts : large_string array or sequence of n str
        """
        return self.full_scores(texts)[0]

    def full_scores(self, texts: pa.LargeStringArray) -> tuple[TokenScores, NDArray[np.int32]]:
        """The log-probabilities of the tokens of each text, and the lengths of their n-grams, (tokens,).

        The length is the number of words of the longest n-gram in the model that ends with the token.
        """
        for _ in range(_ATTEMPTS):
            tables = self._kept.tables
            try:
                return self._scored(texts, tables)
            except DamagedError:  # the numbers so far are dropped
                self._kept.replace(tables)
        raise OSError(f"the tables of {self._kept.path} are damaged again and again; is the disk of the cache?")

    def _scored(self, texts: pa.LargeStringArray, tables: Tables) -> tuple[TokenScores, NDArray[np.int32]]:
        model = tables.layout, tables.words, tables.unread, self.bos, self.eos
        if isinstance(texts, list) and len(texts) == 1 and len(short := str(texts[0]).encode()) <= ShortTexts.longest:
            if getattr(self._threads, "tables", None) is not tables:
                self._threads.tables, self._threads.short = tables, ShortTexts(*model)
            logs, unknown, lengths = self._threads.short.scores(short)
            return TokenScores(log_probabilities=logs, offsets=np.array([0, len(logs)]), unknown=unknown), lengths
        column = texts if isinstance(texts, pa.Array) else pa.array(texts, pa.large_string())
        buffer, offsets = buffers(column)
        if len(buffer) < 8:
            buffer = np.pad(buffer, (0, 8))
        ends, logs, unknown, lengths = score_texts(buffer, offsets, *model)
        return TokenScores(log_probabilities=logs, offsets=ends, unknown=unknown), lengths


def _opened_again(path: str, stem: str, bos: bool, eos: bool) -> ArpaModel:
    """The model of another process. Raises an InputError if its file is another one now."""
    model = ArpaModel(path, bos=bos, eos=eos)
    if model._stem != stem:
        raise InputError(f"{path} holds the language model {model._stem}, not {stem}: it has changed.")
    return model
