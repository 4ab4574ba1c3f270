"""A vocabulary: distinct words, and where they are found by their bytes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import Strings, buffers
from metrologue.kernels.lookup import find_words, index_words


class Vocabulary(NamedTuple):
    """Distinct words. A word is found with one look, however many there are.

    Word i is ``buffer[limits[i]:limits[i + 1]]``, in UTF-8; for `slots` see ``index_words``.
    """

    buffer: NDArray[np.uint8]
    limits: NDArray[np.int64]
    slots: NDArray[np.int32]

    @classmethod
    def of(cls, words: Strings) -> Vocabulary:
        """The vocabulary of these words."""
        return cls(*buffers(words), index_words(*buffers(words)))

    def find(self, words: Strings) -> NDArray[np.int64]:
        """The index of each word, (words,); -1 where it is not there.

        Examples
        --------
        >>> pets = Vocabulary.of(Strings.of(["cat", "dog"]))
        >>> pets.find(Strings.of(["dog", "bird", "cat"]))
        array([ 1, -1,  0])
        """
        return find_words(*buffers(words), self)
