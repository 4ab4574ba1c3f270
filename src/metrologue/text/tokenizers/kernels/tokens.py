"""From the bytes of texts to tokens with ids. One call of a kernel does both for few bytes, as in one pair of texts."""

from __future__ import annotations

from threading import local
from typing import Any

import numpy as np
from numpy import uint64

from metrologue.kernels.arrays import Bytes, Ids, Offsets, Words
from metrologue.kernels.interning import SEEDS, Named, Table, forget, name_tokens, tokenize
from metrologue.kernels.spans import Rules, Spans, cut_texts, token_spans
from metrologue.native import kernel

__all__ = ["cut_and_named", "replaced_by_parts"]

# Up to this many bytes and texts, there is room from call to call. Larger input needs arrays of its own size.
_FEW = 1 << 10
_KEPT = local()


@kernel
def _cut_and_named(
    buffer: Bytes,
    offsets: Offsets,
    rules: Rules,
    repeats: Offsets,
    marks: Words,
    cut: Spans,
    table: Table,
    named: Named,
    starts: Offsets,
    lengths: Offsets,
) -> int:
    """Fill the arrays of ``tokenize``. Returns the number of types. Invariant: between two calls, all slots are 0."""
    cut_texts(buffer, offsets, repeats, 0, rules, marks, cut)
    named.state[:] = 0
    name_tokens(buffer, repeats, cut, table, named, len(offsets) - 1)
    known = named.state[2]
    forget(table, known, starts, lengths)
    return known


def _room() -> tuple[Any, ...]:
    """The arrays of ``_cut_and_named`` that hold nothing from call to call, in its order, up to the state."""
    bits = _FEW.bit_length()
    starts, stops = np.empty((2, _FEW + 1), np.int64)
    cut = Spans(starts, stops, np.empty(_FEW, np.int32))
    table = Table(np.full((1 << bits, 4), ~uint64(0)), np.zeros(2 << bits, np.int32), SEEDS, uint64(63 - bits))
    room = np.full(_FEW, -1), np.empty((_FEW >> 6) + 2, np.uint64)
    return (*room, *cut, *table, np.empty(_FEW, np.int64), np.empty(4, np.int64))


def cut_and_named(
    buffer: Bytes, offsets: Offsets, classes: Bytes, edge: int, keep_empty: bool, strip: bool
) -> tuple[Ids, Offsets, Offsets, Offsets]:
    """What ``tokenize`` gives with ``token_spans`` and these rules."""
    most = offsets.item(-1) - offsets.item(0) + len(offsets) - 1  # tokens
    if most > _FEW:
        return tokenize(buffer, offsets, token_spans, (classes, edge, keep_empty, strip))
    try:
        room = _KEPT.room
    except AttributeError:
        room = _KEPT.room = _room()
    ids, token_offsets = np.empty(most, np.int32), np.zeros(len(offsets), np.int64)
    starts, lengths = np.empty(most, np.int64), np.empty(most, np.int64)
    rules = classes, edge, keep_empty, strip
    known = _cut_and_named(buffer, offsets, *rules, *room, ids, token_offsets, starts, lengths)
    return ids[: token_offsets.item(-1)], token_offsets, starts[:known], lengths[:known]


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
