"""The weight of the n-grams that a hypothesis shares with its references."""

from __future__ import annotations

import math

import numpy as np
from numpy import int64, uintp
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, longest_text, row_lengths
from metrologue.kernels.pairs import Pairs
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.ngrams import (
    CELLS,
    COUNT,
    GREATEST,
    NAME,
    OWNER,
    PLACE,
    STAMP,
    IndexPairs,
    Indices,
    PairRoom,
    Workspace,
    count_ngrams,
    find_slot,
    name_ngrams,
    number_columns,
    slot_mask,
)

__all__ = ["numbers_of", "weighted_counts", "weighted_pairs"]


@helper
def _weigh(
    ids: Ids,
    offsets: Offsets,
    hypothesis: Number,
    order: Number,
    room: Workspace,
    mask: Number,
    stamp: Number,
    found: NDArray[np.int64],
    weights: FloatRows,
) -> Number:
    """The sum of the weights of a hypothesis' clipped n-grams, added in the order of their first occurrence."""
    start, ngrams = offsets[hypothesis], offsets[hypothesis + 1] - offsets[hypothesis] - order + 1
    for i in range(ngrams):
        found[i] = -1
        if order > 1 and room.names[i] == 0:
            continue
        gram = int64(ids[start + i + order - 1])
        if order > 1:
            gram |= room.names[i] << 32
        slot = find_slot(room.slots, mask, gram, stamp)
        if room.slots[slot, STAMP] != stamp:
            room.names[i] = 0
            continue
        room.names[i], found[i] = room.slots[slot, NAME], slot
        if room.slots[slot, OWNER] != hypothesis:
            room.slots[slot, OWNER], room.slots[slot, COUNT] = hypothesis, 0
        room.slots[slot, COUNT] += 1
    total = 0.0
    for i in range(ngrams):
        slot = found[i]
        if slot >= 0:
            weight = weights[order - 1, room.slots[slot, PLACE]]
            total += weight * lesser(room.slots[slot, COUNT], room.slots[slot, GREATEST])
            room.slots[slot, COUNT] = 0
    return total


@helper
def _weigh_group(
    ids: Ids,
    offsets: Offsets,
    hypothesis: Number,
    first: Number,
    last: Number,
    weights: FloatRows,
    room: Workspace,
    stamp: Number,
    found: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> Number:
    """Write the sums of a hypothesis with the references `first` to `last`, order by order. Returns the last stamp."""
    shift = offsets[first] - (offsets[hypothesis + 1] - offsets[hypothesis])
    mask = slot_mask(offsets[last] - shift)
    for order in range(1, len(sums) + 1):
        stamp += 1
        count_ngrams(ids, offsets, first, last, order, False, room, mask, stamp, shift)
        sums[order - 1] = _weigh(ids, offsets, hypothesis, order, room, mask, stamp, found, weights)
    return stamp


@kernel
def _weighted_counts(
    ids: Ids,
    offsets: Offsets,
    hypothesis: int,
    references: Offsets,
    weights: FloatRows,
    room: Workspace,
    found: Offsets,
    sums: FloatRows,
) -> None:
    stamp = 0
    for s in range(len(sums)):
        first, last = references[s], references[s + 1]
        stamp = _weigh_group(ids, offsets, hypothesis + s, first, last, weights, room, stamp, found, sums[s])


def weighted_counts(
    ids: Ids, offsets: Offsets, hypothesis: int, references: Offsets, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum of the weights of clipped n-grams, for each order: (segments, max_order).

    The hypothesis of segment s is the text `hypothesis + s`. Its references are the texts from `references[s]` to
    `references[s + 1]`. The count of an n-gram is clipped to its greatest count in one reference.
    `weights[n - 1, i]` is the weight of the n-gram of order n that begins at token i; those of the hypotheses are not
    used.
    """
    segments = len(references) - 1
    sizes = row_lengths(offsets[hypothesis : hypothesis + segments + 1]) + row_lengths(offsets[references])
    room = Workspace.of(int(sizes.max(initial=0)) + 1)
    sums = np.zeros((segments, len(weights)))
    _weighted_counts(ids, offsets, hypothesis, references, weights, *room, np.empty_like(room.names), sums)
    return sums


@helper
def _weigh_pair(
    hypothesis: Indices,
    reference: Indices,
    weights: FloatRows,
    room: PairRoom,
    width: Number,
    sums: NDArray[np.float64],
) -> None:
    """Write the sums of two texts, order by order, with the table of `ngrams.paired_counts`."""
    cells, names, found = room.work[0], room.work[1], room.work[2]
    places, left, used = room.work[3], room.work[4], room.work[5]
    names[: len(reference)] = 1
    found[: len(hypothesis)] = 1
    for order in range(len(sums)):
        known = name_ngrams(reference, order, room.columns, width, room.table, names, cells, left)
        for i in range(len(reference) - order - 1, -1, -1):
            places[names[i]] = i  # the first occurrence is written last
        hits = uintp(0)
        for i in range(len(hypothesis) - order):
            name = room.table[found[i] * width + room.columns[hypothesis[i + order]]]
            found[i] = name
            hit = uintp(left[name] > 0)
            hits += hit
            left[name] -= hit
            used[name] += hit
        for i in range(len(reference) - order):
            room.table[cells[i]] = 0
        left[: known + uintp(1)] = 0
        if hits == 0:
            break
        for i in range(len(hypothesis) - order):
            name = found[i]
            if used[name] > 0:
                sums[order] += weights[order, places[name]] * used[name]
                used[name] = 0


@kernel
def _weighted_pairs(texts: IndexPairs, weights: FloatRows, room: PairRoom, spare: Offsets, sums: FloatRows) -> None:
    stamp = 0
    for p in range(len(texts.hypotheses)):
        h, r = texts.hypotheses[p], texts.references[p]
        reference = texts.ids[texts.offsets[r] : texts.offsets[r + 1]]
        width = number_columns(reference, room.columns)
        if uintp(len(reference) + 1) * width <= uintp(CELLS):
            hypothesis = texts.ids[texts.offsets[h] : texts.offsets[h + 1]]
            own = weights[:, texts.offsets[r] : texts.offsets[r + 1]]
            _weigh_pair(hypothesis, reference, own, room, width, sums[p])
        else:
            stamp = _weigh_group(texts.ids, texts.offsets, h, r, r + 1, weights, room, stamp, spare, sums[p])
        for i in range(len(reference)):
            room.columns[reference[i]] = 0


def weighted_pairs(texts: Pairs, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the weights of common n-grams of each pair of texts: (pairs, max_order).

    An n-gram matches as often as both texts have it. `weights` are those of ``weighted_counts``.
    """
    sums = np.zeros((len(texts.hypotheses), len(weights)))
    room = PairRoom.of(texts.ids, longest_text(texts.ids, texts.offsets))
    spare = np.empty_like(room.names)
    _weighted_pairs(texts.ids.view(np.uint32), *texts[1:], weights, *room, spare, sums)
    return sums


@kernel
def _numbers_of(rows: FloatRows, orders: int, scale: float, decay: float, exponent: float, numbers: FloatRows) -> None:
    kinds = 2 * orders + 2
    for i in range(len(rows)):
        ratio, total = rows[i, 2 * orders] / rows[i, 2 * orders + 1], 0.0
        penalty = math.exp(decay * math.log(lesser(ratio, 1.0)) ** exponent)
        for n in range(orders):
            total += rows[i, n] / greater(rows[i, orders + n], 1.0)
            numbers[1 + n, i] = scale * (total * penalty)
        numbers[0, i], numbers[1 + orders, i], numbers[2 + orders + kinds, i] = numbers[orders, i], ratio, penalty
        for k in range(kinds):
            numbers[2 + orders + k, i] = rows[i, k]


def numbers_of(rows: Floats, scale: float, decay: float) -> Floats:
    """NIST; NIST of the orders 1 to n for each n; the length ratio; the counts; the penalty: (3 * orders + 5, ...).

    Rows, (..., 2 * orders + 2), have the information and the n-grams of each order, then both lengths. The penalty is
    exp(decay * log(ratio)^2) for a ratio below 1.
    """
    kinds = rows.shape[-1]
    orders = kinds // 2 - 1
    numbers = np.empty((3 + orders + kinds, *rows.shape[:-1]))
    flat = np.ascontiguousarray(rows, np.float64).reshape(-1, kinds)
    _numbers_of(flat, orders, scale, decay, 2.0, numbers.reshape(len(numbers), -1))
    return numbers
