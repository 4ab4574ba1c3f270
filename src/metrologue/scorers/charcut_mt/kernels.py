"""The parts that two texts have in common, longest first, and those of them that have moved.

Parts are found in two ways. Within a word, and the marks on both sides of it, a part begins and ends at any character.
A part of several words begins and ends with a whole word or a mark. Both are found in the order of all suffixes: those
that begin with the same part are neighbours there, and form a node for a range of lengths.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Ids, Number, Offsets, Rows, longest_row, row_lengths
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["DROPPED", "MATCHED", "MOVED", "Rules", "common_parts"]

# What becomes of a part that both texts have: it is where it was, it has moved, or it has moved too far to count.
MATCHED, MOVED, DROPPED = range(3)
# How far a part of so many characters may move. Longer ones may move anywhere: no text has e^30 characters, and
# where floats of e^n are integers, their last bit depends on the machine.
_FARTHEST = np.floor(np.exp(np.arange(30))).astype(np.int64)
# The columns of nodes: the range in the order of suffixes; the longest length of the node above it; the length that is
# next; whether both texts have it as often; how often both have it; its first places in both texts; how it was found.
_FIRST, _LAST, _LEAST, _LENGTH, _EVEN, _TOTAL, _PLACE, _OTHER, _KIND = range(9)
_LETTERS, _WORDS, _ENDS = range(3)


class Rules(NamedTuple):
    """What a part is.

    Attributes
    ----------
    marks : int
        Characters of words have this id or a greater one, and others have lower ones.
    shortest : int
        The least number of characters, but for parts at the beginning or at the end of both texts.
    """

    marks: int
    shortest: int


class _Room(NamedTuple):
    """Both texts of a pair, one after another, and what the search writes on.

    Attributes
    ----------
    text : int32 (any,)
    limits : int64 (any,)
        Where the marks after the word of each character end.
    edges : int64 (any,)
        Where the word of each character begins; a mark is a word here.
    counts : int64 (any,)
        How many words begin before each character, those of the other text before it too.
    free : int64 (any,)
        How many characters from each one on belong to no part yet.
    order, spare, depths : int64 (any,)
        Suffixes in order, room to sort them, and how much each has in common with the one before it.
    nodes, heap : int64 (any, 9), int64 (any,)
    stack : int64 (any, 4)
    ranks : int64 (any,)
    """

    text: Ids
    limits: Offsets
    edges: Offsets
    counts: Offsets
    free: Offsets
    order: Offsets
    spare: Offsets
    depths: Offsets
    nodes: Rows
    heap: Offsets
    stack: Rows
    ranks: Offsets


@helper
def _read(room: _Room, rules: Rules, base: Number, end: Number) -> Number:
    """Fill the arrays that describe one text. Returns where the marks at its end begin, or its end without a word."""
    before = room.counts[base] if base else int64(0)
    trail, words, limit = end, before, end
    for i in range(base, end):
        is_word = room.text[i] >= rules.marks
        inside = is_word and i > base and room.text[i - 1] >= rules.marks
        room.edges[i] = room.edges[i - 1] if inside else i
        room.counts[i] = words
        words += is_word and not inside
        room.free[i] = end - i
    room.counts[end] = words
    if words > before:
        while room.text[trail - 1] < rules.marks:
            trail -= 1
    # From the right: marks belong to the word before them and to the word after them.
    for i in range(end - 1, base - 1, -1):
        if i < end - 1 and room.text[i] >= rules.marks > room.text[i + 1]:
            stop = i + 1
            while stop < end and room.text[stop] < rules.marks:
                stop += 1
            limit = stop
        room.limits[i] = limit
    return trail


@helper
def _common(room: _Room, one: Number, end: Number, other: Number, other_end: Number) -> Number:
    """How many characters two suffixes have in common."""
    length, most = int64(0), lesser(end - one, other_end - other)
    while length < most and room.text[one + length] == room.text[other + length]:
        length += 1
    return length


@helper
def _end(room: _Room, i: Number, n: Number, end: Number, kind: Number) -> Number:
    """Where the suffix from a character on ends: behind the marks after its word, or with its text."""
    return room.limits[i] if kind == _LETTERS else n if i < n else end


@helper
def _is_before(room: _Room, one: Number, other: Number, n: Number, end: Number, kind: Number) -> Number:
    first, second = _end(room, one, n, end, kind), _end(room, other, n, end, kind)
    length = _common(room, one, first, other, second)
    if one + length == first or other + length == second:
        return first - one <= second - other
    return room.text[one + length] < room.text[other + length]


@helper
def _sort(room: _Room, at: Number, count: Number, n: Number, end: Number, kind: Number) -> None:
    """Sort the suffixes by merging runs of 1, 2, 4, ... of them."""
    size = int64(1)
    while size < count:
        for begin in range(at, at + count, 2 * size):
            i, middle = begin, lesser(begin + size, at + count)
            j, stop = middle, lesser(begin + 2 * size, at + count)
            for k in range(begin, stop):
                left = j == stop or (i < middle and _is_before(room, room.order[i], room.order[j], n, end, kind))
                room.spare[k] = room.order[i] if left else room.order[j]
                i, j = i + left, j + (not left)
        for k in range(at, at + count):
            room.order[k] = room.spare[k]
        size *= 2


@helper
def _depth(room: _Room, one: Number, other: Number, n: Number, end: Number, kind: Number) -> Number:
    """How many characters two suffixes have in common; those of whole words that both have, if these are asked for."""
    first, second = _end(room, one, n, end, kind), _end(room, other, n, end, kind)
    length = _common(room, one, first, other, second)
    if kind == _LETTERS or length == 0:
        return length
    is_whole = (one + length == first or room.edges[one + length] == one + length) and (
        other + length == second or room.edges[other + length] == other + length
    )
    return length if is_whole else room.edges[one + length - 1] - one


@helper
def _next(room: _Room, node: Number, most: Number, n: Number, trail: Number, other: Number, shortest: Number) -> Number:
    """The greatest length of a node that is not above `most`; 0 for none.

    Parts of one word and its marks are found by their letters. So here marks alone count only if they are not found
    there, because one of the texts has them at its end only.
    """
    least, place = greater(room.nodes[node, _LEAST] + 1, shortest), room.nodes[node, _PLACE]
    length = most
    if room.nodes[node, _KIND] == _WORDS:
        at_end = place >= trail or room.nodes[node, _OTHER] >= other
        while length >= least:
            is_whole = place + length == n or room.edges[place + length] == place + length
            words = room.counts[place + length] - room.counts[place]
            if is_whole and (words > 1 or (words == 0 and at_end)):
                break
            length = room.edges[place + length - 1] - place
    return length if length >= least else int64(0)


@helper
def _goes_first(room: _Room, one: Number, other: Number) -> Number:
    """Longer parts go first, then those that one text has more often, the rarer ones, and the first ones."""
    nodes = room.nodes
    if nodes[one, _LENGTH] != nodes[other, _LENGTH]:
        return nodes[one, _LENGTH] > nodes[other, _LENGTH]
    for column in (_EVEN, _TOTAL):
        if nodes[one, column] != nodes[other, column]:
            return nodes[one, column] < nodes[other, column]
    return nodes[one, _PLACE] < nodes[other, _PLACE]


@helper
def _push(room: _Room, size: Number, node: Number) -> None:
    child = size
    while child and _goes_first(room, node, room.heap[(child - 1) >> 1]):
        room.heap[child] = room.heap[(child - 1) >> 1]
        child = (child - 1) >> 1
    room.heap[child] = node


@helper
def _pop(room: _Room, size: Number) -> None:
    """Take the first node out of a heap of this size."""
    node, place, child = room.heap[size - 1], int64(0), int64(1)
    while child < size - 1:
        if child + 1 < size - 1 and _goes_first(room, room.heap[child + 1], room.heap[child]):
            child += 1
        if not _goes_first(room, room.heap[child], node):
            break
        room.heap[place] = room.heap[child]
        place, child = child, 2 * child + 1
    room.heap[place] = node


@helper
def _add_node(
    room: _Room, node: Number, first: Number, last: Number, least: Number, length: Number, n: Number, kind: Number
) -> Number:
    """Describe the suffixes `first` to `last` as a node. Returns whether both texts have some of them."""
    ours, place, other = int64(0), int64(1) << 40, int64(1) << 40
    for k in range(first, last):
        i = room.order[k]
        if i < n:
            ours, place = ours + 1, lesser(place, i)
        else:
            other = lesser(other, i)
    theirs = last - first - ours
    nodes = room.nodes
    nodes[node, _FIRST], nodes[node, _LAST], nodes[node, _LEAST], nodes[node, _LENGTH] = first, last, least, length
    nodes[node, _EVEN], nodes[node, _TOTAL] = ours == theirs, last - first
    nodes[node, _PLACE], nodes[node, _OTHER], nodes[node, _KIND] = place, other, kind
    return ours > 0 and theirs > 0


@helper
def _add_nodes(
    room: _Room, nodes: Number, at: Number, count: Number, n: Number, end: Number, trail: Number, other: Number,
    shortest: Number, kind: Number,
) -> Number:  # fmt: skip
    """Sort the suffixes and put their nodes into the heap. Returns the number of nodes."""
    _sort(room, at, count, n, end, kind)
    open_nodes, before = int64(0), int64(0)
    for k in range(at + 1, at + count + 1):
        depth, first = int64(0), k - 1
        if k < at + count:
            depth = _depth(room, room.order[k - 1], room.order[k], n, end, kind)
        while open_nodes and room.stack[open_nodes - 1, 0] > depth:
            open_nodes -= 1
            most, first = room.stack[open_nodes, 0], room.stack[open_nodes, 1]
            before = greater(depth, room.stack[open_nodes - 1, 0]) if open_nodes else depth
            if _add_node(room, nodes, first, k, before, most, n, kind):
                length = _next(room, nodes, most, n, trail, other, shortest)
                if length:
                    room.nodes[nodes, _LENGTH] = length
                    _push(room, nodes, nodes)
                    nodes += 1
        if depth and (open_nodes == 0 or room.stack[open_nodes - 1, 0] < depth):
            room.stack[open_nodes, 0], room.stack[open_nodes, 1] = depth, first
            open_nodes += 1
    return nodes


@helper
def _is_edge(room: _Room, i: Number, end: Number) -> Number:
    return i == end or room.edges[i] == i


@helper
def _add_ends(room: _Room, n: Number, end: Number, shortest: Number) -> Number:
    """Put whole words at the beginning or the end of both texts into the heap that are too short otherwise. Returns the
    number of nodes. Each has its two places in `order`."""
    nodes = int64(0)
    for length in range(1, lesser(shortest, lesser(n, end - n) + 1)):
        one, other = n - length, end - length
        begins = _common(room, int64(0), length, n, n + length) == length
        begins = begins and _is_edge(room, length, n) and _is_edge(room, n + length, end)
        ends = _common(room, one, n, other, end) == length and room.edges[one] == one and room.edges[other] == other
        # A word with which both texts begin is that beginning, wherever else it is.
        ends = ends and not (begins and _common(room, int64(0), length, one, n) == length)
        for at_end in range(2):
            if ends if at_end else begins:
                room.order[2 * nodes], room.order[2 * nodes + 1] = (one, other) if at_end else (int64(0), n)
                _add_node(room, nodes, 2 * nodes, 2 * nodes + 2, int64(0), length, n, _ENDS)
                _push(room, nodes, nodes)
                nodes += 1
    return nodes


@helper
def _take(room: _Room, base: Number, i: Number, length: Number) -> None:
    """Take characters of a text that begins at `base`: they are free no more."""
    for k in range(i, i + length):
        room.free[k] = 0
    k = i - 1
    while k >= base and room.free[k]:
        room.free[k] = i - k
        k -= 1


@helper
def _places(room: _Room, node: Number, n: Number) -> tuple[Number, Number, Number, Number]:
    """The first free places of a node in both texts, -1 for none; and the most free characters at its places there."""
    length, one, other, most, second = room.nodes[node, _LENGTH], int64(-1), int64(-1), int64(0), int64(0)
    for k in range(room.nodes[node, _FIRST], room.nodes[node, _LAST]):
        i = room.order[k]
        free = room.free[i]
        if i < n:
            most = greater(most, free)
            if free >= length and (one < 0 or i < one):
                one = i
        else:
            second = greater(second, free)
            if free >= length and (other < 0 or i < other):
                other = i
    return one, other, most, second


@helper
def _match(room: _Room, rules: Rules, n: Number, end: Number, parts: Rows, first: Number) -> Number:
    """Take the longest part that is free in both texts, as long as there is one. Returns the end of the parts."""
    trail, second = _read(room, rules, int64(0), n), _read(room, rules, n, end)
    size = _add_ends(room, n, end, rules.shortest)
    at = 2 * size
    for kind in (_LETTERS, _WORDS):
        count = int64(0)
        for i in range(end):
            if room.edges[i] == i if kind == _WORDS else i < trail or n <= i < second:
                room.order[at + count] = i
                count += 1
        size = _add_nodes(room, size, at, count, n, end, trail, second, rules.shortest, kind)
        at += count
    while size:
        node = room.heap[0]
        _pop(room, size)
        size -= 1
        length = room.nodes[node, _LENGTH]
        one, other, most, least = _places(room, node, n)
        while one >= 0 and other >= 0:
            _take(room, int64(0), one, length)
            _take(room, n, other, length)
            parts[first, 0], parts[first, 1], parts[first, 2], parts[first, 3] = one, other - n, length, MOVED
            first += 1
            one, other, most, least = _places(room, node, n)
        length = _next(room, node, lesser(length - 1, lesser(most, least)), n, trail, second, rules.shortest)
        if length:
            room.nodes[node, _LENGTH] = length
            _push(room, size, node)
            size += 1
    return first


@helper
def _longest_run(
    room: _Room, parts: Rows, left: Number, right: Number, low: Number, high: Number
) -> tuple[Number, Number, Number]:
    """The run of parts with most characters that follow each other in both texts, the first of equal ones: where it
    begins and ends in the first text, and where it begins in the second one."""
    best, start, stop = int64(0), left, left
    size, begin, before = int64(0), left, int64(-2)
    for x in range(left, right):
        p = room.spare[x]
        y = room.ranks[p]
        if not low <= y < high:
            before = int64(-2)
            continue
        if y != before + 1:
            size, begin = int64(0), x
        size, before = size + parts[p, 2], y
        if size > best:
            best, start, stop = size, begin, x + 1
    return start, stop, room.ranks[room.spare[start]]


@helper
def _mark(room: _Room, n: Number, end: Number, parts: Rows, first: Number, last: Number) -> None:
    """Say of each part whether it has moved, as ``difflib.SequenceMatcher`` finds what has not; or moved too far."""
    for i in range(end):
        room.depths[i] = -1
    for p in range(first, last):
        room.depths[parts[p, 0]] = room.depths[n + parts[p, 1]] = p
    count = low = int64(0)
    for i in range(end):
        p = room.depths[i]
        if p >= 0 and i < n:
            room.spare[count] = p
            count += 1
        elif p >= 0:
            room.ranks[p] = low
            low += 1
    room.stack[0, 0], room.stack[0, 1], room.stack[0, 2], room.stack[0, 3] = 0, count, 0, count
    windows = int64(1)
    while windows:
        windows -= 1
        left, right = room.stack[windows, 0], room.stack[windows, 1]
        low, high = room.stack[windows, 2], room.stack[windows, 3]
        if left == right:
            continue
        start, stop, rank = _longest_run(room, parts, left, right, low, high)
        if start == stop:
            continue
        for x in range(start, stop):
            parts[room.spare[x], 3] = MATCHED
        room.stack[windows, 0], room.stack[windows, 1] = left, start
        room.stack[windows, 2], room.stack[windows, 3] = low, rank
        room.stack[windows + 1, 0], room.stack[windows + 1, 1] = stop, right
        room.stack[windows + 1, 2], room.stack[windows + 1, 3] = rank + stop - start, high
        windows += 2
    for p in range(first, last):
        if (
            parts[p, 3] == MOVED
            and parts[p, 2] < len(_FARTHEST)
            and _distance(room, parts, p, count) > (_FARTHEST[parts[p, 2]])
        ):
            parts[p, 3] = DROPPED


@helper
def _distance(room: _Room, parts: Rows, p: Number, count: Number) -> Number:
    """How far a part has moved: the characters between it and the last of the parts that it has passed."""
    nearest, farthest = int64(-1), int64(0)
    for x in range(count):
        q = room.spare[x]
        if parts[q, 3] == MATCHED and (parts[q, 0] < parts[p, 0]) == (parts[q, 1] > parts[p, 1]):
            nearest = parts[q, 0] if nearest < 0 else nearest
            farthest = parts[q, 0] + parts[q, 2]
    if nearest < parts[p, 0]:
        return parts[p, 0] - nearest
    return farthest - (parts[p, 0] + parts[p, 2])


@kernel
def _common_parts(texts: Pairs, rules: Rules, room: _Room, parts: Rows, limits: Offsets, sizes: Rows) -> None:
    for p in range(len(sizes)):
        start, n, other, m = places(texts, p)
        for i in range(n):
            room.text[i] = texts.ids[start + i]
        for j in range(m):
            room.text[n + j] = texts.ids[other + j]
        first = limits[p]
        last = _match(room, rules, n, n + m, parts, first) if n and m else first
        _mark(room, n, n + m, parts, first, last)
        for k in range(first, last):
            sizes[p, parts[k, 3]] += parts[k, 2]
        limits[p + 1] = last


def common_parts(texts: Pairs, rules: Rules) -> tuple[Rows, Rows, Offsets]:
    """The parts that the texts of each pair have in common.

    Returns
    -------
    sizes : int64 (n_pairs, 3)
        The characters of the parts that are where they were, that have moved, and that have moved too far.
    parts : int64 (n_parts, 4)
        The place of each part in both texts, its length, and MATCHED, MOVED or DROPPED, longest parts first.
    limits : int64 (n_pairs + 1,)
        The parts of pair p are ``parts[limits[p]:limits[p + 1]]``.
    """
    lengths, pairs = row_lengths(texts.offsets), len(texts.hypotheses)
    longest = 2 * longest_row(texts.offsets) + 1
    suffixes = 2 * longest + 4 * min(rules.shortest, longest)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    limits_of, edges, words, free = np.empty((4, longest), np.int64)
    order, spare, depths, heap = np.empty((4, suffixes), np.int64)
    most = int(np.minimum(lengths[texts.hypotheses], lengths[texts.references]).sum())
    parts, limits, sizes = np.empty((most, 4), np.int64), np.zeros(pairs + 1, np.int64), np.zeros((pairs, 3), np.int64)
    nodes, stack, ranks = (
        np.empty((suffixes, 9), np.int64),
        np.empty((longest + 1, 4), np.int64),
        np.empty(most, np.int64),
    )
    text = np.empty(longest, np.int32)
    room = _Room(text, limits_of, edges, words, free, order, spare, depths, nodes, heap, stack, ranks)
    _common_parts(*texts, *rules, *room, parts, limits, sizes)
    return sizes, parts[: limits[-1]], limits
