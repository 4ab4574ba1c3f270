"""Labels on their way from the arguments of a module to segments, and from segments to `evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.labels import Labels
from metrologue.errors import InputError, shown
from metrologue.scorers.families.classification.averages import LabelScorer, zero_division_name
from metrologue.segments import Segments

__all__ = ["as_arrow", "as_ints", "as_labels", "as_rows", "of_rows", "types_of", "zero_of"]


def as_labels(labels: Any, owner: str) -> list[Any] | None:
    """The argument `labels` as a list; True is 1, as among predictions. Raises an InputError for anything but None."""
    listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
    if listed is None:
        return None
    if not isinstance(listed, (list, tuple)):
        raise InputError(f"{owner}: `labels` is {shown(labels)}; a list of labels is expected.")
    if len({isinstance(label, str) for label in listed}) > 1:
        raise InputError(f"{owner}: `labels` has strings and numbers; all must be ints, or all must be str.")
    return [int(label) if isinstance(label, (bool, np.bool_)) else label for label in listed]


def zero_of(given: Any, owner: str) -> str:
    """The field's value for the argument `zero_division`, by the scorer's own rule."""
    name = zero_division_name(given)
    if not isinstance(name, str) or name not in (LabelScorer._options()["zero_division"].one_of or ()):
        raise InputError(f"{owner}: `zero_division` is {shown(given)}; 0, 1, NaN or 'warn' is expected.")
    return name


def types_of(column: Column) -> list[Any]:
    return list(column.types) if isinstance(column, Labels) else []


def as_ints(segments: Segments) -> Segments:
    """The segments with ints for labels that are texts of ints."""
    try:
        columns = {name: _parsed(column) for name, column in segments.columns.items()}
    except ValueError:
        return segments
    return Segments.of_columns(columns)


def _parsed(column: Column) -> Column:
    if not isinstance(column, Labels) or not column.types or not isinstance(column.types[0], str):
        return column
    numbers = [int(text) for text in column.types]
    labels = sorted(set(numbers))
    ranks = {number: rank for rank, number in enumerate(labels)}
    return Labels(np.array([ranks[number] for number in numbers], np.int32)[column.codes], labels)


def as_arrow(column: Column) -> pa.Array:
    """Labels as an Arrow array of ints or of texts."""
    assert isinstance(column, Labels)
    texts = bool(column.types) and isinstance(column.types[0], str)
    if texts:
        return pa.array(column.types, pa.string()).take(pa.array(column.codes))
    return pa.array(np.array([int(label) for label in column.types], np.int64)[column.codes])


def of_rows(given: Mapping[str, Any], owner: str) -> Segments:
    """Segments of sets from rows of 0 and 1: the indices of the ones. A row of one number is a label, 0 or 1."""
    tables = {}
    for name, values in given.items():
        if values is None:
            raise InputError(f"{owner}: `{name}` is a NoneType; a list of rows of 0 and 1 is expected.")
        tables[name] = _table(Numbers(values, name, owner), name, owner)
    widths = {name: table.shape[1] for name, table in tables.items() if len(table)}
    if len(set(widths.values())) > 1:
        raise InputError(f"{owner}: rows have {' and '.join(map(str, widths.values()))} numbers; as many are expected.")
    columns: dict[str, Column] = {name: _sets(table) for name, table in tables.items()}
    return Segments.of_columns(columns, owner)


def _table(rows: Numbers, name: str, owner: str) -> NDArray[np.float64]:
    lengths = np.diff(rows.offsets)
    if len(lengths) and (uneven := lengths != lengths[0]).any():
        at = int(np.argmax(uneven))
        raise InputError(f"{owner}: `{name}[{at}]` has {lengths[at]} numbers, but the first row has {lengths[0]}.")
    table = rows.values.reshape(len(lengths), int(lengths[0]) if len(lengths) else 0)
    wrong = (table != 0) & (table != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise InputError(f"{owner}: `{name}[{row}][{column}]` is {table[row, column]:g}; 0 or 1 is expected.")
    return table


def _sets(table: NDArray[np.float64]) -> Column:
    count, width = table.shape
    if width == 1:
        return Labels.of(table[:, 0])
    rows, ids = np.nonzero(table)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)
    return Items(ids.astype(np.int32), offsets, [*range(width)], np.arange(count + 1))


def as_rows(column: Column) -> pa.ListArray:
    """Rows of 0 and 1."""
    if isinstance(column, Labels):
        table = np.array(column.types, np.int64)[column.codes][:, None]
    else:
        assert isinstance(column, Items)
        table = np.zeros((len(column), len(column.types)), np.int64)
        table[np.repeat(np.arange(len(column)), np.diff(column.item_offsets)), column.ids] = 1
    offsets = np.arange(len(table) + 1) * table.shape[1]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(table.ravel()))
