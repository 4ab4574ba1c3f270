"""The shifts of words that bring a hypothesis nearer to its reference, and the edits of characters that remain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import FloatRows, Ids, Number, Offsets, Words, longest_row, row_lengths
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser, trailing_zeros
from metrologue.native import helper, kernel
from metrologue.scorers.families.kernels.edit import Bits, distance, take_columns

__all__ = ["COUNTS", "Letters", "shift_edits"]

COUNTS = ("edits", "shift_cost", "shifts", "hypothesis_length", "reference_length")


class Letters(NamedTuple):
    """The spelling of each type of word.

    Attributes
    ----------
    ids, offsets : int32 (n_characters,), int64 (n_types + 2,)
        The characters of the words, and at the end a space.
    points : int32 (n_ids,)
        The code point of each character.
    """

    ids: Ids
    offsets: Offsets
    points: Ids


class _Room(NamedTuple):
    """What the search writes on. Between two pairs, `columns` is all 0.

    Attributes
    ----------
    words, tried, best : int32 (longest,)
        The hypothesis as it stands, with the shift that is tried, and with the best shift so far.
    columns : uint64 (n_types * width,)
        The places of each type in the reference, as bits.
    values, ups, downs : int64 (longest + 1,), uint64 (longest + 2, width) twice
        The distance of the first i words to the reference, and the bits of ``take_columns`` after them; and a last row
        for words that are only tried.
    characters : int32 (any,)
        The characters of both texts.
    """

    words: Ids
    tried: Ids
    best: Ids
    columns: Words
    values: Offsets
    ups: Words
    downs: Words
    characters: Ids


@helper
def _copy(source: Ids, start: Number, target: Ids, begin: Number, n: Number) -> None:
    for i in range(n):
        target[begin + i] = source[start + i]


@helper
def _is_greater(one: Ids, other: Ids, n: Number, letters: Letters) -> Number:
    """Whether the first word that differs comes later, by the code points of its characters."""
    for i in range(n):
        if one[i] != other[i]:
            first, last = letters.offsets[one[i]], letters.offsets[one[i] + 1]
            second, end = letters.offsets[other[i]], letters.offsets[other[i] + 1]
            while first < last and second < end and letters.ids[first] == letters.ids[second]:
                first, second = first + 1, second + 1
            if first == last or second == end:
                return second == end
            return letters.points[letters.ids[first]] > letters.points[letters.ids[second]]
    return False


@helper
def _put(room: _Room, n: Number, start: Number, length: Number, target: Number) -> None:
    """Write to `tried` the words with the block at `start` taken out, and put in before word `target` of the rest."""
    first, second, end = _turn(n, start, length, target)
    _copy(room.words, 0, room.tried, 0, first)
    _copy(room.words, second, room.tried, first, end - second)
    _copy(room.words, first, room.tried, first + end - second, second - first)
    _copy(room.words, end, room.tried, end, n - end)


@helper
def _turn(n: Number, start: Number, length: Number, target: Number) -> tuple[Number, Number, Number]:
    """A shift as two neighbouring blocks that change places: the start of both, and the end of the second."""
    target = lesser(target, n - length)
    if target < start:
        return target, start, start + length
    return start, start + length, target + length


@helper
def _errors(room: _Room, n: Number, m: Number, first: Number, second: Number, end: Number) -> Number:
    """The distance to the reference if two neighbouring blocks of words change places; see ``_keep``."""
    width, top, value = (m + 63) >> 6, uint64((m - 1) & 63), room.values[first]
    source, last = first * width, (n + 1) * width
    up, down = room.ups[source], room.downs[source]
    for begin, stop in ((second, end), (first, second), (end, n)):
        for r in range(begin, stop):
            if width == 1:
                columns = room.columns[uint64(room.words[r])]
                up, down, rising, falling = take_columns(columns, uint64(1), uint64(0), up, down)
            else:
                rising, falling = _take(room, r, width, source, last)
                source = last
            value += int64((rising >> top) & uint64(1)) - int64((falling >> top) & uint64(1))
    return value


@helper
def _take(room: _Room, r: Number, width: Number, source: Number, target: Number) -> tuple[Number, Number]:
    """Take the columns through word r. The bits before it are at `source`, and those after it go to `target`."""
    rising, falling = uint64(1) << uint64(63), uint64(0)
    for w in range(width):
        columns = room.columns[uint64(room.words[r]) * uint64(width) + uint64(w)]
        rises, falls = rising >> uint64(63), falling >> uint64(63)
        up, down, rising, falling = take_columns(columns, rises, falls, room.ups[source + w], room.downs[source + w])
        room.ups[target + w], room.downs[target + w] = up, down
    return rising, falling


@helper
def _keep(room: _Room, n: Number, m: Number) -> Number:
    """The distance of the words to the reference. What it is after each word is kept, for ``_errors``."""
    width, top = (m + 63) >> 6, uint64((m - 1) & 63)
    room.values[0] = m
    for w in range(width):
        room.ups[w], room.downs[w] = ~uint64(0), uint64(0)
    for r in range(n):
        rising, falling = _take(room, r, width, r * width, (r + 1) * width)
        rise = int64((rising >> top) & uint64(1)) - int64((falling >> top) & uint64(1))
        room.values[r + 1] = room.values[r] + rise
    return room.values[n]


@helper
def _fewest(room: _Room, n: Number, m: Number) -> Number:
    """The least distance that any order of the words has: the words that one text has and the other one lacks."""
    common, width = int64(0), (m + 63) >> 6
    used = room.ups  # nothing is kept there yet
    for w in range(width):
        used[w] = 0
    for i in range(n):
        for w in range(width):
            free = room.columns[uint64(room.words[i]) * uint64(width) + uint64(w)] & ~used[w]
            if free:
                used[w] |= free & (~free + uint64(1))
                common += 1
                break
    return greater(n, m) - common


@helper
def _shift(texts: Pairs, letters: Letters, room: _Room, n: Number, other: Number, m: Number) -> Number:
    """Shift words for as long as this reduces the distance. Returns the number of shifts.

    The share of errors is summed up in floats, as the package cer does: a rounding error can allow a shift that gains
    nothing. Among equally good shifts, the one with the last words in the order of their spellings is made. A word that
    moves changes two errors at most, so a shift may be too short to be the best.
    """
    ids, shifts, width = texts.ids, int64(0), (m + 63) >> 6
    fewest = _fewest(room, n, m)
    errors = _keep(room, n, m)
    share = errors / m
    while share != 0:
        least = errors + 1 if share - errors / m > 0 else errors
        most = least
        if least <= fewest:
            break
        for start in range(n):
            for part in range(width):
                targets = room.columns[uint64(room.words[start]) * uint64(width) + uint64(part)]
                while targets:
                    target = 64 * part + int64(trailing_zeros(targets))
                    targets &= targets - uint64(1)
                    if start == target:
                        continue
                    length = int64(1)
                    while (
                        length < lesser(n - start, m - target)
                        and room.words[start + length] == ids[other + target + length]
                    ):
                        length += 1
                    if errors - 2 * length > least:
                        continue
                    tried = _errors(room, n, m, *_turn(n, start, length, target))
                    if tried > least or tried == most:
                        continue
                    _put(room, n, start, length, target)
                    if tried < least or _is_greater(room.tried, room.best, n, letters):
                        least = tried
                        _copy(room.tried, 0, room.best, 0, n)
        if least == most:
            break
        share -= share - least / m
        _copy(room.best, 0, room.words, 0, n)
        errors = _keep(room, n, m)
        shifts += 1
    return shifts


@helper
def _length(letters: Letters, word: Number) -> Number:
    return letters.offsets[word + 1] - letters.offsets[word]


@helper
def _cost(ids: Ids, start: Number, words: Ids, n: Number, letters: Letters) -> Number:
    """The cost of all shifts: for each run of words that moved to the right, the mean length of its words."""
    cost, i = 0.0, int64(0)
    while i < n:
        first = i
        if ids[start + i] != words[i]:
            for j in range(first + 1, n):
                if ids[start + first] != words[j]:
                    continue
                length = int64(1)
                while j + length < n and ids[start + first + length] == words[j + length]:
                    length += 1
                    if i + 1 < n:
                        i += 1
                characters = int64(0)
                for k in range(first, first + length):
                    characters += _length(letters, ids[start + k])
                cost += characters / length
                break
        i += 1
    return cost


@helper
def _spell(words: Ids, start: Number, n: Number, letters: Letters, room: _Room, place: Number) -> Number:
    """Write the characters of words, with a space between two of them. Returns the end."""
    for i in range(n):
        if i:
            room.characters[place] = letters.ids[len(letters.ids) - 1]
            place += 1
        first, length = letters.offsets[words[start + i]], _length(letters, words[start + i])
        _copy(letters.ids, first, room.characters, place, length)
        place += length
    return place


@helper
def _size(words: Ids, start: Number, n: Number, letters: Letters) -> Number:
    """The characters of words, with a space between two of them."""
    size = greater(n - 1, 0)
    for i in range(n):
        size += _length(letters, words[start + i])
    return size


@helper
def _edits(texts: Pairs, letters: Letters, room: _Room, bits: Bits, n: Number, other: Number, m: Number) -> Number:
    """The distance of the characters of both texts. Equal words at both ends need not be spelled, but for one of them:
    a space has to stay where it is."""
    first = int64(0)
    while first < lesser(n, m) - 1 and room.words[first] == texts.ids[other + first]:
        first += 1
    while first < lesser(n, m) - 1 and room.words[n - 1] == texts.ids[other + m - 1]:
        n, m = n - 1, m - 1
    ours = _spell(room.words, first, n - first, letters, room, int64(0))
    theirs = _spell(texts.ids, other + first, m - first, letters, room, ours) - ours
    return distance(room.characters, ours, theirs, int64(0), ours, bits)


@kernel
def _shift_edits(texts: Pairs, letters: Letters, room: _Room, bits: Bits, shifted: Ids, counts: FloatRows) -> None:
    end = int64(0)
    for p in range(len(counts)):
        start, n, other, m = places(texts, p)
        _copy(texts.ids, start, room.words, 0, n)
        if n > 0 and m > 0:
            width = uint64((m + 63) >> 6)
            for j in range(m):
                place = uint64(texts.ids[other + j]) * width + uint64(j >> 6)
                room.columns[place] |= uint64(1) << uint64(j & 63)
            counts[p, 2] = _shift(texts, letters, room, n, other, m)
            for j in range(m):
                room.columns[uint64(texts.ids[other + j]) * width + uint64(j >> 6)] = 0
            if counts[p, 2]:
                counts[p, 1] = _cost(texts.ids, start, room.words, n, letters)
        counts[p, 0] = _edits(texts, letters, room, bits, n, other, m)
        counts[p, 3] = _size(room.words, 0, n, letters)
        counts[p, 4] = _size(texts.ids, other, m, letters)
        _copy(room.words, 0, shifted, end, n)
        end += n


def shift_edits(texts: Pairs, letters: Letters) -> tuple[FloatRows, Ids]:
    """What turns the hypothesis of each pair into its reference: the numbers of `COUNTS`, and the shifted words.

    Returns
    -------
    counts, shifted : float64 (n_pairs, 5), int32 (n_words,)
        The shifted hypotheses of all pairs stand one after another.
    """
    lengths, longest, types = row_lengths(texts.offsets), longest_row(texts.offsets), len(letters.offsets) - 1
    # A space before each word. The longest word may be in another text than the most words.
    ends = np.append(0, np.cumsum(row_lengths(letters.offsets)[texts.ids] + 1))
    characters = int((ends[texts.offsets[1:]] - ends[texts.offsets[:-1]]).max(initial=0))
    width = (longest + 63) >> 6
    words, tried, best = np.empty((3, longest), np.int32)
    ups, downs = np.empty((2, (longest + 2) * width), np.uint64)
    columns, values = np.zeros(types * width, np.uint64), np.empty(longest + 1, np.int64)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    room = _Room(words, tried, best, columns, values, ups, downs, np.empty(2 * characters, np.int32))
    bits = Bits.of(characters, len(letters.points))
    counts = np.zeros((len(texts.hypotheses), len(COUNTS)))
    shifted = np.empty(int(lengths[texts.hypotheses].sum()), np.int32)
    _shift_edits(*texts, *letters, *room, *bits, shifted, counts)
    return counts, shifted
