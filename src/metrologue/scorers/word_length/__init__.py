"""Word length: the mean number of words of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import counted
from metrologue.scorers.core.options import with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["WordLength", "word_length"]


def word_length(token_count: Floats, text_count: Floats) -> Floats:
    """The mean number of words of a text: all words, divided by the number of texts.

    Parameters
    ----------
    token_count, text_count : float64 (...)

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> word_length(np.array(5.0), np.array(2.0))
    array(2.5)
    """
    return ratio(token_count, text_count)


@dataclass(frozen=True, kw_only=True)
class WordLength(Tokenized, Scorer):
    """The mean number of words of a text, 0 or more. It is a measurement: neither more nor fewer words are better.

    There are no references.

    References
    ----------
    The Hub's measurement `word_length`, which counts the tokens of nltk's ``word_tokenize``.

    Examples
    --------
    >>> WordLength(tokenizer="whitespace").corpus(["hello world", "a cat sat"]).value
    2.5
    """

    name: ClassVar[str] = "word_length"
    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"),)
    about: ClassVar = About(papers=("bird-etal-2009-nltk",), two_texts=False)

    # fmt: off
    tokenizer: str = with_default(
        "nltk-words", about="How a text is cut, as `metrologue list tokenizers` shows: it says what a word is."
    )
    # fmt: on

    _columns = ("token_count", "text_count")

    numbers: ClassVar = (
        counted("word_length", "words", about="mean number of words of a text"),
        counted("token_count", "words", about="words of all texts"),
        counted("text_count", "texts", about="all texts"),
    )

    def _statistics(self, segments: Segments) -> Floats:
        lengths = self._view(segments).lengths
        return np.column_stack([lengths, np.ones(len(lengths))])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        return {"word_length": word_length(**counts), **counts}

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `word_length`: tokens of nltk's word_tokenize", live="evaluate.word_length",
            needs=("punkt",),
        ),
    }  # fmt: skip
