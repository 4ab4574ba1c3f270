"""Alignment by context: which word of a reference each word of a hypothesis stands for, by LEPOR (Han et al. 2012)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Floats, Ids, Number, Offsets
from metrologue.kernels.pairs import Pairs
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["PREFERENCES", "WINDOWS", "context_alignment", "position_differences"]

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
def _window(rule: _Rule, place: Number, begin: Number, length: Number) -> Number:
    """Where the context before a word begins."""
    start = place - begin - rule.context
    if start < 0 and rule.window == 1:
        start += length
    return lesser(place, begin + greater(start, int64(rule.window == 2)))


@helper
def _alike(
    ids: Ids,
    i: Number,
    first: Number,
    last: Number,
    k: Number,
    other_first: Number,
    other_last: Number,
    any_place: bool,
) -> Number:
    """Whether the contexts of the words i and k have a word in common; without `any_place`, at the same distance."""
    for x in range(first, last):
        for y in range(other_first, other_last):
            if x != i and y != k and ids[x] == ids[y] and (any_place or x - i == y - k):
                return True
    return False


@kernel
def _context_alignment(texts: Pairs, rule: _Rule, heads: Offsets, following: Offsets, places: Offsets) -> None:
    """Invariant: the list of a type has the places of its words in the reference that are free, in ascending order."""
    ids, offsets, hypotheses, references = texts
    first = int64(0)
    for p in range(len(hypotheses)):
        begin, end = offsets[hypotheses[p]], offsets[hypotheses[p] + 1]
        other, other_end = offsets[references[p]], offsets[references[p] + 1]
        for k in range(other_end - other - 1, -1, -1):
            following[k] = heads[ids[other + k]]
            heads[ids[other + k]] = k
        for i in range(begin, end):
            place, several = heads[ids[i]], False
            if place >= 0:
                several = following[place] >= 0
            best, closest, inside, index = place, int64(-1), int64(0), int64(0)
            while several and place >= 0:
                alike = _alike(
                    ids,
                    i,
                    _window(rule, i, begin, end - begin),
                    lesser(i + rule.context + 1, end),
                    other + place,
                    _window(rule, other + place, other, other_end - other),
                    lesser(other + place + rule.context + 1, other_end),
                    rule.any_place,
                )
                if alike and not inside:
                    closest = int64(-1)
                distance = abs(i - begin - place)
                nearer = closest < 0 or (distance > closest if rule.preference == 1 else distance < closest)
                if (alike or not inside) and nearer:
                    best, closest, index = place, distance, inside
                inside += alike
                place = following[place]
            if rule.preference == 2 and inside:
                best = heads[ids[i]]
                for _ in range(index):
                    best = following[best]
            places[first + i - begin] = best
            if rule.exclusive and best >= 0:
                before = heads[ids[i]]
                if before == best:
                    heads[ids[i]] = following[best]
                else:
                    while following[before] != best:
                        before = following[before]
                    following[before] = following[best]
        for k in range(other, other_end):
            heads[ids[k]] = -1
        first += end - begin


def context_alignment(
    texts: Pairs,
    vocabulary: int,
    *,
    context: int,
    any_place: bool,
    window: str,
    preference: str,
    exclusive: bool,
) -> Offsets:
    """The place in the reference of each word of the hypothesis, pair after pair: int64 (n_words,), -1 for none.

    Words are aligned from left to right, with an equal word of the reference. If there are several, one with a common
    context comes first: one of up to `context` words before and after it is also near the other word. With `any_place`
    this word may be anywhere in the two contexts, otherwise it must have the same distance from both words. `window` is
    one of ``WINDOWS``, and `preference` one of ``PREFERENCES``. With `exclusive`, a word of the reference is only taken
    once.

    All ids are below `vocabulary`.
    """
    lengths = np.diff(texts.offsets)
    heads, following = np.full(vocabulary, -1), np.empty(int(lengths.max(initial=0)), np.int64)
    places = np.empty(int(lengths[texts.hypotheses].sum()), np.int64)
    rule = _Rule(context, any_place, WINDOWS.index(window), PREFERENCES.index(preference), exclusive)
    _context_alignment(*texts, *rule, heads, following, places)
    return places


@kernel
def _position_differences(
    places: Offsets, lengths: Offsets, reference_lengths: Offsets, of_matches: bool, sums: Floats, matches: Offsets
) -> None:
    first = int64(0)
    for p in range(len(lengths)):
        total, aligned = 0.0, int64(0)
        for i in range(lengths[p]):
            place = places[first + i]
            if place >= 0:
                own = aligned if of_matches else int64(i)
                total += abs((own + 1) / lengths[p] - (place + 1) / reference_lengths[p])
                aligned += 1
        sums[p], matches[p] = total, aligned
        first += lengths[p]


def position_differences(
    places: Offsets, lengths: Offsets, reference_lengths: Offsets, of_matches: bool
) -> tuple[Floats, Offsets]:
    """For each pair, the differences of the relative places of its aligned words, summed, and how many they are.

    Parameters
    ----------
    places : int64 (n_words,)
        As ``context_alignment`` gives them.
    lengths, reference_lengths : int64 (n_pairs,)
        The words of both texts.
    of_matches : bool
        Whether the place of a word in the hypothesis is its number among the aligned words, not among all words.

    Returns
    -------
    sums : float64 (n_pairs,)
    matches : int64 (n_pairs,)
    """
    sums, matches = np.zeros(len(lengths)), np.zeros(len(lengths), np.int64)
    _position_differences(places, lengths, reference_lengths, of_matches, sums, matches)
    return sums, matches
