"""A column of texts, which remembers how it was read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.reading.steps import Reading, read
from metrologue.reading.vocabulary import Vocabulary

__all__ = ["Column"]


class _Read(NamedTuple):
    """A column under a reading, and under a vocabulary."""

    ids: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    sentences: NDArray[np.int64]


class Column:
    """Texts that are read as often as there are readings of them, however many columns they are compared with.

    Parameters
    ----------
    texts : Arrow large_string (n,)
    """

    def __init__(self, texts: pa.LargeStringArray) -> None:
        self.texts = texts
        # Whether it is compared with several columns, which then need one vocabulary.
        self.shared = False
        self._reads: dict[tuple[Reading, Vocabulary], _Read] = {}
        self._vocabularies: dict[Reading, Vocabulary] = {}
        self._parts: dict[tuple[int, int], Column] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def part(self, start: int, stop: int) -> Column:
        """The texts `start` to `stop`, the same column each time: what is compared with it is so in equal parts."""
        if (start, stop) not in self._parts:
            self._parts[start, stop] = Column(self.texts[start:stop])
        self._parts[start, stop].shared = self.shared
        return self._parts[start, stop]

    def vocabulary(self, reading: Reading) -> Vocabulary:
        """The vocabulary of a reading of this column, which the columns that are compared with it share."""
        if reading not in self._vocabularies:
            self._vocabularies[reading] = Vocabulary()
        return self._vocabularies[reading]

    def read(self, reading: Reading, vocabulary: Vocabulary) -> _Read:
        """The tokens as numbers of a vocabulary, and where sentences and texts begin; read once."""
        key = reading, vocabulary
        if key not in self._reads:
            tokens, sentences = read(self.texts, reading)
            self._reads[key] = _Read(vocabulary.ids(tokens), tokens.offsets, sentences)
        return self._reads[key]
