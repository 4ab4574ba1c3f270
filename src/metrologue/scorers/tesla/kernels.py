"""The best soft match of the n-grams of two texts, as TESLA has it (Liu et al. 2010).

Each n-gram has a weight, which may be shared out among the n-grams of the other text. What flows between two n-grams
gains its amount times their similarity, and the greatest gain counts. This is a transport problem: one more n-gram on
each side, similar to none, takes up what is left. Weights are whole numbers of `UNIT` and similarities whole numbers of
halves of words, so the gain is exact, and it is the same in whichever order the n-grams come.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Flags, Floats, Ids, Number, Offsets, Rows
from metrologue.kernels.synonyms import are_synonyms
from metrologue.native import helper, kernel
from metrologue.scorers.families.kernels.transport import solve

__all__ = ["BASIC", "LEMMAS", "SYNONYMS", "TAGS", "UNIT", "SoftTexts", "soft_flow", "soft_matches"]

UNIT = 10**9
# What makes two words similar. `BASIC`: 1 for the same lemma, otherwise half for synonyms and half for the same tag.
BASIC, SYNONYMS, LEMMAS, TAGS = range(4)


class SoftTexts(NamedTuple):
    """The n-grams of texts. Equal n-grams of a text are one entry.

    Attributes
    ----------
    lemmas, tags : int32 (n_words,)
        The numbers of the words' lemmas and tags. A tag of 0 is equal to none.
    light : bool (n_words,)
        Whether a word weighs less than others.
    places : int64 (n_words,)
        The place of each word among the entries of order 1 of its text.
    starts, counts : int64 (n_entries,)
        The first word of each entry, where the text has it first, and how often it has it.
    limits : int64 (max_order * (n_texts + 1),)
        Those of order k of text t begin at ``limits[(k - 1) * (n_texts + 1) + t]``, and end where those of t + 1 begin.
    own_offsets, own_keys, its_offsets, its_keys : int64 (n_lemmas + 1,), int32, int64 (n_lemmas + 1,), int32
        The keys of each lemma in a hypothesis and in a reference, ascending. Two lemmas with a common key are synonyms.
    """

    lemmas: Ids
    tags: Ids
    light: Flags
    places: Offsets
    starts: Offsets
    counts: Offsets
    limits: Offsets
    own_offsets: Offsets
    own_keys: Ids
    its_offsets: Offsets
    its_keys: Ids

    @classmethod
    def of_words(
        cls, lemmas: Ids, tags: Ids, light: Flags, offsets: Offsets, max_order: int, keys: tuple[Any, ...]
    ) -> SoftTexts:
        """The n-grams of texts of which t has the words ``offsets[t]:offsets[t + 1]``; `keys` are the last fields."""
        count, texts = len(lemmas), len(offsets) - 1
        owners = np.repeat(np.arange(texts), np.diff(offsets))
        left = np.repeat(offsets[1:], np.diff(offsets)) - np.arange(count)  # words to the end of the text
        _, kinds = np.unique(lemmas * np.int64(2) + light, return_inverse=True)
        _, kinds = np.unique(kinds.ravel() * (int(tags.max(initial=0)) + np.int64(1)) + tags, return_inverse=True)
        kinds = kinds.ravel()
        codes, firsts, counts, limits = kinds, [], [], []
        places, end = np.zeros(count, np.int64), 0
        for order in range(1, max_order + 1):
            if order > 1:
                # A code stands for the first words of an n-gram. Those that begin too late are not looked at.
                pairs = codes[: count - order + 1] * np.int64(count + 1) + kinds[order - 1 :]
                codes = np.unique(pairs, return_inverse=True)[1].ravel()
            at = np.flatnonzero(left[: len(codes)] >= order)
            keyed = owners[at] * np.int64(count + 1) + codes[at]
            found, first, inverse, times = np.unique(keyed, return_index=True, return_inverse=True, return_counts=True)
            ends = np.searchsorted(found, np.arange(texts + 1) * np.int64(count + 1))
            if order == 1:
                places = inverse.ravel() - ends[owners]
            firsts.append(at[first])
            counts.append(times)
            limits.append(ends + end)
            end += len(found)
        starts, times, ends = (np.concatenate(each).astype(np.int64) for each in (firsts, counts, limits))
        return cls(lemmas, tags, light, places, starts, times, ends, *keys)


class _Room(NamedTuple):
    words: Offsets
    costs: Floats
    weights: Offsets
    masses: Offsets
    chosen: Rows
    tree: Rows
    prices: Floats

    @classmethod
    def of(cls, texts: SoftTexts, hypotheses: Offsets, references: Offsets, max_order: int) -> _Room:
        sizes = np.diff(texts.limits.reshape(max_order, -1), axis=1)
        own, its = sizes[:, hypotheses], sizes[:, references]
        side = int(sizes.max(initial=0)) + 1
        words, weights = np.empty(int((own[:1] * its[:1]).max(initial=0)), np.int64), np.empty(2 * side, np.int64)
        costs, masses = np.empty(int(((own + 1) * (its + 1)).max(initial=1))), np.empty(2 * side, np.int64)
        chosen, tree = np.empty((2, side), np.int64), np.empty((6, 2 * side), np.int64)
        return cls(words, costs, weights, masses, chosen, tree, np.empty(2 * side))


@helper
def _entries(limits: Offsets, max_order: Number, order: Number, text: Number) -> tuple[Number, Number]:
    """The first entry of this order of a text, and how many it has."""
    at = (order - 1) * (len(limits) // max_order) + text
    return limits[at], limits[at + 1] - limits[at]


@helper
def _fill_words(texts: SoftTexts, room: _Room, own: Number, n: Number, its: Number, m: Number, kind: Number) -> None:
    """Twice the similarity of each entry of order 1 of one text with each of the other."""
    for i in range(n):
        for j in range(m):
            a, b = texts.starts[own + i], texts.starts[its + j]
            same_tag = texts.tags[a] == texts.tags[b] and texts.tags[a] != 0
            found = int64(0)
            if kind == TAGS:
                found = int64(2) if same_tag else int64(0)
            elif texts.lemmas[a] == texts.lemmas[b]:
                found = int64(2)
            elif kind != LEMMAS:
                found = int64(are_synonyms(texts, texts.lemmas[a], texts.lemmas[b])) + int64(kind == BASIC and same_tag)
            room.words[i * m + j] = found


@helper
def _similarity(texts: SoftTexts, words: Offsets, m: Number, a: Number, b: Number, order: Number) -> Number:
    """The sum over the words of the n-grams that begin at `a` and `b`; 0 if two of them are not similar at all."""
    total = int64(0)
    for k in range(order):
        one = words[texts.places[a + k] * m + texts.places[b + k]]
        if one == 0:
            return int64(0)
        total += one
    return total


@helper
def _fill_weights(
    texts: SoftTexts, room: _Room, first: Number, count: Number, order: Number, units: Offsets, at: Number
) -> Number:
    """The weight of each n-gram of a text, and their sum."""
    total = int64(0)
    for i in range(count):
        lights = 0
        for k in range(order):
            lights += 1 if texts.light[texts.starts[first + i] + k] else 0
        room.weights[at + i] = units[lights] * texts.counts[first + i]
        total += room.weights[at + i]
    return total


@helper
def _best_flow(
    texts: SoftTexts, room: _Room, m: Number, own: Number, rows: Number, its: Number, columns: Number, order: Number
) -> tuple[Number, Number, Number]:
    """Fill the tree of the best flow between those n-grams that are similar to any.

    A cost is what a match lacks of 2 for each word. `weights` has the weights of the rows, then of the columns.
    `chosen` gets the n-grams that take part. Returns how many rows and columns these are, and the root of the tree.
    """
    n, width, total = int64(0), int64(0), int64(0)
    for j in range(columns):
        room.chosen[1, j] = -1
    for i in range(rows):
        taken = False
        for j in range(columns):
            gain = int64(0)
            if room.weights[i] and room.weights[rows + j]:
                gain = _similarity(texts, room.words, m, texts.starts[own + i], texts.starts[its + j], order)
            room.costs[n * (columns + 1) + j] = float(2 * order - gain)
            if gain:
                taken = True
                room.chosen[1, j] = 0
        if taken:
            room.chosen[0, n] = i
            room.masses[n] = room.weights[i]
            total += room.weights[i]
            n += 1
    for j in range(columns):
        if room.chosen[1, j] == 0:
            room.chosen[1, width] = j
            width += 1
    if n == 0:
        return n, width, int64(0)
    # The columns that take part move to the left, never past a cell that is still to be read.
    for a in range(n):
        for b in range(width):
            room.costs[a * (width + 1) + b] = room.costs[a * (columns + 1) + room.chosen[1, b]]
        room.costs[a * (width + 1) + width] = float(2 * order)
    room.masses[n] = 0
    for b in range(width + 1):
        room.costs[n * (width + 1) + b] = float(2 * order)
        if b < width:
            room.masses[n + 1 + b] = room.weights[rows + room.chosen[1, b]]
            room.masses[n] += room.masses[n + 1 + b]
    room.masses[n + 1 + width] = total
    return n, width, solve(room, n + 1, width + 1)


@kernel
def _soft_matches(
    texts: SoftTexts,
    hypotheses: Offsets,
    references: Offsets,
    max_order: int,
    kinds: Offsets,
    units: Offsets,
    room: _Room,
    found: Rows,
) -> None:
    for p in range(len(hypotheses)):
        one, other, column = hypotheses[p], references[p], 0
        first, n = _entries(texts.limits, max_order, 1, one)
        last, m = _entries(texts.limits, max_order, 1, other)
        for q in range(len(kinds)):
            _fill_words(texts, room, first, n, last, m, kinds[q])
            for order in range(1, max_order + 1):
                own, rows = _entries(texts.limits, max_order, order, one)
                its, columns = _entries(texts.limits, max_order, order, other)
                own_total = _fill_weights(texts, room, own, rows, order, units, 0)
                its_total = _fill_weights(texts, room, its, columns, order, units, rows)
                a, b, root = _best_flow(texts, room, m, own, rows, its, columns, order)
                matched = int64(0)
                if a:
                    for x in range(a + b + 2):
                        parent = room.tree[0, x]
                        row, other_one = (x, parent - a - 1) if x <= a else (parent, x - a - 1)
                        if x != root and row < a and other_one < b:
                            matched += room.tree[5, x] * (2 * order - int64(room.costs[row * (b + 1) + other_one]))
                found[p, column], found[p, column + 1], found[p, column + 2] = matched, own_total, its_total
                column += 3


def soft_matches(
    texts: SoftTexts, hypotheses: Offsets, references: Offsets, max_order: int, kinds: Offsets, units: Offsets
) -> Rows:
    """The greatest gain of each pair of texts, and the weights of both, for each kind of similarity and each order.

    Parameters
    ----------
    texts : SoftTexts
    hypotheses, references : int64 (pairs,)
        The texts of each pair.
    max_order : int
        The longest n-grams, as of the texts.
    kinds : int64 (n_kinds,)
        `BASIC`, `SYNONYMS`, `LEMMAS` or `TAGS`.
    units : int64 (max_order + 1,)
        The weight of an n-gram by how many of its words are light, 0 or more.

    Returns
    -------
    int64 (pairs, n_kinds * max_order * 3)
        The gain, in halves of words; the weight of all n-grams of the hypothesis, and of the reference.

    Examples
    --------
    >>> none = np.zeros(4, np.int64), np.zeros(0, np.int32)
    >>> lemmas, tags = np.array([0, 1, 0, 2, 1], np.int32), np.array([1, 2, 1, 2, 2], np.int32)
    >>> texts = SoftTexts.of_words(lemmas, tags, lemmas == 0, np.array([0, 2, 5]), 2, (*none, *none))
    >>> one, units = np.array([0]), np.array([10, 1, 1])
    >>> soft_matches(texts, one, one + 1, 2, np.array([BASIC]), units)
    array([[22, 11, 21,  3,  1, 11]])
    """
    found = np.empty((len(hypotheses), len(kinds) * max_order * 3), np.int64)
    room = _Room.of(texts, hypotheses, references, max_order)
    _soft_matches(*texts, hypotheses, references, max_order, kinds, units, *room, found)
    return found


@kernel
def _soft_flow(
    texts: SoftTexts,
    one: int,
    other: int,
    max_order: int,
    order: int,
    kind: int,
    units: Offsets,
    room: _Room,
    flow: Offsets,
    gains: Offsets,
) -> None:
    own, rows = _entries(texts.limits, max_order, order, one)
    its, columns = _entries(texts.limits, max_order, order, other)
    first, n = _entries(texts.limits, max_order, 1, one)
    last, m = _entries(texts.limits, max_order, 1, other)
    _fill_words(texts, room, first, n, last, m, kind)
    _fill_weights(texts, room, own, rows, order, units, 0)
    _fill_weights(texts, room, its, columns, order, units, rows)
    for i in range(rows):
        for j in range(columns):
            gains[i * columns + j] = _similarity(
                texts, room.words, m, texts.starts[own + i], texts.starts[its + j], order
            )
    a, b, root = _best_flow(texts, room, m, own, rows, its, columns, order)
    if a:
        for x in range(a + b + 2):
            parent = room.tree[0, x]
            row, column = (x, parent - a - 1) if x <= a else (parent, x - a - 1)
            if x != root and row < a and column < b:
                flow[room.chosen[0, row] * columns + room.chosen[1, column]] = room.tree[5, x]


def soft_flow(
    texts: SoftTexts, hypothesis: int, reference: int, max_order: int, order: int, kind: int, units: Offsets
) -> tuple[Rows, Rows, Offsets, Offsets]:
    """What flows between the n-grams of two texts, and how similar these are in halves of words.

    Parameters are those of ``soft_matches``, for one pair, order and kind.

    Returns
    -------
    int64 (n, m), int64 (n, m), int64 (n,), int64 (m,)
        Amount and similarity of each distinct n-gram of the hypothesis and each of the reference; and where these
        begin, among all words.
    """
    limits = texts.limits.reshape(max_order, -1)[order - 1]
    own, its = (texts.starts[limits[text] : limits[text + 1]] for text in (hypothesis, reference))
    flow, gains = np.zeros((2, len(own) * len(its)), np.int64)
    room = _Room.of(texts, np.array([hypothesis]), np.array([reference]), max_order)
    _soft_flow(*texts, hypothesis, reference, max_order, order, kind, units, *room, flow, gains)
    shape = len(own), len(its)
    return flow.reshape(shape), gains.reshape(shape), own, its
