"""Alignment by context: which word of a reference each word of a hypothesis stands for, by LEPOR (Han et al. 2012)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Floats, Ids, Number, Offsets
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.ngrams import IndexPairs

__all__ = ["PREFERENCES", "WINDOWS", "context_alignment"]

# Where the words before a word begin, if the text has fewer of them than asked for. "clipped": at the first word.
# "slice": a start below 0 counts from the end of the text, as in a Python slice, so that mostly nothing is left.
# "without-first": at the second word.
WINDOWS = ("clipped", "slice", "without-first")
# Which of several words of the reference is taken: the one at the nearest or at the farthest place. "nearest-index": if
# the nearest one with a common context is number k of those with such a context, number k of all is taken.
PREFERENCES = ("nearest", "farthest", "nearest-index")


class _Rule(NamedTuple):
    """The options of ``context_alignment``, with the indices of the window and of the preference."""

    context: int
    any_place: bool
    window: int
    preference: int
    exclusive: bool


@helper
def _window(rule: _Rule, place: Number, length: Number) -> Number:
    """Where the context before a word of a text begins."""
    start = place - rule.context
    if start < 0 and rule.window == 1:
        start += length
    return lesser(place, greater(start, int64(rule.window == 2)))


@helper
def _alike(
    ids: Ids,
    begin: Number,
    i: Number,
    first: Number,
    last: Number,
    other: Number,
    k: Number,
    other_first: Number,
    other_last: Number,
    any_place: bool,
) -> Number:
    """Whether the contexts of the words i and k have a word in common; without `any_place`, at the same distance."""
    for x in range(first, last):
        for y in range(other_first, other_last):
            if x != i and y != k and ids[begin + x] == ids[other + y] and (any_place or x - i == y - k):
                return True
    return False


@helper
def _nearest(texts: Pairs, p: Number, i: Number, head: Number, rule: _Rule, following: Offsets) -> Number:
    """The place for the word i among several, which follow each other from `head` on. Places are counted from 1 on."""
    begin, length, other, other_length = places(texts, p)
    first, last = _window(rule, i, length), lesser(i + rule.context + 1, length)
    best, closest, inside, index, k = head, int64(-1), int64(0), int64(0), head
    while k > 0:
        alike = _alike(
            texts.ids, begin, i, first, last, other, k - 1, _window(rule, k - 1, other_length),
            lesser(k + rule.context, other_length), rule.any_place,
        )  # fmt: skip
        if alike and not inside:
            closest = int64(-1)
        distance = abs(i + 1 - k)
        nearer = closest < 0 or (distance > closest if rule.preference == 1 else distance < closest)
        if (alike or not inside) and nearer:
            best, closest, index = k, distance, inside
        inside += alike
        k = following[k]
    if rule.preference == 2 and inside:
        best = head
        for _ in range(index):
            best = following[best]
    return best


@kernel
def _context_alignment(
    texts: IndexPairs,
    rule: _Rule,
    of_matches: bool,
    heads: Offsets,
    following: Offsets,
    found: Offsets,
    aligned: Offsets,
    sums: Floats,
    matches: Offsets,
) -> None:
    """Places are counted from 1 on, and 0 is none, so that no branch depends on whether a word has a place.

    Invariant: the list of a type has the places of its words in the reference that are free, in ascending order. The
    list begins at `heads[type] - used`; below, a reference before this one had the type.
    """
    ids, first, used = texts.ids, int64(0), int64(0)
    for p in range(len(matches)):
        begin, length, other, other_length = places(texts, p)
        for k in range(other_length, 0, -1):
            following[k] = greater(heads[ids[other + k - 1]] - used, 0)
            heads[ids[other + k - 1]] = used + k
        total, count = 0.0, int64(0)
        for i in range(length):
            token = ids[begin + i]
            head = greater(heads[token] - used, 0)
            best = head
            if following[head] > 0:
                best = _nearest(texts, p, i, head, rule, following)
            if rule.exclusive:
                if best == head:
                    heads[token] = used + following[best]
                else:
                    before = head
                    while following[before] != best:
                        before = following[before]
                    following[before] = following[best]
            aligned[first + i] = best - 1
            found[count] = i
            count += int64(best > 0)
        for n in range(count):
            own = int64(n) if of_matches else found[n]
            total += abs((own + 1) / length - (aligned[first + found[n]] + 1) / other_length)
        sums[p], matches[p] = total, count
        first += length
        used += other_length


def context_alignment(
    texts: Pairs,
    vocabulary: int,
    *,
    context: int,
    any_place: bool,
    window: str,
    preference: str,
    exclusive: bool,
    of_matches: bool = False,
) -> tuple[Offsets, Floats, Offsets]:
    """Align the words of each hypothesis with those of its reference.

    Words are aligned from left to right, with an equal word of the reference. If there are several, one with a common
    context comes first: one of up to `context` words before and after it is also near the other word. With `any_place`
    this word may be anywhere in the two contexts, otherwise it must have the same distance from both words. `window` is
    one of ``WINDOWS``, and `preference` one of ``PREFERENCES``. With `exclusive`, a word of the reference is only taken
    once.

    All ids are below `vocabulary`. With `of_matches`, the place of a word in the hypothesis is its number among the
    aligned words, not among all words.

    Returns
    -------
    aligned : int64 (n_words,)
        The place in the reference of each word of the hypotheses, pair after pair; -1 for none.
    sums : float64 (n_pairs,)
        The differences of the relative places of aligned words, summed.
    matches : int64 (n_pairs,)
        How many words are aligned.
    """
    lengths = np.diff(texts.offsets)
    heads = np.zeros(vocabulary, np.int64)
    following, found = np.zeros((2, int(lengths.max(initial=0)) + 1), np.int64)
    aligned = np.empty(int(lengths[texts.hypotheses].sum()), np.int64)
    sums, matches = np.empty(len(texts.hypotheses)), np.empty(len(texts.hypotheses), np.int64)
    rule = _Rule(context, any_place, WINDOWS.index(window), PREFERENCES.index(preference), exclusive)
    unsigned = texts.ids.view(np.uint32), *texts[1:]
    _context_alignment(*unsigned, *rule, of_matches, heads, following, found, aligned, sums, matches)
    return aligned, sums, matches
