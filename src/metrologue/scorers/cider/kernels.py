"""tf-idf weights of n-grams: the documents that have an n-gram, and products of weighted vectors."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows, WordRows, row_lengths
from metrologue.kernels.pairs import Pairs
from metrologue.kernels.words import lesser, square_root
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.hashing import hash_ngrams, number_keys
from metrologue.scorers.core.kernels.ngram_numbers import Numbered, numbered_ngrams, put_values, room_of, shared_tokens
from metrologue.threads import each_of

__all__ = ["dot_products", "ngram_documents", "ngram_rarities", "put_cosines"]

FloatCube = Annotated[NDArray[np.float64], 3]

# Columns of a slot: the n-gram, the stamp of the last hypothesis that used it, and the n-gram's name.
_GRAM, _STAMP, _NAME = range(3)
# For fewer tokens than this, the n-grams of all orders are in one table.
_FEW = 1 << 10


@kernel
def _documents(
    numbers: Offsets, offsets: Offsets, documents: Offsets, first: int, last: int, seen: Offsets, counts: Offsets
) -> None:
    """`numbers` are those of the n-grams of the orders `first` to `last`, one order after another.

    `seen[g]` is 1 + the last document that has the n-gram g.
    """
    i = 0
    for order in range(first, last + 1):
        for document in range(len(documents) - 1):
            for text in range(documents[document], documents[document + 1]):
                for _ in range(offsets[text + 1] - offsets[text] - order + 1):
                    if seen[numbers[i]] <= document:
                        seen[numbers[i]] = document + 1
                        counts[numbers[i]] += 1
                    i += 1


def ngram_documents(
    ids: Ids, offsets: Offsets, documents: Offsets, types: WordRows, max_order: int
) -> tuple[WordRows, Offsets]:
    """The distinct n-grams of orders 1 to `max_order`, by their hashes, (n, 2), and the documents with each, (n,).

    Document d has the texts `documents[d]` to `documents[d + 1]`. `types` are as for ``hash_ngrams``.
    """
    # For many n-grams, a table of each order is quicker than a large one of all.
    keys, counts, step = [], [], max_order if len(ids) < _FEW else 1
    for first in range(1, max_order + 1, step):
        last = first + step - 1
        hashes = hash_ngrams(ids, offsets, types, first, last)
        firsts, numbers = number_keys(hashes)
        seen, count = np.zeros((2, len(firsts)), np.int64)
        _documents(numbers, offsets, documents, first, last, seen, count)
        keys.append(hashes[firsts])
        counts.append(count)
    return (keys[0], counts[0]) if step == max_order else (np.concatenate(keys), np.concatenate(counts))


@kernel
def _numbered_documents(
    tokens: Offsets, numbers: Ids, offsets: Offsets, documents: Offsets, seen: Offsets, counts: Offsets
) -> None:
    """The n-gram `numbers[i]` begins at `tokens[i]`; tokens ascend. `seen` is as in `_documents`."""
    document, end = -1, offsets[0]
    for i in range(len(tokens)):
        while tokens[i] >= end:
            document += 1
            end = offsets[documents[document + 1]]
        if seen[numbers[i]] <= document:
            seen[numbers[i]] = document + 1
            counts[numbers[i]] += 1


def _documents_of(found: Numbered, offsets: Offsets, documents: Offsets) -> Offsets:
    """How many documents have each n-gram, (n_ngrams,); `offsets` are those of their texts."""
    seen, counts = np.zeros((2, len(found.places)), np.int64)
    first = int(np.searchsorted(found.tokens, offsets[0]))
    _numbered_documents(found.tokens[first:], found.numbers[first:], offsets, documents, seen, counts)
    return counts


def ngram_rarities(
    ids: Ids, offsets: Offsets, first: int, documents: Offsets, max_order: int, threads: int
) -> NDArray[np.float64]:
    """The weight of the n-gram of each order that begins at each token of some texts, (n_tokens, max_order).

    It is ln(number of documents / number of documents with the n-gram), and at least one document is taken to have it.
    Document d has the texts `first + documents[d]` to `first + documents[d + 1]`; texts before `first` are in none.
    Where no n-gram of an order begins, there is some number.
    """
    most, room = np.log(float(len(documents) - 1)), room_of(offsets)
    weights = np.full((len(ids), max_order), most)  # also of an n-gram that occurs once, which gets no number

    def weigh(share: Offsets) -> None:
        for column, found in enumerate(numbered_ngrams(ids, room, max_order, share)):
            counts = _documents_of(found, offsets[first:], documents)
            put_values(found, most - np.log(np.maximum(counts, 1.0)), weights.ravel(), column, max_order)

    each_of(weigh, shared_tokens(ids, threads), threads)
    return weights


class _Room(NamedTuple):
    """Slots; for each name the n-gram's order, its counts in both texts and its weight; and the names in use."""

    slots: Rows
    orders: Offsets
    own: Floats
    its: Floats
    weight: Floats
    used: Offsets


@helper
def _named(slots: Rows, mask: Number, gram: Number, stamp: Number, known: Number) -> Number:
    """The name of an n-gram of this hypothesis or its references; `known` + 1 if it is new."""
    slot = ((gram * int64(-7046029254386353131)) >> int64(32)) & mask
    while slots[slot, _STAMP] == stamp and slots[slot, _GRAM] != gram:
        slot = (slot + 1) & mask
    if slots[slot, _STAMP] != stamp:
        slots[slot, _GRAM], slots[slot, _STAMP], slots[slot, _NAME] = gram, stamp, known + 1
    return slots[slot, _NAME]


@kernel
def _dot_products(texts: Pairs, weights: FloatRows, clipped: bool, room: _Room, sums: FloatCube) -> None:
    """The name of an n-gram of order k stands for the name of its first k - 1 tokens and its last token.

    Invariant: `its` is all zeros before a reference is read. A new stamp for each hypothesis makes all slots free.
    Terms are added in the order in which a text has its n-grams first, as in COCO's program: the n-grams of the
    hypothesis are the first `named`.
    """
    ids, offsets, hypotheses, references = texts
    longest = weights.shape[1]
    stamp, known, named, mask = 0, 0, 0, 0
    for p in range(len(hypotheses)):
        h, r = hypotheses[p], references[p]
        if p == 0 or hypotheses[p - 1] != h:
            stamp, known, size = stamp + 1, 0, offsets[h + 1] - offsets[h]
            last = p
            while last < len(hypotheses) and hypotheses[last] == h:
                size += offsets[references[last] + 1] - offsets[references[last]]
                last += 1
            mask = 16
            while mask < 2 * size * longest:
                mask *= 2
            mask -= 1
            for i in range(offsets[h], offsets[h + 1]):
                name = int64(0)
                for n in range(lesser(longest, offsets[h + 1] - i)):
                    name = _named(room.slots, mask, int64(ids[i + n]) | name << 32, stamp, known)
                    if name > known:
                        known = name
                        room.orders[name], room.own[name], room.weight[name] = n, 0.0, weights[i, n]
                    room.own[name] += 1.0
            named = known
            for entry in range(1, named + 1):
                sums[p, room.orders[entry], 1] += (room.own[entry] * room.weight[entry]) ** 2
        else:
            for n in range(longest):
                sums[p, n, 1] = sums[p - 1, n, 1]
        count = 0
        for i in range(offsets[r], offsets[r + 1]):
            name = int64(0)
            for n in range(lesser(longest, offsets[r + 1] - i)):
                name = _named(room.slots, mask, int64(ids[i + n]) | name << 32, stamp, known)
                if name > known:
                    known = name
                    room.orders[name], room.own[name], room.weight[name] = n, 0.0, weights[i, n]
                if room.its[name] == 0.0:
                    room.used[count] = name
                    count += 1
                room.its[name] += 1.0
        for entry in range(1, named + 1):
            theirs, ours = room.its[entry] * room.weight[entry], room.own[entry] * room.weight[entry]
            if clipped:
                ours = lesser(ours, theirs)
            sums[p, room.orders[entry], 0] += ours * theirs
        for k in range(count):
            theirs = room.its[room.used[k]] * room.weight[room.used[k]]
            sums[p, room.orders[room.used[k]], 2] += theirs * theirs
            room.its[room.used[k]] = 0.0


def _most_tokens(texts: Pairs) -> int:
    """The greatest number of tokens of a hypothesis and of all its references, or more."""
    if len(texts.hypotheses) == 1:
        return texts.offsets.item(-1)
    lengths, firsts = row_lengths(texts.offsets), np.flatnonzero(np.diff(texts.hypotheses, prepend=-1))
    return int((lengths[texts.hypotheses[firsts]] + np.add.reduceat(lengths[texts.references], firsts)).max())


@kernel
def _cosines(sums: FloatRows, rows: FloatRows) -> None:
    for i in range(len(sums)):
        for n in range(sums.shape[1] // 3):
            norm = square_root(sums[i, 3 * n + 1]) * square_root(sums[i, 3 * n + 2])
            rows[i, n] = sums[i, 3 * n] / norm if norm > 0 else 0.0


def put_cosines(sums: Floats, rows: Floats) -> None:
    """Write the cosines of sums (n, k, 3) of ``dot_products`` into the first k columns of rows (n, ...)."""
    _cosines(sums.reshape(len(sums), -1), rows)


def dot_products(texts: Pairs, weights: NDArray[np.float64], clipped: bool) -> NDArray[np.float64]:
    """Products of the n-gram vectors of each pair of texts: (pairs, max_order, 3).

    The entry of an n-gram in a text's vector is its count, times its weight. `weights[i, n - 1]` is the weight of the
    n-gram of order n that begins at token i. For each order there are three sums: the dot product, the squares of the
    hypothesis, and the squares of the reference. In the dot product, an entry of the hypothesis that is `clipped` is at
    most that of the reference. The pairs of a hypothesis follow each other.
    """
    order = weights.shape[1]
    sums = np.zeros((len(texts.hypotheses), order, 3))
    if not len(sums):
        return sums
    room = order * _most_tokens(texts) + 1
    slots = np.zeros((max(16, 1 << (2 * room - 1).bit_length()), 3), np.int64)
    own, its, weight = np.zeros((3, room))
    arrays = _Room(slots, np.zeros(room, np.int64), own, its, weight, np.zeros(room, np.int64))
    _dot_products(*texts, weights, clipped, *arrays, sums)
    return sums
