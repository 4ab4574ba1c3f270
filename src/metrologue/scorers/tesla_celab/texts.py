"""The n-grams of texts as TESLA-CELAB compares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from metrologue.data.arrays import Ids, Integers, Offsets
from metrologue.data.strings import Strings
from metrologue.scorers.tesla_celab.kernels import CoveredTexts

__all__ = ["covered_texts"]


def covered_texts(
    ids: Ids, offsets: Offsets, types: Strings, max_order: int, keys_of: Callable[[Strings], tuple[Any, ...]]
) -> CoveredTexts:
    """The n-grams of texts.

    Parameters
    ----------
    ids, offsets : int32 (n_tokens,), int64 (n_texts + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    types : Strings
        The tokens by their ids.
    max_order : int
        The longest n-grams.
    keys_of : callable
        The last fields of ``CoveredTexts``, for the characters of all n-grams.
    """
    count = len(ids)
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    left = np.repeat(offsets[1:], np.diff(offsets)) - np.arange(count)  # tokens to the end of the text
    kinds, spelled = _kinds(ids, left, types, max_order)
    numbers: dict[str, int] = {}
    units = np.array([numbers.setdefault(each, len(numbers)) for each in spelled], np.int64)
    # A kind of n-gram by its characters first, so that entries ascend by their units.
    rank = np.empty(len(spelled), np.int64)
    rank[np.argsort(units, kind="stable")] = np.arange(len(spelled))
    places = np.where(kinds >= 0, np.concatenate([rank, [-1]])[kinds], -1)
    cells = np.flatnonzero(places.ravel() >= 0)
    keyed = owners[cells // max_order] * np.int64(len(spelled) + 1) + places.ravel()[cells]
    found, first, inverse, counts = np.unique(keyed, return_index=True, return_inverse=True, return_counts=True)
    limits = np.searchsorted(found, np.arange(len(offsets)) * np.int64(len(spelled) + 1))
    local, of_cells = np.full(count * max_order, -1, np.int64), np.full(count * max_order, -1, np.int32)
    local[cells] = inverse.ravel() - limits[owners[cells // max_order]]
    of_cells[cells] = units[kinds.ravel()[cells]]
    starts, orders = cells[first] // max_order, cells[first] % max_order + 1
    keys = keys_of(Strings.of([*numbers]))
    return CoveredTexts(offsets, local, limits, starts, orders, counts.astype(np.int64), of_cells, *keys)


def _kinds(ids: Ids, left: Integers, types: Strings, max_order: int) -> tuple[Integers, list[str]]:
    """The number of each n-gram by its tokens, (n_tokens, max_order), -1 past the end; and the characters of each."""
    count, kinds = len(ids), np.full((len(ids), max_order), -1, np.int64)
    tokens, codes, spelled = types.to_pylist(), ids.astype(np.int64), list[str]()
    for order in range(1, max_order + 1):
        if order > 1:
            codes = codes[: max(count - order + 1, 0)] * np.int64(count + len(types) + 1) + ids[order - 1 :]
        codes = np.unique(codes, return_inverse=True)[1].ravel()
        at = np.flatnonzero(left[: len(codes)] >= order)
        _, first, inverse = np.unique(codes[at], return_index=True, return_inverse=True)
        kinds[at, order - 1] = len(spelled) + inverse.ravel()
        distinct = ids[at[first][:, None] + np.arange(order)].tolist()
        spelled += ["".join([tokens[one] for one in ngram]) for ngram in distinct]
    return kinds, spelled
