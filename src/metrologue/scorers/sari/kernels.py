"""What a text adds to its source, keeps of it and deletes, n-gram by n-gram, and what its references ask for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows
from metrologue.kernels.ngrams import GRAM, NAME, STAMP, Workspace, find_slot, slot_mask
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["OPERATIONS", "PARTS", "Rules", "operation_counts"]

# The columns of one order: for each operation what is done rightly and what is done, of which the ratio is precision;
# what is done rightly and what the references ask for, of which the ratio is recall.
OPERATIONS = ("add", "keep", "delete")
PARTS = ("right", "done", "right_of_asked", "asked")
_ADD, _KEEP, _DELETE, _WIDTH = range(0, len(PARTS) * (len(OPERATIONS) + 1), len(PARTS))
# Counts are multiples of 1 / _UNIT, because a count of up to 16 references is then an int: sums and ratios are exact.
_UNIT = 720_720.0
# Columns of a slot after its n-gram, stamp and name: its counts in the source, the prediction and all references, and
# the text that was counted last.
_SOURCE, _PREDICTION, _REFERENCES, _TEXT = range(3, 7)


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
    """Slots, the names of the n-grams that begin at the tokens of a segment, and the slots that an order uses."""

    slots: Rows
    names: Offsets
    used: Offsets


@helper
def _count(
    ids: Ids, offsets: Offsets, text: Number, order: Number, column: Number, once: Number, room: _Room, place: Number,
    mask: Number, stamp: Number, known: Number,
) -> Number:  # fmt: skip
    """Count the n-grams of a text, whose tokens have the names from `place` on. Returns the number of used slots.

    On entry, a name is that of the n-gram of one order less, as in ``count_ngrams``.
    """
    slots = room.slots
    for i in range(offsets[text + 1] - offsets[text] - order + 1):
        gram = int64(ids[offsets[text] + i + order - 1])
        if order > 1:
            gram |= room.names[place + i] << 32
        slot = find_slot(slots, mask, gram, stamp)
        if slots[slot, STAMP] != stamp:
            room.used[known] = slot
            known += 1
            slots[slot, GRAM], slots[slot, STAMP], slots[slot, NAME] = gram, stamp, known
            slots[slot, _SOURCE], slots[slot, _PREDICTION], slots[slot, _REFERENCES] = 0, 0, 0
            slots[slot, _TEXT] = -1
        slots[slot, column] += not (once and slots[slot, _TEXT] == text)
        slots[slot, _TEXT] = text
        room.names[place + i] = slots[slot, NAME]
    return known


@helper
def _add(row: Floats, first: Number, right: Number, done: Number, asked: Number, rules: Rules) -> None:
    """Add what one n-gram has to the columns of an operation."""
    if done > 0:
        row[first] += right / done if rules.mean_precision else right
        row[first + 1] += 1 if rules.mean_precision else done
    if asked > 0:
        row[first + 2] += right / asked if rules.mean_recall else right
        row[first + 3] += 1 if rules.mean_recall else asked


@helper
def _compare(slots: NDArray[np.int64], slot: Number, references: Number, rules: Rules, row: Floats) -> None:
    """Add an n-gram to the columns of all operations. Its counts are compared as multiples of 1 / `references`."""
    source, prediction = slots[slot, _SOURCE] * references, slots[slot, _PREDICTION] * references
    asked = slots[slot, _REFERENCES]
    if source == 0:
        _add(row, _ADD, prediction > 0 and asked > 0, prediction > 0, asked > 0, rules)
    kept = lesser(source, prediction)
    _add(row, _KEEP, lesser(kept, asked), kept, lesser(source, asked), rules)
    deleted, lacking = greater(source - prediction, 0), greater(source - asked, 0)
    right = greater(deleted - asked, 0) if rules.remainder else lesser(deleted, lacking)
    _add(row, _DELETE, right, deleted, lacking, rules)


@kernel
def _operation_counts(
    ids: Ids, offsets: Offsets, reference_offsets: Offsets, max_order: int, rules: Rules, room: _Room, rows: FloatRows
) -> None:
    """A new stamp for each order makes all slots free without a write."""
    count, stamp = len(reference_offsets) - 1, 0
    for s in range(count):
        first, last = 2 * count + reference_offsets[s], 2 * count + reference_offsets[s + 1]
        source_length, length = offsets[count + s + 1] - offsets[count + s], offsets[s + 1] - offsets[s]
        mask = slot_mask(source_length + length + offsets[last] - offsets[first])
        for order in range(1, max_order + 1):
            stamp += 1
            known = _count(ids, offsets, count + s, order, _SOURCE, rules.once, room, 0, mask, stamp, 0)
            place = source_length
            known = _count(ids, offsets, s, order, _PREDICTION, rules.once, room, place, mask, stamp, known)
            place += length
            references = 0
            for text in range(first, last):
                known = _count(ids, offsets, text, order, _REFERENCES, rules.once, room, place, mask, stamp, known)
                place += offsets[text + 1] - offsets[text]
                references += not rules.only_long or offsets[text + 1] - offsets[text] >= order
            references = greater(references, 1)
            row = rows[s * max_order + order - 1]
            for i in range(known):
                _compare(room.slots, room.used[i], references, rules, row)
            for column in range(_KEEP, _WIDTH):
                if not (rules.mean_recall if column & 2 else rules.mean_precision):
                    row[column] *= _UNIT / references


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
    slots, names = Workspace.of(longest)
    rows = np.zeros((segments * max_order, _WIDTH))
    _operation_counts(
        ids, offsets, reference_offsets, max_order, *rules, slots, names, np.zeros(longest, np.int64), rows
    )
    return rows.reshape(segments, max_order, len(OPERATIONS), len(PARTS))
