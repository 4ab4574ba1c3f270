"""The entries of a kernel: LLVM code that reads the fields of NumPy's arrays, as ``metrologue.native.arrays`` says.

One is called by ctypes, the other one by Python itself, as ``metrologue.native.python`` says.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metrologue.native.arrays import DTYPES, TABLE_SIZE
from metrologue.native.declared import Declared
from metrologue.native.python import FUNCTIONS, called_by

_NUMBERS = {np.dtype(np.int64): "i64", np.dtype(np.uint64): "i64", np.dtype(np.float64): "double"}
_ZEROS = {"i64": "0", "double": "0.0"}
_REFUSALS = {"i64": str(-(1 << 63)), "double": "0x7FF8000000000000"}
# For each type of C, what makes it of a Python object and what makes such an object of it.
_CONVERTED = {
    np.dtype(np.int64): ("PyLong_AsUnsignedLongLongMask", "PyLong_FromLongLong"),
    np.dtype(np.uint64): ("PyLong_AsUnsignedLongLongMask", "PyLong_FromUnsignedLongLong"),
    np.dtype(np.float64): ("PyFloat_AsDouble", "PyFloat_FromDouble"),
}
_MINUS_ONE = {"i64": "icmp eq i64 {}, -1", "double": "fcmp oeq double {}, -1.0"}
# Small functions, which LLVM inlines. A field is named by its place in bytes after the head of the object.
_READERS = f"""
@metrologue_arrays = external global [{TABLE_SIZE} x i64]
@metrologue_python = external global [{len(FUNCTIONS)} x ptr]

define internal i64 @table(i64 %index) alwaysinline {{
  %place = getelementptr i64, ptr @metrologue_arrays, i64 %index
  %word = load i64, ptr %place
  ret i64 %word
}}

define internal ptr @field(ptr %object, i64 %offset) alwaysinline {{
  %head = call i64 @table(i64 0)
  %fields = getelementptr i8, ptr %object, i64 %head
  %place = getelementptr i8, ptr %fields, i64 %offset
  ret ptr %place
}}

define internal i1 @is_array(ptr %object) alwaysinline {{
  %place = call ptr @field(ptr %object, i64 -8)
  %type = load i64, ptr %place
  %array = call i64 @table(i64 1)
  %same = icmp eq i64 %type, %array
  ret i1 %same
}}

define internal i1 @is_right(ptr %array, i32 %expected_ndim, i64 %kind) alwaysinline {{
  %ndim_place = call ptr @field(ptr %array, i64 8)
  %ndim = load i32, ptr %ndim_place
  %same_ndim = icmp eq i32 %ndim, %expected_ndim
  %dtype_place = call ptr @field(ptr %array, i64 40)
  %dtype = load i64, ptr %dtype_place
  %expected_dtype = call i64 @table(i64 %kind)
  %same_dtype = icmp eq i64 %dtype, %expected_dtype
  %flags_place = call ptr @field(ptr %array, i64 48)
  %flags = load i32, ptr %flags_place
  %contiguous = trunc i32 %flags to i1
  %same = and i1 %same_ndim, %same_dtype
  %right = and i1 %same, %contiguous
  ret i1 %right
}}

define internal ptr @data(ptr %array) alwaysinline {{
  %place = call ptr @field(ptr %array, i64 0)
  %data = load ptr, ptr %place
  ret ptr %data
}}

define internal i64 @length(ptr %array, i64 %axis) alwaysinline {{
  %shape_place = call ptr @field(ptr %array, i64 16)
  %shape = load ptr, ptr %shape_place
  %place = getelementptr i64, ptr %shape, i64 %axis
  %length = load i64, ptr %place
  ret i64 %length
}}
"""


def entry(kernel: Declared, symbol: str, body: str, export: str) -> str:
    """The code of the function that ctypes calls, then of the function that Python calls.

    It compares all types before it reads any field, because another object may have no such fields. Then it compares
    the fields. If they are right, it runs numba's function `body`.
    """
    result = "i64" if kernel.returned is None else _NUMBERS[kernel.returned]
    arguments = [f"{'ptr' if ndim else _NUMBERS[dtype]} %a{i}" for i, (dtype, ndim) in enumerate(kernel.kinds)]
    lines = [
        *_all("%is_array", [f"call i1 @is_array(ptr %a{i})" for i, (_, ndim) in enumerate(kernel.kinds) if ndim]),
        "br i1 %is_array, label %compare, label %refuse",
        "compare:",
        *_all(
            "%is_right",
            [
                f"call i1 @is_right(ptr %a{i}, i32 {ndim}, i64 {2 + DTYPES.index(dtype)})"
                for i, (dtype, ndim) in enumerate(kernel.kinds)
                if ndim
            ],
        ),
        "br i1 %is_right, label %run, label %refuse",
        "run:",
        *_run(kernel, body, result),
        f"ret {result} %value",
        "refuse:",
        f"ret {result} {_REFUSALS[result]}",
    ]
    head = f"define{export} {result} @{symbol}({', '.join(arguments)}) {{"
    return "\n".join([_READERS, head, *lines, "}", *_by_python(kernel, symbol, export), ""])


def _by_python(kernel: Declared, symbol: str, export: str) -> Iterator[str]:
    """The code of a function that gets an array of Python objects: METH_FASTCALL.

    With another number of arguments it refuses them. If a number cannot be converted, it returns null, as the functions
    of Python do that raise an exception. The interpreter's lock is released while the kernel runs.
    """
    result = "i64" if kernel.returned is None else _NUMBERS[kernel.returned]
    yield f"define{export} ptr @{called_by(symbol)}(ptr %self, ptr %objects, i64 %count) {{"
    yield f"%is_all = icmp eq i64 %count, {len(kernel.kinds)}"
    yield "br i1 %is_all, label %read, label %refuse"
    yield "read:"
    passed = []
    for i, (dtype, ndim) in enumerate(kernel.kinds):
        yield f"%place{i} = getelementptr ptr, ptr %objects, i64 {i}"
        yield f"%o{i} = load ptr, ptr %place{i}"
        if ndim:
            passed.append(f"ptr %o{i}")
            continue
        kind = _NUMBERS[dtype]
        passed.append(f"{kind} %a{i}")
        yield from _call(f"%a{i}", kind, _CONVERTED[dtype][0], f"ptr %o{i}")
        yield f"%doubtful{i} = {_MINUS_ONE[kind].format(f'%a{i}')}"
        yield f"br i1 %doubtful{i}, label %ask{i}, label %next{i}"
        yield f"ask{i}:"
        yield from _call(f"%error{i}", "ptr", "PyErr_Occurred", "")
        yield f"%failed{i} = icmp ne ptr %error{i}, null"
        yield f"br i1 %failed{i}, label %fail, label %next{i}"
        yield f"next{i}:"
    yield from _call("%thread", "ptr", "PyEval_SaveThread", "")
    yield f"%value = call {result} @{symbol}({', '.join(passed)}) noinline"
    yield from _call("", "void", "PyEval_RestoreThread", "ptr %thread")
    yield "br label %return"
    yield "refuse:"
    yield "br label %return"
    yield "return:"
    yield f"%number = phi {result} [ %value, %{_last(kernel)} ], [ {_REFUSALS[result]}, %refuse ]"
    made = _CONVERTED[np.dtype(np.int64) if kernel.returned is None else kernel.returned][1]
    yield from _call("%object", "ptr", made, f"{result} %number")
    yield "ret ptr %object"
    yield "fail:"
    yield "ret ptr null"
    yield "}"


def _last(kernel: Declared) -> str:
    """The block in which the last number is converted."""
    return next((f"next{i}" for i, (_, ndim) in reversed([*enumerate(kernel.kinds)]) if not ndim), "read")


def _call(name: str, kind: str, function: str, arguments: str) -> Iterator[str]:
    """Code that calls one of `FUNCTIONS`. Each call has a name, from which that of the address is made."""
    address = f"%address.{name.strip('%') or function}"
    yield f"{address}.place = getelementptr ptr, ptr @metrologue_python, i64 {FUNCTIONS.index(function)}"
    yield f"{address} = load ptr, ptr {address}.place"
    yield f"{name + ' = ' if name else ''}call {kind} {address}({arguments})"


def _all(name: str, conditions: list[str]) -> Iterator[str]:
    """Code that sets `name` to whether all conditions hold."""
    known = "true"
    for k, condition in enumerate(conditions):
        yield f"{name}.{k} = {condition}"
        yield f"{name}.all{k} = and i1 {known}, {name}.{k}"
        known = f"{name}.all{k}"
    yield f"{name} = and i1 {known}, true"


def _run(kernel: Declared, body: str, result: str) -> Iterator[str]:
    """Code that passes the arguments in the way of numba, and reads the result."""
    yield f"%result = alloca {result}"
    yield f"store {result} {_ZEROS[result]}, ptr %result"
    yield "%error = alloca ptr"
    passed = ["ptr %result", "ptr %error"]
    for i, (dtype, ndim) in enumerate(kernel.kinds):
        if not ndim:
            passed.append(f"{_NUMBERS[dtype]} %a{i}")
            continue
        yield f"%data{i} = call ptr @data(ptr %a{i})"
        lengths = [f"%length{i}.{axis}" for axis in range(ndim)]
        for axis, length in enumerate(lengths):
            yield f"{length} = call i64 @length(ptr %a{i}, i64 {axis})"
        # Invariant: `step` is the number of bytes from one index of the axis to the next.
        step, steps = str(dtype.itemsize), [str(dtype.itemsize)]
        for axis in range(ndim - 1, 0, -1):
            yield f"%step{i}.{axis} = mul i64 {step}, {lengths[axis]}"
            step = f"%step{i}.{axis}"
            steps.insert(0, step)
        yield f"%bytes{i} = mul i64 {step}, {lengths[0]}"
        yield f"%size{i} = sdiv i64 %bytes{i}, {dtype.itemsize}"
        passed += ["ptr null", "ptr null", f"i64 %size{i}", f"i64 {dtype.itemsize}", f"ptr %data{i}"]
        passed += [f"i64 {number}" for number in (*lengths, *steps)]
    yield f"call i32 @{body}({', '.join(passed)})"
    yield f"%value = load {result}, ptr %result"
