"""Word order: which word of one text each word of another stands for, and how well the order is kept.

The text t is `ids[offsets[t]:offsets[t + 1]]`.
"""

from __future__ import annotations

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Floats, Ids, Number, Offsets
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["ascending_pairs", "rank_differences", "run_pairs", "word_ranks"]


@helper
def _unique_ngrams(
    ids: Ids, begin: Number, count: Number, step: Number, heads: Offsets, following: Offsets, seen: Offsets,
    runs: Offsets, lengths: Offsets, ranks: Offsets,
) -> None:  # fmt: skip
    """For each word of the first text, the shortest n-gram that begins there and is unique in both texts.

    With a `step` of -1, it ends there. `lengths` has the number of its words, 0 if there is none, and `ranks` the
    place of the word in the second text.

    The words of both texts are numbered on: those of the first text, a gap, those of the second text. `heads` and
    `following` list the places of each type. Two places with the same word lie on the diagonal of their difference.

    Invariant: `runs[d]` is the number of equal words from the place that was last `seen` on diagonal d. An n-gram is
    unique if it is longer than what any other place has in common with it, and it is in the second text if the longest
    of these is there.
    """
    seen[:] = -2
    for done in range(count):
        i = count - 1 - done if step > 0 else done
        longest, others, rank = int64(0), int64(0), int64(-1)
        place = heads[ids[begin + i]]
        while place >= 0:
            if place != i:
                diagonal = place - i + count
                length = runs[diagonal] + 1 if seen[diagonal] == i + step else int64(1)
                seen[diagonal] = i
                runs[diagonal] = length
                if place > count and length > longest:
                    others = greater(others, longest)
                    longest = length
                    rank = place - count - 1
                else:
                    others = greater(others, length)
            place = following[place]
        lengths[i] = others + 1 if others < longest else 0
        ranks[i] = rank


@helper
def _list_places(
    ids: Ids, begin: Number, count: Number, other: Number, other_count: Number, heads: Offsets, following: Offsets
) -> None:
    """Put the places of all words of both texts into the lists of their types."""
    for k in range(count):
        following[k] = heads[ids[begin + k]]
        heads[ids[begin + k]] = k
    for k in range(other_count):
        place = count + 1 + k
        following[place] = heads[ids[other + k]]
        heads[ids[other + k]] = place


@kernel
def _word_ranks(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, left_first: bool, whole_left: bool,
    heads: Offsets, following: Offsets, seen: Offsets, runs: Offsets, right: Offsets, right_ranks: Offsets,
    left: Offsets, left_ranks: Offsets, ranks: Offsets, contexts: Offsets,
) -> None:  # fmt: skip
    first = int64(0)
    for p in range(len(hypotheses)):
        begin, count = offsets[hypotheses[p]], offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        other, other_count = offsets[references[p]], offsets[references[p] + 1] - offsets[references[p]]
        _list_places(ids, begin, count, other, other_count, heads, following)
        diagonals = 2 * count + other_count + 1
        _unique_ngrams(ids, begin, count, 1, heads, following, seen[:diagonals], runs, right, right_ranks)
        _unique_ngrams(ids, begin, count, -1, heads, following, seen[:diagonals], runs, left, left_ranks)
        for i in range(count):
            before, after = left[i], right[i]
            if not whole_left and before == i + 1 and 2 * i > count:
                before = 0
            if before and (before < after or not after or (left_first and before == after)):
                ranks[first + i], contexts[first + i] = left_ranks[i], -before
            elif after:
                ranks[first + i], contexts[first + i] = right_ranks[i], after
            heads[ids[begin + i]] = -1
        for k in range(other_count):
            heads[ids[other + k]] = -1
        first += count


def word_ranks(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    vocabulary: int,
    left_first: bool,
    whole_left: bool,
) -> tuple[Offsets, Offsets]:
    """The place in the reference of each word of the hypothesis, by RIBES (Isozaki et al. 2010, section 3.2).

    A word stands for the word of the reference that has the same context: the shortest n-gram that ends or begins with
    the word, and is unique in both texts. If both are equally short, the one that begins with it counts, or with
    `left_first` the one that ends with it. Without `whole_left`, an n-gram from the first word to one of the second
    half does not count.

    All ids are below `vocabulary`. The number of steps is that of all pairs of equal words.

    Returns
    -------
    ranks, contexts : int64 (n_words,)
        For each word of the hypotheses, pair after pair: its place in the reference, -1 for none; and the number of
        words of the n-gram, below 0 if it ends with the word, and 0 for none.
    """
    words = int((offsets[hypotheses + 1] - offsets[hypotheses]).sum())
    ranks, contexts = np.full(words, -1), np.zeros(words, np.int64)
    longest = int(np.diff(offsets).max(initial=0))
    heads, following = np.full(vocabulary, -1), np.empty(2 * longest + 1, np.int64)
    seen, runs = np.empty((2, 3 * longest + 1), np.int64)
    right, right_ranks, left, left_ranks = np.empty((4, longest), np.int64)
    _word_ranks(
        ids, offsets, hypotheses, references, left_first, whole_left, heads, following, seen, runs, right, right_ranks,
        left, left_ranks, ranks, contexts,
    )  # fmt: skip
    return ranks, contexts


@kernel
def _ascending_pairs(ranks: Offsets, offsets: Offsets, counts: Floats) -> None:
    for t in range(len(counts)):
        count = int64(0)
        for i in range(offsets[t], offsets[t + 1]):
            for j in range(i + 1, offsets[t + 1]):
                count += ranks[i] < ranks[j]
        counts[t] = count


def ascending_pairs(ranks: Offsets, offsets: Offsets) -> Floats:
    """The number of pairs in each list of ranks, not only of neighbours, whose second rank is greater: (n_lists,)."""
    counts = np.empty(len(offsets) - 1)
    _ascending_pairs(ranks, offsets, counts)
    return counts


@kernel
def _run_pairs(ranks: Offsets, offsets: Offsets, counts: Floats) -> None:
    for t in range(len(counts)):
        count: Number = int64(0)
        run: Number = int64(0)
        for i in range(offsets[t] + 1, offsets[t + 1]):
            run = run + 1 if ranks[i] == ranks[i - 1] + 1 else 0
            count += run
        counts[t] = count


def run_pairs(ranks: Offsets, offsets: Offsets) -> Floats:
    """The number of pairs inside runs of ranks that rise by 1 from one to the next: (n_lists,)."""
    counts = np.empty(len(offsets) - 1)
    _run_pairs(ranks, offsets, counts)
    return counts


@kernel
def _rank_differences(ranks: Offsets, offsets: Offsets, sums: Floats) -> None:
    for t in range(len(sums)):
        total = 0.0
        for i in range(offsets[t], offsets[t + 1]):
            # Twice the place of i among the sorted ranks, and of equal ones twice their mean place.
            place = int64(-1)
            for j in range(offsets[t], offsets[t + 1]):
                place += 2 * (ranks[j] < ranks[i]) + (ranks[j] == ranks[i])
            difference = 0.5 * place - (i - offsets[t])
            total += difference * difference
        sums[t] = total


def rank_differences(ranks: Offsets, offsets: Offsets) -> Floats:
    """For each list, the sum of the squared differences between places in the list and in its order: (n_lists,).

    Equal ranks have the mean of their places.
    """
    sums = np.empty(len(offsets) - 1)
    _rank_differences(ranks, offsets, sums)
    return sums
