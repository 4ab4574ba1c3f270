"""Scene graphs from tuples of words, and which tuples of two graphs match (Anderson et al. 2016).

A word has keys, the sets of synonyms to which it belongs. A concept is an object, an attribute of an object, or a
relation of two objects, with all words that were merged into it. Each concept stands for one tuple of the graph.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Flags, IdRows, Ids, Number, Offsets, Rows, longest_row
from metrologue.native import helper, kernel

__all__ = ["KINDS", "Graphs", "matched_tuples", "merged_graphs"]

# The kinds of concepts, by their numbers: how many other concepts their tuples have.
KINDS = ("object", "attribute", "relation")
# The columns of a concept.
_KIND, _SOURCE, _TARGET, _FORMS, _CLASSES = range(5)
_KIND_COUNT = len(KINDS)


class Graphs(NamedTuple):
    """Scene graphs.

    Attributes
    ----------
    slots : int32 (n_tuples, 3)
        The concept of each word of each tuple, by its place in its graph; -1 where a tuple has no word.
    concepts : int32 (3 * n_tuples, 5)
        For each concept its kind (an index of ``KINDS``), the object to which it belongs, the object to which a
        relation leads (-1 for none), the number of its different words, and the classes of its words.
    counts : int64 (n_graphs,)
        The number of concepts of each graph. Those of graph g begin at ``3 * offsets[g]``.
    """

    slots: IdRows
    concepts: IdRows
    counts: Offsets


class _Words(NamedTuple):
    """The keys of each word, and the last stamp of each key: see ``merged_graphs``."""

    limits: Offsets
    keys: Ids
    stamps: Offsets

    @classmethod
    def of(cls, limits: Offsets, keys: Ids) -> _Words:
        return cls(limits, keys, np.zeros(1 + int(keys.max(initial=-1)), np.int64))


@helper
def _shared(words: _Words, word: Number, mark: Number) -> Number:
    """How many keys of a word are stamped."""
    count = 0
    for at in range(words.limits[word], words.limits[word + 1]):
        if words.stamps[words.keys[at]] == mark:
            count += 1
    return count


@helper
def _stamp(words: _Words, word: Number, mark: Number) -> None:
    for at in range(words.limits[word], words.limits[word + 1]):
        words.stamps[words.keys[at]] = mark


@helper
def _similarity(words: _Words, word: Number, concept: Number, mark: Number, room: Rows, links: Rows) -> Number:
    """1 if the concept has the word, whose keys are stamped; otherwise the Jaccard index of the keys of both."""
    at = room[concept, 0]
    while at >= 0:
        if links[at, 0] == word:
            return 1.0
        at = links[at, 1]
    both = int64(0)
    at = room[concept, 1]
    while at >= 0:
        if words.stamps[links[at, 0]] == mark:
            both += 1
        at = links[at, 1]
    return both / (words.limits[word + 1] - words.limits[word] + room[concept, 2] - both) if both > 0 else 0.0


@helper
def _join(
    words: _Words,
    word: Number,
    concept: Number,
    classes: Ids,
    mark: Number,
    concepts: IdRows,
    row: Number,
    room: Rows,
    links: Rows,
    free: Number,
) -> Number:
    """Merge a word, whose keys are stamped, into a concept; the first link that is still free."""
    at = room[concept, 0]
    while at >= 0 and links[at, 0] != word:
        at = links[at, 1]
    if at < 0:
        links[free, 0], links[free, 1] = word, room[concept, 0]
        room[concept, 0] = free
        concepts[row, _FORMS] += 1
        concepts[row, _CLASSES] |= classes[word]
        free += 1
    at = room[concept, 1]
    while at >= 0:  # its own keys stay as they are
        if words.stamps[links[at, 0]] == mark:
            words.stamps[links[at, 0]] = 0
        at = links[at, 1]
    for place in range(words.limits[word], words.limits[word + 1]):
        if words.stamps[words.keys[place]] == mark:
            links[free, 0], links[free, 1] = words.keys[place], room[concept, 1]
            room[concept, 1] = free
            room[concept, 2] += 1
            free += 1
    return free


@kernel
def _merge(
    tuples: IdRows, offsets: Offsets, words: _Words, classes: Ids, room: Rows, links: Rows, graphs: Graphs
) -> None:
    """Invariant: after each word, the graph has the concepts of all words before it, in the order of the first ones.

    `room` has the first link to a word of each concept, the first one to a key, and the number of keys. A word joins
    the object that is most similar, or the first attribute or relation in its place that is similar at all.
    """
    mark = int64(0)
    for graph in range(len(graphs.counts)):
        base, count, free = 3 * offsets[graph], int64(0), int64(0)
        for t in range(offsets[graph], offsets[graph + 1]):
            graphs.slots[t, 0] = graphs.slots[t, 1] = graphs.slots[t, 2] = -1
            # The objects come first, because the other word has its place between them.
            for step in range(3):
                column = (2 * step) % 3 if tuples[t, 2] >= 0 else step
                word = tuples[t, column]
                if word < 0:
                    continue
                kind = 0 if column != 1 else 2 if tuples[t, 2] >= 0 else 1
                source = graphs.slots[t, 0] if kind > 0 else -1
                target = graphs.slots[t, 2] if kind > 1 else -1
                mark += 1
                _stamp(words, word, mark)
                found: Number = count
                best = 0.0
                for concept in range(count):
                    row = base + concept
                    if (
                        graphs.concepts[row, _KIND] == kind
                        and graphs.concepts[row, _SOURCE] == source
                        and graphs.concepts[row, _TARGET] == target
                    ):
                        value = _similarity(words, word, concept, mark, room, links)
                        if value > best:
                            found, best = concept, value
                            if kind > 0 or value == 1.0:
                                break
                row = base + found
                if found == count:
                    graphs.concepts[row, _KIND], graphs.concepts[row, _SOURCE], graphs.concepts[row, _TARGET] = (
                        kind,
                        source,
                        target,
                    )
                    graphs.concepts[row, _FORMS] = graphs.concepts[row, _CLASSES] = 0
                    room[found, 0] = room[found, 1] = -1
                    room[found, 2] = 0
                    count += 1
                free = _join(words, word, found, classes, mark, graphs.concepts, row, room, links, free)
                graphs.slots[t, column] = found
        graphs.counts[graph] = count


@helper
def _put_similar(
    words: _Words,
    tuples: IdRows,
    slots: IdRows,
    own: Number,
    end: Number,
    its: Number,
    its_end: Number,
    mark: Number,
    width: Number,
    similar: Flags,
) -> Number:
    """Mark the concepts of two graphs that share a word or a key; the last stamp.

    Two concepts share a key exactly if a word of one and a word of the other do.
    """
    for t in range(own, end):
        for column in range(3):
            word = tuples[t, column]
            if word < 0:
                continue
            mark += 1
            _stamp(words, word, mark)
            for other in range(its, its_end):
                for side in range(3):
                    one = tuples[other, side]
                    if one >= 0 and (column == 1) == (side == 1):
                        at = slots[t, column] * width + slots[other, side]
                        if not similar[at]:
                            similar[at] = one == word or _shared(words, one, mark) > 0
    return mark


@helper
def _categories(concepts: IdRows, row: Number, merged: Number) -> Number:
    """The categories of a concept's tuple, a bit for each: all tuples, each kind, each class of attributes."""
    kind = int64(concepts[row, _KIND])
    bits = int64(1) | (int64(2) << kind)
    if kind == 1 and (merged or concepts[row, _FORMS] == 1):
        bits |= int64(concepts[row, _CLASSES]) << (1 + _KIND_COUNT)
    return bits


@kernel
def _match(
    tuples: IdRows,
    offsets: Offsets,
    words: _Words,
    graphs: Graphs,
    own: Offsets,
    its: Offsets,
    merged: bool,
    similar: Flags,
    found: Rows,
) -> None:
    mark = int64(0)
    categories = found.shape[1] // 3
    for pair in range(len(own)):
        a, b = own[pair], its[pair]
        width, base, other = graphs.counts[b], 3 * offsets[a], 3 * offsets[b]
        similar[: graphs.counts[a] * width] = False
        mark = _put_similar(
            words, tuples, graphs.slots, offsets[a], offsets[a + 1], offsets[b], offsets[b + 1], mark, width, similar
        )
        found[pair, :] = 0
        for i in range(graphs.counts[a]):
            one, matches = base + i, int64(0)
            for j in range(width):
                two = other + j
                same = graphs.concepts[one, _KIND] == graphs.concepts[two, _KIND] and similar[i * width + j]
                if same and graphs.concepts[one, _KIND] > 0:
                    same = similar[graphs.concepts[one, _SOURCE] * width + graphs.concepts[two, _SOURCE]]
                if same and graphs.concepts[one, _KIND] > 1:
                    same = similar[graphs.concepts[one, _TARGET] * width + graphs.concepts[two, _TARGET]]
                if same:
                    matches |= _categories(graphs.concepts, two, merged)
            inside = _categories(graphs.concepts, one, merged)
            for category in range(categories):
                found[pair, 3 * category] += (inside & matches) >> category & 1
                found[pair, 3 * category + 1] += inside >> category & 1
        for j in range(width):
            inside = _categories(graphs.concepts, other + j, merged)
            for category in range(categories):
                found[pair, 3 * category + 2] += inside >> category & 1


def merged_graphs(tuples: IdRows, offsets: Offsets, limits: Offsets, keys: Ids, classes: Ids) -> Graphs:
    """The scene graphs of tuples. A word joins a concept that is similar to it, or makes a new one.

    An object joins the object of the greatest similarity above 0: 1 if it has the word, otherwise the Jaccard index of
    the keys of both; ties: the first. An attribute joins the first one of its object that shares a word or a key, and a
    relation the first one of its two objects.

    Parameters
    ----------
    tuples : int32 (n_tuples, 3)
        The words of each tuple: (object, -1, -1), (object, attribute, -1) or (subject, relation, object).
    offsets : int64 (n_graphs + 1,)
        Graph g has the tuples ``offsets[g]:offsets[g + 1]``.
    limits : int64 (n_words + 1,)
    keys : int32
        Word w has the keys ``keys[limits[w]:limits[w + 1]]``, each of them once.
    classes : int32 (n_words,)
        The classes of each word as an attribute, a bit for each class.

    Returns
    -------
    Graphs

    Examples
    --------
    Of the words 0 to 2, the first two share a key:

    >>> tuples = np.array([[0, -1, -1], [2, -1, -1], [1, 2, -1]], np.int32)
    >>> limits, keys = np.array([0, 1, 2, 2]), np.array([7, 7], np.int32)
    >>> graphs = merged_graphs(tuples, np.array([0, 3]), limits, keys, np.zeros(3, np.int32))
    >>> graphs.slots.tolist(), graphs.counts
    ([[0, -1, -1], [1, -1, -1], [0, 2, -1]], array([3]))
    >>> graphs.concepts[:3, :4].tolist()
    [[0, -1, -1, 2], [0, -1, -1, 1], [1, 0, -1, 1]]
    """
    most = 3 * longest_row(offsets)
    # Each word takes a link, and so does each of its keys.
    widest = 1 + longest_row(limits)
    room, links = np.empty((most + 1, 3), np.int64), np.empty((most * widest + 1, 2), np.int64)
    slots, counts = np.empty((len(tuples), 3), np.int32), np.empty(len(offsets) - 1, np.int64)
    graphs = Graphs(slots, np.empty((3 * len(tuples), 5), np.int32), counts)
    _merge(tuples, offsets, *_Words.of(limits, keys), classes, room, links, *graphs)
    return graphs


def matched_tuples(
    tuples: IdRows,
    offsets: Offsets,
    limits: Offsets,
    keys: Ids,
    graphs: Graphs,
    own: Offsets,
    its: Offsets,
    class_count: int,
    merged: bool,
) -> Offsets:
    """How many tuples of a graph match a tuple of another graph, for each category of tuples.

    Two tuples match if they are of one kind, and at each place their concepts share a word or a key. Several tuples may
    match the same one. In a category, a tuple matches if one of the same category does.

    Parameters
    ----------
    tuples, offsets, limits, keys
        As for ``merged_graphs``.
    graphs : Graphs
        What it gave.
    own, its : int64 (n_pairs,)
        The graphs of each pair.
    class_count : int
        The number of classes of attributes.
    merged : bool
        Whether an attribute with several words is in the classes of all of them. Otherwise it is in none.

    Returns
    -------
    int64 (n_pairs, 4 + class_count, 3)
        The tuples of the first graph that match, its tuples, and those of the second graph: all of them, those of each
        of ``KINDS``, and the attributes of each class.

    Examples
    --------
    >>> tuples = np.array([[0, -1, -1], [1, 2, -1], [0, 2, -1]], np.int32)
    >>> limits, keys, offsets = np.array([0, 1, 2, 2]), np.array([7, 7], np.int32), np.array([0, 2, 3])
    >>> graphs = merged_graphs(tuples, offsets, limits, keys, np.zeros(3, np.int32))
    >>> matched_tuples(tuples, offsets, limits, keys, graphs, np.array([0]), np.array([1]), 0, False).tolist()
    [[[2, 2, 2], [1, 1, 1], [1, 1, 1], [0, 0, 0]]]
    """
    found = np.empty((len(own), 3 * (1 + _KIND_COUNT + class_count)), np.int64)
    cells = int((graphs.counts[own] * graphs.counts[its]).max(initial=0))
    words = _Words.of(limits, keys)
    _match(tuples, offsets, *words, *graphs, own, its, merged, np.empty(cells + 1, np.bool_), found)
    return found.reshape(len(own), -1, 3)
