"""Clipped counts of each text against all other texts of a pool, without a pass over the pool for each text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.arrays import Flags, Offsets
from metrologue.native import kernel

__all__ = ["clipped_by_others", "two_greatest"]


@kernel
def _two_greatest(numbers: Offsets, offsets: Offsets, counts: Offsets, first: Offsets, second: Offsets) -> None:
    """Invariant: between two texts all `counts` are 0; first >= second are the greatest counts in two texts so far."""
    for text in range(len(offsets) - 1):
        for i in range(offsets[text], offsets[text + 1]):
            counts[numbers[i]] += 1
        for i in range(offsets[text], offsets[text + 1]):
            gram = numbers[i]
            count = counts[gram]
            counts[gram] = 0
            if count > first[gram]:
                second[gram] = first[gram]
                first[gram] = count
            elif count > second[gram]:
                second[gram] = count


def two_greatest(numbers: Offsets, offsets: Offsets, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The greatest count of each n-gram in one text, and its greatest count in another text, (size,) each.

    The n-grams of text t have the numbers ``numbers[offsets[t]:offsets[t + 1]]``, below `size`.
    """
    first, second = np.zeros(size, np.int64), np.zeros(size, np.int64)
    _two_greatest(numbers, offsets, np.zeros(size, np.int64), first, second)
    return first, second


@kernel
def _clipped_by_others(
    numbers: Offsets,
    offsets: Offsets,
    inside: Flags,
    first: Offsets,
    second: Offsets,
    counts: Offsets,
    clipped: Offsets,
) -> None:
    """Invariant: between two texts all `counts` are 0.

    If a text of the pool has an n-gram as often as any text, the greatest count of the others is the second one.
    """
    for text in range(len(clipped)):
        for i in range(offsets[text], offsets[text + 1]):
            if numbers[i] >= 0:
                counts[numbers[i]] += 1
        total = 0
        for i in range(offsets[text], offsets[text + 1]):
            gram = numbers[i]
            if gram >= 0 and counts[gram] > 0:
                count = counts[gram]
                counts[gram] = 0
                most = second[gram] if inside[text] and count == first[gram] else first[gram]
                total += count if count < most else most
        clipped[text] = total


def clipped_by_others(
    numbers: Offsets, offsets: Offsets, inside: Flags, first: Offsets, second: Offsets
) -> NDArray[np.int64]:
    """The clipped number of n-grams of each text against the pool without the text itself, (n_texts,).

    Parameters
    ----------
    numbers, offsets : int64 (n_ngrams,), int64 (n_texts + 1,)
        The number of each n-gram in the pool; -1 if no text of the pool has it.
    inside : bool (n_texts,)
        Whether the text is in the pool. One copy of it is left out.
    first, second : int64 (size,)
        See ``two_greatest``.
    """
    clipped = np.zeros(len(inside), np.int64)
    _clipped_by_others(numbers, offsets, inside, first, second, np.zeros(len(first), np.int64), clipped)
    return clipped
