"""Arrow arrays that users give, as text or as lists of text. Only who has such an array imports this."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from metrologue.data.strings import of_numbers

_TEXT = pa.large_string()
# The type of bytes for each type of text, used until the text is checked; and the constructors of list types.
_BYTES = {_TEXT: pa.large_binary(), pa.string(): pa.binary(), pa.string_view(): pa.binary_view()}
_LISTS: dict[type, Callable[..., pa.DataType]] = {
    pa.ListType: pa.list_,
    pa.LargeListType: pa.large_list,
    pa.ListViewType: pa.list_view,
    pa.LargeListViewType: pa.large_list_view,
    pa.FixedSizeListType: pa.list_,
}


def rows_of(given: pa.Array | pa.ChunkedArray) -> list[Any] | pa.Array:
    """The rows of an array as large_string or large_list of large_string, or, of other types, as a list of Python.

    Raises an exception of pyarrow's if the array is invalid.
    """
    return _joined([_arrow(chunk) for chunk in getattr(given, "chunks", [given])])


def _joined(parts: list[list[Any] | pa.Array]) -> list[Any] | pa.Array:
    if len(parts) == 1:
        return parts[0]
    arrays = bool(parts) and isinstance(parts[0], pa.Array)
    return pa.concat_arrays(parts) if arrays else list(chain.from_iterable(parts))


def _arrow(array: pa.Array) -> list[Any] | pa.Array:
    """The array as large_string or large_list of large_string, offsets checked; other types become a Python list."""
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        return _arrow(array.storage)
    if pa.types.is_dictionary(kind) and kind.value_type in _BYTES:
        array.indices.validate(full=True)
        return _arrow(array.dictionary).take(array.indices)  # type: ignore[union-attr]  # it is an array, as of text
    if kind in _BYTES:
        return _widened(_offsets_checked(array, _BYTES[kind]))
    item = kind.value_type if type(kind) in _LISTS else None
    if item not in _BYTES:
        array.validate(full=True)
        values: list[Any] = array.to_pylist()
        return values
    size = (kind.list_size,) if pa.types.is_fixed_size_list(kind) else ()
    lists = _offsets_checked(array, _LISTS[type(kind)](_BYTES[item], *size))
    if kind == pa.large_list(_TEXT):
        return array
    import pyarrow.compute as pc  # slow to import, and not needed for the types above

    # Arrow's own cast is not used, because it loses items of list views.
    offsets = np.concatenate([[0], np.cumsum(pc.list_value_length(lists).fill_null(0))])
    return pa.LargeListArray.from_arrays(of_numbers(offsets), _widened(lists.flatten()), mask=lists.is_null())


def _offsets_checked(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The array as an array of bytes. Arrow checks where items begin and end, but not yet their contents.

    Bytes outside all rows need not be text. A wrong row is better reported later, when its index is known.
    """
    held = array.view(kind)
    held.validate(full=True)
    return held


def _widened(held: pa.Array) -> pa.LargeStringArray:
    """The bytes as text. The same type is not cast, because a cast imports pyarrow.compute."""
    return (held if held.type == pa.large_binary() else held.cast(pa.large_binary())).view(_TEXT)
