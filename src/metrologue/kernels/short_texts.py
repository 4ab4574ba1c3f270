"""N-gram scores of one short text after another, in the same arrays again and again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.arrays import Flags, Ids, Offsets, Words
from metrologue.kernels.ngram_scores import Call

__all__ = ["ShortTexts"]


class ShortTexts:
    """Scores one short text after another, each in a few microseconds. It serves one thread.

    The arrays are made once: this takes longer than the scores.

    Parameters
    ----------
    layout, words, unread, begin, end
        As for ``score_texts``.
    """

    longest = 4096  # bytes

    def __init__(self, layout: Offsets, words: Words, unread: Words, begin: bool, end: bool) -> None:
        buffer, self._offsets = np.zeros(self.longest, np.uint8), np.zeros(2, np.int64)
        self._text = memoryview(buffer)  # type: ignore[arg-type]  # an array is a buffer
        self._call = Call(buffer, self._offsets, layout, words, unread, begin, end, self.longest // 2 + 2)

    def scores(self, text: bytes) -> tuple[NDArray[np.float64], Flags, Ids]:
        """The log-probabilities, the unknown tokens and the lengths of ``score_texts``, for up to `longest` bytes."""
        size, call = len(text), self._call
        self._text[:size] = text
        self._offsets[1] = size
        call.run()
        count = int(call.ends[1])
        return call.logs[:count].copy(), call.unknown[:count].copy(), call.lengths[:count].copy()
