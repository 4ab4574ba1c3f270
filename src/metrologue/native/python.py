"""Functions of Python's C interface, which machine code calls to be a function of Python itself.

``ctypes`` makes an object for each argument of a call. The entry of a kernel reads the arguments from the interpreter's
own array instead, and a call takes a quarter of the time. All that it needs is in Python's stable interface. Machine
code has no names of these functions: their addresses stand in a table, so that one library serves all versions.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from metrologue.native import arrays

# What converts a number, what says whether that failed, what releases the interpreter's lock and takes it again.
FUNCTIONS = (
    "PyLong_AsUnsignedLongLongMask",
    "PyFloat_AsDouble",
    "PyErr_Occurred",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong",
    "PyFloat_FromDouble",
)
Table = ctypes.c_int64 * len(FUNCTIONS)
# Whether kernels can be called so; otherwise ctypes calls them.
IS_DIRECT = sys.implementation.name == "cpython" and arrays.ARE_READ
_FASTCALL = 0x80  # METH_FASTCALL: the function gets an array of arguments and their number


class _Method(ctypes.Structure):
    """PyMethodDef: the name, the address, the flags and the docstring of a function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("about", ctypes.c_char_p),
    )


def table() -> Any:
    """The table that entries read: the address of each of `FUNCTIONS`."""
    if not IS_DIRECT:
        return Table()
    return Table(*(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in FUNCTIONS))


def called_by(symbol: str) -> str:
    """The name of the entry that Python calls, from that of the entry that ctypes calls."""
    return f"{symbol}_called"


def function(name: str, address: int) -> Any:
    """The machine code at this address as a function of Python."""
    method = _Method(name.encode(), address, _FASTCALL, None)
    # A function reads its description even when the interpreter ends and modules are gone, so that is never freed.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(method))
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p)
    return new(("PyCFunction_NewEx", ctypes.pythonapi))(ctypes.byref(method), None, None)
