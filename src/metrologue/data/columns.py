"""Columns: the data of each segment, with one or more entries per segment."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, pairwise
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Offsets
from metrologue.data.arrow import is_arrow, pa
from metrologue.data.intake import is_list, listed, with_type
from metrologue.data.strings import of_numbers, of_strings
from metrologue.errors import InputError
from metrologue.threads import Memo

T = TypeVar("T")


class Column(ABC):
    """The entries of n segments.

    Parameters
    ----------
    offsets : int64 (n + 1,)
        The entries of segment s are ``offsets[s]:offsets[s + 1]``.
    """

    def __init__(self, offsets: Offsets) -> None:
        self.offsets = offsets
        # Whether the column is compared with several columns. These then need a common vocabulary.
        self.shared = False
        self._memo = Memo()

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def part(self, start: int, stop: int) -> Self:
        """Segments `start` to `stop`, always as the same object, so all systems share the parts of their references."""
        offsets = self.offsets[start : stop + 1]
        part = self.memoize(
            ("part", start, stop), lambda: self._cut(offsets.item(0), offsets.item(-1), offsets - offsets[0])
        )
        part.shared = self.shared
        return part

    @property
    def entry_count(self) -> int:
        """The number of entries of all segments."""
        return self.offsets.item(-1)

    def memoize(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make` for these entries, computed once and kept under `key`."""
        return self._memo.get(key, make)

    def take(self, indices: NDArray[np.int64]) -> Self:
        """The segments with these indices, in this order."""
        rows, offsets = gathered(self.offsets, indices)
        return self._taken(rows, offsets)

    @property
    @abstractmethod
    def ends(self) -> Offsets:
        """The number of bytes in all segments up to and including each one, (n,)."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Size of the entries and their offsets, in bytes."""

    @abstractmethod
    def entries(self, segment: int) -> list[Any]:
        """The entries of a segment as Python values."""

    def prediction(self, segment: int) -> Any:
        """A segment's only entry, in a column of predictions."""
        return self.entries(segment)[0]

    @classmethod
    @abstractmethod
    def others(cls, predictions: Any, owner: str) -> Column:
        """A column of this kind with other predictions; arguments and errors as for ``Segments.with_predictions``."""

    @abstractmethod
    def _cut(self, first: int, last: int, offsets: Offsets) -> Self:
        """A column of the entries `first` to `last`, with these offsets of segments."""

    @abstractmethod
    def _taken(self, rows: NDArray[np.int64], offsets: Offsets) -> Self:
        """A column of the entries with these indices, with these offsets of segments."""


def gathered(offsets: Offsets, indices: NDArray[np.int64]) -> tuple[NDArray[np.int64], Offsets]:
    """The entries of the rows with these indices, and the new offsets of the rows.

    Examples
    --------
    >>> gathered(np.array([0, 2, 2, 5]), np.array([2, 0]))
    (array([2, 3, 4, 0, 1]), array([0, 3, 5]))
    """
    lengths = np.diff(offsets)[indices]
    new = np.concatenate([[0], np.cumsum(lengths)])
    return np.arange(new[-1]) + np.repeat(offsets[indices] - new[:-1], lengths), new


class Numbers(Column):
    """Numbers for each segment: probabilities of its tokens, weights, or a mask.

    The rows are n lists, arrays of one or two dimensions, or Arrow lists. They may be empty, and their lengths may
    differ. Infinity is accepted. `argument` and `owner` are the names of the argument and of the caller, for messages.

    Raises
    ------
    InputError
        If a row is not a sequence, or holds NaN or something that is not a number.

    Examples
    --------
    >>> column = Numbers([[0.5, 0.25], [], [1]])
    >>> column.values, column.offsets
    (array([0.5 , 0.25, 1.  ]), array([0, 2, 2, 3]))
    """

    def __init__(self, rows: Any, argument: str = "predictions", owner: str = "Numbers") -> None:
        found = _rectangle(rows)
        if found is None:
            lists = listed(rows, argument, owner, of="lists of numbers")
            parts = [_numbers(row, f"`{argument}[{index}]`", owner) for index, row in enumerate(lists)]
            offsets = np.cumsum([0, *map(len, parts)])
            found = np.concatenate([np.zeros(0), *parts]), offsets
        self.values, offsets = found
        super().__init__(offsets)
        if np.isnan(self.values).any():
            entry = int(np.flatnonzero(np.isnan(self.values))[0])
            segment = int(np.searchsorted(offsets, entry, "right")) - 1
            raise InputError(
                f"{owner}: `{argument}[{segment}][{entry - offsets[segment]}]` is nan; a number is expected."
            )

    @classmethod
    def others(cls, predictions: Any, owner: str) -> Self:
        return cls(predictions, "predictions", owner)

    @classmethod
    def _of(cls, values: NDArray[np.float64], offsets: Offsets) -> Self:
        column = object.__new__(cls)
        column.values = values
        Column.__init__(column, offsets)
        return column

    @property
    def ends(self) -> Offsets:
        return self.offsets[1:] * self.values.itemsize

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.offsets.nbytes

    def entries(self, segment: int) -> list[float]:
        found: list[float] = self.values[self.offsets[segment] : self.offsets[segment + 1]].tolist()
        return found

    def _cut(self, first: int, last: int, offsets: Offsets) -> Self:
        return self._of(self.values[first:last], offsets)

    def _taken(self, rows: NDArray[np.int64], offsets: Offsets) -> Self:
        return self._of(self.values[rows], offsets)


def _rectangle(rows: Any) -> tuple[NDArray[np.float64], Offsets] | None:
    """The numbers and offsets of Arrow lists and of arrays with two dimensions; None for anything else."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "fiub":
        return rows.astype(np.float64).ravel(), np.arange(len(rows) + 1) * rows.shape[1]
    if not is_arrow(rows):
        return None
    if isinstance(rows, pa.ChunkedArray):
        rows = rows.combine_chunks()
    is_lists = isinstance(rows, (pa.ListArray, pa.LargeListArray)) and not rows.null_count
    if is_lists and (pa.types.is_floating(rows.type.value_type) or pa.types.is_integer(rows.type.value_type)):
        # Arrow's None becomes NaN, which is refused later.
        values = rows.flatten().to_numpy(zero_copy_only=False).astype(np.float64)
        offsets = np.from_dlpack(rows.offsets).astype(np.int64)
        return values, offsets - offsets[0]
    return None


def _numbers(row: Any, place: str, owner: str) -> NDArray[np.float64]:
    if isinstance(row, (str, bytes)) or not (is_list(row) and getattr(row, "ndim", 1) == 1):
        raise InputError(f"{owner}: {place} is {with_type(row)}; a list of numbers is expected.")
    if isinstance(row, np.ndarray) and row.dtype.kind in "fiub":
        return row.astype(np.float64)
    numbers = list(row)
    # One set is faster than a check of each number.
    for index, value in enumerate(() if {*map(type, numbers)} <= {float, int} else numbers):
        if not isinstance(value, (int, float, np.number, np.bool_)):
            raise InputError(f"{owner}: {place[:-1]}[{index}]` is {with_type(value)}; a number is expected.")
    try:
        return np.array(numbers, np.float64)
    except OverflowError:
        raise InputError(f"{owner}: {place} holds an int that is too large for a number.") from None


class Items(Column):
    """Items that are compared as wholes: labels, or tokens that are already cut.

    Each entry is a sequence of items: the items of a prediction or of one reference.

    Parameters
    ----------
    ids : int32 (n_items,)
        The index of each item in `types`.
    item_offsets : int64 (n_entries + 1,)
        Entry e is ``ids[item_offsets[e]:item_offsets[e + 1]]``.
    types : sequence of hashable
        Each distinct item once.
    offsets : int64 (n + 1,)

    Examples
    --------
    >>> column = Items.of([["a", 1], ["a"]])
    >>> column.ids, column.item_offsets, column.types
    (array([0, 1, 0], dtype=int32), array([0, 2, 3]), ['a', 1])
    """

    def __init__(
        self, ids: NDArray[np.int32], item_offsets: Offsets, types: Sequence[Hashable], offsets: Offsets
    ) -> None:
        super().__init__(offsets)
        self.ids = ids
        self.item_offsets = item_offsets
        self.types = types

    @classmethod
    def of(
        cls, rows: Any, argument: str = "predictions", owner: str = "Items", several: bool = False, tuples: bool = True
    ) -> Self:
        """A column with the items of each segment: n lists or sets of hashable.

        With `several`, a row may also be a list of lists or sets: several entries of the segment. With `tuples`, a
        tuple inside of a row is an item; otherwise it is an entry, as a list is. `argument` and `owner` are for
        messages.

        Raises
        ------
        InputError
            If a row is neither a list nor a set, an item is not hashable, or entries and items are mixed.
        """
        entries: list[Any] = []
        counts = []
        given = listed(rows, argument, owner, of="lists of items")
        for index, row in enumerate(given if isinstance(given, list) else given.to_pylist()):
            found = _entries(row, f"{argument}[{index}]", owner, several, tuples)
            entries += found
            counts.append(len(found))
        numbers: dict[Hashable, int] = {}
        number = numbers.setdefault
        flat = chain.from_iterable(entries)
        try:
            ids = np.fromiter((number(item, len(numbers)) for item in flat), np.int32)
        except TypeError:
            raise _unhashable(entries, counts, argument, owner) from None
        return cls(ids, np.cumsum([0, *map(len, entries)]), [*numbers], np.cumsum([0, *counts]))

    @property
    def ends(self) -> Offsets:
        return self.item_offsets[self.offsets[1:]] * self.ids.itemsize

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.item_offsets.nbytes

    @classmethod
    def others(cls, predictions: Any, owner: str) -> Self:
        return cls.of(predictions, "predictions", owner)

    def spelled(self, argument: str = "predictions", owner: str = "Items") -> pa.LargeListArray:
        """The entries as lists of text, which Arrow can hold. Equal items have equal texts: their JSON.

        Raises an InputError if an item is not a str, a number, a bool, None or a tuple of these.

        Examples
        --------
        >>> Items.of([["a", ("b", 1.0)], []]).spelled().to_pylist()
        [['"a"', '["b", 1]'], []]
        """
        types = []
        for number, item in enumerate(self.types):
            try:
                types.append(json.dumps(_plain(item)))
            except TypeError:
                raise self._unspelled(number, argument, owner) from None
        items = of_strings(types).take(of_numbers(self.ids))
        return pa.LargeListArray.from_arrays(of_numbers(self.item_offsets), items)

    def _unspelled(self, number: int, argument: str, owner: str) -> InputError:
        place = int(np.flatnonzero(self.ids == number)[0])
        entry = int(np.searchsorted(self.item_offsets, place, "right")) - 1
        segment = int(np.searchsorted(self.offsets, entry, "right")) - 1
        return InputError(
            f"{owner}: `{argument}[{segment}]` holds {with_type(self.types[number])}, which a module cannot keep; "
            "a label must be a str, a number or a tuple of these."
        )

    def entries(self, segment: int) -> list[list[Hashable]]:
        limits = self.item_offsets[self.offsets[segment] : self.offsets[segment + 1] + 1]
        return [[self.types[i] for i in self.ids[first:last]] for first, last in pairwise(limits)]

    def _cut(self, first: int, last: int, offsets: Offsets) -> Self:
        limits = self.item_offsets[first : last + 1]
        return type(self)(self.ids[limits[0] : limits[-1]], limits - limits[0], self.types, offsets)

    def _taken(self, rows: NDArray[np.int64], offsets: Offsets) -> Self:
        items, limits = gathered(self.item_offsets, rows)
        return type(self)(self.ids[items], limits, self.types, offsets)


def _entries(row: Any, place: str, owner: str, several: bool, tuples: bool) -> list[Any]:
    if isinstance(row, (set, frozenset)):
        return [list(row)]
    if isinstance(row, (str, bytes)) or not is_list(row):
        raise InputError(f"{owner}: `{place}` is {with_type(row)}; a list of items is expected.")
    values = row.tolist() if isinstance(row, np.ndarray) else list(row)
    nested = [
        isinstance(value, (set, frozenset)) or (is_list(value) and not (tuples and isinstance(value, tuple)))
        for value in values
    ]
    if not several or not any(nested):
        return [values]
    if not all(nested):
        index = nested.index(False)
        raise InputError(
            f"{owner}: `{place}[{index}]` is {with_type(values[index])} among lists; give every reference as a list."
        )
    return [list(value) for value in values]


def _plain(item: Any) -> Any:
    """An item as JSON has it. Equal numbers have one form. Raises a TypeError for an item that JSON does not have."""
    if isinstance(item, tuple):
        return [_plain(part) for part in item]
    if item is None or (isinstance(item, (str, int)) and not isinstance(item, bool)):
        return item
    if not isinstance(item, (bool, float, np.number, np.bool_)):
        raise TypeError
    number = item.item() if isinstance(item, np.generic) else item
    return int(number) if float(number).is_integer() else number


def _unhashable(entries: list[Any], counts: list[int], argument: str, owner: str) -> InputError:
    segments = np.repeat(np.arange(len(counts)), counts)
    for segment, entry in zip(segments, entries, strict=True):
        for index, item in enumerate(entry):
            try:
                hash(item)
            except TypeError:
                return InputError(
                    f"{owner}: `{argument}[{segment}]` holds {with_type(item)} at {index}, which is not hashable; "
                    "an item must be a str, a number or a tuple of these."
                )
    return InputError(f"{owner}: `{argument}` holds an item that is not hashable.")
