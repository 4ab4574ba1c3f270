"""How similar two phrases are: similarities of their words, and the best match of each n-gram (Lo 2019).

A block holds the similarities of the distinct words of one text (rows) with those of another text (columns). The blocks
of several pairs of texts lie in one array, one after another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Bytes, Flags, FloatRows, Floats, Ids, Number, Offsets, Rows, longest_row
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["Vectors", "Words", "cosine_blocks", "phrase_matches", "substring_blocks"]


class Vectors(NamedTuple):
    """What words are compared by.

    Attributes
    ----------
    own, its : float64 (n_rows, width)
        Vectors of length 1 or 0, for the words of a hypothesis and for those of a reference.
    forms : int32 (n_rows,)
        The form of each row, such as the word in lower case.
    own_known, its_known : bool (n_rows,)
        False for rows that may be equal by their forms.
    """

    own: FloatRows
    its: FloatRows
    forms: Ids
    own_known: Flags
    its_known: Flags


class Words(NamedTuple):
    """The words of texts.

    Attributes
    ----------
    ids : int32 (n_tokens,)
    places : int32 (n_tokens,)
        The row or the column of each token in the blocks of its text.
    own_weights, its_weights : float64 (n_types,)
        The weight of each type in the first and in the second phrase of a pair.
    """

    ids: Ids
    places: Ids
    own_weights: Floats
    its_weights: Floats


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
def _substrings(buffer: Bytes, words: Offsets, texts: Pairs, runs: Offsets, block: Floats) -> None:
    ids, at = texts.ids, 0
    for pair in range(len(texts.hypotheses)):
        first, count, its_first, its_count = places(texts, pair)
        for i in range(first, first + count):
            one, length = words[ids[i]], words[ids[i] + 1] - words[ids[i]]
            for j in range(its_first, its_first + its_count):
                other, width = words[ids[j]], words[ids[j] + 1] - words[ids[j]]
                shared = length
                if ids[i] != ids[j]:
                    shared = _longest_substring(buffer, one, length, other, width, runs)
                block[at] = 2.0 * shared / (length + width)
                at += 1


@kernel
def _cosines(vectors: Vectors, texts: Pairs, block: Floats) -> None:
    """Invariant: the cosines of row i are complete once all numbers of its vector were taken."""
    at, width = 0, vectors.own.shape[1]
    for pair in range(len(texts.hypotheses)):
        first, count, its_first, its_count = places(texts, pair)
        for i in range(first, first + count):
            one = texts.ids[i]
            for j in range(its_first, its_first + its_count):
                other = texts.ids[j]
                value = 0.0
                for k in range(width):
                    value += vectors.own[one, k] * vectors.its[other, k]
                known = vectors.own_known[one] and vectors.its_known[other]
                if vectors.forms[one] == vectors.forms[other] and not known:
                    value = 1.0
                block[at] = value if value > 0.0 else 0.0
                at += 1


@helper
def _best_matches(
    ids: Ids,
    places: Ids,
    others: Ids,
    weights: Floats,
    order: Number,
    block: Floats,
    step: Number,
    other_step: Number,
) -> Number:
    """The mean, over the n-grams of a phrase, of the greatest similarity with one of the other phrase, by weights."""
    matched = total = 0.0
    for x in range(len(ids) - order + 1):
        best = 0.0
        for y in range(len(others) - order + 1):
            value = 0.0
            for k in range(order):
                value += weights[ids[x + k]] * block[places[x + k] * step + others[y + k] * other_step]
            best = greater(best, value)
        matched += best
        for k in range(order):
            total += weights[ids[x + k]]
    return matched / total if total > 0.0 else 0.0


@kernel
def _matches(words: Words, block: Floats, phrases: Rows, order: int, scores: FloatRows) -> None:
    for p in range(len(phrases)):
        start, length, other, its_length = phrases[p, 0], phrases[p, 1], phrases[p, 2], phrases[p, 3]
        n, cells, step = lesser(order, lesser(length, its_length)), block[phrases[p, 4] :], phrases[p, 5]
        ids, its_ids = words.ids[start : start + length], words.ids[other : other + its_length]
        own, its = words.places[start : start + length], words.places[other : other + its_length]
        scores[p, 0] = scores[p, 1] = 0.0
        if n > 0:
            scores[p, 0] = _best_matches(ids, own, its, words.own_weights, n, cells, step, 1)
            scores[p, 1] = _best_matches(its_ids, its, own, words.its_weights, n, cells, 1, step)


def substring_blocks(buffer: Bytes, words: Offsets, texts: Pairs, cells: int) -> Floats:
    """Twice the longest run of bytes that two words share, divided by the bytes of both.

    Parameters
    ----------
    buffer, words : uint8, int64 (n_types + 1,)
        Type t has the bytes ``buffer[words[t]:words[t + 1]]``, one at least.
    texts : Pairs
        The distinct words of texts.
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
    >>> pair = Pairs(np.array([0, 1, 0], np.int32), np.array([0, 1, 3]), np.array([0]), np.array([1]))
    >>> substring_blocks(text, np.array([0, 3, 7]), pair, 2).round(6)
    array([0.857143, 1.      ])
    """
    block = np.empty(cells)
    _substrings(buffer, words, *texts, np.empty(longest_row(words) + 1, np.int64), block)
    return block


def cosine_blocks(vectors: Vectors, texts: Pairs, cells: int) -> Floats:
    """The cosines of words, 0 for those below 0; 1 for two words of the same form if one of them has no vector.

    The ids of the texts are rows of the vectors; `cells` and what is returned are as in ``substring_blocks``.

    Examples
    --------
    >>> units, forms = np.array([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]]), np.arange(3, dtype=np.int32)
    >>> known = np.zeros(3, np.bool_)
    >>> pair = Pairs(forms, np.array([0, 1, 3]), np.array([0]), np.array([1]))
    >>> cosine_blocks(Vectors(units, units, forms, known, known), pair, 2)
    array([0.6, 0. ])
    """
    block = np.empty(cells)
    _cosines(*vectors, *texts, block)
    return block


def phrase_matches(words: Words, block: Floats, phrases: Offsets, order: int) -> Floats:
    """The precision and the recall of pairs of phrases.

    Parameters
    ----------
    words : Words
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
    >>> phrase_matches(Words(ids, ids, weights, weights), block, np.array([[0, 3, 3, 2, 0, 2]]), 1).round(6)
    array([[0.666667, 1.      ]])
    """
    scores = np.empty((len(phrases), 2))
    _matches(*words, block, phrases, order, scores)
    return scores
