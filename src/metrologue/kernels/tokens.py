"""From the bytes of texts to tokens with ids. One call of a kernel does both for few bytes, as in one pair of texts."""

from __future__ import annotations

from threading import local
from typing import Any

import numpy as np
from numpy import uint64

from metrologue.kernels.arrays import Bytes, Ids, Offsets, WordRows, Words
from metrologue.kernels.interning import SEEDS, forget, name_tokens, tokenize
from metrologue.kernels.spans import cut_texts, token_spans
from metrologue.native import kernel

__all__ = ["cut_and_named"]

# Up to this many bytes and texts, there is room from call to call. Larger input needs arrays of its own size.
_FEW = 1 << 10
_KEPT = local()


@kernel
def _cut_and_named(
    buffer: Bytes,
    offsets: Offsets,
    classes: Bytes,
    edge: int,
    keep_empty: bool,
    strip: bool,
    seeds: Words,
    shift: np.uint64,
    repeats: Offsets,
    counts: Ids,
    marks: Words,
    spans: Offsets,
    unsure: Offsets,
    types: WordRows,
    table: Ids,
    state: Offsets,
    ids: Ids,
    token_offsets: Offsets,
    starts: Offsets,
    lengths: Offsets,
) -> int:
    """Fill the arrays of ``tokenize``. Returns the number of types. Invariant: between two calls, `table` is all 0."""
    texts = len(offsets) - 1
    half = len(spans) >> 1
    begins, ends = spans[:half], spans[half:]
    cut_texts(buffer, offsets, repeats, 0, classes, edge, keep_empty, strip, marks, begins, ends, counts)
    state[:] = 0
    name_tokens(
        buffer, repeats, counts, begins, ends, seeds, shift, unsure, texts, types, table, state, ids, token_offsets
    )
    known = state[2]
    forget(types, known, seeds, shift, table, starts, lengths)
    return known


def _room() -> tuple[Any, ...]:
    """The arrays of ``_cut_and_named`` that hold nothing from call to call, with the seeds and the shift of a slot."""
    bits = _FEW.bit_length()
    return (
        SEEDS,
        uint64(63 - bits),
        np.full(_FEW, -1),
        np.empty(_FEW, np.int32),
        np.empty((_FEW >> 6) + 2, np.uint64),
        np.empty(2 * (_FEW + 1), np.int64),
        np.empty(_FEW, np.int64),
        np.full((1 << bits, 4), ~uint64(0)),
        np.zeros(2 << bits, np.int32),
        np.empty(4, np.int64),
    )


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
    known = _cut_and_named(
        buffer, offsets, classes, edge, keep_empty, strip, *room, ids, token_offsets, starts, lengths
    )
    return ids[: token_offsets.item(-1)], token_offsets, starts[:known], lengths[:known]
