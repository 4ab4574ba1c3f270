"""Word order: which word of one text each word of another stands for, and how well the order is kept.

The text t is `ids[offsets[t]:offsets[t + 1]]`.
"""

from __future__ import annotations

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows, longest_row
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["ascending_pairs", "known_ranks", "order_rows", "rank_differences", "run_pairs", "word_ranks"]


@helper
def _number(
    ids: Ids, begin: Number, count: Number, step: Number, numbers: Offsets, known: Number, letters: Offsets
) -> Number:
    """Number the types of a text from `known` on, and write the letters of the text. Returns the next number."""
    for k in range(count):
        token = ids[begin + k if step > 0 else begin + count - 1 - k]
        if numbers[token] < 0:
            numbers[token] = known
            known += 1
        letters[k] = numbers[token]
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
def _unique_ngrams(
    ids: Ids,
    begin: Number,
    count: Number,
    other: Number,
    other_count: Number,
    step: Number,
    numbers: Offsets,
    work: Rows,
    lengths: Offsets,
    ranks: Offsets,
) -> None:
    """For each word of the first text, the shortest n-gram that begins there and is unique in both texts.

    With a `step` of -1, it ends there. `lengths` has the number of its words, 0 if there is none, and `ranks` the
    place of the word in the second text.

    An n-gram is unique if it is longer than what any other place has in common with it, and it is in the second text if
    the longest of these is there. Among the sorted suffixes of both texts, it is next to the suffix of the word. Each
    text ends with a letter of its own, so that no n-gram goes on into the other text.
    """
    n = count + other_count + 2
    letters, names, order = work[0, :n], work[1, :n], work[2, :n]
    spare, common = work[3, :n], work[4, : n + 1]
    known = _number(ids, begin, count, step, numbers, 0, letters)
    known = _number(ids, other, other_count, step, numbers, known, letters[count + 1 :])
    letters[count], letters[n - 1] = known, known + 1
    for k in range(count):
        numbers[ids[begin + k]] = -1
    for k in range(other_count):
        numbers[ids[other + k]] = -1
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


@kernel
def _word_ranks(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    left_first: bool,
    whole_left: bool,
    numbers: Offsets,
    work: Rows,
    right: Offsets,
    right_ranks: Offsets,
    left: Offsets,
    left_ranks: Offsets,
    ranks: Offsets,
    contexts: Offsets,
) -> None:
    first = int64(0)
    for p in range(len(hypotheses)):
        begin, count = offsets[hypotheses[p]], offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        other, other_count = offsets[references[p]], offsets[references[p] + 1] - offsets[references[p]]
        _unique_ngrams(ids, begin, count, other, other_count, 1, numbers, work, right, right_ranks)
        _unique_ngrams(ids, begin, count, other, other_count, -1, numbers, work, left, left_ranks)
        for i in range(count):
            before, after = left[i], right[i]
            if not whole_left and before == i + 1 and 2 * i > count:
                before = 0
            if before and (before < after or not after or (left_first and before == after)):
                ranks[first + i], contexts[first + i] = left_ranks[i], -before
            elif after:
                ranks[first + i], contexts[first + i] = right_ranks[i], after
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

    All ids are below `vocabulary`. A pair of n words takes n log n steps, however often a word occurs.

    Returns
    -------
    ranks, contexts : int64 (n_words,)
        For each word of the hypotheses, pair after pair: its place in the reference, -1 for none; and the number of
        words of the n-gram, below 0 if it ends with the word, and 0 for none.
    """
    words = int(np.add.reduce(offsets[hypotheses + 1] - offsets[hypotheses]))
    ranks, contexts = np.full(words, -1), np.zeros(words, np.int64)
    longest = longest_row(offsets)
    numbers = np.full(vocabulary, -1)
    right, right_ranks, left, left_ranks = np.empty((4, longest), np.int64)
    work = np.empty((5, 2 * longest + 3), np.int64)
    _word_ranks(
        ids,
        offsets,
        hypotheses,
        references,
        left_first,
        whole_left,
        numbers,
        work,
        right,
        right_ranks,
        left,
        left_ranks,
        ranks,
        contexts,
    )
    return ranks, contexts


@kernel
def _known_ranks(ranks: Offsets, offsets: Offsets, hypotheses: Offsets, known: Offsets, ends: Offsets) -> None:
    i, total = 0, int64(0)
    for p in range(len(hypotheses)):
        for _ in range(offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]):
            if ranks[i] >= 0:
                known[total] = ranks[i]
                total += 1
            i += 1
        ends[p + 1] = total


def known_ranks(ranks: Offsets, offsets: Offsets, hypotheses: Offsets) -> tuple[Offsets, Offsets]:
    """The ranks of ``word_ranks`` without those of words that have none, and the offsets of the pairs, (pairs + 1,)."""
    known, ends = np.empty(len(ranks), np.int64), np.zeros(len(hypotheses) + 1, np.int64)
    _known_ranks(ranks, offsets, hypotheses, known, ends)
    return known[: ends.item(-1)], ends


@kernel
def _order_rows(
    agreement: Floats,
    full: Floats,
    ends: Offsets,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    single_matches: bool,
    rows: FloatRows,
) -> None:
    for p in range(len(agreement)):
        count = ends[p + 1] - ends[p]
        own = offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        its = offsets[references[p] + 1] - offsets[references[p]]
        single = single_matches and count == 1 and its == 1
        rows[p, 0], rows[p, 1] = 1.0 if single else agreement[p], 1.0 if single else full[p]
        rows[p, 2], rows[p, 3], rows[p, 4] = count, own, its


def order_rows(
    agreement: Floats,
    full: Floats,
    ends: Offsets,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    single_matches: bool,
) -> Floats:
    """Agreement, full agreement, number of ranks, and both lengths of each pair, (pairs, 5).

    With `single_matches`, a rank in a reference of one word agrees with itself. The ranks of pair p are those from
    `ends[p]` to `ends[p + 1]`. For one pair, NumPy's calls would cost more than the ranks.
    """
    rows = np.empty((len(agreement), 5))
    _order_rows(agreement, full, ends, offsets, hypotheses, references, single_matches, rows)
    return rows


@kernel
def _ascending_pairs(ranks: Offsets, offsets: Offsets, seen: Offsets, counts: Floats) -> None:
    """Invariant: `seen` is a tree of sums (Fenwick 1994) over the ranks before i. Between two lists it is all 0."""
    for t in range(len(counts)):
        count, greatest = int64(0), int64(0)
        for i in range(offsets[t], offsets[t + 1]):
            greatest = greater(greatest, ranks[i])
        for i in range(offsets[t], offsets[t + 1]):
            place = ranks[i]
            while place > 0:
                count += seen[place]
                place &= place - 1
            place = ranks[i] + 1
            while place <= greatest:
                seen[place] += 1
                place += place & -place
        for i in range(offsets[t], offsets[t + 1]):
            place = ranks[i] + 1
            while place <= greatest and seen[place]:
                seen[place] = 0
                place += place & -place
        counts[t] = count


def ascending_pairs(ranks: Offsets, offsets: Offsets) -> Floats:
    """The number of pairs in each list of ranks, not only of neighbours, whose second rank is greater: (n_lists,)."""
    counts = np.empty(len(offsets) - 1)
    _ascending_pairs(ranks, offsets, np.zeros(int(ranks.max(initial=0)) + 1, np.int64), counts)
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
def _rank_differences(ranks: Offsets, offsets: Offsets, places: Offsets, sums: Floats) -> None:
    """`places` gets twice the place of each rank among the sorted ones, and of equal ones twice their mean place."""
    for t in range(len(sums)):
        greatest = int64(-1)
        for i in range(offsets[t], offsets[t + 1]):
            places[ranks[i]] += 1
            greatest = greater(greatest, ranks[i])
        before, total = int64(0), 0.0
        for rank in range(greatest + 1):
            before, places[rank] = before + places[rank], 2 * before + places[rank] - 1
        for i in range(offsets[t], offsets[t + 1]):
            difference = 0.5 * places[ranks[i]] - (i - offsets[t])
            total += difference * difference
        places[: greatest + 1] = 0
        sums[t] = total


def rank_differences(ranks: Offsets, offsets: Offsets) -> Floats:
    """For each list, the sum of the squared differences between places in the list and in its order: (n_lists,).

    Equal ranks have the mean of their places.
    """
    sums = np.empty(len(offsets) - 1)
    _rank_differences(ranks, offsets, np.zeros(int(ranks.max(initial=-1)) + 1, np.int64), sums)
    return sums
