"""Tokens that are replaced by their parts."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import Ids, Offsets
from metrologue.native import kernel

__all__ = ["replaced_by_parts"]


@kernel
def _replaced_by_parts(types: Ids, first: Offsets, parts: Ids, ids: Ids, offsets: Offsets) -> None:
    end = 0
    for t in range(len(types)):
        for k in range(first[types[t]], first[types[t] + 1]):
            ids[end] = parts[k]
            end += 1
        offsets[t + 1] = end


def replaced_by_parts(types: Ids, first: Offsets, parts: Ids) -> tuple[Ids, Offsets]:
    """The parts of all tokens, and the offsets of each token's parts, (n_tokens + 1,).

    Token t is of the type `types[t]`, and type i has the parts `parts[first[i]:first[i + 1]]`.
    """
    ids, offsets = np.empty(int(np.diff(first)[types].sum()), np.int32), np.zeros(len(types) + 1, np.int64)
    _replaced_by_parts(types, first, parts, ids, offsets)
    return ids, offsets
