"""User input as checked Arrow text: from lists, arrays, columns of data sets and other containers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import up_to
from metrologue.data.arrow import is_arrow, pa
from metrologue.data.strings import Strings
from metrologue.errors import InputError, number_of, shown

_SURROGATE = re.compile("[\ud800-\udfff]")


def with_type(value: Any) -> str:
    """A value after its type, for messages."""
    return f"{type(value).__name__} {shown(value, 40)}" if value is not None else "None"


def checked_index(value: Any, count: int, name: str) -> int:
    """The value as an int. Raises an InputError if it is not an int in range(count)."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < count:
        return int(value)
    raise InputError(f"{name} is {with_type(value)}; an int in range({count}) is expected.")


def is_list(value: Any) -> bool:
    """Whether the value has items in a fixed order. An array or a tensor without dimensions has none."""
    if getattr(value, "ndim", 1) == 0:
        return False
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset))


def holds_lists(rows: list[Any] | pa.Array | Strings) -> bool:
    """Whether the rows that ``listed`` gave are lists or sets, not texts. The first one decides."""
    if not isinstance(rows, list):
        return is_arrow(rows) and isinstance(rows, pa.LargeListArray)
    if not rows or isinstance(rows[0], str):
        return False
    return is_list(rows[0]) or isinstance(rows[0], (set, frozenset))


def are_lists(rows: list[Any] | pa.Array) -> bool:
    """Whether the rows that ``listed`` gave are lists, whose order counts. The first one decides."""
    return holds_lists(rows) and (not isinstance(rows, list) or is_list(rows[0]))


def _is_table(value: Any) -> bool:
    names = getattr(getattr(value, "dtype", None), "names", None)
    return bool(names) or hasattr(value, "columns") or hasattr(value, "column_names")


def listed(value: Any, argument: str, owner: str, of: str = "strings") -> Any:
    """The argument as a list, or as an Arrow array of large_string or of large_list of large_string.

    ``Strings`` are texts that were checked already, and stay as they are.
    """
    if isinstance(value, (list, Strings)):
        return value
    if is_arrow(value):
        from metrologue.data.arrow_rows import rows_of  # it imports pyarrow

        try:
            return rows_of(value)
        except (pa.ArrowInvalid, pa.ArrowIndexError) as error:
            raise InputError(f"{owner}: `{argument}` is not a valid Arrow array: {error}.") from error
        except pa.ArrowNotImplementedError as error:  # by pyarrow 16, for views
            raise InputError(
                f"{owner}: `{argument}` has the type {value.type}; cast it to string or to lists of string. ({error})"
            ) from error
    if isinstance(value, (str, bytes, bytearray)):
        raise InputError(f"{owner}: `{argument}` is a bare {with_type(value)}; wrap it in a list.")
    kind = type(value).__name__
    if _is_table(value):
        raise InputError(f"{owner}: `{argument}` is a {kind}; give one of its columns.")
    single = getattr(value, "ndim", 1) == 0
    if single or not is_list(value):
        raise InputError(f"{owner}: `{argument}` is a {'0-d ' * single}{kind}; a list of {of} is expected.")
    if isinstance(value, Sequence):
        with suppress(TypeError):
            value = value[:]  # a slice decodes a `datasets` column all at once, an iteration decodes it row by row
    return value.tolist() if hasattr(value, "tolist") else list(value)


def as_text(items: list[Any] | pa.Array, argument: str, owner: str) -> pa.LargeStringArray:
    """The items as an Arrow array of text."""
    return as_strings(items, argument, owner).arrow


def as_strings(
    items: list[Any] | pa.Array, argument: str, owner: str, counts: NDArray[np.int64] | None = None
) -> Strings:
    """The items as checked text. If they come from inner lists, `counts` has the number in each segment."""
    if isinstance(items, Strings):
        return items
    if not isinstance(items, list) and is_arrow(items):
        _check_text(items, argument, owner, counts)
        return Strings.of_arrow(items)
    if (found := Strings.of_plain(items)) is not None:
        return found
    if all(issubclass(kind, str) for kind in set(map(type, items))):  # one set is faster than a check of each item
        # For a subclass of str, `str.__str__` gives the text, not the printed form.
        with suppress(UnicodeEncodeError):  # which item it is, is said below
            return Strings.of([*map(str.__str__, items)])
    index = next(i for i, value in enumerate(items) if not issubclass(type(value), str) or _SURROGATE.search(value))
    _refuse(items[index], argument, index, owner, counts)


def _check_text(texts: pa.Array, argument: str, owner: str, counts: NDArray[np.int64] | None) -> None:
    if texts.type != pa.large_string():
        raise InputError(f"{owner}: `{argument}` is an Arrow array of lists; one of strings is expected.")
    if texts.null_count:
        _refuse(None, argument, texts.is_null().index(True).as_py(), owner, counts)
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        for index, value in enumerate(texts.view(pa.large_binary())):
            try:
                value.as_py().decode()
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{owner}: {_place(argument, index, counts)} is not text: its byte {error.start + 1} "
                    f"(0x{error.object[error.start]:02x}) is not UTF-8; decode it with its own encoding."
                ) from None
        raise


def _place(argument: str, index: int, counts: NDArray[np.int64] | None) -> str:
    if counts is None:
        return f"`{argument}[{index}]`"
    ends = np.cumsum(counts)
    segment = int(np.searchsorted(ends, index, "right"))
    return f"`{argument}[{segment}][{index - int(ends[segment] - counts[segment])}]`"


def _refuse(value: Any, argument: str, index: int, owner: str, counts: NDArray[np.int64] | None) -> NoReturn:
    place = _place(argument, index, counts)
    if isinstance(value, str):
        raise InputError(f"{owner}: {place} holds a lone surrogate, which is not text: {shown(value, 40)}.")
    if is_list(value) and argument == "references" and counts is None:
        raise InputError(
            f"{owner}: {place} is a {type(value).__name__} but earlier items are strings; "
            "give every segment a list of references, or none."
        )
    missing = value is None or (isinstance(value, float) and value != value)
    cure = (
        "drop the segment or give it a text" if missing else f"a str is expected{_of_model(value, counts is not None)}"
    )
    raise InputError(f"{owner}: {place} is {with_type(value)}; {cure}.")


def _of_model(value: Any, in_list: bool) -> str:
    """What to do with what a model gives in place of texts: token ids, or the logits of tokens."""
    depth = int(in_list)
    while is_list(value) and len(value) and getattr(value, "ndim", 1):
        value, depth = next(iter(value)), depth + 1
    name = str(getattr(value, "dtype", type(value).__name__))
    if depth and "int" in name:
        return "; of token ids, tokenizer.batch_decode makes texts"
    return "; of logits, tokenizer.batch_decode(logits.argmax(-1)) makes texts" if depth > 1 and "float" in name else ""


def nested_text(
    items: list[Any] | pa.Array, predictions: int, owner: str, argument: str = "references"
) -> tuple[Strings, NDArray[np.int64]]:
    """All references in one array, and the offsets of each segment's references."""
    if not are_lists(items):
        return as_strings(items, argument, owner), up_to(len(items) + 1)
    flat, counts = _flattened(items, argument, owner)
    if len(counts) != predictions and len(counts) and (counts == predictions).all():
        raise InputError(
            f"{owner}: `{argument}` are {number_of(len(counts), 'list')} of {number_of(predictions, 'string')} for "
            f"{number_of(predictions, 'prediction')}, which is sacrebleu's [stream][segment] layout; "
            f"give each segment its own list: list(zip(*{argument}))."
        )
    return _checked_lists(flat, counts, argument, owner, f"a segment needs at least one {argument.removesuffix('s')}")


def grouped_text(
    items: list[Any] | pa.Array, owner: str, argument: str = "predictions"
) -> tuple[Strings, NDArray[np.int64]]:
    """The texts of all groups in one array, and the offsets of each group; predictions that are lists of texts."""
    if not isinstance(items, list) and not are_lists(items):
        raise InputError(f"{owner}: `{argument}` is an Arrow array of strings; one of lists of strings is expected.")
    flat, counts = _flattened(items, argument, owner)
    return _checked_lists(flat, counts, argument, owner, "a group needs at least one text")


def ragged_text(items: list[Any] | pa.Array, argument: str, owner: str) -> tuple[Strings, NDArray[np.int64]]:
    """The texts of all rows in one array, and the offsets of each row, which may be empty."""
    flat, counts = _flattened(items, argument, owner)
    return as_strings(flat, argument, owner, counts), np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _flattened(
    items: list[Any] | pa.Array, argument: str, owner: str
) -> tuple[list[Any] | pa.Array, NDArray[np.int64]]:
    """The items of all rows, and their number in each row. A row that is not a list is refused."""
    if is_arrow(items):
        if items.null_count:
            index = items.is_null().index(True).as_py()
            raise InputError(f"{owner}: `{argument}[{index}]` is None; a list of strings is expected.")
        return items.flatten(), np.diff(np.from_dlpack(items.offsets))  # `to_numpy` would import pandas first
    rows = _rows(items, argument, owner)
    return list(chain.from_iterable(rows)), np.fromiter(map(len, rows), np.int64, len(rows))


def _checked_lists(
    flat: list[Any] | pa.Array, counts: NDArray[np.int64], argument: str, owner: str, rule: str
) -> tuple[Strings, NDArray[np.int64]]:
    """The texts of all rows, and the offsets of each row. An empty row is refused: `rule` says why."""
    if not counts.all():
        raise InputError(f"{owner}: `{argument}[{int(np.flatnonzero(counts == 0)[0])}]` is an empty list; {rule}.")
    offsets = np.zeros(len(counts) + 1, np.int64)
    counts.cumsum(out=offsets[1:])
    return as_strings(flat, argument, owner, counts), offsets


def _rows(items: list[Any], argument: str, owner: str) -> list[Any]:
    """The texts of each row as a list or tuple. An item that is not a list is refused."""
    if set(map(type, items)) <= {list, tuple}:
        return items
    rows = []
    for index, item in enumerate(items):
        place = f"{argument}[{index}]"
        if not is_list(item):
            raise InputError(f"{owner}: `{place}` is {with_type(item)} but earlier items are lists; wrap it in a list.")
        row = listed(item, place, owner)
        rows.append(row if isinstance(row, list) else as_text(row, place, owner).to_pylist())
    return rows
