"""Word count: the number of words of texts, and of different words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import counted
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.counts import OfTypes

__all__ = ["WordCount"]


@dataclass(frozen=True, kw_only=True)
class WordCount(OfTypes):
    """The number of words of all texts, and of different words. It is a measurement: neither is better.

    With `vocabulary`, only the most frequent words count. There are no references.

    References
    ----------
    The Hub's measurement `word_count`, which counts with scikit-learn's ``CountVectorizer``.

    Examples
    --------
    >>> WordCount().corpus(["hello world and hello moon"]).scores
    {'word_count': 5, 'unique_words': 4, 'text_count': 1}
    """

    name: ClassVar[str] = "word_count"
    about: ClassVar = replace(
        OfTypes.about,
        papers=("pedregosa-etal-2011-scikit",),
    )

    # fmt: off
    tokenizer: str = with_default(
        "scikit-learn",
        about='How a text is cut, as `metrologue list tokenizers` shows: "scikit-learn" has words of two characters or '
        "more.",
    )
    lowercase: bool = with_default(True, about="Whether to apply ``str.lower()`` first.")
    vocabulary: int | None = option(
        None, stage="pairs", choice="vocabulary", least=1,
        about="How many words count at most: the most frequent ones. None: all.",
    )
    # fmt: on

    _columns = ("word_count", "unique_words", "text_count")

    numbers: ClassVar = (
        counted("word_count", "words", about="words of all texts"),
        counted("unique_words", "words", about="different words of all texts"),
        counted("text_count", "texts", about="all texts"),
    )

    @property
    def _most(self) -> int | None:
        return self.vocabulary

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        return by_name(self._columns, statistics)

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `word_count`, which calls scikit-learn's CountVectorizer", live="evaluate.word_count"
        ),
    }
