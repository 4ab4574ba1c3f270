"""The hash codes that METEOR 1.5 uses to compare words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def java_hashes(words: Sequence[str]) -> NDArray[np.int32]:
    """Java's ``String.hashCode`` of each word. METEOR 1.5 compares words and stems by it.

    Returns
    -------
    int32 (n,)

    Examples
    --------
    >>> java_hashes(["Aa", "BB", "METEOR"])
    array([       2112,        2112, -2024228436], dtype=int32)
    """
    encoded = "".join(words).encode("utf-16-le")
    units, lengths = np.frombuffer(encoded, "<u2").astype(np.uint32), np.fromiter(map(len, words), np.int64, len(words))
    if len(units) > lengths.sum():  # a character beyond the first plane of Unicode is two units
        lengths = np.fromiter((len(word.encode("utf-16-le")) // 2 for word in words), np.int64, len(words))
    first = np.cumsum(lengths) - lengths
    hashes = np.zeros(len(words), np.uint32)
    longest_first = np.argsort(-lengths, kind="stable")
    # Horner's rule modulo 2^32. Each step adds the next character of all words that are long enough.
    reach = np.searchsorted(-lengths[longest_first], -np.arange(int(lengths.max(initial=0))))
    for place, count in enumerate(reach):
        left = longest_first[:count]
        hashes[left] = hashes[left] * np.uint32(31) + units[first[left] + place]
    return hashes.view(np.int32)
