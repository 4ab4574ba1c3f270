"""N-grams of two texts that match if the sums of their words' vectors point in about the same direction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Flags, FloatRows, Floats, Ids, Number, Offsets, longest_row
from metrologue.kernels.words import lesser, square_root
from metrologue.native import helper, kernel
from metrologue.scorers.families.kernels.transport import Bags

__all__ = ["SoftMatches", "soft_matches"]


class SoftMatches(NamedTuple):
    """The matches of n-grams of some pairs of texts.

    Attributes
    ----------
    hits : float64 (n_pairs,)
        The matched n-grams of each pair.
    entries : int64 (n,)
        For each entry of the first bag of each pair, the entry that matches it; -1 if there is none.
    similarities : float64 (n,)
        The similarity of that entry, or of the most similar one; -1 if nothing is left.
    """

    hits: Floats
    entries: Offsets
    similarities: Floats


@helper
def _product(one: FloatRows, i: Number, other: FloatRows, j: Number) -> Number:
    """The dot product of two rows; four sums keep the processor busy."""
    width = one.shape[1]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for k in range(0, width - 3, 4):
        a, b = a + one[i, k] * other[j, k], b + one[i, k + 1] * other[j, k + 1]
        c, d = c + one[i, k + 2] * other[j, k + 2], d + one[i, k + 3] * other[j, k + 3]
    for k in range(width - width % 4, width):
        a += one[i, k] * other[j, k]
    return a + b + (c + d)


@helper
def _add_up(
    vectors: FloatRows,
    known: Flags,
    ids: Ids,
    places: Offsets,
    order: Number,
    rows: Offsets,
    start: Number,
    stop: Number,
    sums: FloatRows,
    squares: Floats,
) -> None:
    """The sum of the vectors of each n-gram, and its square: 0 if a word has no vector."""
    for e in range(start, stop):
        place, at, whole = places[rows[e]], e - start, True
        for k in range(order):
            whole = whole and known[ids[place + k]]
        for x in range(vectors.shape[1]):
            sums[at, x] = 0.0
            for k in range(order):
                sums[at, x] += vectors[ids[place + k], x] if whole else 0.0
        squares[at] = _product(sums, at, sums, at)


@kernel
def _soft_matches(
    vectors: FloatRows,
    known: Flags,
    ids: Ids,
    places: Offsets,
    order: int,
    bags: Bags,
    own: Offsets,
    its: Offsets,
    threshold: float,
    own_sums: FloatRows,
    its_sums: FloatRows,
    own_squares: Floats,
    its_squares: Floats,
    left: Offsets,
    found: SoftMatches,
) -> None:
    at = 0
    for p in range(len(own)):
        start, stop = bags.offsets[own[p]], bags.offsets[own[p] + 1]
        first, last = bags.offsets[its[p]], bags.offsets[its[p] + 1]
        _add_up(vectors, known, ids, places, order, bags.rows, start, stop, own_sums, own_squares)
        _add_up(vectors, known, ids, places, order, bags.rows, first, last, its_sums, its_squares)
        for f in range(first, last):
            left[f - first] = bags.counts[f]
        found.hits[p] = 0.0
        for e in range(start, stop):
            best, most = int64(-1), -1.0
            for f in range(first, last):
                if left[f - first] and most < 1.0:
                    similarity, square = 0.0, own_squares[e - start] * its_squares[f - first]
                    if bags.rows[e] == bags.rows[f]:
                        similarity = 1.0
                    elif square > 0.0:
                        product = _product(own_sums, e - start, its_sums, f - first)
                        similarity = lesser(product / square_root(square), 1.0)
                    if similarity > most:
                        best, most = int64(f), similarity
            found.entries[at], found.similarities[at] = -1, most
            if best >= 0 and most >= threshold:
                matched = lesser(left[best - first], bags.counts[e])
                left[best - first] -= matched
                found.hits[p] += matched
                found.entries[at] = best
            at += 1


def soft_matches(
    vectors: Floats,
    known: Flags,
    ids: Ids,
    places: Offsets,
    order: int,
    bags: Bags,
    own: Offsets,
    its: Offsets,
    threshold: float,
) -> SoftMatches:
    """Match each n-gram of one text with the most similar one that is left of the other text.

    Two n-grams are as similar as the cosine of the sums of their words' vectors. Equal ones have the similarity 1, and
    one that has a word without a vector is similar to nothing else. An n-gram takes as many occurrences of its match as
    it has itself, and ties go to the first.

    Parameters
    ----------
    vectors : float64 (types, width)
    known : bool (types,)
        Whether a word has a vector.
    ids : int32 (n_tokens,)
    places : int64 (n_ngrams,)
        A token where each n-gram begins.
    order : int
        The n of the n-grams.
    bags : Bags
        The n-grams of each text with their counts, in the order in which the text has them.
    own, its : int64 (n_pairs,)
        The bags of each pair.
    threshold : float
        The least similarity of a match.

    Returns
    -------
    SoftMatches

    Examples
    --------
    Cat, kitten and dog are words 0 to 2; the texts are "cat dog" and "kitten dog".

    >>> vectors, places = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]), np.array([0, 2, 1])
    >>> bags = Bags(np.array([0, 2, 4]), np.array([0, 2, 1, 2]), np.array([1, 1, 1, 1]))
    >>> texts = np.array([0, 2, 1, 2], np.int32), np.array([0, 2, 1])
    >>> found = soft_matches(vectors, np.ones(3, bool), *texts, 1, bags, np.array([0]), np.array([1]), 0.8)
    >>> found.hits, found.entries, found.similarities.round(6)
    (array([2.]), array([2, 3]), array([0.993884, 1.      ]))
    """
    longest, sizes = longest_row(bags.offsets), np.diff(bags.offsets)
    sums, squares = np.empty((2, longest, vectors.shape[1])), np.empty((2, longest))
    left, found = np.empty(longest, np.int64), int(sizes[own].sum())
    made = SoftMatches(np.empty(len(own)), np.empty(found, np.int64), np.empty(found))
    texts = (vectors, known, ids, places, order, *bags, own, its)
    _soft_matches(*texts, threshold, *sums, *squares, left, *made)
    return made
