"""The synonyms of words: their base forms in a vocabulary, and the keys that synonyms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import int32, int64

from metrologue.kernels.arrays import Bytes, Ids, Number, Offsets, Rows
from metrologue.kernels.lookup import Vocabulary, place_of
from metrologue.native import helper, kernel

__all__ = ["are_synonyms", "find_forms", "gather_keys", "lemma_rows", "owned_keys", "shared_keys", "take_keys"]


@helper
def are_synonyms(texts: Any, one: Number, other: Number) -> Number:
    """Whether a lemma or unit of a hypothesis has a common key with one of a reference; both lists of keys ascend.

    Invariant: none of the keys before `i` and `j` is common.
    """
    i, j = texts.own_offsets[one], texts.its_offsets[other]
    while i < texts.own_offsets[one + 1] and j < texts.its_offsets[other + 1]:
        if texts.own_keys[i] == texts.its_keys[j]:
            return True
        if texts.own_keys[i] < texts.its_keys[j]:
            i += 1
        else:
            j += 1
    return False


@kernel
def _find_forms(
    buffer: Bytes, offsets: Offsets, endings: Bytes, limits: Offsets, vocabulary: Vocabulary, form: Bytes, found: Rows
) -> None:
    """Fill the rows of `find_forms`. `form` has room for every form."""
    for i in range(len(found)):
        start, size = offsets[i], offsets[i + 1] - offsets[i]
        found[i, 0] = place_of(buffer, start, start + size, vocabulary)
        for rule in range(found.shape[1] - 1):
            old, new, stop = limits[2 * rule], limits[2 * rule + 1], limits[2 * rule + 2]
            stem = size - (new - old)
            fits = stem >= 0
            for k in range(new - old if fits else 0):
                fits &= buffer[start + stem + k] == endings[old + k]
            place = -1
            if fits:
                for k in range(stem):
                    form[k] = buffer[start + k]
                for k in range(stop - new):
                    form[stem + k] = endings[new + k]
                place = place_of(form, 0, stem + stop - new, vocabulary)
            found[i, 1 + rule] = place


def find_forms(
    buffer: Bytes, offsets: Offsets, endings: Bytes, limits: Offsets, vocabulary: tuple[Bytes, Offsets, Ids]
) -> Rows:
    """The index of each word and of each of its forms in a vocabulary, (n_words, 1 + n_rules); -1 without one.

    Words and vocabulary are those of ``find_words``. Rule r exchanges the ending
    `endings[limits[2 * r]:limits[2 * r + 1]]`, if the word has it, for the next one, which ends at `limits[2 * r + 2]`.
    """
    found = np.empty((len(offsets) - 1, 1 + (len(limits) >> 1)), np.int64)
    # The system gives memory only when it is first touched, so the room may be generous.
    form = np.empty(offsets.item(-1) - offsets.item(0) + len(endings), np.uint8)
    _find_forms(buffer, offsets, endings, limits, *vocabulary, form, found)
    return found


@helper
def _put(keys: Ids, first: Number, count: Number, key: Number) -> Number:
    """Put a key among the keys from `first` to `count`, which ascend, unless it is there. Returns the new end."""
    at = count
    while at > first and keys[at - 1] > key:
        at -= 1
    if at > first and keys[at - 1] == key:
        return count
    for k in range(count, at, -1):
        keys[k] = keys[k - 1]
    keys[at] = int32(key)
    return count + 1


@helper
def _put_row(keys: Ids, first: Number, count: Number, row: Number, row_offsets: Offsets, items: Ids) -> Number:
    """Put the items of a row among the keys. A negative row has none. Returns the new end, -1 if there is no room."""
    if row < 0 or count < 0:
        return count
    start, stop = row_offsets[row], row_offsets[row + 1]
    if count + stop - start > len(keys):
        return -1
    for at in range(start, stop):
        count = _put(keys, first, count, items[at])
    return count


@kernel
def _gather_keys(
    own: Offsets,
    rows: Rows,
    lists: Rows,
    list_offsets: Offsets,
    listed: Ids,
    row_offsets: Offsets,
    items: Ids,
    key_offsets: Offsets,
    keys: Ids,
) -> int:
    """Write the keys of `gather_keys`. Returns the number of keys, or -1 if there is no room.

    Invariant: the keys from `first` to `count` are those of one word; they ascend.
    """
    count = 0
    for i in range(len(rows)):
        first = count
        if len(own):
            count = _put(keys, first, count, own[i]) if count < len(keys) else -1
        for k in range(rows.shape[1]):
            count = _put_row(keys, first, count, rows[i, k], row_offsets, items)
        for k in range(lists.shape[1]):
            if lists[i, k] >= 0:
                for at in range(list_offsets[lists[i, k]], list_offsets[lists[i, k] + 1]):
                    count = _put_row(keys, first, count, listed[at], row_offsets, items)
        if count < 0:
            return -1
        key_offsets[i + 1] = count
    return count


def gather_keys(
    own: Offsets, rows: Rows, lists: Rows, list_offsets: Offsets, listed: Ids, row_offsets: Offsets, items: Ids
) -> tuple[Offsets, Ids]:
    """The keys of each word, which are items of some rows of a table. Each comes once; they ascend.

    Row r has the items `items[row_offsets[r]:row_offsets[r + 1]]`. Word i has the key `own[i]`, unless `own` is empty,
    those of the rows `rows[i]`, and those of the rows in the lists `lists[i]`; negative numbers count for nothing. List
    k has the rows `listed[list_offsets[k]:list_offsets[k + 1]]`.

    Returns (offsets, keys). Word i has the keys `keys[offsets[i]:offsets[i + 1]]`.
    """
    offsets, room, count = np.zeros(len(rows) + 1, np.int64), 32 * len(rows), -1
    while count < 0:
        room = 2 * room + 1
        keys = np.empty(room, np.int32)
        count = _gather_keys(own, rows, lists, list_offsets, listed, row_offsets, items, offsets, keys)
    return offsets, keys[:count]


@helper
def _key_of(keys: Ids, at: Number, word: Number) -> Number:
    """A key of a word. The key -1 is a number that no other word has."""
    return int64(keys[at]) if keys[at] >= 0 else -1 - word


@kernel
def _owned_keys(offsets: Offsets, keys: Ids, owned: Ids) -> None:
    for i in range(len(offsets) - 1):
        for at in range(offsets[i], offsets[i + 1]):
            owned[at] = _key_of(keys, at, i)


def owned_keys(offsets: Offsets, keys: Ids) -> Ids:
    """The keys, with -1 - i in place of a key of -1, which only word i has."""
    owned = np.empty_like(keys)
    _owned_keys(offsets, keys, owned)
    return owned


@helper
def _keep_wanted(offsets: Offsets, keys: Ids, wanted: Ids, kept_offsets: Offsets, kept: Ids) -> Number:
    """Write the indices of the keys in `wanted`, and returns their number. Other keys are left out."""
    count: Number = 0
    for i in range(len(offsets) - 1):
        for at in range(offsets[i], offsets[i + 1]):
            key = _key_of(keys, at, i)
            low: Number = 0
            high: Number = len(wanted)
            while low < high:
                middle = (low + high) >> 1
                if wanted[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            if low < len(wanted) and wanted[low] == key:
                kept[count] = low
                count += 1
        kept_offsets[i + 1] = count
    return count


@kernel
def _shared_keys(
    offsets: Offsets,
    keys: Ids,
    its_offsets: Offsets,
    its_keys: Ids,
    wanted: Ids,
    kept_offsets: Offsets,
    kept: Ids,
    its_kept_offsets: Offsets,
    its_kept: Ids,
) -> int:
    _keep_wanted(its_offsets, its_keys, wanted, its_kept_offsets, its_kept)
    return _keep_wanted(offsets, keys, wanted, kept_offsets, kept)


def shared_keys(own: tuple[Offsets, Ids], its: tuple[Offsets, Ids]) -> tuple[tuple[Offsets, Ids], tuple[Offsets, Ids]]:
    """The keys of words, without those that no word has among `its`; numbered again. Both as in ``gather_keys``.

    The key -1 of word i is one that no other word has. The new numbers are below the number of `its` keys.
    """
    wanted = owned_keys(*its)
    wanted.sort()  # a key that is there twice has the number of its first place
    kept, its_kept = np.empty(len(own[1]), np.int32), np.empty(len(its[1]), np.int32)
    offsets, its_offsets = np.zeros(len(own[0]), np.int64), np.zeros(len(its[0]), np.int64)
    count = _shared_keys(*own, *its, wanted, offsets, kept, its_offsets, its_kept)
    return (offsets, kept[:count]), (its_offsets, its_kept)


@kernel
def _take_keys(offsets: Offsets, keys: Ids, chosen: Ids, first: int, taken_offsets: Offsets, taken: Ids) -> int:
    """Write the keys of some words, after those of `first` words that are there already.

    Returns how many there are, or -1 if there is no room.
    """
    count = taken_offsets[first]
    for i in range(len(chosen)):
        start, stop = offsets[chosen[i]], offsets[chosen[i] + 1]
        if count + stop - start > len(taken):
            return -1
        for k in range(stop - start):
            taken[count + k] = keys[start + k]
        count += stop - start
        taken_offsets[first + i + 1] = count
    return count


def take_keys(parts: Sequence[tuple[tuple[Offsets, Ids], Ids]]) -> tuple[Offsets, Ids]:
    """The keys of the chosen words of each part, one part after another, in the form of ``gather_keys``."""
    words, room = 1, 0
    for (_, keys), chosen in parts:
        words += len(chosen)
        room += len(keys)
    offsets, total = np.zeros(words, np.int64), -1
    while total < 0:  # words that are chosen often need more room than all keys
        room = 2 * room + 1
        taken, first = np.empty(room, np.int32), 0
        for (limits, keys), chosen in parts:
            total = _take_keys(limits, keys, chosen, first, offsets, taken)
            if total < 0:
                break
            first += len(chosen)
    return offsets, taken[:total]


@kernel
def _lemma_rows(
    forms: Rows,
    places: Offsets,
    parts_of: Offsets,
    parts: int,
    irregular: Offsets,
    exempt: Bytes,
    rows: Rows,
    lists: Rows,
) -> None:
    for i in range(len(rows)):
        listed = irregular[i]
        for part in range(parts):
            lists[i, part] = parts * listed + part
        for k in range(len(places)):
            part = parts_of[k]
            by_ending = listed >= 0 and k >= parts and exempt[parts * listed + part]
            rows[i, k] = -1 if by_ending else parts * forms[i, places[k]] + part


def lemma_rows(
    forms: Rows, places: Offsets, parts_of: Offsets, parts: int, irregular: Offsets, exempt: Bytes
) -> tuple[Rows, Rows]:
    """The arguments `rows` and `lists` of ``gather_keys`` for a table with a row for each lemma and part of speech.

    Column k is the form `places[k]` of ``find_forms`` as the part of speech `parts_of[k]`; the first columns are the
    word itself as each of `parts` parts. `irregular` has the number of each word in a list of exceptions, or -1. If
    `exempt` says so of a word there and a part, its endings do not count.
    """
    rows, lists = np.empty((len(forms), len(places)), np.int64), np.empty((len(forms), parts), np.int64)
    _lemma_rows(forms, places, parts_of, parts, irregular, exempt, rows, lists)
    return rows, lists
