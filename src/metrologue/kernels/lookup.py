"""Words and phrases of a text in tables."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import Bytes, Ids, Number, Offsets
from metrologue.native import helper, kernel

__all__ = ["find_phrases", "find_words", "index_words", "place_of"]


@helper
def _slot(buffer: Bytes, start: Number, stop: Number, slots: Ids) -> Number:
    """Where a word is looked for first: its hash by Fowler, Noll and Vo, FNV-1a."""
    state = uint64(0xCBF29CE484222325)
    for at in range(start, stop):
        state = (state ^ uint64(buffer[at])) * uint64(0x100000001B3)
    return int64(state ^ (state >> uint64(32))) & (len(slots) - 1)


@helper
def _same(buffer: Bytes, start: Number, stop: Number, other: Bytes, other_start: Number, other_stop: Number) -> Number:
    """Whether two strings of bytes are equal."""
    if stop - start != other_stop - other_start:
        return False
    while start < stop and buffer[start] == other[other_start]:
        start += 1
        other_start += 1
    return start == stop


@kernel
def _index_words(buffer: Bytes, offsets: Offsets, slots: Ids) -> None:
    """Fill the slots: 1 + a word, or 0 if the slot is free. Invariant: a word is in the first one that was free."""
    for word in range(len(offsets) - 1):
        slot = _slot(buffer, offsets[word], offsets[word + 1], slots)
        while slots[slot]:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = word + 1


def index_words(buffer: Bytes, offsets: Offsets) -> Ids:
    """The slots by which the words of a vocabulary are found. Word i is `buffer[offsets[i]:offsets[i + 1]]`."""
    # Three of four slots are free: a word that is not there is seldom compared with another one.
    slots = np.zeros(4 << (len(offsets) - 1).bit_length(), np.int32)
    _index_words(buffer, offsets, slots)
    return slots


@helper
def place_of(buffer: Bytes, start: Number, stop: Number, known: Bytes, limits: Offsets, slots: Ids) -> Number:
    """The index of a word in a vocabulary with the slots of ``index_words``; -1 if it is not there."""
    slot = _slot(buffer, start, stop, slots)
    place = int64(slots[slot]) - 1
    while place >= 0 and not _same(buffer, start, stop, known, limits[place], limits[place + 1]):
        slot = (slot + 1) & (len(slots) - 1)
        place = int64(slots[slot]) - 1
    return place


@kernel
def _find_words(buffer: Bytes, offsets: Offsets, known: Bytes, limits: Offsets, slots: Ids, found: Offsets) -> None:
    """Find each word."""
    for i in range(len(found)):
        found[i] = place_of(buffer, offsets[i], offsets[i + 1], known, limits, slots)


def find_words(buffer: Bytes, offsets: Offsets, known: Bytes, limits: Offsets, slots: Ids) -> Offsets:
    """The index of each word in a vocabulary, or -1 where it is not there: (n_words,).

    Word i is `buffer[offsets[i]:offsets[i + 1]]`. The vocabulary has the same form; `slots` are those of
    ``index_words``.
    """
    found = np.empty(len(offsets) - 1, np.int64)
    _find_words(buffer, offsets, known, limits, slots, found)
    return found


@helper
def _child(words: Ids, low: Number, high: Number, word: Number) -> Number:
    """The node from `low` to `high`, sorted by word, that has this word; -1 if there is none."""
    stop = high
    while low < high:
        middle = (low + high) >> 1
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < stop and words[low] == word else -1


@kernel
def _walk(
    ids: Ids,
    offsets: Offsets,
    word_of: Ids,
    roots: Ids,
    words: Ids,
    children: Ids,
    found_offsets: Offsets,
    starts: Ids,
    numbers: Ids,
    number_of: Ids,
    nodes: Ids,
    lengths: Ids,
) -> int:
    """Find all phrases of the table: see `find_phrases`. Returns the number of distinct phrases.

    `number_of` has -1 for each node. Invariant: the current node is the phrase from word `start` to word `at`.
    """
    known = 0
    total = 0
    for t in range(len(offsets) - 1):
        stop = offsets[t + 1]
        for start in range(offsets[t], stop):
            at = start
            word = word_of[ids[at]]
            node = roots[word] if word >= 0 else -1
            while node >= 0:
                if number_of[node] < 0:
                    number_of[node] = known
                    nodes[known], lengths[known] = node, at + 1 - start
                    known += 1
                starts[total], numbers[total] = start - offsets[t], number_of[node]
                total += 1
                at += 1
                word = word_of[ids[at]] if at < stop else -1
                node = _child(words, children[node], children[node + 1], word) if word >= 0 else -1
        found_offsets[t + 1] = total
    return known


@kernel
def _keep_useful(
    table_offsets: Ids,
    table_targets: Ids,
    number_of: Ids,
    nodes: Ids,
    known: int,
    renumbered: Ids,
    found_offsets: Offsets,
    starts: Ids,
    numbers: Ids,
    lengths: Ids,
    target_offsets: Offsets,
    targets: Ids,
) -> int:
    """Keep the phrases that can match one another, and number them again. Returns how many are kept.

    `renumbered` has -1 for each phrase. In the end it has the new number of each kept phrase. Arrays shrink in place,
    and no entry is overwritten before it is read.
    """
    for k in range(known):
        for at in range(table_offsets[nodes[k]], table_offsets[nodes[k] + 1]):
            target = number_of[table_targets[at]]
            if target >= 0:
                renumbered[k] = renumbered[target] = 0
    useful = 0
    for k in range(known):
        if renumbered[k] == 0:
            renumbered[k] = useful
            lengths[useful] = lengths[k]
            useful += 1
    pairs = 0
    for k in range(known):
        if renumbered[k] >= 0:
            for at in range(table_offsets[nodes[k]], table_offsets[nodes[k] + 1]):
                target = number_of[table_targets[at]]
                if target >= 0:
                    targets[pairs] = renumbered[target]
                    pairs += 1
            target_offsets[renumbered[k] + 1] = pairs
    row = 0
    total = 0
    for t in range(len(found_offsets) - 1):
        stop = found_offsets[t + 1]
        while row < stop:
            number = renumbered[numbers[row]]
            if number >= 0:
                starts[total], numbers[total] = starts[row], number
                total += 1
            row += 1
        found_offsets[t + 1] = total
    return useful


def find_phrases(
    ids: Ids,
    offsets: Offsets,
    word_of: Ids,
    roots: Ids,
    words: Ids,
    children: Ids,
    target_offsets: Ids,
    targets: Ids,
    longest: int,
) -> tuple[Offsets, Ids, Ids, Ids, Offsets, Ids]:
    """The phrases of a table that occur in the texts and can match another phrase there.

    A phrase can match if one of its paraphrases occurs in the texts, or if it is a paraphrase of one that does.

    Text t is `ids[offsets[t]:offsets[t + 1]]`. `word_of` gives the table's number for an id, or -1. The table is a tree
    in which each phrase is a node. `roots[w]` is the phrase of word w alone, or -1. Node n has the last word `words[n]`
    and the children `children[n]` to `children[n + 1]`, sorted by their words. The paraphrases of node n are the nodes
    `targets[target_offsets[n]:target_offsets[n + 1]]`. No phrase is longer than `longest`.

    Returns (found_offsets, starts, numbers, lengths, target_offsets, targets). Text t has the phrases
    `numbers[found_offsets[t]:found_offsets[t + 1]]`, which are numbered again. `starts` has the first token of each.
    Phrase p has `lengths[p]` words and the paraphrases `targets[target_offsets[p]:target_offsets[p + 1]]`.
    """
    # The system gives memory only when it is first touched, so the bounds may be generous.
    bound = int(longest) * int(offsets[-1] - offsets[0])
    found_offsets = np.zeros(len(offsets), np.int64)
    starts, numbers = np.empty((2, bound), np.int32)
    number_of = np.full(len(words), -1, np.int32)
    nodes, lengths = np.empty((2, min(bound, len(words))), np.int32)
    known = _walk(
        ids, offsets, word_of, roots, words, children, found_offsets, starts, numbers, number_of, nodes, lengths
    )
    kept_offsets, kept = np.zeros(known + 1, np.int64), np.empty(len(targets), np.int32)
    useful = _keep_useful(
        target_offsets,
        targets,
        number_of,
        nodes,
        known,
        np.full(known, -1, np.int32),
        found_offsets,
        starts,
        numbers,
        lengths,
        kept_offsets,
        kept,
    )
    kept_offsets = kept_offsets[: useful + 1]
    found = found_offsets[-1]
    return found_offsets, starts[:found], numbers[:found], lengths[:useful], kept_offsets, kept[: kept_offsets[-1]]
