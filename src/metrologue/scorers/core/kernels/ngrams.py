"""n-gram matches of hypotheses and references, and the number of distinct n-grams of a text."""

from __future__ import annotations

from threading import local
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy import int64, uintp
from numpy.typing import NDArray

from metrologue.kernels.arrays import Flags, FloatRows, Ids, Number, Offsets, Rows, longest_row, longest_text
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["clipped_counts", "distinct_counts", "equal_texts", "paired_counts", "set_counts"]

Indices = NDArray[np.uint32]
IndexRows = Annotated[NDArray[np.uint32], 2]


class IndexPairs(NamedTuple):
    """``Pairs`` whose ids are unsigned, so that an index needs no test for negative values."""

    ids: Indices
    offsets: Offsets
    hypotheses: Offsets
    references: Offsets


# Columns of a slot: the n-gram, the stamp of the last pass that used it, the n-gram's name, its greatest count in a
# reference, the reference that was counted last, the count there, and the token where the n-gram first begins. With
# eight columns, a slot is one cache line.
GRAM, STAMP, NAME, GREATEST, OWNER, COUNT, PLACE = range(7)


class Workspace(NamedTuple):
    """Slots, and the names of n-grams."""

    slots: Rows
    names: Offsets

    @classmethod
    def of(cls, longest: int) -> Workspace:
        """Free slots, and room for the names of `longest` n-grams."""
        slots = np.zeros((max(16, 1 << (2 * longest - 1).bit_length()), 8), np.int64)
        return cls(slots, np.zeros(longest, np.int64))


@helper
def slot_mask(tokens: Number) -> Number:
    """The mask that turns a hash into a slot. A table no larger than needed stays in the processor's cache."""
    capacity = 16
    while capacity < 2 * tokens:
        capacity *= 2
    return capacity - 1


@helper
def find_slot(slots: NDArray[np.int64], mask: Number, gram: Number, stamp: Number) -> Number:
    """The slot that holds `gram` in this pass, or the free one where it belongs."""
    slot = ((gram * int64(-7046029254386353131)) >> int64(32)) & mask
    while slots[slot, STAMP] == stamp and slots[slot, GRAM] != gram:
        slot = (slot + 1) & mask
    return slot


@helper
def count_ngrams(
    ids: Ids,
    offsets: Offsets,
    first: Number,
    last: Number,
    order: Number,
    once: Number,
    room: Workspace,
    mask: Number,
    stamp: Number,
    shift: Number,
) -> Number:
    """Name the n-grams of the texts `first` to `last` and count them. Returns the number of names.

    The count of an n-gram is its greatest count in one text, or 1 if `once`. `names[i - shift]` is the name of the
    n-gram that begins at token i. On entry it is the name of the n-gram of one order less.
    """
    known = 0
    for text in range(first, last):
        for i in range(offsets[text], offsets[text + 1] - order + 1):
            gram = int64(ids[i + order - 1])
            if order > 1:
                gram |= room.names[i - shift] << 32
            slot = find_slot(room.slots, mask, gram, stamp)
            if room.slots[slot, STAMP] != stamp:
                known += 1
                room.slots[slot, GRAM], room.slots[slot, STAMP], room.slots[slot, NAME] = gram, stamp, known
                room.slots[slot, GREATEST], room.slots[slot, OWNER], room.slots[slot, COUNT] = once, text, 0
                room.slots[slot, PLACE] = i
            if room.slots[slot, OWNER] != text:
                room.slots[slot, OWNER], room.slots[slot, COUNT] = text, 0
            if not once:
                room.slots[slot, COUNT] += 1
                room.slots[slot, GREATEST] = greater(room.slots[slot, GREATEST], room.slots[slot, COUNT])
            room.names[i - shift] = room.slots[slot, NAME]
    return known


@helper
def _match(
    ids: Ids, start: Number, stop: Number, order: Number, room: Workspace, mask: Number, stamp: Number
) -> Number:
    """The clipped number of n-grams of `ids[start:stop]` that were counted before. Counts are used up."""
    matches = 0
    for i in range(stop - start - order + 1):
        if order > 1 and room.names[i] == 0:
            continue
        gram = int64(ids[start + i + order - 1])
        if order > 1:
            gram |= room.names[i] << 32
        slot = find_slot(room.slots, mask, gram, stamp)
        if room.slots[slot, STAMP] == stamp:
            room.names[i] = room.slots[slot, NAME]
            if room.slots[slot, GREATEST] > 0:
                room.slots[slot, GREATEST] -= 1
                matches += 1
        else:
            room.names[i] = 0
    return matches


@helper
def _clip(
    ids: Any,
    offsets: Offsets,
    hypothesis: Number,
    first: Number,
    last: Number,
    once: Number,
    room: Workspace,
    stamp: Number,
    clipped: NDArray[np.float64],
) -> Number:
    """Write the clipped counts of a hypothesis with the references `first` to `last`, order by order.

    Returns the last stamp used. Invariant: the name of an n-gram of order k depends on the name of its first k - 1
    tokens and on its last token, so equal names mean equal n-grams. Name 0 means that no reference has the n-gram.
    A new stamp for each pass makes all slots free without a write.
    """
    start, stop = offsets[hypothesis], offsets[hypothesis + 1]
    shift = offsets[first] - (stop - start)  # names: the hypothesis first, then the references
    mask = slot_mask(offsets[last] - shift)
    for order in range(1, len(clipped) + 1):
        stamp += 1
        count_ngrams(ids, offsets, first, last, order, once, room, mask, stamp, shift)
        clipped[order - 1] = _match(ids, start, stop, order, room, mask, stamp)
    return stamp


@kernel
def _clipped_counts(
    ids: Ids, offsets: Offsets, segments: int, reference_offsets: Offsets, room: Workspace, clipped: FloatRows
) -> None:
    stamp = 0
    for s in range(segments):
        first, last = segments + reference_offsets[s], segments + reference_offsets[s + 1]
        stamp = _clip(ids, offsets, s, first, last, False, room, stamp, clipped[s])


def clipped_counts(
    ids: Ids, offsets: Offsets, segments: int, reference_offsets: Offsets, max_order: int
) -> NDArray[np.float64]:
    """Clipped counts of orders 1 to `max_order` (Papineni et al. 2002): (segments, max_order).

    Hypothesis s is text s. Its references are the texts from `segments + reference_offsets[s]` to
    `segments + reference_offsets[s + 1]`. The count of an n-gram is clipped to its greatest count in one reference.
    """
    first_references = offsets[segments:][reference_offsets]
    sizes = np.diff(offsets[: segments + 1]) + np.diff(first_references)
    clipped = np.zeros((segments, max_order))
    _clipped_counts(ids, offsets, segments, reference_offsets, *Workspace.of(int(sizes.max(initial=0))), clipped)
    return clipped


# Where no text is long enough for a search in slots.
_UNUSED = Workspace.of(0)

# The number of cells of the table that names the n-grams of a pair: few enough to stay in the processor's cache.
CELLS = 1 << 17
# Texts of up to so many tokens and types use the room of their thread again: to make it takes longer than a pair.
_SHORT, _FEW_TYPES = 127, 1 << 10
_KEPT = local()


@kernel
def _greatest(ids: Ids) -> int:
    greatest = 0
    for i in range(len(ids)):
        greatest = greater(greatest, ids[i])
    return greatest


class PairRoom(NamedTuple):
    """Slots, names, columns, a table of cells and six rows of work for pairs of texts.

    Invariant: between two calls, the columns, the table and the last two rows are all 0.
    """

    slots: Rows
    names: Offsets
    columns: Indices
    table: Indices
    work: IndexRows

    @classmethod
    def of(cls, ids: Ids, longest: int) -> PairRoom:
        """Room for texts of at most `longest` tokens."""
        types = _greatest(ids) + 1
        if longest > _SHORT or types > _FEW_TYPES:
            return cls._made(types, longest)
        try:
            room: PairRoom = _KEPT.room
        except AttributeError:
            room = _KEPT.room = cls._made(_FEW_TYPES, _SHORT)
        return room

    @classmethod
    def _made(cls, types: int, longest: int) -> PairRoom:
        cells = (longest + 1) ** 2  # a text has no more distinct tokens than tokens
        slots, names = Workspace.of(2 * longest) if cells > CELLS else _UNUSED
        table, work = np.zeros(min(cells, CELLS), np.uint32), np.zeros((6, longest + 1), np.uint32)
        return cls(slots, names, np.zeros(types, np.uint32), table, work)


@helper
def number_columns(reference: Indices, columns: Indices) -> Number:
    """Number the distinct tokens of a reference from 1 on, in `columns`. Returns the first free number."""
    free = uintp(1)
    for i in range(len(reference)):
        if columns[reference[i]] == 0:
            columns[reference[i]] = free
            free += uintp(1)
    return free


@helper
def name_ngrams(
    text: Indices,
    order: Number,
    columns: Indices,
    width: Number,
    table: Indices,
    names: Indices,
    cells: Indices,
    counts: Indices,
) -> Number:
    """Name the n-grams of `order + 1` tokens, and add them to the counts of their names. Returns the number of names.

    The cell `width * (name of the first tokens) + (column of the last token)` of the table holds the name of an n-gram.
    So there is no search, and no branch depends on the text. `names[i]` is the name of the n-gram that begins at token
    i, on entry that of one order less, which is 1 before the first order. The table is all zeros on entry. `cells` are
    those that are to be zeros again. Numbers are unsigned, because numba tests a signed index for negative values.
    """
    known = uintp(0)
    for i in range(len(text) - order):
        cell = names[i] * width + columns[text[i + order]]
        name = table[cell]
        new = uintp(name == 0)
        known += new
        name = known if new else name
        table[cell] = name
        cells[i], names[i] = cell, name
        counts[name] += uintp(1)
    return known


@helper
def _pair(
    hypothesis: Indices, reference: Indices, once: Number, room: PairRoom, width: Number, matches: NDArray[np.float64]
) -> None:
    """Write the common n-grams of two texts, order by order, with the names of the reference's n-grams.

    Name 0 means that the reference does not have the n-gram. `left` is how often a name can still match.
    """
    cells, names, found, left = room.work[0], room.work[1], room.work[2], room.work[4]
    names[: len(reference)] = 1
    found[: len(hypothesis)] = 1
    for order in range(len(matches)):
        known = name_ngrams(reference, order, room.columns, width, room.table, names, cells, left)
        if once:
            left[1 : known + uintp(1)] = 1
        hits = uintp(0)
        for i in range(len(hypothesis) - order):
            name = room.table[found[i] * width + room.columns[hypothesis[i + order]]]
            found[i] = name
            hit = uintp(left[name] > 0)
            hits += hit
            left[name] -= hit
        matches[order] = hits
        for i in range(len(reference) - order):
            room.table[cells[i]] = 0
        left[: known + uintp(1)] = 0
        if hits == 0:
            break


@kernel
def _paired_counts(texts: IndexPairs, once: bool, room: PairRoom, matches: FloatRows) -> None:
    stamp = 0
    for p in range(len(texts.hypotheses)):
        h, r = texts.hypotheses[p], texts.references[p]
        reference = texts.ids[texts.offsets[r] : texts.offsets[r + 1]]
        width = number_columns(reference, room.columns)
        if uintp(len(reference) + 1) * width <= uintp(CELLS):
            hypothesis = texts.ids[texts.offsets[h] : texts.offsets[h + 1]]
            _pair(hypothesis, reference, once, room, width, matches[p])
        else:
            stamp = _clip(texts.ids, texts.offsets, h, r, r + 1, once, room, stamp, matches[p])
        for i in range(len(reference)):
            room.columns[reference[i]] = 0


def paired_counts(texts: Pairs, max_order: int, once: bool) -> NDArray[np.float64]:
    """Common n-grams of orders 1 to `max_order` of each pair of texts: (pairs, max_order).

    n-grams are compared as bags: an n-gram matches as often as both texts have it. With `once` they are sets.
    """
    matches = np.zeros((len(texts.hypotheses), max_order))
    room = PairRoom.of(texts.ids, longest_text(texts.ids, texts.offsets))
    _paired_counts(texts.ids.view(np.uint32), *texts[1:], once, *room, matches)
    return matches


@kernel
def _set_counts(texts: IndexPairs, seen: Offsets, counts: FloatRows) -> None:
    """Invariant: `seen` tells for each type the last text that has it, where texts are numbered as they are read."""
    for p in range(len(counts)):
        h, r = texts.hypotheses[p], texts.references[p]
        common, own, others, reference = int64(0), int64(0), int64(0), 2 * p + 1
        for token in texts.ids[texts.offsets[r] : texts.offsets[r + 1]]:
            others += int64(seen[token] < reference)
            seen[token] = reference
        for token in texts.ids[texts.offsets[h] : texts.offsets[h + 1]]:
            common += int64(seen[token] == reference)
            own += int64(seen[token] <= reference)
            seen[token] = reference + 1
        counts[p, 0], counts[p, 1], counts[p, 2] = common, own, others


def set_counts(texts: Pairs) -> NDArray[np.float64]:
    """How many distinct tokens both texts of each pair have, the hypothesis has, and the reference has: (pairs, 3)."""
    counts = np.empty((len(texts.hypotheses), 3))
    seen = np.zeros(int(np.maximum.reduce(texts.ids, initial=0)) + 1, np.int64)
    _set_counts(texts.ids.view(np.uint32), *texts[1:], seen, counts)
    return counts


@kernel
def _equal_texts(texts: Pairs, equal: Flags) -> None:
    for p in range(len(equal)):
        start, length, other, other_length = places(texts, p)
        same = 0
        if other_length == length:
            while same < length and texts.ids[start + same] == texts.ids[other + same]:
                same += 1
            equal[p] = same == length


def equal_texts(texts: Pairs) -> Flags:
    """Whether the texts of each pair have the same tokens in the same order, (pairs,)."""
    equal = np.zeros(len(texts.hypotheses), np.bool_)
    _equal_texts(*texts, equal)
    return equal


@kernel
def _distinct_counts(ids: Indices, offsets: Offsets, room: PairRoom, distinct: FloatRows) -> None:
    stamp = 0
    for t in range(len(distinct)):
        text = ids[offsets[t] : offsets[t + 1]]
        width = number_columns(text, room.columns)
        if uintp(len(text) + 1) * width <= uintp(CELLS):
            named, cells, counts = room.work[0], room.work[1], room.work[2]  # nobody reads these counts
            named[: len(text)] = 1
            for order in range(distinct.shape[1]):
                distinct[t, order] = name_ngrams(text, order, room.columns, width, room.table, named, cells, counts)
                for i in range(len(text) - order):
                    room.table[cells[i]] = 0
        else:
            mask = slot_mask(len(text))
            for order in range(1, distinct.shape[1] + 1):
                stamp += 1
                distinct[t, order - 1] = count_ngrams(
                    ids, offsets, t, t + 1, order, True, room, mask, stamp, offsets[t]
                )
        for i in range(len(text)):
            room.columns[text[i]] = 0


def distinct_counts(ids: Ids, offsets: Offsets, max_order: int) -> NDArray[np.float64]:
    """The number of distinct n-grams of orders 1 to `max_order` in each text: (texts, max_order)."""
    distinct = np.zeros((len(offsets) - 1, max_order))
    _distinct_counts(ids.view(np.uint32), offsets, *PairRoom.of(ids, longest_row(offsets)), distinct)
    return distinct
