"""How a kernel reads and writes an item of an array: what numba does, without the copy of the array's description.

numba stores all fields of an array to memory for each ``array[i]``, and reads those that it needs. LLVM removes that,
but it took a fifth of the time in which kernels compile. Here the fields are taken from where they are.
"""

from __future__ import annotations

import operator
from typing import Any

import numba
from numba.core import cgutils
from numba.core.imputils import Registry
from numba.np import arrayobj

__all__ = ["ITEMS"]

ITEMS = Registry("metrologue")
_FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")


class _Array:
    """The fields of an array, by their names."""

    def __init__(self, builder: Any, value: Any) -> None:
        self._builder, self._value = builder, value

    def __getattr__(self, name: str) -> Any:
        return self._builder.extract_value(self._value, _FIELDS.index(name))


def _length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.extract_value(_Array(builder, arguments[0]).shape, 0)


def _read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """An item, or a row of a matrix."""
    kind, index = signature.args
    array = _Array(builder, arguments[0])
    indices = _indices(context, builder, index, arguments[1])
    return arrayobj._getitem_array_generic(context, builder, signature.return_type, kind, array, *indices)


def _write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, index, given = signature.args
    array = _Array(builder, arguments[0])
    indices = _indices(context, builder, index, arguments[1])
    checks = context.enable_boundscheck
    place, is_part, _ = arrayobj.basic_indexing(context, builder, kind, array, *indices, boundscheck=checks)
    if is_part:
        return arrayobj.setitem_array(context, builder, signature, arguments)
    arrayobj.store_item(context, builder, kind, context.cast(builder, arguments[2], given, kind.dtype), place)
    return None


def _indices(context: Any, builder: Any, kind: Any, index: Any) -> Any:
    """The types and the values of indices, one for each axis."""
    if isinstance(kind, numba.types.BaseTuple):
        return arrayobj.normalize_indices(context, builder, kind.types, cgutils.unpack_tuple(builder, index))
    return arrayobj.normalize_indices(context, builder, (kind,), (index,))


ITEMS.lower(len, numba.types.Array)(_length)
for _index in (numba.types.Integer, numba.types.BaseTuple):
    ITEMS.lower(operator.getitem, numba.types.Array, _index)(_read)
    for _item in (numba.types.Number, numba.types.Boolean):
        ITEMS.lower(operator.setitem, numba.types.Array, _index, _item)(_write)
