"""Tables of n-grams with their probabilities and back-offs: how they are made, and how an n-gram is found.

A model is one array of 64-bit words. Each word of the vocabulary has a number, and 0 is ``<unk>``. An n-gram is found
by its exact key: the place of its last n - 1 words, and the number of its first word. So no two n-grams have the same
key, and none is ever taken for another. Every suffix of an n-gram has to be in the tables too. One that the file leaves
out gets the probability that back-off gives it, as in KenLM.

Each look-up first makes sure that the block of memory is unread (see ``blocks.py``). Where it is not, the look-up ends
as if nothing was found, and the caller drops what it has computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy import float32, int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Flags, FloatRows, Floats, Ids, Number, Offsets, Rows, Words
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import array_at, lesser, prefetch, trailing_zeros
from metrologue.language_models.arpa.kernels.blocks import BLOCK, DamagedError, is_damaged, is_sound, mixed
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
    "ShortTexts",
    "add_ngrams",
    "add_words",
    "find_words",
    "score_texts",
]

Singles = NDArray[np.float32]

# The layout: the order, the number of words and of their slots; where the words' slots, their values and the spellings
# begin; the numbers of <s> and </s>. From TABLES on, there are two numbers for each order: where its table begins, and
# the number of its slots. A slot has a key, a log-probability and a back-off.
ORDER, COUNT, SLOTS, VOCABULARY, UNIGRAMS, TEXT, SENTENCE, SENTENCE_END, TABLES = range(9)
# What is wrong with an n-gram that is added.
NO_UNIGRAM, DUPLICATE, NO_CONTEXT, FULL = 1, 2, 3, 4


class Model(NamedTuple):
    """A model: the array with all its parts, as numbers of 64 and of 32 bits, and the bytes of the spellings.

    `layout` says what is where, and `unread` is the state of the blocks of `words`.
    """

    layout: Offsets
    words: Words
    unread: Words
    values: Singles
    text: Bytes

    @classmethod
    def made(cls, layout: Offsets, words: Words, text: Bytes) -> Model:
        """A model that is made: there is nothing to compare its blocks with."""
        return cls(layout, words, np.zeros(len(words) // BLOCK + 2, np.uint64), words.view(np.float32), text)


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
def first_slot(model: Model, hashed: Number) -> Number:
    """The slot of the vocabulary where the search for a word begins."""
    return int64(((hashed >> uint64(32)) * uint64(model.layout[SLOTS])) >> uint64(32))


@helper
def tagged(model: Model, slot: Number, hashed: Number) -> Number:
    """The first slot, from `slot` on, that is free or has the tag of a word: the low half of its hash. -1: damage."""
    tag = hashed & uint64(0xFFFFFFFF)
    while is_sound(model.words, model.unread, model.layout[VOCABULARY] + slot):
        entry = model.words[uint64(model.layout[VOCABULARY] + slot)]
        if entry == 0 or entry >> uint64(32) == tag:
            return slot
        slot = int64(slot + 1) if slot + 1 < model.layout[SLOTS] else int64(0)
    return int64(-1)


@helper
def number_at(model: Model, slot: Number) -> Number:
    """The number of the word in a slot of the vocabulary; -1 if the slot is free, or there is none."""
    return (
        int64(model.words[uint64(model.layout[VOCABULARY] + slot)] & uint64(0xFFFFFFFF)) - 1 if slot >= 0 else int64(-1)
    )


@helper
def is_spelled(model: Model, base: Number, number: Number, buffer: Bytes, start: Number, stop: Number) -> Number:
    """Whether the word with this number is the one from `start` to `stop`. Spellings begin at `base` in `text`: at 0 if
    they are in an array of their own. No number and no offset leads beyond its array, whatever the model holds."""
    place = model.layout[UNIGRAMS] + 2 * number + 1
    if place >= model.layout[TABLES] or not is_sound(model.words, model.unread, place):
        return False
    spelling = model.words[uint64(place)]
    own = base + int64(spelling >> uint64(24))
    same = int64(spelling & uint64(0xFFFFFF)) == stop - start and own + stop - start <= len(model.text)
    if same and base:
        same = is_sound(model.words, model.unread, own + stop - start - 1 >> 3)
    i = start
    while same and i < stop:
        same = not base or is_sound(model.words, model.unread, own + i - start >> 3)
        same = same and _eight(buffer, i, stop) == _eight(model.text, own + i - start, own + stop - start)
        i += 8
    return same


@helper
def find_word(model: Model, base: Number, buffer: Bytes, start: Number, stop: Number, hashed: Number) -> Number:
    """The number of a word; -1 - slot if it is unknown. The slot is where it would be put."""
    slot = tagged(model, first_slot(model, hashed), hashed)
    number = number_at(model, slot)
    while number >= 0 and not is_spelled(model, base, number, buffer, start, stop):
        slot = int64(slot + 1) if slot + 1 < model.layout[SLOTS] else int64(0)
        slot = tagged(model, slot, hashed)
        number = number_at(model, slot)
    return number if number >= 0 else -1 - slot


@helper
def _is_unknown(buffer: Bytes, start: Number, stop: Number) -> Number:
    """Whether a word is "<unk>" or "<UNK>"."""
    word = _eight(buffer, start, stop)
    return stop - start == 5 and (word == uint64(0x3E6B6E753C) or word == uint64(0x3E4B4E553C))


@helper
def place_of(model: Model, order: Number, node: Number) -> Number:
    """Where the values of an n-gram are: its log-probability, then its back-off."""
    if order == 1:
        return uint64(2 * (model.layout[UNIGRAMS] + 2 * node))
    return uint64(2 * (model.layout[TABLES + 2 * order] + 2 * node) + 2)


@kernel
def _add_words(buffer: Bytes, starts: Rows, stops: Rows, numbers: FloatRows, model: Model, state: Offsets) -> int:
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
            found = find_word(model, 0, buffer, start, stop, hashed)
            if found >= 0:
                return i
            number = state[0]
            state[0] += 1
            model.words[model.layout[VOCABULARY] - 1 - found] = hashed << uint64(32) | uint64(number + 1)
            # A spelling's place, and its length in 24 bits, stand beside the values: one read fetches all.
            model.words[model.layout[UNIGRAMS] + 2 * number + 1] = uint64(state[2]) << uint64(24) | uint64(stop - start)
            for k in range(start, stop):
                model.text[state[2]] = buffer[k]
                state[2] += 1
        place = place_of(model, 1, number)
        model.values[place], model.values[place + uint64(1)] = numbers[i, 0], numbers[i, 1]
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
    return _add_words(buffer, starts, stops, numbers, *Model.made(layout, words, text), state)


@kernel
def _find_words(buffer: Bytes, offsets: Offsets, model: Model, found: Offsets) -> None:
    for i in range(len(found)):
        start, stop = offsets[i], offsets[i + 1]
        found[i] = find_word(model, 0, buffer, start, stop, hash_word(buffer, start, stop))


def find_words(spelled: Sequence[str], layout: Offsets, text: Bytes, words: Words) -> Offsets:
    """The number of each word, (n,); negative for one that is not in the vocabulary. Arguments as for ``add_words``."""
    encoded = [word.encode() for word in spelled]
    found, offsets = np.empty(len(encoded), np.int64), np.cumsum([0, *map(len, encoded)])
    buffer = np.frombuffer(b"".join(encoded).ljust(8), np.uint8)
    _find_words(buffer, offsets, *Model.made(layout, words, text), found)
    return found


@helper
def key_of(node: Number, word: Number) -> Number:
    """The key of the n-gram of a shorter one and the word before it."""
    return uint64(node + 1) << uint64(32) | uint64(word)


@helper
def slot_of(model: Model, order: Number, key: Number) -> Number:
    """The slot where the search for an n-gram begins."""
    hashed = (key ^ key >> uint64(32)) * uint64(0x9E3779B97F4A7C15)
    low = (hashed ^ hashed >> uint64(32)) & uint64(0xFFFFFFFF)
    return int64((low * uint64(model.layout[TABLES + 2 * order + 1])) >> uint64(32))


@helper
def find_ngram(model: Model, order: Number, key: Number) -> Number:
    """The slot of an n-gram; -1 - slot if it is not in the table."""
    start, size = model.layout[TABLES + 2 * order], model.layout[TABLES + 2 * order + 1]
    slot = slot_of(model, order, key)
    while is_sound(model.words, model.unread, start + 2 * slot):
        found = model.words[uint64(start + 2 * slot)]
        if found == key:
            return slot
        if found == 0:
            return -1 - slot
        slot = int64(slot + 1) if slot + 1 < size else int64(0)
    return int64(-1)


@helper
def _enter(
    model: Model, order: Number, node: Number, word: Number, slot: Number, probability: Number, backoff: Number
) -> Number:
    """Put an n-gram into a free slot, given as by `find_ngram`. Returns the slot."""
    model.words[model.layout[TABLES + 2 * order] + 2 * (-1 - slot)] = key_of(node, word)
    place = place_of(model, order, -1 - slot)
    model.values[place], model.values[place + uint64(1)] = probability, backoff
    return -1 - slot


@kernel
def _add_ngrams(
    buffer: Bytes,
    starts: Rows,
    stops: Rows,
    numbers: FloatRows,
    model: Model,
    known: bool,
    ids: Offsets,
    used: Offsets,
    report: Offsets,
) -> int:
    """Invariant: the n-grams before i are in their table, and all their suffixes in those of the shorter ones."""
    order = len(ids)
    for i in range(len(starts)):
        for k in range(order):
            start, stop = starts[i, k], stops[i, k]
            ids[k] = find_word(model, 0, buffer, start, stop, hash_word(buffer, start, stop))
            if ids[k] < 0:
                if not (known and _is_unknown(buffer, start, stop)):
                    report[0], report[1] = NO_UNIGRAM, k
                    return i
                ids[k] = 0
        for length in range(2, order + 1):
            if 8 * used[length] >= 7 * model.layout[TABLES + 2 * length + 1]:
                report[0], report[1] = FULL, length
                return i
        # The longest suffix in the tables has `length` words and is at `node`.
        node, length, slot = ids[order - 1], 1, int64(0)
        while length < order:
            slot = find_ngram(model, length + 1, key_of(node, ids[order - 1 - length]))
            if slot < 0:
                break
            node = slot
            length += 1
        if length == order:
            report[0] = DUPLICATE
            return i
        # Longer suffixes are added. The probability of each is the shorter one's, with the back-off of its context,
        # whose longest part in the tables has `depth` words.
        total = model.values[place_of(model, length, node)]
        context, depth, whole = ids[order - 2], 1, True
        while True:
            while whole and depth < length:
                found = find_ngram(model, depth + 1, key_of(context, ids[order - 2 - depth]))
                if found < 0:
                    whole = False
                else:
                    context = found
                    depth += 1
            if length == order - 1:
                break
            if whole:
                total += model.values[place_of(model, depth, context) + uint64(1)]
            length += 1
            used[length] += 1
            # KenLM keeps a mark in the sign of a probability, so that a positive one is lost.
            negative = total if total < 0 else -total
            node = _enter(model, length, node, ids[order - length], slot, negative, float32(0))
            slot = find_ngram(model, length + 1, key_of(node, ids[order - 1 - length]))
        if not whole:
            report[0] = NO_CONTEXT
            return i
        used[order] += 1
        _enter(model, order, node, ids[0], slot, float32(numbers[i, 0]), float32(numbers[i, 1]))
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
    model = Model.made(layout, words, text)
    index = _add_ngrams(buffer, starts, stops, numbers, *model, known, ids, used, report)
    return index, int(report[0]), int(report[1])


_BLOCK = 512  # tokens
# Eight numbers for each token of a block: where it begins and ends in the buffer, the hash and the number of its word;
# the number of words of the longest n-gram that is found, and its slot; an entry of the list of tokens that are tried.
# Unsigned indices are not checked for being negative.
_START, _STOP, _HASH, _WORD, _LENGTH, _NODE, _TRIED, _ = map(np.uint64, range(8))
_EACH, _ONE = np.uint64(8), np.uint64(1)
_BEGIN = -1  # START and STOP of the token that stands for the beginning of a text


@helper
def _is_space(byte: Number) -> Number:
    """Whether a byte is one of the six characters of ASCII whitespace."""
    return byte == 0x20 or (byte >= 0x09 and byte <= 0x0D)


@helper
def _first_space(word: Number) -> Number:
    """How many of a word's eight bytes come before the first one that is ASCII whitespace. All are tested at once."""
    each = uint64(0x0101010101010101)
    low, high = word & (each * uint64(0x7F)), each * uint64(0x80)
    # A sum sets a byte's high bit: for all but a space; from a TAB on; beyond a carriage return.
    other = (low ^ (each * uint64(0x20))) + each * uint64(0x7F)
    control = (low + each * uint64(0x80 - 0x09)) & ~(low + each * uint64(0x80 - 0x0E))
    return int64(trailing_zeros((~other | control) & ~word & high) >> uint64(3))


@helper
def _find_tokens(model: Model, block: Offsets, numbers: Singles, first: Number, count: Number, buffer: Bytes) -> Number:
    """Find the word of each token. Returns how many tokens are in the list of those to be tried with their context."""
    base, width = 8 * model.layout[TEXT], uint64(model.layout[ORDER] + 1)
    for c in range(first, count):
        at = c * _EACH
        if block[at + _STOP] > block[at + _START]:
            hashed = uint64(block[at + _HASH])
            slot = tagged(model, first_slot(model, hashed), hashed)
            block[at + _WORD] = number_at(model, slot)
        prefetch(model.words, model.layout[UNIGRAMS] + 2 * block[at + _WORD])
    tried = uint64(0)
    for c in range(first, count):
        at = c * _EACH
        start, stop, word = block[at + _START], block[at + _STOP], block[at + _WORD]
        if stop == _BEGIN:
            continue
        if start < stop:
            if word >= 0 and not is_spelled(model, base, word, buffer, start, stop):
                word = find_word(model, base, buffer, start, stop, uint64(block[at + _HASH]))
            word = word if word > 0 else 0
        block[at + _WORD], block[at + _NODE], block[at + _LENGTH] = word, word, 1
        place = place_of(model, 1, word)
        numbers[c * width], numbers[c * width + _ONE] = model.values[place], model.values[place + _ONE]
        if model.layout[ORDER] > 1 and block[at - _EACH + _LENGTH] >= 1:
            block[tried * _EACH + _TRIED] = c
            tried += _ONE
            slot = slot_of(model, 2, key_of(word, block[at - _EACH + _WORD]))
            prefetch(model.words, model.layout[TABLES + 2 * 2] + 2 * slot)
    return tried


@helper
def _find_ngrams(model: Model, block: Offsets, numbers: Singles, tried: Number, length: Number) -> Number:
    """Find the n-grams of this length for the tokens in the list. Returns how many are then in the list: a longer one
    can only be there if this one is, and its context too."""
    order, width, active = model.layout[ORDER], uint64(model.layout[ORDER] + 1), uint64(0)
    for entry in range(tried):
        token = uint64(block[entry * _EACH + _TRIED])
        at, row, back = token * _EACH, token * width, (token - uint64(length)) * _EACH
        slot = find_ngram(model, length, key_of(block[at + _NODE], block[back + _EACH + _WORD]))
        if slot < 0:
            continue
        block[at + _NODE], block[at + _LENGTH] = slot, length
        place = place_of(model, length, slot)
        numbers[row], numbers[row + uint64(length)] = model.values[place], model.values[place + _ONE]
        if length < order and block[at - _EACH + _LENGTH] >= length:
            block[active * _EACH + _TRIED] = token
            active += _ONE
            slot = slot_of(model, length + 1, key_of(slot, block[back + _WORD]))
            prefetch(model.words, model.layout[TABLES + 2 * (length + 1)] + 2 * slot)
    return active


@helper
def _score(
    model: Model,
    buffer: Bytes,
    offsets: Offsets,
    begin: Number,
    end: Number,
    block: Offsets,
    numbers: Singles,
    ends: Offsets,
    logs: Floats,
    unknown: Flags,
    lengths: Ids,
) -> None:
    """Tokens are looked up block by block, all of them at each step, so that the processor waits for many reads of
    memory at once. A step asks for what the next one reads.

    Invariant: the first `order` tokens of a block are the last ones of the block before. `numbers` has the
    log-probability of each token of the block, and the back-offs of the n-grams that end there, the shortest first."""
    order, texts, width = model.layout[ORDER], len(offsets) - 1, uint64(model.layout[ORDER] + 1)
    first, room = uint64(order), uint64(len(block) >> 3)
    t, i, inside, n, written = 0, offsets[0], False, 0, 0
    for k in range(8 * order):
        block[k] = 0
    # The three words that a look-up does not find by their spelling.
    is_sound(model.words, model.unread, model.layout[UNIGRAMS])
    is_sound(model.words, model.unread, model.layout[UNIGRAMS] + 2 * model.layout[SENTENCE])
    is_sound(model.words, model.unread, model.layout[UNIGRAMS] + 2 * model.layout[SENTENCE_END])
    while t < texts and not is_damaged(model.unread):
        # The tokens are cut and hashed. A token for its beginning comes before each text.
        count = first
        while count < room and t < texts:
            at = count * _EACH
            if not inside:
                inside = True
                block[at + _START] = block[at + _STOP] = _BEGIN
                block[at + _WORD], block[at + _LENGTH] = model.layout[SENTENCE], begin
                numbers[count * width + _ONE] = model.values[place_of(model, 1, model.layout[SENTENCE]) + _ONE]
                count += _ONE
                continue
            last = offsets[t + 1]
            while i < last and _is_space(buffer[uint64(i)]):
                i += 1
            start, state, piece = i, uint64(0), word_at(buffer, i)
            length = lesser(_first_space(piece), last - i)
            while length == 8:
                state = mixed(state, piece)
                i += 8
                piece = word_at(buffer, i)
                length = lesser(_first_space(piece), last - i)
            i += length
            if start < i:
                hashed = hash_end(state, piece, length)
                prefetch(model.words, model.layout[VOCABULARY] + first_slot(model, hashed))
                block[at + _HASH] = int64(hashed)
            else:
                block[at + _WORD] = model.layout[SENTENCE_END]
                inside = False
                t += 1
                ends[t] = n + end
                if not end:
                    continue
            block[at + _START], block[at + _STOP] = start, i
            count += _ONE
            n += 1
        tried = _find_tokens(model, block, numbers, first, count, buffer)
        for length in range(2, order + 1):
            tried = _find_ngrams(model, block, numbers, tried, length)
        for c in range(first, count):
            at = c * _EACH
            if block[at + _STOP] == _BEGIN:
                continue
            total = numbers[c * width]
            for k in range(block[at + _LENGTH], lesser(block[at - _EACH + _LENGTH], order - 1) + 1):
                total += numbers[(c - _ONE) * width + uint64(k)]
            logs[written], unknown[written], lengths[written] = total, block[at + _WORD] == 0, block[at + _LENGTH]
            written += 1
        for k in range(first * _EACH):
            block[k] = block[k + (count - first) * _EACH]
        for k in range(width):
            numbers[(first - _ONE) * width + k] = numbers[(count - _ONE) * width + k]


@kernel
def _score_at(place: int, begin: bool, end: bool) -> int:
    """Score texts. At `place` are the address and the length of each array: thirteen arrays as arguments would take
    longer to pass than a short text takes to score. Returns 1 if all that was read of the model is sound, otherwise 0.
    """
    at = array_at(np.int64, place, 26)
    unread = array_at(np.uint64, at[8], at[9])
    model = Model(
        array_at(np.int64, at[4], at[5]),
        array_at(np.uint64, at[6], at[7]),
        unread,
        array_at(np.float32, at[10], at[11]),
        array_at(np.uint8, at[12], at[13]),
    )
    _score(
        model,
        array_at(np.uint8, at[0], at[1]),
        array_at(np.int64, at[2], at[3]),
        begin,
        end,
        array_at(np.int64, at[14], at[15]),
        array_at(np.float32, at[16], at[17]),
        array_at(np.int64, at[18], at[19]),
        array_at(np.float64, at[20], at[21]),
        array_at(np.bool_, at[22], at[23]),
        array_at(np.int32, at[24], at[25]),
    )
    return 0 if is_damaged(unread) else 1


# The kinds of these arrays.
_KINDS = (
    np.uint8, np.int64, np.int64, np.uint64, np.uint64, np.float32, np.uint8, np.int64, np.float32, np.int64,
    np.float64, np.bool_, np.int32,
)  # fmt: skip


class Call:
    """A call of the kernel: the arrays that it reads and fills. Only their content may change between two runs.

    Parameters
    ----------
    buffer, offsets, layout, words, unread, begin, end
        As for ``score_texts``.
    most : int
        The texts have at most this many tokens.

    Attributes
    ----------
    ends : int64 (n + 1,)
    logs : float64 (most,)
    unknown : bool (most,)
    lengths : int32 (most,)
        Filled by a run; see ``score_texts``.
    """

    def __init__(
        self,
        buffer: Bytes,
        offsets: Offsets,
        layout: Offsets,
        words: Words,
        unread: Words,
        begin: bool,
        end: bool,
        most: int,
    ) -> None:
        texts, order = len(offsets) - 1, int(layout[ORDER])
        self.ends, self.logs = np.zeros(texts + 1, np.int64), np.empty(most)
        self.unknown, self.lengths = np.empty(most, np.bool_), np.empty(most, np.int32)
        tokens = order + min(most + texts, _BLOCK)
        arrays: list[NDArray[Any]] = [
            buffer, offsets, layout, words, unread, words.view(np.float32), words.view(np.uint8),
            np.empty(8 * tokens, np.int64), np.empty(tokens * (order + 1), np.float32),
            self.ends, self.logs, self.unknown, self.lengths,
        ]  # fmt: skip
        for kind, array in zip(_KINDS, arrays, strict=True):
            if array.dtype != kind or array.ndim != 1 or not array.flags.c_contiguous:
                raise TypeError(f"{array.dtype} of {array.ndim} dimensions came for {np.dtype(kind)}, contiguous.")
        self._places = np.array([(array.ctypes.data, len(array)) for array in arrays], np.int64)
        # The kernel gets addresses only, so the arrays have to live as long as this object.
        self._arrays, self._arguments = arrays, (self._places.ctypes.data, begin, end)

    def run(self) -> None:
        """Score the texts. Raises a DamagedError if a part of the model that was read is not as it was written."""
        if not _score_at(*self._arguments):
            raise DamagedError


def score_texts(
    buffer: Bytes, offsets: Offsets, layout: Offsets, words: Words, unread: Words, begin: bool, end: bool
) -> tuple[Offsets, NDArray[np.float64], Flags, Ids]:
    """The log-probability of each token of some texts, in KenLM's arithmetic of 32 bits.

    Parameters
    ----------
    buffer, offsets : bytes and their offsets (n + 1,)
        Words are separated by the six ASCII characters of whitespace. Eight bytes or more.
    layout, words, unread : int64, uint64, uint64
        The model, and the state of its blocks, which is changed; see ``blocks.py``.
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

    Raises
    ------
    DamagedError
        If a part of the model that was read is not as it was written.
    """
    most = int(offsets[-1] - offsets[0] + 1) // 2 + 2 * len(offsets)
    call = Call(buffer, offsets, layout, words, unread, begin, end, most)
    call.run()
    count = int(call.ends[-1])
    return call.ends, call.logs[:count], call.unknown[:count], call.lengths[:count]


class ShortTexts:
    """Scores one short text after another, each in a few microseconds. It serves one thread.

    The arrays are made once: this takes longer than the scores.

    Parameters
    ----------
    layout, words, unread, begin, end
        As for ``score_texts``.
    """

    longest = 4096  # bytes

    def __init__(self, layout: Offsets, words: Words, unread: Words, begin: bool, end: bool) -> None:
        buffer, self._offsets = np.zeros(self.longest, np.uint8), np.zeros(2, np.int64)
        self._text = memoryview(buffer)  # type: ignore[arg-type]  # an array is a buffer
        self._call = Call(buffer, self._offsets, layout, words, unread, begin, end, self.longest // 2 + 2)

    def scores(self, text: bytes) -> tuple[NDArray[np.float64], Flags, Ids]:
        """The log-probabilities, the unknown tokens and the lengths of ``score_texts``, for up to `longest` bytes."""
        size, call = len(text), self._call
        self._text[:size] = text
        self._offsets[1] = size
        call.run()
        count = int(call.ends[1])
        return call.logs[:count].copy(), call.unknown[:count].copy(), call.lengths[:count].copy()
