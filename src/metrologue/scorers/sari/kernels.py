"""What a text adds to its source, keeps of it and deletes, n-gram by n-gram, and what its references ask for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64, uintp
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel
from metrologue.scorers.core.kernels.ngrams import (
    CELLS,
    GRAM,
    NAME,
    STAMP,
    IndexRows,
    Indices,
    Workspace,
    find_slot,
    slot_mask,
)

__all__ = ["OPERATIONS", "PARTS", "Rules", "operation_counts"]

# The columns of one order: for each operation what is done rightly and what is done, of which the ratio is precision;
# what is done rightly and what the references ask for, of which the ratio is recall.
OPERATIONS = ("add", "keep", "delete")
PARTS = ("right", "done", "right_of_asked", "asked")
_ADD, _KEEP, _DELETE, _WIDTH = range(0, len(PARTS) * (len(OPERATIONS) + 1), len(PARTS))
# Counts are multiples of 1 / _UNIT, because a count of up to 16 references is then an int: sums and ratios are exact.
_UNIT = 720_720.0
# Whose n-grams are counted.
_SOURCE, _PREDICTION, _REFERENCES = range(3)


class Rules(NamedTuple):
    """How n-grams are counted.

    Attributes
    ----------
    once : bool
        Whether an n-gram counts once in a text.
    mean_precision, mean_recall : bool
        Whether the ratio is a mean over distinct n-grams: each adds its own ratio, and 1.
    remainder : bool
        Whether the right deletions are those that exceed the count in the references. Otherwise they are the lesser of
        the n-grams that are deleted and that the references lack.
    only_long : bool
        Whether only references that have an n-gram of the order are counted as references.
    """

    once: bool
    mean_precision: bool
    mean_recall: bool
    remainder: bool
    only_long: bool


class _Room(NamedTuple):
    """The texts of a segment, one after another: the source, the prediction, the references.

    Attributes
    ----------
    columns : uint32 (n_types,)
        The number of each token, from 1 on; 0 for a token that the segment does not have.
    tokens, left, texts : uint32 (n,)
        For each token of the segment its number, the tokens from it to the end of its text, and 1 + its text.
    names, cells : uint32 (n,)
        The name of the n-gram that begins at the token, and its cell in the table.
    counts : uint32 (3, n + 1)
        For each name its counts in the source, the prediction and all references.
    last : uint32 (n + 1,)
        The last text that was counted, for each name.
    table, slots
        They find a name as in ``name_ngrams``; that of a long segment as in ``count_ngrams``.
    """

    columns: Indices
    tokens: Indices
    left: Indices
    texts: Indices
    names: Indices
    cells: Indices
    counts: IndexRows
    last: Indices
    table: Indices
    slots: Rows


@helper
def _put_text(text: Indices, number: Number, room: _Room, place: Number, free: Number) -> Number:
    """Put a text with this number at `place`. Returns the first free number of tokens."""
    for i in range(len(text)):
        column = uintp(room.columns[text[i]])
        is_new = column == 0
        column = free if is_new else column
        free += uintp(is_new)
        room.columns[text[i]] = column
        room.tokens[place + i], room.left[place + i], room.texts[place + i] = column, len(text) - i, number
    return free


@helper
def _count(
    tokens: Number, order: Number, width: Number, mask: Number, stamp: Number, once: Number, room: _Room
) -> Number:
    """Name the n-grams of `order + 1` tokens, and count them. Returns the number of names.

    On entry, a name is that of the n-gram of one order less, 1 before the first. The table is found for a `width`
    above 0, otherwise the slots.
    """
    known = uintp(0)
    for i in range(tokens - order):
        if room.left[i] <= order:
            continue
        token = room.tokens[i + order]
        if width > 0:
            cell = uintp(room.names[i]) * width + uintp(token)
            name = uintp(room.table[cell])
            is_new = name == 0
            known += uintp(is_new)
            name = known if is_new else name
            room.table[cell], room.cells[i] = name, cell
        else:
            gram = (int64(room.names[i]) << 32) | int64(token)
            slot = find_slot(room.slots, mask, gram, stamp)
            if room.slots[slot, STAMP] != stamp:
                known += uintp(1)
                room.slots[slot, GRAM], room.slots[slot, STAMP], room.slots[slot, NAME] = gram, stamp, known
            name = uintp(room.slots[slot, NAME])
        text = room.texts[i]
        room.counts[lesser(uintp(text - 1), uintp(_REFERENCES)), name] += uintp(not once or room.last[name] != text)
        room.last[name] = text
        room.names[i] = name
    return known


@helper
def _add(row: Floats, first: Number, right: Number, done: Number, asked: Number, rules: Rules) -> None:
    """Add what one n-gram has to the columns of an operation."""
    row[first] += right / greater(done, 1) if rules.mean_precision else right
    row[first + 1] += done > 0 if rules.mean_precision else done
    row[first + 2] += right / greater(asked, 1) if rules.mean_recall else right
    row[first + 3] += asked > 0 if rules.mean_recall else asked


@helper
def _compare(counts: IndexRows, name: Number, references: Number, rules: Rules, row: Floats) -> None:
    """Add an n-gram to the columns of all operations. Its counts are compared as multiples of 1 / `references`."""
    source, prediction = int64(counts[_SOURCE, name]) * references, int64(counts[_PREDICTION, name]) * references
    asked = int64(counts[_REFERENCES, name])
    if source == 0:
        _add(row, _ADD, prediction > 0 and asked > 0, prediction > 0, asked > 0, rules)
        return
    kept = lesser(source, prediction)
    _add(row, _KEEP, lesser(kept, asked), kept, lesser(source, asked), rules)
    deleted, lacking = greater(source - prediction, 0), greater(source - asked, 0)
    right = greater(deleted - asked, 0) if rules.remainder else lesser(deleted, lacking)
    _add(row, _DELETE, right, deleted, lacking, rules)


@kernel
def _operation_counts(
    ids: Indices, offsets: Offsets, reference_offsets: Offsets, max_order: int, rules: Rules, room: _Room,
    rows: FloatRows,
) -> None:  # fmt: skip
    """A new stamp for each order makes all slots free without a write; the cells of an order are made zeros again."""
    count, stamp = len(reference_offsets) - 1, 0
    for s in range(count):
        first, last = 2 * count + reference_offsets[s], 2 * count + reference_offsets[s + 1]
        width, tokens = uintp(1), 0
        for text in range(first - 2, last):
            at = count + s if text == first - 2 else s if text == first - 1 else text
            width = _put_text(ids[offsets[at] : offsets[at + 1]], text - first + 3, room, tokens, width)
            tokens += offsets[at + 1] - offsets[at]
        width, mask = width if uintp(tokens + 1) * width <= uintp(CELLS) else uintp(0), slot_mask(tokens)
        room.names[:tokens] = 1
        for order in range(max_order):
            stamp += 1
            known = _count(tokens, order, width, mask, stamp, rules.once, room)
            references = 0
            for text in range(first, last):
                references += not rules.only_long or offsets[text + 1] - offsets[text] > order
            references = greater(references, 1)
            row = rows[s * max_order + order]
            for name in range(uintp(1), known + uintp(1)):
                _compare(room.counts, name, references, rules, row)
            for column in range(_KEEP, _WIDTH):
                if not (rules.mean_recall if column & 2 else rules.mean_precision):
                    row[column] *= _UNIT / references
            room.counts[:, : known + uintp(1)] = 0
            room.last[: known + uintp(1)] = 0
            if width > 0:
                for i in range(tokens - order):
                    room.table[room.cells[i]] = 0
        for text in range(first - 2, last):
            at = count + s if text == first - 2 else s if text == first - 1 else text
            for i in range(offsets[at], offsets[at + 1]):
                room.columns[ids[i]] = 0


def operation_counts(
    ids: Ids, offsets: Offsets, reference_offsets: Offsets, max_order: int, rules: Rules
) -> NDArray[np.float64]:
    """What is added, kept and deleted: (segments, orders, operations, parts) of 1 to `max_order`; see ``PARTS``.

    The n texts are the predictions, then come the n sources, then the references: those of segment s are
    ``reference_offsets[s]`` to ``reference_offsets[s + 1]`` of them. Counts of references are divided by their number.
    All sums of counts of an operation have the same factor. Added n-grams are a set.
    """
    segments = len(reference_offsets) - 1
    limits = offsets[2 * segments :][reference_offsets]
    lengths = np.diff(offsets[: 2 * segments + 1]).reshape(2, segments).sum(axis=0) + np.diff(limits)
    longest = int(lengths.max(initial=0))
    tokens, left, texts, names, cells = np.zeros((5, longest), np.uint32)
    counts, last = np.zeros((3, longest + 1), np.uint32), np.zeros(longest + 1, np.uint32)
    columns = np.zeros(int(np.maximum.reduce(ids, initial=0)) + 1, np.uint32)
    table, slots = np.zeros(CELLS, np.uint32), Workspace.of(longest).slots
    room = _Room(columns, tokens, left, texts, names, cells, counts, last, table, slots)
    rows = np.zeros((segments * max_order, _WIDTH))
    _operation_counts(ids.view(np.uint32), offsets, reference_offsets, max_order, *rules, *room, rows)
    return rows.reshape(segments, max_order, len(OPERATIONS), len(PARTS))
