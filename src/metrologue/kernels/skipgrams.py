"""Skip-bigrams: two tokens in their order, with a limited number of other tokens between them."""

from __future__ import annotations

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Ids, Number, Offsets, Words, longest_row
from metrologue.kernels.words import lesser, trailing_zeros
from metrologue.native import helper, kernel

__all__ = ["skip_bigram_counts", "skip_bigram_matches"]


def skip_bigram_counts(lengths: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """The number of skip-bigrams in texts of these lengths.

    Parameters
    ----------
    lengths : int64 (n,)
        The number of tokens of each text.
    gap : int
        The greatest number of tokens between the two. Below 0, there is no limit.

    Returns
    -------
    int64 (n,)

    Examples
    --------
    >>> skip_bigram_counts(np.array([0, 1, 4, 4]), 0), skip_bigram_counts(np.array([4, 5]), -1)
    (array([0, 0, 3, 3]), array([ 6, 10]))
    """
    reach = np.maximum(lengths - 1, 0)
    if gap >= 0:
        reach = np.minimum(reach, gap + 1)
    counts: NDArray[np.int64] = reach * lengths - reach * (reach + 1) // 2
    return counts


@helper
def _list(ids: Ids, start: Number, stop: Number, heads: Ids, following: Ids) -> None:
    """Link the positions of each type: `heads` has 1 + the first, `following` 1 + the next, and 0 ends a list."""
    for i in range(stop - start - 1, -1, -1):
        token = ids[start + i]
        following[i] = heads[token]
        heads[token] = i + 1


@helper
def _shared(
    ids: Ids,
    start: Number,
    stop: Number,
    reference: Number,
    end: Number,
    reach: Number,
    leading: Number,
    reference_leading: Number,
    heads: Ids,
    following: Ids,
    reference_heads: Ids,
    reference_following: Ids,
    left: Offsets,
) -> Number:
    """The number of skip-bigrams that a text shares with a reference.

    Invariant: all skip-bigrams that begin with one type are handled together. So `left` needs one number for each type:
    how many of the reference's skip-bigrams that end with it are not matched yet.
    """
    matches = 0
    _list(ids, start, stop, heads, following)
    _list(ids, reference, end, reference_heads, reference_following)
    for i in range(start, stop):
        first = ids[i]
        k = reference_heads[first]
        if k == 0 or heads[first] != i - start + 1:  # handled at the first token of the type
            continue
        alone = 0
        while k:
            alone += k <= reference_leading
            for j in range(reference + k, lesser(reference + k + reach, end)):
                left[ids[j]] += 1
            k = reference_following[k - 1]
        k = heads[first]
        while k:
            if alone > 0 and k <= leading:
                alone -= 1
                matches += 1
            for j in range(start + k, lesser(start + k + reach, stop)):
                # No branch: the processor would often guess wrong whether a token matches.
                match = left[ids[j]] > 0
                left[ids[j]] -= match
                matches += match
            k = following[k - 1]
        k = reference_heads[first]
        while k:
            for j in range(reference + k, lesser(reference + k + reach, end)):
                left[ids[j]] = 0
            k = reference_following[k - 1]
    for i in range(start, stop):
        heads[ids[i]] = 0
    for i in range(reference, end):
        reference_heads[ids[i]] = 0
    return matches


@helper
def _shared_with_64(
    ids: Ids,
    start: Number,
    stop: Number,
    reference: Number,
    end: Number,
    reach: Number,
    leading: Number,
    reference_leading: Number,
    positions: Words,
    own: Words,
    common: Ids,
    open_after: Words,
) -> Number:
    """The number of skip-bigrams that a text shares with a reference of up to 64 tokens.

    The reference's positions are the bits of a word. Invariant: bit q of `open_after[k]` says that the reference's
    tokens k and q are a skip-bigram that is not matched yet. Bit q of `alone` says that token q is a unigram that is
    not matched yet. Among equal ones, it does not matter which is matched.
    """
    n, length = end - reference, stop - start
    alone, one = uint64(0), uint64(1)
    for k in range(n):
        positions[ids[reference + k]] |= one << uint64(k)
        alone |= uint64(k < reference_leading) << uint64(k)
        last = lesser(k + reach, n - 1)
        open_after[k] = (one << uint64(last) << one) - (one << uint64(k) << one)
    # No branch depends on whether a token matches: the processor would often guess wrong.
    count = 0
    for i in range(length):
        own[i] = positions[ids[start + i]]
        common[count] = i
        count += own[i] != 0
    matches = 0
    for c in range(count):
        i = common[c]
        first = own[i]
        match = alone & first & (uint64(0) - uint64(i < leading))
        alone &= ~(match & -match)
        matches += match != 0
        within = lesser(i + 1 + reach, length)
        if not first & (first - one):  # the reference has the type once: nearly always so
            k = trailing_zeros(first)
            left = open_after[k]
            for j in range(i + 1, within):
                match = left & own[j]
                left ^= match & -match
                matches += match != 0
            open_after[k] = left
            continue
        for j in range(i + 1, within):
            firsts = first if own[j] else uint64(0)
            while firsts:
                k = trailing_zeros(firsts)
                firsts &= firsts - one
                match = open_after[k] & own[j]
                if match:
                    open_after[k] ^= match & -match
                    matches += 1
                    break
    for k in range(n):
        positions[ids[reference + k]] = 0
    return matches


@kernel
def _skip_bigram_matches(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    reach: int,
    leading: Offsets,
    heads: Ids,
    following: Ids,
    reference_heads: Ids,
    reference_following: Ids,
    left: Offsets,
    positions: Words,
    own: Words,
    open_after: Words,
    matches: Offsets,
) -> None:
    for p in range(len(hypotheses)):
        h, r = hypotheses[p], references[p]
        start, stop, reference, end = offsets[h], offsets[h + 1], offsets[r], offsets[r + 1]
        if end - reference <= 64:
            matches[p] = _shared_with_64(
                ids, start, stop, reference, end, reach, leading[h], leading[r], positions, own, following, open_after
            )
        else:
            matches[p] = _shared(
                ids,
                start,
                stop,
                reference,
                end,
                reach,
                leading[h],
                leading[r],
                heads,
                following,
                reference_heads,
                reference_following,
                left,
            )


def skip_bigram_matches(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    vocabulary: int,
    gap: int,
    leading: Offsets,
) -> Offsets:
    """The number of skip-bigrams that the texts `hypotheses[p]` and `references[p]` share, as bags: (pairs,).

    At most `gap` tokens are between the two tokens; below 0, there is no limit. The first `leading[t]` tokens of text t
    count as unigrams too. For a text of n tokens, a `leading` of 0 is ROUGE-S and n is ROUGE-SU. ROUGE-1.5.5 and
    PyRouge leave out the last token, which is n - 1. A marker before the text would be paired with gap + 1 tokens.
    """
    matches = np.zeros(len(hypotheses), np.int64)
    longest = longest_row(offsets)
    # Four bytes each, so that the tables of a large vocabulary fit into the processor's cache.
    heads, reference_heads = np.zeros((2, vocabulary), np.int32)
    following, reference_following = np.empty((2, longest), np.int32)
    left = np.zeros(vocabulary, np.int64)  # 64 bits: a token that occurs n times makes n (n - 1) / 2 skip-bigrams
    positions, own, open_after = np.zeros(vocabulary, np.uint64), np.empty(longest, np.uint64), np.empty(64, np.uint64)
    _skip_bigram_matches(
        ids,
        offsets,
        hypotheses,
        references,
        gap + 1 if gap >= 0 else longest,
        leading,
        heads,
        following,
        reference_heads,
        reference_following,
        left,
        positions,
        own,
        open_after,
        matches,
    )
    return matches
