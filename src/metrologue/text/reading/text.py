"""Columns of text. Each column remembers its tokens under each reading."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import up_to
from metrologue.data.arrow import pa
from metrologue.data.columns import Column
from metrologue.data.intake import as_strings, grouped_text, listed
from metrologue.data.strings import AnyTexts, Form, Strings, normalized, of_numbers
from metrologue.text.reading.pages import Reading
from metrologue.text.reading.steps import read
from metrologue.text.reading.vocabulary import Vocabulary


class _Read(NamedTuple):
    """The tokens of a column under one reading, as ids in one vocabulary."""

    ids: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    sentences: NDArray[np.int64]


class Text(Column):
    """Texts that are read only once for each reading, however many columns they are compared with.

    Parameters
    ----------
    strings : Strings or Arrow large_string (n_entries,)
    offsets : int64 (n + 1,), optional
        By default, each segment has one text.
    """

    def __init__(self, strings: AnyTexts, offsets: NDArray[np.int64] | None = None) -> None:
        super().__init__(up_to(len(strings) + 1) if offsets is None else offsets)
        self.strings = strings if isinstance(strings, Strings) else Strings.of_arrow(strings)

    @property
    def texts(self) -> pa.LargeStringArray:
        """All texts, one after another."""
        return self.strings.arrow

    @property
    def ends(self) -> NDArray[np.int64]:
        limits = self.strings.offsets
        ends: NDArray[np.int64] = limits[self.offsets[1:]] - limits[0]
        return ends

    @property
    def nbytes(self) -> int:
        limits = self.strings.offsets
        return int(limits[-1] - limits[0]) + limits.nbytes

    def entries(self, segment: int) -> list[str]:
        texts: list[str] = self.texts[self.offsets[segment] : self.offsets[segment + 1]].to_pylist()
        return texts

    @classmethod
    def others(cls, predictions: Any, owner: str) -> Self:
        return cls(as_strings(listed(predictions, "predictions", owner), "predictions", owner))

    def _cut(self, first: int, last: int, offsets: NDArray[np.int64]) -> Self:
        return type(self)(self.strings.cut(first, last), offsets)

    def _taken(self, rows: NDArray[np.int64], offsets: NDArray[np.int64]) -> Self:
        return type(self)(self.texts.take(of_numbers(rows)), offsets)

    def in_form(self, form: Form) -> Text:
        """The texts in a Unicode form; these themselves if they have it."""
        texts = self.memoize(("form", form), lambda: normalized(self.strings, form))
        if texts is self.strings:
            return self
        column: Text = self.memoize(("in form", form), lambda: type(self)(texts, self.offsets))
        column.shared = self.shared
        return column

    def vocabulary(self, reading: Reading) -> Vocabulary:
        """The vocabulary for a reading of this column. Columns that are compared with this one share it."""
        return self.memoize(("vocabulary", reading), Vocabulary)

    def read(self, reading: Reading, vocabulary: Vocabulary) -> _Read:
        """The tokens as ids in a vocabulary, with the offsets of sentences and texts. The texts are read only once."""

        def make() -> _Read:
            tokens, sentences = read(self.strings, reading)
            return _Read(vocabulary.ids(tokens), tokens.offsets, sentences)

        return self.memoize(("read", reading, vocabulary), make)


class Groups(Text):
    """Several texts for each segment, such as a system's answers to one prompt.

    Examples
    --------
    >>> column = Groups.others([["a cat", "a dog"], ["a bird"]], "Groups")
    >>> column.offsets, column.prediction(0)
    (array([0, 2, 3]), ['a cat', 'a dog'])
    """

    @classmethod
    def others(cls, predictions: Any, owner: str) -> Self:
        """A column with other groups."""
        return cls(*grouped_text(listed(predictions, "predictions", owner), owner))

    def prediction(self, segment: int) -> list[str]:
        """All texts of a group."""
        return self.entries(segment)
