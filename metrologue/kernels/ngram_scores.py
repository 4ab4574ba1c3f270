"""The log-probabilities of texts by an n-gram model with back-off, in KenLM's arithmetic of 32 bits."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.jit import helper, kernel
from metrologue.kernels.arrays import Bytes, Flags, Floats, Ids, Number, Offsets, Words
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
    mixed,
    number_at,
    place_of,
    slot_of,
    tagged,
)
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import lesser, prefetch, trailing_zeros

__all__ = ["score_texts", "scoring_arrays", "scoring_kernel"]

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


@kernel
def scoring_kernel(
    buffer: Bytes, offsets: Offsets, layout: Offsets, words: Words, values: Singles, spelled: Bytes,
    begin: bool, end: bool, block: Offsets, numbers: Singles, ends: Offsets, logs: Floats, unknown: Flags, lengths: Ids,
) -> None:  # fmt: skip
    """Tokens are looked up block by block, all of them at each step, so that the processor waits for many reads of
    memory at once. A step asks for what the next one reads.

    Invariant: the first `order` tokens of a block are the last ones of the block before. `numbers` has the
    log-probability of each token of the block, and the back-offs of the n-grams that end there, the shortest first."""
    order, base, texts, width = layout[ORDER], 8 * layout[TEXT], len(offsets) - 1, uint64(layout[ORDER] + 1)
    first, room = uint64(order), uint64(len(block) >> 3)
    t, i, inside, n, written = 0, offsets[0], False, 0, 0
    for k in range(8 * order):
        block[k] = 0
    while t < texts:
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
            start, state = i, uint64(0)
            piece = word_at(buffer, i)
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
        for c in range(first, count):
            at = c * _EACH
            if block[at + _STOP] > block[at + _START]:
                hashed = uint64(block[at + _HASH])
                block[at + _WORD] = number_at(words, layout, tagged(words, layout, first_slot(layout, hashed), hashed))
            prefetch(words, layout[UNIGRAMS] + 2 * block[at + _WORD])
        tried = uint64(0)
        for c in range(first, count):
            at = c * _EACH
            start, stop, word = block[at + _START], block[at + _STOP], block[at + _WORD]
            if stop == _BEGIN:
                continue
            if start < stop:
                if word >= 0 and not is_spelled(words, layout, spelled, base, word, buffer, start, stop):
                    word = find_word(words, layout, spelled, base, buffer, start, stop, uint64(block[at + _HASH]))
                word = word if word > 0 else 0
            block[at + _WORD], block[at + _NODE], block[at + _LENGTH] = word, word, 1
            place = place_of(layout, 1, word)
            numbers[c * width], numbers[c * width + _ONE] = values[place], values[place + _ONE]
            if order > 1 and block[at - _EACH + _LENGTH] >= 1:
                block[tried * _EACH + _TRIED] = c
                tried += _ONE
                slot = slot_of(layout, 2, key_of(word, block[at - _EACH + _WORD]))
                prefetch(words, layout[TABLES + 2 * 2] + 2 * slot)
        for length in range(2, order + 1):
            active, tried = tried, uint64(0)
            for a in range(active):
                token = uint64(block[a * _EACH + _TRIED])
                at, row = token * _EACH, token * width
                back = (token - uint64(length)) * _EACH
                slot = find_ngram(words, layout, length, key_of(block[at + _NODE], block[back + _EACH + _WORD]))
                if slot < 0:
                    continue
                block[at + _NODE], block[at + _LENGTH] = slot, length
                place = place_of(layout, length, slot)
                numbers[row], numbers[row + uint64(length)] = values[place], values[place + _ONE]
                if length < order and block[at - _EACH + _LENGTH] >= length:
                    block[tried * _EACH + _TRIED] = token
                    tried += _ONE
                    slot = slot_of(layout, length + 1, key_of(slot, block[back + _WORD]))
                    prefetch(words, layout[TABLES + 2 * length + 2] + 2 * slot)
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


def scoring_arrays(layout: Offsets, most: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The arrays `block` and `numbers` for ``scoring_kernel``, for texts with up to `most` tokens."""
    order = int(layout[ORDER])
    tokens = order + min(most, _BLOCK)
    return np.empty(8 * tokens, np.int64), np.empty(tokens * (order + 1), np.float32)


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
    texts = len(offsets) - 1
    most = int(offsets[-1] - offsets[0] + 1) // 2 + 2 * texts
    ends, logs = np.zeros(texts + 1, np.int64), np.empty(most)
    unknown, lengths = np.empty(most, np.bool_), np.empty(most, np.int32)
    scoring_kernel(
        buffer, offsets, layout, words, words.view(np.float32), words.view(np.uint8), begin, end,
        *scoring_arrays(layout, most + texts), ends, logs, unknown, lengths,
    )  # fmt: skip
    count = int(ends[-1])
    return ends, logs[:count], unknown[:count], lengths[:count]
