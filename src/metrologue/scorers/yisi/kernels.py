"""How similar two phrases are: similarities of their words, and the best match of each n-gram (Lo 2019).

A block holds the similarities of the distinct words of one text (rows) with those of another text (columns). The blocks
of several pairs of texts lie in one array, one after another.
"""

from __future__ import annotations

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Bytes, Flags, FloatRows, Floats, Ids, Number, Offsets, Rows, longest_row
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["cosine_blocks", "phrase_matches", "substring_blocks"]


@helper
def _longest_substring(buffer: Bytes, one: Number, length: Number, other: Number, its: Number, runs: Offsets) -> Number:
    """The length of the longest run of bytes that two words share.

    Invariant: `runs[j]` bytes before byte j of the other word equal those before the byte of this one.
    """
    longest = int64(0)
    runs[: its + 1] = 0
    for i in range(length):
        for j in range(its, 0, -1):
            runs[j] = runs[j - 1] + 1 if buffer[one + i] == buffer[other + j - 1] else 0
            longest = greater(longest, runs[j])
    return longest


@kernel
def _substrings(
    buffer: Bytes, words: Offsets, ids: Ids, offsets: Offsets, own: Offsets, its: Offsets, runs: Offsets, block: Floats
) -> None:
    at = 0
    for pair in range(len(own)):
        for i in range(offsets[own[pair]], offsets[own[pair] + 1]):
            one, length = words[ids[i]], words[ids[i] + 1] - words[ids[i]]
            for j in range(offsets[its[pair]], offsets[its[pair] + 1]):
                other, width = words[ids[j]], words[ids[j] + 1] - words[ids[j]]
                shared = length
                if ids[i] != ids[j]:
                    shared = _longest_substring(buffer, one, length, other, width, runs)
                block[at] = 2.0 * shared / (length + width)
                at += 1


@kernel
def _cosines(
    own_units: FloatRows,
    its_units: FloatRows,
    rows: Ids,
    forms: Ids,
    own_known: Flags,
    its_known: Flags,
    offsets: Offsets,
    own: Offsets,
    its: Offsets,
    block: Floats,
) -> None:
    """Invariant: the cosines of row i are complete once all numbers of its vector were taken."""
    at, width = 0, own_units.shape[1]
    for pair in range(len(own)):
        first, last = offsets[its[pair]], offsets[its[pair] + 1]
        for i in range(offsets[own[pair]], offsets[own[pair] + 1]):
            one = rows[i]
            for j in range(first, last):
                other = rows[j]
                value = 0.0
                for k in range(width):
                    value += own_units[one, k] * its_units[other, k]
                if forms[one] == forms[other] and not (own_known[one] and its_known[other]):
                    value = 1.0
                block[at] = value if value > 0.0 else 0.0
                at += 1


@helper
def _best_matches(
    ids: Ids,
    places: Ids,
    weights: Floats,
    start: Number,
    length: Number,
    other: Number,
    its_length: Number,
    order: Number,
    block: Floats,
    at: Number,
    step: Number,
    its_step: Number,
) -> Number:
    """The mean, over the n-grams of a phrase, of the greatest similarity with one of the other phrase, by weights."""
    found = total = 0.0
    for x in range(length - order + 1):
        best = 0.0
        for y in range(its_length - order + 1):
            value = 0.0
            for k in range(order):
                cell = at + places[start + x + k] * step + places[other + y + k] * its_step
                value += weights[ids[start + x + k]] * block[cell]
            best = greater(best, value)
        found += best
        for k in range(order):
            total += weights[ids[start + x + k]]
    return found / total if total > 0.0 else 0.0


@kernel
def _matches(
    ids: Ids,
    places: Ids,
    own_weights: Floats,
    its_weights: Floats,
    block: Floats,
    phrases: Rows,
    order: int,
    scores: FloatRows,
) -> None:
    for p in range(len(phrases)):
        start, length, other, its_length, at, step = (
            phrases[p, 0],
            phrases[p, 1],
            phrases[p, 2],
            phrases[p, 3],
            phrases[p, 4],
            phrases[p, 5],
        )
        n = lesser(order, lesser(length, its_length))
        scores[p, 0] = scores[p, 1] = 0.0
        if n > 0:
            scores[p, 0] = _best_matches(
                ids, places, own_weights, start, length, other, its_length, n, block, at, step, 1
            )
            scores[p, 1] = _best_matches(
                ids, places, its_weights, other, its_length, start, length, n, block, at, 1, step
            )


def substring_blocks(
    buffer: Bytes, words: Offsets, ids: Ids, offsets: Offsets, own: Offsets, its: Offsets, cells: int
) -> Floats:
    """Twice the longest run of bytes that two words share, divided by the bytes of both.

    Parameters
    ----------
    buffer : uint8
        The bytes of all types of words.
    words : int64 (n_types + 1,)
        Type t is ``buffer[words[t]:words[t + 1]]``. It is not empty.
    ids : int32 (n_tokens,)
    offsets : int64 (n_texts + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    own, its : int64 (n_pairs,)
        The texts of each pair.
    cells : int
        The sum of the sizes of the blocks.

    Returns
    -------
    float64 (cells,)
        The blocks of the pairs, one after another; row by row.

    Examples
    --------
    "cat" and "cats" share 3 bytes of 7:

    >>> text = np.frombuffer(b"catcats", np.uint8)
    >>> ids, offsets = np.array([0, 1, 0], np.int32), np.array([0, 1, 3])
    >>> substring_blocks(text, np.array([0, 3, 7]), ids, offsets, np.array([0]), np.array([1]), 2).round(6)
    array([0.857143, 1.      ])
    """
    block = np.empty(cells)
    _substrings(buffer, words, ids, offsets, own, its, np.empty(longest_row(words) + 1, np.int64), block)
    return block


def cosine_blocks(
    units: tuple[Floats, Floats],
    rows: Ids,
    forms: Ids,
    known: tuple[Flags, Flags],
    offsets: Offsets,
    own: Offsets,
    its: Offsets,
    cells: int,
) -> Floats:
    """The cosines of words, 0 for those below 0; 1 for two words of the same form if one of them has no vector.

    Parameters
    ----------
    units : two float64 (n_rows, width)
        Vectors of length 1 or 0, for the tokens of the first text of a pair and for those of the second one.
    rows : int32 (n_tokens,)
        The row of each token's vector.
    forms : int32 (n_rows,)
        The form of each row, such as the word in lower case.
    known : two bool (n_rows,)
        False for rows that may be equal by their forms.
    offsets, own, its, cells
        As for ``substring_blocks``.

    Returns
    -------
    float64 (cells,)

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]])
    >>> ids, known = np.arange(3, dtype=np.int32), np.zeros(3, np.bool_)
    >>> ends = np.array([0, 1, 3])
    >>> cosine_blocks((vectors, vectors), ids, ids, (known, known), ends, np.array([0]), np.array([1]), 2)
    array([0.6, 0. ])
    """
    block = np.empty(cells)
    _cosines(*units, rows, forms, *known, offsets, own, its, block)
    return block


def phrase_matches(
    ids: Ids, places: Ids, own_weights: Floats, its_weights: Floats, block: Floats, phrases: Offsets, order: int
) -> Floats:
    """The precision and the recall of pairs of phrases.

    Parameters
    ----------
    ids : int32 (n_tokens,)
    places : int32 (n_tokens,)
        The row or the column of each token in the blocks of its text.
    own_weights, its_weights : float64 (n_types,)
        The weight of each type in the first and in the second phrase.
    block : float64
        Similarities, as ``substring_blocks`` gives them.
    phrases : int64 (n, 6)
        Where the first phrase begins among the tokens and how long it is; the same of the second one; where the block
        of both texts begins, and how many columns it has.
    order : int
        The length of an n-gram, or of the shorter phrase if that is less.

    Returns
    -------
    float64 (n, 2)
        0 to 1; 0 if a phrase is empty.

    Examples
    --------
    Two of three words of the first phrase are in the second one, which has no other words:

    >>> ids, weights = np.array([0, 1, 2, 0, 1], np.int32), np.ones(3)
    >>> block = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    >>> phrase_matches(ids, ids, weights, weights, block, np.array([[0, 3, 3, 2, 0, 2]]), 1).round(6)
    array([[0.666667, 1.      ]])
    """
    scores = np.empty((len(phrases), 2))
    _matches(ids, places, own_weights, its_weights, block, phrases, order, scores)
    return scores
