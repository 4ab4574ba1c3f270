"""The log-probabilities of texts by an n-gram model with back-off, in KenLM's arithmetic of 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Flags, Floats, Ids, Number, Offsets, Words
from metrologue.kernels.blocks import DamagedError, is_damaged, is_sound, mixed
from metrologue.kernels.ngram_tables import (
    ORDER,
    SENTENCE,
    SENTENCE_END,
    TABLES,
    TEXT,
    UNIGRAMS,
    VOCABULARY,
    Singles,
    find_ngram,
    find_word,
    first_slot,
    hash_end,
    is_spelled,
    key_of,
    number_at,
    place_of,
    slot_of,
    tagged,
)
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import array_at, lesser, prefetch, trailing_zeros
from metrologue.native import helper, kernel

__all__ = ["Call", "score_texts"]

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
def _find_words(
    block: Offsets,
    numbers: Singles,
    first: Number,
    count: Number,
    buffer: Bytes,
    layout: Offsets,
    words: Words,
    unread: Words,
    values: Singles,
    spelled: Bytes,
) -> Number:
    """Find the word of each token. Returns how many tokens are in the list of those to be tried with their context."""
    base, width = 8 * layout[TEXT], uint64(layout[ORDER] + 1)
    for c in range(first, count):
        at = c * _EACH
        if block[at + _STOP] > block[at + _START]:
            hashed = uint64(block[at + _HASH])
            slot = tagged(words, unread, layout, first_slot(layout, hashed), hashed)
            block[at + _WORD] = number_at(words, layout, slot)
        prefetch(words, layout[UNIGRAMS] + 2 * block[at + _WORD])
    tried = uint64(0)
    for c in range(first, count):
        at = c * _EACH
        start, stop, word = block[at + _START], block[at + _STOP], block[at + _WORD]
        if stop == _BEGIN:
            continue
        if start < stop:
            if word >= 0 and not is_spelled(words, unread, layout, spelled, base, word, buffer, start, stop):
                word = find_word(words, unread, layout, spelled, base, buffer, start, stop, uint64(block[at + _HASH]))
            word = word if word > 0 else 0
        block[at + _WORD], block[at + _NODE], block[at + _LENGTH] = word, word, 1
        place = place_of(layout, 1, word)
        numbers[c * width], numbers[c * width + _ONE] = values[place], values[place + _ONE]
        if layout[ORDER] > 1 and block[at - _EACH + _LENGTH] >= 1:
            block[tried * _EACH + _TRIED] = c
            tried += _ONE
            slot = slot_of(layout, 2, key_of(word, block[at - _EACH + _WORD]))
            prefetch(words, layout[TABLES + 2 * 2] + 2 * slot)
    return tried


@helper
def _find_ngrams(
    block: Offsets,
    numbers: Singles,
    tried: Number,
    length: Number,
    layout: Offsets,
    words: Words,
    unread: Words,
    values: Singles,
) -> Number:
    """Find the n-grams of this length for the tokens in the list. Returns how many are then in the list: a longer one
    can only be there if this one is, and its context too."""
    order, width, active = layout[ORDER], uint64(layout[ORDER] + 1), uint64(0)
    for entry in range(tried):
        token = uint64(block[entry * _EACH + _TRIED])
        at, row, back = token * _EACH, token * width, (token - uint64(length)) * _EACH
        slot = find_ngram(words, unread, layout, length, key_of(block[at + _NODE], block[back + _EACH + _WORD]))
        if slot < 0:
            continue
        block[at + _NODE], block[at + _LENGTH] = slot, length
        place = place_of(layout, length, slot)
        numbers[row], numbers[row + uint64(length)] = values[place], values[place + _ONE]
        if length < order and block[at - _EACH + _LENGTH] >= length:
            block[active * _EACH + _TRIED] = token
            active += _ONE
            slot = slot_of(layout, length + 1, key_of(slot, block[back + _WORD]))
            prefetch(words, layout[TABLES + 2 * (length + 1)] + 2 * slot)
    return active


@helper
def _score(
    buffer: Bytes,
    offsets: Offsets,
    layout: Offsets,
    words: Words,
    unread: Words,
    values: Singles,
    spelled: Bytes,
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
    order, texts, width = layout[ORDER], len(offsets) - 1, uint64(layout[ORDER] + 1)
    first, room = uint64(order), uint64(len(block) >> 3)
    t, i, inside, n, written = 0, offsets[0], False, 0, 0
    for k in range(8 * order):
        block[k] = 0
    # The three words that a look-up does not find by their spelling.
    is_sound(words, unread, layout[UNIGRAMS])
    is_sound(words, unread, layout[UNIGRAMS] + 2 * layout[SENTENCE])
    is_sound(words, unread, layout[UNIGRAMS] + 2 * layout[SENTENCE_END])
    while t < texts and not is_damaged(unread):
        # The tokens are cut and hashed. A token for its beginning comes before each text.
        count = first
        while count < room and t < texts:
            at = count * _EACH
            if not inside:
                inside = True
                block[at + _START] = block[at + _STOP] = _BEGIN
                block[at + _WORD], block[at + _LENGTH] = layout[SENTENCE], begin
                numbers[count * width + _ONE] = values[place_of(layout, 1, layout[SENTENCE]) + _ONE]
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
                prefetch(words, layout[VOCABULARY] + first_slot(layout, hashed))
                block[at + _HASH] = int64(hashed)
            else:
                block[at + _WORD] = layout[SENTENCE_END]
                inside = False
                t += 1
                ends[t] = n + end
                if not end:
                    continue
            block[at + _START], block[at + _STOP] = start, i
            count += _ONE
            n += 1
        tried = _find_words(block, numbers, first, count, buffer, layout, words, unread, values, spelled)
        for length in range(2, order + 1):
            tried = _find_ngrams(block, numbers, tried, length, layout, words, unread, values)
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
    _score(
        array_at(np.uint8, at[0], at[1]),
        array_at(np.int64, at[2], at[3]),
        array_at(np.int64, at[4], at[5]),
        array_at(np.uint64, at[6], at[7]),
        unread,
        array_at(np.float32, at[10], at[11]),
        array_at(np.uint8, at[12], at[13]),
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
        The model, and the state of its blocks, which is changed; see ``metrologue.kernels.blocks``.
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
