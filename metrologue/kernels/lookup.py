"""Words and phrases of a text in sorted tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int32, int64, uint8
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.tokens import read_only

__all__ = ["find_phrases", "find_words"]

Bytes = NDArray[np.uint8]
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
# Inside a kernel a number has the type that numba infers.
Number = Any


@kernel()
def _before(
    buffer: Bytes, start: Number, stop: Number, other: Bytes, other_start: Number, other_stop: Number
) -> Number:
    """Whether a string of bytes comes before another."""
    for k in range(min(stop - start, other_stop - other_start)):
        if buffer[start + k] != other[other_start + k]:
            return buffer[start + k] < other[other_start + k]
    return stop - start < other_stop - other_start


@kernel((read_only(uint8), read_only(int64), read_only(uint8), read_only(int64)))
def find_words(buffer: Bytes, offsets: Offsets, sorted_buffer: Bytes, sorted_offsets: Offsets) -> Offsets:
    """The index of each word in a sorted vocabulary, -1 where it is not there.

    Word i is `buffer[offsets[i]:offsets[i + 1]]`, and so in the vocabulary, which is sorted by bytes.
    """
    found = np.full(len(offsets) - 1, -1, np.int64)
    for i in range(len(found)):
        start, stop = offsets[i], offsets[i + 1]
        low, high = 0, len(sorted_offsets) - 1
        while low < high:
            middle = (low + high) >> 1
            if _before(sorted_buffer, sorted_offsets[middle], sorted_offsets[middle + 1], buffer, start, stop):
                low = middle + 1
            else:
                high = middle
        if low < len(sorted_offsets) - 1 and not _before(
            buffer, start, stop, sorted_buffer, sorted_offsets[low], sorted_offsets[low + 1]
        ):
            found[i] = low
    return found


@kernel()
def _child(words: Ids, low: Number, high: Number, word: Number) -> Number:
    """Which of the nodes low to high, sorted by word, has this word; -1 if none has."""
    stop = high
    while low < high:
        middle = (low + high) >> 1
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < stop and words[low] == word else -1


@kernel(
    (
        read_only(int32), read_only(int64), read_only(int32), read_only(int32), read_only(int32), read_only(int32),
        read_only(int32), read_only(int32), int64,
    )
)  # fmt: skip
def find_phrases(
    ids: Ids, offsets: Offsets, word_of: Ids, roots: Ids, words: Ids, children: Ids, target_offsets: Ids, targets: Ids,
    longest: Number,
) -> tuple[Offsets, Ids, Ids, Ids, Offsets, Ids]:  # fmt: skip
    """The phrases that stand in texts, of those that have, or are, a paraphrase that stands in one of them.

    Text t is `ids[offsets[t]:offsets[t + 1]]`; `word_of` gives the table's number for an id, or -1. The table is a tree
    in which a phrase is a node: `roots[w]` is the phrase that is word w alone, or -1; node n has the last word
    `words[n]`, the children `children[n]` to `children[n + 1]`, sorted by their words, and as a phrase the paraphrases
    `targets[target_offsets[n]:target_offsets[n + 1]]`, which are nodes. No phrase is longer than `longest`.

    Returns (found_offsets, starts, numbers, lengths, target_offsets, targets): in text t stand the phrases
    `numbers[found_offsets[t]:found_offsets[t + 1]]`, numbered anew, each from its token `starts` on; phrase p has
    `lengths[p]` words and the paraphrases `targets[target_offsets[p]:target_offsets[p + 1]]`.
    """
    texts = len(offsets) - 1
    # Memory that is never touched is never given: the bound may be generous.
    bound = longest * (offsets[texts] - offsets[0])
    starts = np.empty(bound, np.int32)
    numbers = np.empty(bound, np.int32)
    found_offsets = np.zeros(texts + 1, np.int64)
    number_of = np.full(len(words), -1, np.int32)
    seen = np.empty(min(bound, len(words)), np.int32)
    seen_lengths = np.empty(len(seen), np.int32)
    known = 0
    total = 0
    for t in range(texts):
        for start in range(offsets[t], offsets[t + 1]):
            at = start
            word = word_of[ids[at]]
            node = roots[word] if word >= 0 else -1
            while node >= 0:
                if number_of[node] < 0:
                    number_of[node] = known
                    seen[known], seen_lengths[known] = node, at + 1 - start
                    known += 1
                starts[total], numbers[total] = start - offsets[t], number_of[node]
                total += 1
                at += 1
                word = word_of[ids[at]] if at < offsets[t + 1] else -1
                node = _child(words, children[node], children[node + 1], word) if word >= 0 else -1
        found_offsets[t + 1] = total
    # Few of them can match anything; those are numbered anew.
    useful = np.zeros(known, np.bool_)
    pairs = 0
    for k in range(known):
        for at in range(target_offsets[seen[k]], target_offsets[seen[k] + 1]):
            target = number_of[targets[at]]
            if target >= 0:
                useful[k] = useful[target] = True
                pairs += 1
    renumbered = np.cumsum(useful) - 1
    kept = np.empty(pairs, np.int32)
    kept_offsets = np.zeros(useful.sum() + 1, np.int64)
    pairs = 0
    for k in range(known):
        if useful[k]:
            for at in range(target_offsets[seen[k]], target_offsets[seen[k] + 1]):
                target = number_of[targets[at]]
                if target >= 0:
                    kept[pairs] = renumbered[target]
                    pairs += 1
            kept_offsets[renumbered[k] + 1] = pairs
    begin = int64(0)
    total = 0
    for t in range(texts):
        stop = found_offsets[t + 1]
        for row in range(begin, stop):
            if useful[numbers[row]]:
                starts[total], numbers[total] = starts[row], renumbered[numbers[row]]
                total += 1
        begin = stop
        found_offsets[t + 1] = total
    return (
        found_offsets,
        starts[:total].copy(),
        numbers[:total].copy(),
        seen_lengths[:known][useful],
        kept_offsets,
        kept,
    )
