"""Word order: which word of one text each word of another stands for, and how well the order is kept."""

from __future__ import annotations

import math
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows, longest_row
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["KENDALL", "RUNS", "SPEARMAN", "numbers_of", "order_rows", "word_ranks"]

# What the agreement of a list of ranks counts.
KENDALL, RUNS, SPEARMAN = range(3)
# A pair is searched word by word for so many steps for each of its words. Only texts of few types need more.
_STEPS = 16
# Up to so many ranks are compared with each other, which takes less time than a tree of sums.
_SHORT = 64
# For texts of so few words in all, there is room from call to call.
_FEW = 1 << 8
_KEPT = local()


class _Rule(NamedTuple):
    """Which n-gram tells the place of a word; see ``word_ranks``."""

    left_first: bool
    whole_left: bool


class _Room(NamedTuple):
    """Arrays that hold nothing between two pairs: `seen` is all 0 then, and all of `numbers` are below `free[0]`."""

    free: Offsets
    numbers: Offsets
    work: Rows
    right: Offsets
    right_ranks: Offsets
    left: Offsets
    left_ranks: Offsets
    known: Offsets
    seen: Offsets

    @classmethod
    def of(cls, longest: int, vocabulary: int) -> _Room:
        """Room for texts of up to `longest` words, with ids below `vocabulary`."""
        one, two, three, four, five = np.empty((5, longest), np.int64)
        work, seen = np.empty((5, 2 * longest + 3), np.int64), np.zeros(longest + 1, np.int64)
        return cls(np.zeros(1, np.int64), np.full(vocabulary, -1), work, one, two, three, four, five, seen)


def _room(longest: int, vocabulary: int) -> Any:
    if longest > _FEW or vocabulary > _FEW:
        return _Room.of(longest, vocabulary)
    try:
        return _KEPT.room
    except AttributeError:
        _KEPT.room = _Room.of(_FEW, _FEW)
        return _KEPT.room


@helper
def _number(
    ids: Ids, begin: Number, count: Number, step: Number, room: _Room, known: Number, letters: Offsets
) -> Number:
    """Number the types of a text from `known` on, and write the letters of the text. Returns the next number."""
    for k in range(count):
        token = ids[begin + k if step > 0 else begin + count - 1 - k]
        if room.numbers[token] < room.free[0]:
            room.numbers[token] = room.free[0] + known
            known += 1
        letters[k] = room.numbers[token] - room.free[0]
    return known


@helper
def _by_name(order: Offsets, names: Offsets, counts: Offsets, ordered: Offsets) -> None:
    """Sort the places of `order` by their names, from 0 on. Places with the same name keep their order."""
    counts[: len(names)] = 0
    for k in range(len(names)):
        counts[names[k]] += 1
    total = int64(0)
    for k in range(len(names)):
        total, counts[k] = total + counts[k], total
    for k in range(len(order)):
        place = order[k]
        ordered[counts[names[place]]] = place
        counts[names[place]] += 1


@helper
def _sort_suffixes(letters: Offsets, names: Offsets, order: Offsets, spare: Offsets, counts: Offsets) -> None:
    """Sort the suffixes of a text whose last letter occurs once, by doubling (Manber and Myers 1993).

    Invariant: `names` tells the order of the first `width` letters of each suffix, and `order` is sorted by it.
    """
    n = len(letters)
    for i in range(n):
        names[i] = letters[i]
        spare[i] = i
    _by_name(spare, names, counts, order)
    width, distinct = 1, int64(0)
    while distinct < n:
        # By the letters after the first ones: suffixes without such letters come first.
        done = int64(0)
        for i in range(n - width, n):
            spare[done] = i
            done += 1
        for k in range(n):
            if order[k] >= width:
                spare[done] = order[k] - width
                done += 1
        _by_name(spare, names, counts, order)
        spare[order[0]] = 0
        distinct = int64(1)
        for k in range(1, n):
            i, j = order[k], order[k - 1]
            same = names[i] == names[j] and i + width < n and j + width < n and names[i + width] == names[j + width]
            distinct += not same
            spare[i] = distinct - 1
        for i in range(n):
            names[i] = spare[i]
        width *= 2


@helper
def _compare_neighbours(letters: Offsets, names: Offsets, order: Offsets, common: Offsets) -> None:
    """How many letters each sorted suffix has in common with the one before it (Kasai et al. 2001).

    Invariant: a suffix has as many in common as the suffix that is longer by a letter, less one, or more.
    """
    n = len(letters)
    length = int64(0)
    common[0] = common[n] = 0
    for i in range(n):
        if names[i] > 0:
            j = order[names[i] - 1]
            while i + length < n and j + length < n and letters[i + length] == letters[j + length]:
                length += 1
            common[names[i]] = length
            length = greater(length - 1, 0)
        else:
            length = int64(0)


@helper
def _unique_ngrams(texts: Pairs, p: Number, step: Number, room: _Room, lengths: Offsets, ranks: Offsets) -> None:
    """For each word of the first text, the shortest n-gram that begins there and is unique in both texts.

    With a `step` of -1, it ends there. `lengths` has the number of its words, 0 if there is none, and `ranks` the
    place of the word in the second text.

    An n-gram is unique if it is longer than what any other place has in common with it, and it is in the second text if
    the longest of these is there. Among the sorted suffixes of both texts, it is next to the suffix of the word. Each
    text ends with a letter of its own, so that no n-gram goes on into the other text.
    """
    ids, work = texts.ids, room.work
    begin, count, other, other_count = places(texts, p)
    n = count + other_count + 2
    letters, names, order = work[0, :n], work[1, :n], work[2, :n]
    spare, common = work[3, :n], work[4, : n + 1]
    known = _number(ids, begin, count, step, room, 0, letters)
    known = _number(ids, other, other_count, step, room, known, letters[count + 1 :])
    room.free[0] += known
    letters[count], letters[n - 1] = known, known + 1
    _sort_suffixes(letters, names, order, spare, common)
    _compare_neighbours(letters, names, order, common)
    for i in range(count):
        above, below = common[names[i]], common[names[i] + 1]
        if above > below:
            best, longest, others = order[names[i] - 1], above, greater(below, common[names[i] - 1])
        else:
            longest = below
            best, others = i, below
            if below > above:
                best, others = order[names[i] + 1], greater(above, common[names[i] + 2])
        at = i if step > 0 else count - 1 - i
        lengths[at] = others + 1 if best > count and others < longest else 0
        ranks[at] = best - count - 1 if step > 0 else other_count - 1 - (best - count - 1)


@helper
def _common(ids: Ids, i: Number, j: Number, step: Number, most: Number) -> Number:
    """How many words from i and from j on are equal, in steps of 1 or -1; the first ones are, and `most` can be."""
    length: Number = int64(1)
    while length < most and ids[i + step * length] == ids[j + step * length]:
        length += 1
    return length


@helper
def _search(texts: Pairs, p: Number, step: Number, i: Number, head: Number, room: _Room, left: Number) -> Number:
    """As ``_unique_ngrams`` for the word i alone, whose places in both texts follow each other from `head` on.

    Returns what is left of so many steps, each of which compares two words; below 0 if they were not enough.
    """
    begin, count, other, other_count = places(texts, p)
    following = room.work[0]
    best, longest, others = int64(0), int64(0), int64(0)
    place = head
    while place >= 0 and left >= 0:
        if place < count:
            start, at, words = begin, place, count
        else:
            start, at, words = other, place - count, other_count
        if place != i:
            most = lesser(count - i, words - at) if step > 0 else lesser(i, at) + 1
            length = _common(texts.ids, begin + i, start + at, step, most)
            left -= length
            if place >= count and length > longest:
                best, longest, length = at, length, longest
            others = greater(others, length)
        place = following[place]
    lengths, ranks = (room.right, room.right_ranks) if step > 0 else (room.left, room.left_ranks)
    lengths[i], ranks[i] = others + 1 if others < longest else 0, best
    return left


@helper
def _choose(i: Number, count: Number, rule: _Rule, room: _Room, ranks: Offsets, contexts: Offsets) -> None:
    """The place of the word i of `count`, and the words that tell it, by the shorter one of its two n-grams."""
    after = room.right[i]
    skips = not rule.whole_left and room.left[i] == i + 1 and 2 * i > count
    before = int64(0) if skips else room.left[i]
    ranks[i], contexts[i] = -1, 0
    if before and (before < after or not after or (rule.left_first and before == after)):
        ranks[i], contexts[i] = room.left_ranks[i], -before
    elif after:
        ranks[i], contexts[i] = room.right_ranks[i], after


@helper
def _search_all(texts: Pairs, p: Number, rule: _Rule, room: _Room, ranks: Offsets, contexts: Offsets) -> Number:
    """Rank the words of a pair one by one. Returns whether it was done: not where too many words are equal.

    The places of a type in both texts are a list: those in the hypothesis first, in ascending order.
    """
    begin, count, other, other_count = places(texts, p)
    ids, heads, following, free = texts.ids, room.numbers, room.work[0], room.free[0]
    for k in range(other_count - 1, -1, -1):
        following[count + k] = heads[ids[other + k]] - free
        heads[ids[other + k]] = free + count + k
    for i in range(count - 1, -1, -1):
        following[i] = heads[ids[begin + i]] - free
        heads[ids[begin + i]] = free + i
    room.free[0] += count + other_count
    left: Number = _STEPS * (count + other_count)
    alone = -1 if rule.left_first else 1
    for i in range(count):
        head = heads[ids[begin + i]] - free
        place = following[head]
        if place < 0 or (place >= count and following[place] < 0):  # only here, or once in both
            ranks[i], contexts[i] = place - count if place >= 0 else -1, alone * int64(place >= 0)
        else:
            left = _search(texts, p, -1, i, head, room, _search(texts, p, 1, i, head, room, left))
            _choose(i, count, rule, room, ranks, contexts)
    return left >= 0


@kernel
def _word_ranks(texts: Pairs, rule: _Rule, room: _Room, ranks: Offsets, contexts: Offsets) -> None:
    first = int64(0)
    for p in range(len(texts.hypotheses)):
        _, count, _, _ = places(texts, p)
        these, their_contexts = ranks[first : first + count], contexts[first : first + count]
        if not _search_all(texts, p, rule, room, these, their_contexts):
            _unique_ngrams(texts, p, 1, room, room.right, room.right_ranks)
            _unique_ngrams(texts, p, -1, room, room.left, room.left_ranks)
            for i in range(count):
                _choose(i, count, rule, room, these, their_contexts)
        first += count


def word_ranks(texts: Pairs, vocabulary: int, left_first: bool, whole_left: bool) -> tuple[Offsets, Offsets]:
    """The place in the reference of each word of the hypothesis, by RIBES (Isozaki et al. 2010, section 3.2).

    A word stands for the word of the reference that has the same context: the shortest n-gram that ends or begins with
    the word, and is unique in both texts. If both are equally short, the one that begins with it counts, or with
    `left_first` the one that ends with it. Without `whole_left`, an n-gram from the first word to one of the second
    half does not count.

    All ids are below `vocabulary`. A pair of n words takes n log n steps, however often a word occurs.

    Returns
    -------
    ranks, contexts : int64 (n_words,)
        For each word of the hypotheses, pair after pair: its place in the reference, -1 for none; and the number of
        words of the n-gram, below 0 if it ends with the word, and 0 for none.
    """
    ids, offsets, hypotheses, _ = texts
    if len(hypotheses) == 1:
        text = hypotheses.item(0)
        words = offsets.item(text + 1) - offsets.item(text)
    else:
        words = int(np.add.reduce(offsets[hypotheses + 1] - offsets[hypotheses]))
    ranks, contexts = np.empty(words, np.int64), np.empty(words, np.int64)
    room = _room(len(ids) if len(ids) <= _FEW else longest_row(offsets), vocabulary)
    _word_ranks(*texts, left_first, whole_left, *room, ranks, contexts)
    return ranks, contexts


@helper
def _ascending(ranks: Offsets, seen: Offsets) -> Number:
    """The number of pairs of ranks, not only of neighbours, whose second rank is greater.

    Invariant: `seen` is a tree of sums (Fenwick 1994) over the ranks before i. At the end it is all 0 again.
    """
    count, greatest = int64(0), int64(0)
    if len(ranks) <= _SHORT:
        for i in range(1, len(ranks)):
            for j in range(i):
                count += int64(ranks[j] < ranks[i])
        return count
    for i in range(len(ranks)):
        greatest = greater(greatest, ranks[i])
    for i in range(len(ranks)):
        place = ranks[i]
        while place > 0:
            count += seen[place]
            place &= place - 1
        place = ranks[i] + 1
        while place <= greatest:
            seen[place] += 1
            place += place & -place
    for i in range(len(ranks)):
        place = ranks[i] + 1
        while place <= greatest and seen[place]:
            seen[place] = 0
            place += place & -place
    return count


@helper
def _in_runs(ranks: Offsets) -> Number:
    """The number of pairs inside runs of ranks that rise by 1 from one to the next."""
    count: Number = int64(0)
    run: Number = int64(0)
    for i in range(1, len(ranks)):
        run = run + 1 if ranks[i] == ranks[i - 1] + 1 else 0
        count += run
    return count


@helper
def _differences(ranks: Offsets, seen: Offsets) -> Number:
    """The sum of the squared differences between places in the list and in its order; equal ranks have their mean.

    `seen` gets twice the place of each rank among the sorted ones. At the end it is all 0 again.
    """
    greatest = int64(-1)
    for i in range(len(ranks)):
        seen[ranks[i]] += 1
        greatest = greater(greatest, ranks[i])
    before, total = int64(0), 0.0
    for rank in range(greatest + 1):
        before, seen[rank] = before + seen[rank], 2 * before + seen[rank] - 1
    for i in range(len(ranks)):
        difference = 0.5 * seen[ranks[i]] - i
        total += difference * difference
    seen[: greatest + 1] = 0
    return total


@kernel
def _order_rows(
    ranks: Offsets, texts: Pairs, correlation: int, single_matches: bool, known: Offsets, seen: Offsets, rows: FloatRows
) -> None:
    first = int64(0)
    for p in range(len(rows)):
        _, own, _, its = places(texts, p)
        count = int64(0)
        for i in range(first, first + own):
            known[count] = ranks[i]
            count += int64(ranks[i] >= 0)
        first += own
        n, these = float(count), known[:count]
        full = n * (n - 1) / 2
        if single_matches and count == 1 and its == 1:
            agreement, full = 1.0, 1.0
        elif correlation == KENDALL:
            agreement = float(_ascending(these, seen))
        elif correlation == RUNS:
            agreement = float(_in_runs(these))
        else:
            # (1 + rho) / 2 as a part and a whole: the opposite order has squared differences of (n^3 - n) / 3.
            full = (n * n * n - n) / 3
            agreement = full - _differences(these, seen)
        rows[p, 0], rows[p, 1], rows[p, 2], rows[p, 3], rows[p, 4] = agreement, full, n, own, its


def order_rows(ranks: Offsets, texts: Pairs, correlation: int, single_matches: bool) -> Floats:
    """Agreement, full agreement, number of ranks, and both lengths of each pair, (pairs, 5).

    `ranks` are those of ``word_ranks``. The agreement is the number of pairs of ranks in ascending order (`KENDALL`),
    of those inside runs of ranks that rise by 1 (`RUNS`), or Spearman's rho on a scale from 0 to the full agreement
    (`SPEARMAN`). With `single_matches`, a rank in a reference of one word agrees with itself.
    """
    rows = np.empty((len(texts.hypotheses), 5))
    words = texts.offsets.item(-1)
    room = _room(words if words <= _FEW else longest_row(texts.offsets), 0)
    _order_rows(ranks, *texts, correlation, single_matches, room.known, room.seen, rows)
    return rows


@kernel
def _numbers_of(rows: FloatRows, from_tau: bool, scale: float, alpha: float, beta: float, numbers: FloatRows) -> None:
    for i in range(len(rows)):
        own, its = rows[i, 3], rows[i, 4]
        correlation = rows[i, 0] / rows[i, 1] if rows[i, 1] > 0 else 0.0
        if from_tau:
            correlation = ((2 * correlation - 1) + 1) / 2
        precision = rows[i, 2] / own if own > 0 else 0.0
        penalty = math.exp(1.0 - its / own) if own < its else 1.0
        numbers[0, i] = scale * (correlation * precision**alpha * penalty**beta)
        numbers[1, i], numbers[2, i], numbers[3, i] = correlation, precision, penalty
        for k in range(5):
            numbers[4 + k, i] = rows[i, k]


def numbers_of(rows: Floats, from_tau: bool, scale: float, alpha: float, beta: float) -> Floats:
    """The score, the correlation, the precision, the penalty, and the five counts of rows (..., 5): (9, ...)."""
    numbers = np.empty((9, *rows.shape[:-1]))
    flat = np.ascontiguousarray(rows, np.float64).reshape(-1, 5)
    _numbers_of(flat, from_tau, scale, alpha, beta, numbers.reshape(9, -1))
    return numbers
