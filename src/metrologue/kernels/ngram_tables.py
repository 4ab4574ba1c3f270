"""Tables of n-grams with their probabilities and back-offs: how they are made, and how an n-gram is found.

A model is one array of 64-bit words. Each word of the vocabulary has a number, and 0 is ``<unk>``. An n-gram is found
by its exact key: the place of its last n - 1 words, and the number of its first word. So no two n-grams have the same
key, and none is ever taken for another. Every suffix of an n-gram has to be in the tables too. One that the file leaves
out gets the probability that back-off gives it, as in KenLM.

Each look-up first makes sure that the block of memory is sound (see ``metrologue.kernels.blocks``). Where it is not,
the look-up ends as if nothing was found, and the caller drops what it has computed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float32, int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, FloatRows, Floats, Number, Offsets, Rows, Words
from metrologue.kernels.blocks import BLOCK, is_sound, mixed
from metrologue.kernels.utf8 import word_at
from metrologue.native import helper, kernel

__all__ = [
    "COUNT",
    "DUPLICATE",
    "FULL",
    "NO_CONTEXT",
    "NO_UNIGRAM",
    "ORDER",
    "SENTENCE",
    "SENTENCE_END",
    "SLOTS",
    "TABLES",
    "TEXT",
    "UNIGRAMS",
    "VOCABULARY",
    "Singles",
    "add_ngrams",
    "add_words",
    "find_ngram",
    "find_word",
    "find_words",
    "first_slot",
    "hash_word",
    "is_spelled",
    "key_of",
    "number_at",
    "place_of",
    "slot_of",
    "tagged",
]

Singles = NDArray[np.float32]

# The layout: the order, the number of words and of their slots; where the words' slots, their values and the spellings
# begin; the numbers of <s> and </s>. From TABLES on, there are two numbers for each order: where its table begins, and
# the number of its slots. A slot has a key, a log-probability and a back-off.
ORDER, COUNT, SLOTS, VOCABULARY, UNIGRAMS, TEXT, SENTENCE, SENTENCE_END, TABLES = range(9)
# What is wrong with an n-gram that is added.
NO_UNIGRAM, DUPLICATE, NO_CONTEXT, FULL = 1, 2, 3, 4


@helper
def _eight(buffer: Bytes, start: Number, stop: Number) -> Number:
    """The bytes from `start` to `stop`, up to eight, as one word."""
    word, left = word_at(buffer, start), stop - start
    return word if left >= 8 else word & ((uint64(1) << uint64(8 * left)) - uint64(1))


@helper
def hash_end(state: Number, piece: Number, length: Number) -> Number:
    """The hash of a word that ends with a piece of fewer than eight bytes, perhaps none."""
    kept = piece & ((uint64(1) << uint64(8 * length)) - uint64(1))
    return mixed(state, kept | uint64(length) << uint64(56)) * uint64(0x94D049BB133111EB)


@helper
def hash_word(buffer: Bytes, start: Number, stop: Number) -> Number:
    state = uint64(0)
    while stop - start >= 8:
        state = mixed(state, word_at(buffer, start))
        start += 8
    return hash_end(state, word_at(buffer, start), stop - start)


@helper
def first_slot(layout: Offsets, hashed: Number) -> Number:
    """The slot of the vocabulary where the search for a word begins."""
    return int64(((hashed >> uint64(32)) * uint64(layout[SLOTS])) >> uint64(32))


@helper
def tagged(words: Words, unread: Words, layout: Offsets, slot: Number, hashed: Number) -> Number:
    """The first slot, from `slot` on, that is free or has the tag of a word: the low half of its hash. -1: damage."""
    tag = hashed & uint64(0xFFFFFFFF)
    while is_sound(words, unread, layout[VOCABULARY] + slot):
        entry = words[uint64(layout[VOCABULARY] + slot)]
        if entry == 0 or entry >> uint64(32) == tag:
            return slot
        slot = int64(slot + 1) if slot + 1 < layout[SLOTS] else int64(0)
    return int64(-1)


@helper
def number_at(words: Words, layout: Offsets, slot: Number) -> Number:
    """The number of the word in a slot of the vocabulary; -1 if the slot is free, or there is none."""
    return int64(words[uint64(layout[VOCABULARY] + slot)] & uint64(0xFFFFFFFF)) - 1 if slot >= 0 else int64(-1)


@helper
def is_spelled(
    words: Words,
    unread: Words,
    layout: Offsets,
    text: Bytes,
    base: Number,
    number: Number,
    buffer: Bytes,
    start: Number,
    stop: Number,
) -> Number:
    """Whether the word with this number is the one from `start` to `stop`. Spellings begin at `base` in `text`: at 0 if
    they are in an array of their own. No number and no offset leads beyond its array, whatever the model holds."""
    place = layout[UNIGRAMS] + 2 * number + 1
    if place >= layout[TABLES] or not is_sound(words, unread, place):
        return False
    spelling = words[uint64(place)]
    own = base + int64(spelling >> uint64(24))
    same = int64(spelling & uint64(0xFFFFFF)) == stop - start and own + stop - start <= len(text)
    if same and base:
        same = is_sound(words, unread, own + stop - start - 1 >> 3)
    i = start
    while same and i < stop:
        same = not base or is_sound(words, unread, own + i - start >> 3)
        same = same and _eight(buffer, i, stop) == _eight(text, own + i - start, own + stop - start)
        i += 8
    return same


@helper
def find_word(
    words: Words,
    unread: Words,
    layout: Offsets,
    text: Bytes,
    base: Number,
    buffer: Bytes,
    start: Number,
    stop: Number,
    hashed: Number,
) -> Number:
    """The number of a word; -1 - slot if it is unknown. The slot is where it would be put."""
    slot = tagged(words, unread, layout, first_slot(layout, hashed), hashed)
    number = number_at(words, layout, slot)
    while number >= 0 and not is_spelled(words, unread, layout, text, base, number, buffer, start, stop):
        slot = int64(slot + 1) if slot + 1 < layout[SLOTS] else int64(0)
        slot = tagged(words, unread, layout, slot, hashed)
        number = number_at(words, layout, slot)
    return number if number >= 0 else -1 - slot


@helper
def _is_unknown(buffer: Bytes, start: Number, stop: Number) -> Number:
    """Whether a word is "<unk>" or "<UNK>"."""
    word = _eight(buffer, start, stop)
    return stop - start == 5 and (word == uint64(0x3E6B6E753C) or word == uint64(0x3E4B4E553C))


@helper
def place_of(layout: Offsets, order: Number, node: Number) -> Number:
    """Where the values of an n-gram are: its log-probability, then its back-off."""
    if order == 1:
        return uint64(2 * (layout[UNIGRAMS] + 2 * node))
    return uint64(2 * (layout[TABLES + 2 * order] + 2 * node) + 2)


def _sound(words: Words) -> Words:
    """The state of the blocks of a model that is made: there is nothing to compare them with."""
    return np.zeros(len(words) // BLOCK + 2, np.uint64)


@kernel
def _add_words(
    buffer: Bytes,
    starts: Rows,
    stops: Rows,
    numbers: FloatRows,
    layout: Offsets,
    text: Bytes,
    state: Offsets,
    words: Words,
    sound: Words,
    values: Singles,
) -> int:
    """Returns the first word that comes twice, or -1. `state` is that of ``add_words``."""
    for i in range(len(starts)):
        start, stop = starts[i, 0], stops[i, 0]
        number = int64(0)
        if _is_unknown(buffer, start, stop):
            if state[1]:
                return i
            state[1] = 1
        else:
            hashed = hash_word(buffer, start, stop)
            found = find_word(words, sound, layout, text, 0, buffer, start, stop, hashed)
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
        place = place_of(layout, 1, number)
        values[place], values[place + uint64(1)] = numbers[i, 0], numbers[i, 1]
    return -1


def add_words(
    buffer: Bytes,
    starts: Offsets,
    stops: Offsets,
    numbers: Floats,
    layout: Offsets,
    text: Bytes,
    state: Offsets,
    words: Words,
) -> int:
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
    return _add_words(buffer, starts, stops, numbers, layout, text, state, words, _sound(words), words.view(np.float32))


@kernel
def _find_words(
    buffer: Bytes, offsets: Offsets, layout: Offsets, text: Bytes, words: Words, sound: Words, found: Offsets
) -> None:
    for i in range(len(found)):
        start, stop = offsets[i], offsets[i + 1]
        found[i] = find_word(words, sound, layout, text, 0, buffer, start, stop, hash_word(buffer, start, stop))


def find_words(spelled: Sequence[str], layout: Offsets, text: Bytes, words: Words) -> Offsets:
    """The number of each word, (n,); negative for one that is not in the vocabulary. Arguments as for ``add_words``."""
    encoded = [word.encode() for word in spelled]
    found, offsets = np.empty(len(encoded), np.int64), np.cumsum([0, *map(len, encoded)])
    _find_words(np.frombuffer(b"".join(encoded).ljust(8), np.uint8), offsets, layout, text, words, _sound(words), found)
    return found


@helper
def key_of(node: Number, word: Number) -> Number:
    """The key of the n-gram of a shorter one and the word before it."""
    return uint64(node + 1) << uint64(32) | uint64(word)


@helper
def slot_of(layout: Offsets, order: Number, key: Number) -> Number:
    """The slot where the search for an n-gram begins."""
    hashed = (key ^ key >> uint64(32)) * uint64(0x9E3779B97F4A7C15)
    low = (hashed ^ hashed >> uint64(32)) & uint64(0xFFFFFFFF)
    return int64((low * uint64(layout[TABLES + 2 * order + 1])) >> uint64(32))


@helper
def find_ngram(words: Words, unread: Words, layout: Offsets, order: Number, key: Number) -> Number:
    """The slot of an n-gram; -1 - slot if it is not in the table."""
    start, size = layout[TABLES + 2 * order], layout[TABLES + 2 * order + 1]
    slot = slot_of(layout, order, key)
    while is_sound(words, unread, start + 2 * slot):
        found = words[uint64(start + 2 * slot)]
        if found == key:
            return slot
        if found == 0:
            return -1 - slot
        slot = int64(slot + 1) if slot + 1 < size else int64(0)
    return int64(-1)


@helper
def _enter(
    words: Words,
    values: Singles,
    layout: Offsets,
    order: Number,
    node: Number,
    word: Number,
    slot: Number,
    probability: Number,
    backoff: Number,
) -> Number:
    """Put an n-gram into a free slot, given as by `find_ngram`. Returns the slot."""
    words[layout[TABLES + 2 * order] + 2 * (-1 - slot)] = key_of(node, word)
    place = place_of(layout, order, -1 - slot)
    values[place], values[place + uint64(1)] = probability, backoff
    return -1 - slot


@kernel
def _add_ngrams(
    buffer: Bytes,
    starts: Rows,
    stops: Rows,
    numbers: FloatRows,
    layout: Offsets,
    text: Bytes,
    known: bool,
    ids: Offsets,
    used: Offsets,
    words: Words,
    sound: Words,
    values: Singles,
    report: Offsets,
) -> int:
    """Invariant: the n-grams before i are in their table, and all their suffixes in those of the shorter ones."""
    order = len(ids)
    for i in range(len(starts)):
        for k in range(order):
            start, stop = starts[i, k], stops[i, k]
            ids[k] = find_word(words, sound, layout, text, 0, buffer, start, stop, hash_word(buffer, start, stop))
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
            slot = find_ngram(words, sound, layout, length + 1, key_of(node, ids[order - 1 - length]))
            if slot < 0:
                break
            node = slot
            length += 1
        if length == order:
            report[0] = DUPLICATE
            return i
        # Longer suffixes are added. The probability of each is the shorter one's, with the back-off of its context,
        # whose longest part in the tables has `depth` words.
        total = values[place_of(layout, length, node)]
        context, depth, whole = ids[order - 2], 1, True
        while True:
            while whole and depth < length:
                found = find_ngram(words, sound, layout, depth + 1, key_of(context, ids[order - 2 - depth]))
                if found < 0:
                    whole = False
                else:
                    context = found
                    depth += 1
            if length == order - 1:
                break
            if whole:
                total += values[place_of(layout, depth, context) + uint64(1)]
            length += 1
            used[length] += 1
            # KenLM keeps a mark in the sign of a probability, so that a positive one is lost.
            negative = total if total < 0 else -total
            node = _enter(words, values, layout, length, node, ids[order - length], slot, negative, float32(0))
            slot = find_ngram(words, sound, layout, length + 1, key_of(node, ids[order - 1 - length]))
        if not whole:
            report[0] = NO_CONTEXT
            return i
        used[order] += 1
        _enter(words, values, layout, order, node, ids[0], slot, float32(numbers[i, 0]), float32(numbers[i, 1]))
    return -1


def add_ngrams(
    buffer: Bytes,
    starts: Offsets,
    stops: Offsets,
    numbers: Floats,
    layout: Offsets,
    text: Bytes,
    known: bool,
    used: Offsets,
    words: Words,
) -> tuple[int, int, int]:
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
    index = _add_ngrams(
        buffer,
        starts,
        stops,
        numbers,
        layout,
        text,
        known,
        ids,
        used,
        words,
        _sound(words),
        words.view(np.float32),
        report,
    )
    return index, int(report[0]), int(report[1])
