"""Tables of n-grams with their probabilities, and the probabilities of texts by back-off.

A model is one array of 64-bit words. Each word of the vocabulary has a number, and 0 is ``<unk>``. An n-gram is found
by its exact key: the place of its last n - 1 words, and the number of its first word. So no two n-grams have the same
key, and none is ever taken for another. Every suffix of an n-gram has to be in the tables too. One that the file leaves
out gets the probability that back-off gives it, as in KenLM.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float32, int64, uint64
from numpy.typing import NDArray

from metrologue.jit import helper, kernel
from metrologue.kernels.arpa_lines import Spans
from metrologue.kernels.arrays import Bytes, Flags, FloatRows, Floats, Ids, Number, Offsets, Words
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import lesser

__all__ = [
    "COUNT", "DUPLICATE", "FULL", "NO_CONTEXT", "NO_UNIGRAM", "ORDER", "SENTENCE", "SENTENCE_END", "SLOTS",
    "TABLES", "TEXT", "UNIGRAMS", "VOCABULARY", "add_ngrams", "add_words", "find_words", "score_texts",
    "scoring_kernel",
]  # fmt: skip

Singles = NDArray[np.float32]

# The layout: the order, the number of words and of their slots; where the words' slots, their values and the spellings
# begin; the numbers of <s> and </s>. From TABLES on, there are two numbers for each order: where its table begins, and
# the number of its slots. A slot has a key, a log-probability and a back-off.
ORDER, COUNT, SLOTS, VOCABULARY, UNIGRAMS, TEXT, SENTENCE, SENTENCE_END, TABLES = range(9)
# What is wrong with an n-gram that is added.
NO_UNIGRAM, DUPLICATE, NO_CONTEXT, FULL = 1, 2, 3, 4

_SPACE, _TAB, _RETURN = 0x20, 0x09, 0x0D


@helper
def _eight(buffer: Bytes, start: Number, stop: Number) -> Number:
    """The bytes from `start` to `stop`, up to eight, as one word."""
    word, left = word_at(buffer, start), stop - start
    return word if left >= 8 else word & ((uint64(1) << uint64(8 * left)) - uint64(1))


@helper
def _hash_word(buffer: Bytes, start: Number, stop: Number) -> Number:
    state = uint64(stop - start) * uint64(0x9E3779B97F4A7C15)
    for i in range(start, stop, 8):
        state = (state ^ _eight(buffer, i, stop)) * uint64(0xBF58476D1CE4E5B9)
        state ^= state >> uint64(31)
    return state * uint64(0x94D049BB133111EB)


@helper
def _find_word(
    words: Words, layout: Offsets, text: Bytes, base: Number, buffer: Bytes, start: Number, stop: Number, state: Number
) -> Number:
    """The number of a word; -1 - slot if it is unknown. The slot is where it would be put."""
    slots, count = layout[VOCABULARY], layout[SLOTS]
    slot = int64(((state >> uint64(32)) * uint64(count)) >> uint64(32))
    tag = state & uint64(0xFFFFFFFF)
    while words[slots + slot] != 0:
        entry = words[slots + slot]
        if entry >> uint64(32) == tag:
            number = int64(entry & uint64(0xFFFFFFFF)) - 1
            spelling = words[layout[UNIGRAMS] + 2 * number + 1]
            own = int64(spelling >> uint64(24))
            same = int64(spelling & uint64(0xFFFFFF)) == stop - start
            i = start
            while same and i < stop:
                same = _eight(buffer, i, stop) == _eight(text, base + own + i - start, base + own + stop - start)
                i += 8
            if same:
                return number
        slot = int64(slot + 1) if slot + 1 < count else int64(0)
    return -1 - slot


@helper
def _is_unknown(buffer: Bytes, start: Number, stop: Number) -> Number:
    """Whether a word is "<unk>" or "<UNK>"."""
    word = _eight(buffer, start, stop)
    return stop - start == 5 and (word == uint64(0x3E6B6E753C) or word == uint64(0x3E4B4E553C))


@helper
def _place(layout: Offsets, order: Number, node: Number) -> Number:
    """Where the values of an n-gram are: its log-probability, then its back-off."""
    if order == 1:
        return 2 * (layout[UNIGRAMS] + 2 * node)
    return 2 * (layout[TABLES + 2 * order] + 2 * node) + 2


@kernel
def _add_words(
    buffer: Bytes, starts: Spans, stops: Spans, numbers: FloatRows, layout: Offsets, text: Bytes, state: Offsets,
    words: Words, values: Singles,
) -> int:  # fmt: skip
    """Returns the first word that comes twice, or -1. `state` is that of ``add_words``."""
    for i in range(len(starts)):
        start, stop = starts[i, 0], stops[i, 0]
        number = int64(0)
        if _is_unknown(buffer, start, stop):
            if state[1]:
                return i
            state[1] = 1
        else:
            hashed = _hash_word(buffer, start, stop)
            found = _find_word(words, layout, text, 0, buffer, start, stop, hashed)
            if found >= 0:
                return i
            number = state[0]
            state[0] += 1
            words[layout[VOCABULARY] - 1 - found] = hashed << uint64(32) | uint64(number + 1)
            # A spelling's place, and its length in 24 bits, stand beside the values: one read fetches all.
            words[layout[UNIGRAMS] + 2 * number + 1] = uint64(state[2]) << uint64(24) | uint64(stop - start)
            for k in range(start, stop):
                text[state[2]] = buffer[k]
                state[2] += 1
        place = _place(layout, 1, number)
        values[place], values[place + 1] = numbers[i, 0], numbers[i, 1]
    return -1


def add_words(
    buffer: Bytes, starts: Offsets, stops: Offsets, numbers: Floats, layout: Offsets, text: Bytes, state: Offsets,
    words: Words,
) -> int:  # fmt: skip
    """Add words to the vocabulary of a model that is made.

    Parameters
    ----------
    buffer : bytes
        Eight or more.
    starts, stops : int64 (n, 1)
    numbers : float64 (n, 2)
        Their log-probabilities and back-offs.
    layout : int64
    text : bytes
        The spellings of the words, with room for more; eight bytes or more.
    state : int64 (3,)
        How many words there are, whether <unk> is among them, and the bytes of all spellings. Changed.
    words : uint64
        The model. Changed.

    Returns
    -------
    int
        The index of the first word that is there already, or -1.
    """
    return _add_words(buffer, starts, stops, numbers, layout, text, state, words, words.view(np.float32))


@kernel
def _find_words(buffer: Bytes, offsets: Offsets, layout: Offsets, text: Bytes, words: Words, found: Offsets) -> None:
    for i in range(len(found)):
        start, stop = offsets[i], offsets[i + 1]
        found[i] = _find_word(words, layout, text, 0, buffer, start, stop, _hash_word(buffer, start, stop))


def find_words(spelled: Sequence[str], layout: Offsets, text: Bytes, words: Words) -> Offsets:
    """The number of each word, (n,); negative for one that is not in the vocabulary. Arguments as for ``add_words``."""
    encoded = [word.encode() for word in spelled]
    found, offsets = np.empty(len(encoded), np.int64), np.cumsum([0, *map(len, encoded)])
    _find_words(np.frombuffer(b"".join(encoded).ljust(8), np.uint8), offsets, layout, text, words, found)
    return found


@helper
def _find(words: Words, layout: Offsets, order: Number, node: Number, word: Number) -> Number:
    """The slot of the n-gram of a shorter one and the word before it; -1 - slot if it is not in the table."""
    start, size = layout[TABLES + 2 * order], layout[TABLES + 2 * order + 1]
    key = uint64(node + 1) << uint64(32) | uint64(word)
    mixed = (key ^ key >> uint64(32)) * uint64(0x9E3779B97F4A7C15)
    slot = int64((((mixed ^ mixed >> uint64(32)) & uint64(0xFFFFFFFF)) * uint64(size)) >> uint64(32))
    while words[start + 2 * slot] != key:
        if words[start + 2 * slot] == 0:
            return -1 - slot
        slot = int64(slot + 1) if slot + 1 < size else int64(0)
    return slot


@helper
def _enter(
    words: Words, values: Singles, layout: Offsets, order: Number, node: Number, word: Number, slot: Number,
    probability: Number, backoff: Number,
) -> Number:  # fmt: skip
    """Put an n-gram into a free slot, given as by `_find`. Returns the slot."""
    words[layout[TABLES + 2 * order] + 2 * (-1 - slot)] = uint64(node + 1) << uint64(32) | uint64(word)
    place = _place(layout, order, -1 - slot)
    values[place], values[place + 1] = probability, backoff
    return -1 - slot


@kernel
def _add_ngrams(
    buffer: Bytes, starts: Spans, stops: Spans, numbers: FloatRows, layout: Offsets, text: Bytes, known: bool,
    ids: Offsets, used: Offsets, words: Words, values: Singles, report: Offsets,
) -> int:  # fmt: skip
    """Invariant: the n-grams before i are in their table, and all their suffixes in those of the shorter ones."""
    order = len(ids)
    for i in range(len(starts)):
        for k in range(order):
            start, stop = starts[i, k], stops[i, k]
            ids[k] = _find_word(words, layout, text, 0, buffer, start, stop, _hash_word(buffer, start, stop))
            if ids[k] < 0:
                if not (known and _is_unknown(buffer, start, stop)):
                    report[0], report[1] = NO_UNIGRAM, k
                    return i
                ids[k] = 0
        for length in range(2, order + 1):
            if 8 * used[length] >= 7 * layout[TABLES + 2 * length + 1]:
                report[0], report[1] = FULL, length
                return i
        # The longest suffix in the tables has `length` words and is at `node`.
        node, length, slot = ids[order - 1], 1, int64(0)
        while length < order:
            slot = _find(words, layout, length + 1, node, ids[order - 1 - length])
            if slot < 0:
                break
            node = slot
            length += 1
        if length == order:
            report[0] = DUPLICATE
            return i
        # Longer suffixes are added. The probability of each is the shorter one's, with the back-off of its context,
        # whose longest part in the tables has `depth` words.
        total = values[_place(layout, length, node)]
        context, depth, whole = ids[order - 2], 1, True
        while True:
            while whole and depth < length:
                found = _find(words, layout, depth + 1, context, ids[order - 2 - depth])
                if found < 0:
                    whole = False
                else:
                    context = found
                    depth += 1
            if length == order - 1:
                break
            if whole:
                total += values[_place(layout, depth, context) + 1]
            length += 1
            used[length] += 1
            # KenLM keeps a mark in the sign of a probability, so that a positive one is lost.
            negative = total if total < 0 else -total
            node = _enter(words, values, layout, length, node, ids[order - length], slot, negative, float32(0))
            slot = _find(words, layout, length + 1, node, ids[order - 1 - length])
        if not whole:
            report[0] = NO_CONTEXT
            return i
        used[order] += 1
        _enter(
            words, values, layout, order, node, ids[0], slot, float32(numbers[i, 0]), float32(numbers[i, 1])
        )  # fmt: skip
    return -1


def add_ngrams(
    buffer: Bytes, starts: Offsets, stops: Offsets, numbers: Floats, layout: Offsets, text: Bytes, known: bool,
    used: Offsets, words: Words,
) -> tuple[int, int, int]:  # fmt: skip
    """Add n-grams of one order to a model that is made, after all shorter ones, in the order of the file.

    Parameters
    ----------
    buffer, starts, stops, numbers, layout, text, words
        As for ``add_words``. There are n words in each row of `starts` and `stops`.
    known : bool
        Whether <unk> is among the words.
    used : int64
        The number of n-grams of each order. Changed.

    Returns
    -------
    index, what, number
        The first n-gram that cannot be added, or -1; why; the word that is unknown, or the order whose table is full.
    """
    report, ids = np.zeros(2, np.int64), np.zeros(starts.shape[1], np.int64)
    values = words.view(np.float32)
    index = _add_ngrams(buffer, starts, stops, numbers, layout, text, known, ids, used, words, values, report)
    return index, int(report[0]), int(report[1])


@kernel
def scoring_kernel(
    buffer: Bytes, offsets: Offsets, layout: Offsets, words: Words, values: Singles, spelled: Bytes,
    begin: bool, end: bool, history: Offsets, backoffs: Singles, ends: Offsets, logs: Floats, unknown: Flags,
    lengths: Ids,
) -> None:  # fmt: skip
    """Invariant: the last `depth` words, the latest first, are in `history`, and the back-offs of the n-grams that end
    there in one half of `backoffs`, the shortest first. No longer n-gram ends there."""
    order, base = layout[ORDER], 8 * layout[TEXT]
    n = 0
    for t in range(len(offsets) - 1):
        depth, old, new = 0, 0, order
        if begin and order > 1:
            history[0], depth = layout[SENTENCE], 1
            backoffs[old] = values[_place(layout, 1, layout[SENTENCE]) + 1]
        i, last = offsets[t], offsets[t + 1]
        while True:
            while i < last and (buffer[i] == _SPACE or (buffer[i] >= _TAB and buffer[i] <= _RETURN)):
                i += 1
            start = i
            if start == last and not end:
                break
            while i < last and not (buffer[i] == _SPACE or (buffer[i] >= _TAB and buffer[i] <= _RETURN)):
                i += 1
            word = layout[SENTENCE_END]
            if start < last:
                word = _find_word(words, layout, spelled, base, buffer, start, i, _hash_word(buffer, start, i))
                word = word if word > 0 else 0
            node, length, place = word, 1, _place(layout, 1, word)
            backoffs[new] = values[place + 1]
            while length <= depth:
                node = _find(words, layout, length + 1, node, history[length - 1])
                if node < 0:
                    break
                length += 1
                place = _place(layout, length, node)
                backoffs[new + length - 1] = values[place + 1]
            total = values[place]
            for k in range(length - 1, depth):
                total += backoffs[old + k]
            logs[n], unknown[n], lengths[n] = total, word == 0, length
            n += 1
            if start == last:
                break
            depth = lesser(length, order - 1)
            for k in range(depth - 1, 0, -1):
                history[k] = history[k - 1]
            history[0] = word
            old, new = new, old
        ends[t + 1] = n


def score_texts(
    buffer: Bytes, offsets: Offsets, layout: Offsets, words: Words, begin: bool, end: bool
) -> tuple[Offsets, NDArray[np.float64], Flags, Ids]:
    """The log-probability of each token of some texts, in KenLM's arithmetic of 32 bits.

    Parameters
    ----------
    buffer, offsets : bytes and their offsets (n + 1,)
        Words are separated by the six ASCII characters of whitespace. Eight bytes or more.
    layout, words : int64, uint64
        The model.
    begin, end : bool
        Whether <s> comes before a text, and </s> is its last token.

    Returns
    -------
    offsets : int64 (n + 1,)
        The tokens of text i are ``offsets[i]:offsets[i + 1]``.
    logs : float64 (tokens,)
    unknown : bool (tokens,)
    lengths : int32 (tokens,)
        The number of words of the n-gram that the probability comes from.
    """
    texts, order = len(offsets) - 1, int(layout[ORDER])
    most = int(offsets[-1] - offsets[0] + 1) // 2 + 2 * texts
    ends, logs = np.zeros(texts + 1, np.int64), np.empty(most)
    unknown, lengths = np.empty(most, np.bool_), np.empty(most, np.int32)
    history, backoffs = np.empty(order, np.int64), np.empty(2 * order, np.float32)
    scoring_kernel(
        buffer, offsets, layout, words, words.view(np.float32), words.view(np.uint8), begin, end, history, backoffs,
        ends, logs, unknown, lengths,
    )  # fmt: skip
    count = int(ends[-1])
    return ends, logs[:count], unknown[:count], lengths[:count]
