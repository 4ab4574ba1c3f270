"""Words and phrases of a text in tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import Bytes, IdRows, Ids, Number, Offsets
from metrologue.kernels.interning import find_repeats
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["Phrases", "Tree", "Vocabulary", "find_phrases", "find_words", "index_words", "place_of"]


# How many steps of a walk over a tree of phrases are kept.
_STEPS = 1 << 18


class Vocabulary(NamedTuple):
    """Words that are looked up: word i is ``known[limits[i]:limits[i + 1]]``; `slots` are those of ``index_words``."""

    known: Bytes
    limits: Offsets
    slots: Ids


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
def place_of(buffer: Bytes, start: Number, stop: Number, vocabulary: Vocabulary) -> Number:
    """The index of a word in a vocabulary with the slots of ``index_words``; -1 if it is not there."""
    slot = _slot(buffer, start, stop, vocabulary.slots)
    place = int64(vocabulary.slots[slot]) - 1
    while place >= 0 and not _same(
        buffer, start, stop, vocabulary.known, vocabulary.limits[place], vocabulary.limits[place + 1]
    ):
        slot = (slot + 1) & (len(vocabulary.slots) - 1)
        place = int64(vocabulary.slots[slot]) - 1
    return place


@kernel
def _find_words(buffer: Bytes, offsets: Offsets, vocabulary: Vocabulary, found: Offsets) -> None:
    """Find each word."""
    for i in range(len(found)):
        found[i] = place_of(buffer, offsets[i], offsets[i + 1], vocabulary)


def find_words(buffer: Bytes, offsets: Offsets, vocabulary: tuple[Bytes, Offsets, Ids]) -> Offsets:
    """The index of each word in a vocabulary, or -1 where it is not there: (n_words,).

    Word i is `buffer[offsets[i]:offsets[i + 1]]`. The vocabulary has the fields of ``Vocabulary``.
    """
    found = np.empty(len(offsets) - 1, np.int64)
    _find_words(buffer, offsets, *vocabulary, found)
    return found


class Phrases(NamedTuple):
    """The phrases of a table that are in some texts and can match each other there.

    Attributes
    ----------
    offsets : int64 (n_texts + 1,)
        Text t has the phrases ``numbers[offsets[t]:offsets[t + 1]]``, sorted by their first word, short ones first.
    starts, numbers : int32 (n_found,)
        The position of each found phrase, counted from the first token of its text; and the number of the phrase.
    lengths : int32 (n_phrases,)
        Number of words of each phrase.
    target_offsets, targets : int64 (n_phrases + 1,), int32 (n_targets,)
        The paraphrases of phrase p are ``targets[target_offsets[p]:target_offsets[p + 1]]``, in the order of the table,
        with its repetitions.
    """

    offsets: Offsets
    starts: Ids
    numbers: Ids
    lengths: Ids
    target_offsets: Offsets
    targets: Ids


class Tree(NamedTuple):
    """The phrases of a table, each of them a node.

    Attributes
    ----------
    roots : int32 (n_words,)
        The phrase of each word alone, or -1.
    words : int32 (n_nodes,)
        The last word of each phrase.
    children : int32 (n_nodes + 1,)
        Node n has the children `children[n]` to `children[n + 1]`, sorted by their words.
    target_offsets, targets : int32 (n_nodes + 1,), int32 (n_targets,)
        The paraphrases of node n are the nodes ``targets[target_offsets[n]:target_offsets[n + 1]]``.
    """

    roots: Ids
    words: Ids
    children: Ids
    target_offsets: Ids
    targets: Ids


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


# The columns of a step in a tree: from a node, by a word, to its child; and the number of the child's phrase.
_NODE, _WORD, _CHILD, _NUMBER = range(4)


@helper
def _place_of_node(node: Number, numbers: IdRows) -> Number:
    """Where `numbers` has a node and the number of its phrase, or the first free row, which has -1 twice."""
    place = (node * 0x9E3779B1 >> 12) & (len(numbers) - 1)
    while numbers[place, 0] != node and numbers[place, 0] >= 0:
        place = (place + 1) & (len(numbers) - 1)
    return place


@helper
def _number_of(node: Number, length: Number, known: Number, found: Phrases, nodes: Ids, numbers: IdRows) -> Number:
    """The number of a node's phrase, of so many words: the number of known ones, if it is a new one; -1 for no node."""
    if node < 0:
        return -1
    place = _place_of_node(node, numbers)
    if numbers[place, 0] < 0:
        numbers[place, 0], numbers[place, 1] = node, known
        nodes[known], found.lengths[known] = node, length
    return int64(numbers[place, 1])


@kernel
def _walk(
    ids: Ids,
    offsets: Offsets,
    repeats: Offsets,
    word_of: Ids,
    tree: Tree,
    found: Phrases,
    nodes: Ids,
    numbers: IdRows,
    steps: IdRows,
) -> int:
    """Find all phrases of the table: see `find_phrases`. Returns the number of distinct phrases, -1 without room.

    The tree is too large for the processor's cache, so `steps` keeps the latest ones. It has -1 at first, as `numbers`,
    and both lengths are powers of two. Invariant: the current node is the phrase from word `start` to word `at`.
    """
    known = 0
    total = 0
    for t in range(len(offsets) - 1):
        stop = offsets[t + 1]
        if repeats[t] >= 0:
            for row in range(found.offsets[repeats[t]], found.offsets[repeats[t] + 1]):
                found.starts[total], found.numbers[total] = found.starts[row], found.numbers[row]
                total += 1
        for start in range(offsets[t] if repeats[t] < 0 else stop, stop):
            at = start
            word = word_of[ids[at]]
            node = int64(tree.roots[word]) if word >= 0 else -1
            number = _number_of(node, 1, known, found, nodes, numbers)
            while node >= 0:
                known = greater(known, number + 1)
                if 2 * known >= len(numbers):
                    return -1
                found.starts[total], found.numbers[total] = start - offsets[t], number
                total += 1
                at += 1
                word = word_of[ids[at]] if at < stop else -1
                if word < 0:
                    break
                step = steps[(node * 0x9E3779B1 + word * 0x85EBCA77 >> 15) & (len(steps) - 1)]
                if step[_NODE] != node or step[_WORD] != word:
                    step[_NODE], step[_WORD] = node, word
                    step[_CHILD] = _child(tree.words, tree.children[node], tree.children[node + 1], word)
                    step[_NUMBER] = _number_of(int64(step[_CHILD]), at + 1 - start, known, found, nodes, numbers)
                node, number = int64(step[_CHILD]), int64(step[_NUMBER])
        found.offsets[t + 1] = total
    return known


@kernel
def _keep_useful(tree: Tree, numbers: IdRows, nodes: Ids, known: int, renumbered: Ids, found: Phrases) -> int:
    """Keep the phrases that can match one another, and number them again. Returns how many are kept.

    `renumbered` has -1 for each phrase. In the end it has the new number of each kept phrase. Arrays shrink in place,
    and no entry is overwritten before it is read.
    """
    for k in range(known):
        for at in range(tree.target_offsets[nodes[k]], tree.target_offsets[nodes[k] + 1]):
            target = numbers[_place_of_node(int64(tree.targets[at]), numbers), 1]
            if target >= 0:
                renumbered[k] = renumbered[target] = 0
    useful = 0
    for k in range(known):
        if renumbered[k] == 0:
            renumbered[k] = useful
            found.lengths[useful] = found.lengths[k]
            useful += 1
    pairs = 0
    for k in range(known):
        if renumbered[k] >= 0:
            for at in range(tree.target_offsets[nodes[k]], tree.target_offsets[nodes[k] + 1]):
                target = numbers[_place_of_node(int64(tree.targets[at]), numbers), 1]
                if target >= 0:
                    found.targets[pairs] = renumbered[target]
                    pairs += 1
            found.target_offsets[renumbered[k] + 1] = pairs
    row = 0
    total = 0
    for t in range(len(found.offsets) - 1):
        stop = found.offsets[t + 1]
        while row < stop:
            number = renumbered[found.numbers[row]]
            if number >= 0:
                found.starts[total], found.numbers[total] = found.starts[row], number
                total += 1
            row += 1
        found.offsets[t + 1] = total
    return useful


def find_phrases(ids: Ids, offsets: Offsets, word_of: Ids, tree: Tree, longest: int) -> Phrases:
    """The phrases of a table that occur in the texts and can match another phrase there.

    A phrase can match if one of its paraphrases occurs in the texts, or if it is a paraphrase of one that does.

    Text t is `ids[offsets[t]:offsets[t + 1]]`. `word_of` gives the table's number for an id, or -1. No phrase is longer
    than `longest`. The phrases that are found are numbered again.
    """
    # The system gives memory only when it is first touched, so the bounds may be generous.
    bound = int(longest) * int(offsets[-1] - offsets[0])
    starts, numbers = np.empty((2, bound), np.int32)
    nodes, lengths = np.empty((2, min(bound, len(tree.words))), np.int32)
    room, targets = np.empty(len(nodes) + 1, np.int64), np.empty(len(tree.targets), np.int32)
    room[0] = 0
    found = Phrases(np.zeros(len(offsets), np.int64), starts, numbers, lengths, room, targets)
    repeats = find_repeats(ids.view(np.uint8), offsets * ids.itemsize)
    size, known = 1 << (len(ids) >> 2 | 0xFF).bit_length(), -1
    while known < 0:
        size *= 2
        table, steps = np.full((size, 2), -1, np.int32), np.full((min(size, _STEPS), 4), -1, np.int32)
        known = _walk(ids, offsets, repeats, word_of, *tree, *found, nodes, table, steps)
    useful = _keep_useful(*tree, table, nodes, known, np.full(known, -1, np.int32), *found)
    count, ends = found.offsets[-1], room[: useful + 1]
    return Phrases(found.offsets, starts[:count], numbers[:count], lengths[:useful], ends, targets[: ends[-1]])
