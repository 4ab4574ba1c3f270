"""How machine code reads NumPy's arrays, and what it accepts.

A kernel gets an array as the address of the Python object, and reads in it what NumPy has kept there, in this order, in
all its versions: a pointer to the data, the number of dimensions, pointers to the shape, the strides, the base and the
dtype, and flags. That takes no Python object for each argument. The fields begin after the head that all Python objects
have, which ends with a pointer to the type. A kernel compares the type, the dtype's address, the number of dimensions
and the flag of contiguity; the addresses that it compares with stand in `TABLE`.

A kernel refuses all other objects without a look at their fields. Python then checks them with care, and passes those
that are right after all, such as a memory map, as an imitation: a block of memory with the same fields. If this
interpreter keeps arrays in another way, all are passed so.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

DTYPES = [np.dtype(name) for name in ("?", "u1", "u2", "u4", "i4", "u8", "i8", "f4", "f8")]
TABLE_SIZE = 2 + len(DTYPES)
Table = ctypes.c_int64 * TABLE_SIZE
_WORD = 8
_CONTIGUOUS = 1


def table() -> Any:
    """The table that kernels read: the size of an object's head, and the addresses of the array type and the dtypes."""
    return Table(_HEAD, _TYPE, *map(id, DTYPES))


def is_plain(value: object) -> bool:
    """Whether machine code looks at the fields of an object."""
    return ARE_READ and type(value) is np.ndarray and any(value.dtype is dtype for dtype in DTYPES)


def imitation(array: Any, dtype: np.dtype[Any]) -> Any:
    """A block of memory with the fields of an array. Its dtype is the equal one of `DTYPES`."""
    head = [0] * (_HEAD // _WORD - 1)
    fields = [_TYPE, array.ctypes.data, array.ndim, 0, 0, 0, id(DTYPES[DTYPES.index(dtype)]), _CONTIGUOUS]
    block = (ctypes.c_int64 * (len(head) + len(fields) + array.ndim))(*head, *fields, *array.shape)
    block[len(head) + 3] = ctypes.addressof(block) + _WORD * (len(head) + len(fields))  # where the shape is
    return block


def _reads(array: Any) -> bool:
    """Whether an array's memory has the fields that machine code expects."""
    address = id(array) + _HEAD
    fields = (ctypes.c_int64 * 5).from_address(address)
    # The last field may be the last of the object, so no byte after it is read.
    dtype = ctypes.c_int64.from_address(address + 40).value
    flags = ctypes.c_int32.from_address(address + 48).value
    return bool(
        ctypes.c_int64.from_address(address - _WORD).value == id(type(array))
        and fields[0] == array.ctypes.data
        and ctypes.c_int32.from_address(address + 8).value == array.ndim
        and tuple((ctypes.c_int64 * array.ndim).from_address(fields[2])) == array.shape
        and dtype == id(array.dtype)
        and flags == array.flags.num
    )


def _reads_all() -> bool:
    if sys.implementation.name != "cpython" or sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != _WORD:
        return False
    return all(_reads(np.zeros(shape, dtype)) for shape, dtype in (((3,), "?"), ((2, 5), "i8"), ((0, 1), "f8")))


# A type without fields has the size of the head: 16 bytes, 32 in an interpreter without the global lock.
_HEAD = object.__basicsize__
ARE_READ = _reads_all()
if not ARE_READ:
    _HEAD = 2 * _WORD
# Nothing is this type, if all arrays are passed as imitations.
_TYPE = id(np.ndarray) if ARE_READ else id(DTYPES)
