"""Skip-bigrams: two tokens in their order, with at most a gap of others between them."""

from __future__ import annotations

import numpy as np
from numba import int32, int64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.ngrams import longest_of
from metrologue.kernels.tokens import Ids, Number, Offsets, read_only

__all__ = ["skip_bigram_counts", "skip_bigram_matches"]


def skip_bigram_counts(lengths: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """How many skip-bigrams texts of these lengths have.

    Parameters
    ----------
    lengths : int64 (n,)
        Tokens of each text.
    gap : int
        Most tokens between the two; below 0: any number.

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


@kernel()
def _list(ids: Ids, start: Number, stop: Number, heads: Ids, following: Ids) -> None:
    """Link the positions of each type: 1 + the first one at its head, 1 + the next one at each; 0 ends a list."""
    for i in range(stop - start - 1, -1, -1):
        token = ids[start + i]
        following[i] = heads[token]
        heads[token] = i + 1


@kernel((read_only(int32), read_only(int64), read_only(int64), read_only(int64), int64, int64, read_only(int64)))
def skip_bigram_matches(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, vocabulary: Number, gap: Number,
    leading: Offsets,
) -> Offsets:  # fmt: skip
    """Skip-bigrams that the texts `hypotheses[p]` and `references[p]` share, as bags: (pairs,).

    At most `gap` tokens are between the two, any number if it is below 0. The first `leading[t]` tokens of text t count
    as unigrams too. So 0 is ROUGE-S, and of a text of n tokens n is ROUGE-SU; n - 1 is how ROUGE-1.5.5 and PyRouge
    count (not the last one), and gap + 1 is what a marker before the text would be paired with.

    Invariant: all skip-bigrams that begin with one type are settled together, so that `left`, one number for each type,
    is the whole table: how many of the reference's that end so are not matched yet.
    """
    matches = np.zeros(len(hypotheses), np.int64)
    longest = longest_of(offsets)
    # Four bytes each, so that these tables of a large vocabulary stay near the processor.
    hypothesis_heads, reference_heads = np.zeros(vocabulary, np.int32), np.zeros(vocabulary, np.int32)
    in_hypothesis, in_reference = np.empty(longest, np.int32), np.empty(longest, np.int32)
    left = np.zeros(vocabulary, np.int32)
    reach = gap + 1 if gap >= 0 else longest
    for p in range(len(hypotheses)):
        h, r = hypotheses[p], references[p]
        start, stop = offsets[h], offsets[h + 1]
        reference, end = offsets[r], offsets[r + 1]
        _list(ids, start, stop, hypothesis_heads, in_hypothesis)
        _list(ids, reference, end, reference_heads, in_reference)
        for i in range(start, stop):
            first = ids[i]
            k = reference_heads[first]
            if k == 0 or hypothesis_heads[first] != i - start + 1:  # settled where the type first came
                continue
            alone = 0
            while k:
                alone += k <= leading[r]
                for j in range(reference + k, min(reference + k + reach, end)):
                    left[ids[j]] += 1
                k = in_reference[k - 1]
            k = hypothesis_heads[first]
            while k:
                if alone > 0 and k <= leading[h]:
                    alone -= 1
                    matches[p] += 1
                for j in range(start + k, min(start + k + reach, stop)):
                    # No branch: whether a token matches is hard to guess.
                    match = left[ids[j]] > 0
                    left[ids[j]] -= match
                    matches[p] += match
                k = in_hypothesis[k - 1]
            k = reference_heads[first]
            while k:
                for j in range(reference + k, min(reference + k + reach, end)):
                    left[ids[j]] = 0
                k = in_reference[k - 1]
        for i in range(start, stop):
            hypothesis_heads[ids[i]] = 0
        for i in range(reference, end):
            reference_heads[ids[i]] = 0
    return matches
