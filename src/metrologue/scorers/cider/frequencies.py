"""The table of a fitted ``Cider``, made from the document frequencies of n-grams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrologue.errors import InputError, shown
from metrologue.kernels.hashing import hash_ngrams
from metrologue.scorers.core.tables import hash_types
from metrologue.text.lexicon.document_frequencies import is_number

__all__ = ["frequency_arrays"]


def frequency_arrays(frequencies: Mapping[tuple[str, ...], float], documents: float) -> dict[str, Any]:
    """The arrays of a fitted table: the hash of each n-gram and its frequency, the documents, and the longest order.

    Raises
    ------
    InputError
        If a key is not an n-gram, or a frequency is not a number from 0 to `documents`.
    """
    if not is_number(documents) or documents < 1:
        raise InputError(f"with_frequencies: `documents` is {shown(documents)}; a number of 1 or more is expected.")
    numbers: dict[str, int] = {}
    keys = [np.empty((0, 2), np.uint64)]
    values: list[float] = []
    by_order: dict[int, list[int]] = {}
    of_order: dict[int, list[float]] = {}
    for ngram, value in frequencies.items():
        if not isinstance(ngram, tuple) or not ngram or not all(isinstance(token, str) for token in ngram):
            raise InputError(f"with_frequencies: the key {shown(ngram)} is not an n-gram; a tuple of str is expected.")
        if not is_number(value) or not 0 <= value <= documents:
            raise InputError(
                f"with_frequencies: {shown(ngram)} is in {shown(value)} documents; a number from 0 to {documents} "
                "is expected."
            )
        by_order.setdefault(len(ngram), []).extend(numbers.setdefault(token, len(numbers)) for token in ngram)
        of_order.setdefault(len(ngram), []).append(float(value))
    types = hash_types(numbers)
    for order, ids in by_order.items():
        offsets = np.arange(0, len(ids) + 1, order)
        keys.append(hash_ngrams(np.array(ids, np.int32), offsets, types, order))
        values += of_order[order]
    hashes = np.concatenate(keys)
    return {
        "high": np.ascontiguousarray(hashes[:, 0]),
        "low": np.ascontiguousarray(hashes[:, 1]),
        "frequency": np.array(values, np.float64),
        "documents": np.array([float(documents)]),
        "max_order": np.array([max(by_order, default=0)]),
    }
