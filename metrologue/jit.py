"""Kernels: functions over arrays that run as machine code, which is made once on a machine and kept.

``@kernel`` marks a function that Python calls. Its annotations are its signature. It fills arrays that the caller gives
and returns a number or nothing. ``@helper`` marks a function that kernels call; it is inlined into them.
``@instruction`` marks a function that is written as LLVM code. A kernel is compiled when it is first called, by numba
(see ``metrologue.compiler``). After that, the machine code comes from the cache, and numba is not even imported.
"""

from __future__ import annotations

import ctypes
import hashlib
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np

from metrologue.cache import kept, told_if_long

__all__ = ["Helper", "Instruction", "Kernel", "helper", "instruction", "kernel"]

R = TypeVar("R")

_NUMBERS: dict[Any, tuple[Any, Any]] = {
    int: (np.dtype(np.int64), ctypes.c_int64),
    bool: (np.dtype(np.int64), ctypes.c_int64),
    float: (np.dtype(np.float64), ctypes.c_double),
    np.uint64: (np.dtype(np.uint64), ctypes.c_uint64),
}
_lock = threading.RLock()
_addresses: dict[str, int] = {}


class _Part:
    """A name that numba finds in the code that it compiles. Its numba type is made only then."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function: Any = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} runs inside kernels only.")


class Helper(_Part):
    """A function that is inlined into the kernels that call it. The caller determines the types of its arguments."""

    @cached_property
    def _dispatcher(self) -> Any:
        from metrologue.compiler import dispatcher

        return dispatcher(self.function)

    @property
    def _numba_type_(self) -> Any:
        return self._dispatcher._numba_type_


class Instruction(_Part):
    """A function that is written as LLVM code, defined as for ``numba.extending.intrinsic``."""

    @cached_property
    def _numba_type_(self) -> Any:
        from metrologue.compiler import instruction_type

        return instruction_type(self.function)


class Kernel:
    """A function that runs as machine code. At the first call it is compiled, or read from the cache.

    Parameters
    ----------
    function : function
        Annotated with ``int``, ``bool``, ``float`` or ``np.uint64`` for numbers and ``NDArray[...]`` for vectors;
        ``Annotated[NDArray[...], 2]`` is a matrix. All arrays are C-contiguous.
    """

    def __init__(self, function: Any) -> None:
        self.function: Any = function
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel. An array with another dtype or dimension, or not contiguous, raises a TypeError."""
        run, kinds, result = self._loaded
        values: list[Any] = []
        for (dtype, ndim), value in zip(kinds, arguments, strict=True):
            if ndim == 0:
                values.append(value)
                continue
            if value.dtype != dtype or value.ndim != ndim or not value.flags.c_contiguous:
                raise TypeError(
                    f"kernel {self.name}: {value.dtype} of {value.ndim} dimensions came for {dtype} of {ndim}, "
                    "contiguous."
                )
            values += (None, None, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
        place = (result or ctypes.c_void_p)()  # numba writes there even if the kernel returns None
        if status := run(ctypes.addressof(place), None, *values):
            raise RuntimeError(f"kernel {self.name}: status {status}.")
        return place.value

    @cached_property
    def _signature(self) -> tuple[list[tuple[Any, int]], Any]:
        hints = get_type_hints(self.function, include_extras=True)
        returned = hints.pop("return")
        return [_kind(hint) for hint in hints.values()], None if returned is type(None) else returned

    @cached_property
    def _loaded(self) -> tuple[Any, list[tuple[Any, int]], Any]:
        """The function to call, the kinds of its arguments, and the ctypes type of its result."""
        kinds, returned = self._signature
        types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        for dtype, ndim in kinds:
            if ndim:
                sizes = [ctypes.c_ssize_t] * (2 * ndim)
                types += [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_void_p, *sizes]
            else:
                types.append(next(kind for number, kind in _NUMBERS.values() if number == dtype))
        result = None if returned is None else _NUMBERS[returned][1]
        return ctypes.CFUNCTYPE(ctypes.c_int32, *types)(self._address()), kinds, result

    def _address(self) -> int:
        """The address of the machine code in memory. It is loaded once, by the thread that asks first."""
        with _lock:
            if self.symbol not in _addresses:
                code = kept(f"kernels/{self.symbol}", self.compiled)
                _addresses[self.symbol] = _linked(self.symbol, bytes(code))
            return _addresses[self.symbol]

    @property
    def symbol(self) -> str:
        """The name of the machine code in memory, and of its file."""
        return f"{self.name}-{self.key}"

    @cached_property
    def key(self) -> str:
        """A digest of everything that the machine code depends on. Comments and other kernels do not change it."""
        parts = repr((_foundation(), self._signature, [*_closure(self.function)]))
        return hashlib.sha256(parts.encode()).hexdigest()[:24]

    def compiled(self) -> bytes:
        """The kernel's machine code, as an object file."""
        with told_if_long(f"compiling {self.name.replace('._', '.')} for this processor"):
            from metrologue.compiler import machine_code

            kinds, returned = self._signature
            result = None if returned is None else _NUMBERS[returned][0]
            return machine_code(self.function, kinds, result, self.symbol)


def kernel(function: Callable[..., R]) -> Callable[..., R]:
    """Mark a function that Python calls as a kernel; see ``Kernel``."""
    return Kernel(function)


def helper(function: Callable[..., R]) -> Callable[..., R]:
    """Mark a function that kernels call; see ``Helper``."""
    return Helper(function)


def instruction(function: Callable[..., Any]) -> Any:
    """Mark a function that is written as LLVM code; see ``Instruction``."""
    return Instruction(function)


def _kind(hint: Any) -> tuple[Any, int]:
    """dtype and number of dimensions of an argument with this annotation."""
    if hint in _NUMBERS:
        return _NUMBERS[hint][0], 0
    ndim = 1
    if hasattr(hint, "__metadata__"):
        hint, ndim = hint.__origin__, hint.__metadata__[0]
    # NDArray[np.int32] names the type last: as np.int32 if NDArray is a type alias, otherwise as np.dtype[np.int32].
    scalar = get_args(hint)[-1]
    return np.dtype((get_args(scalar) or (scalar,))[0]), ndim


@cache
def _foundation() -> tuple[object, ...]:
    """What all machine code depends on: the compiler with its version, and the processor."""
    import llvmlite.binding as llvm

    sources = [Path(__file__).with_name(name).read_bytes() for name in ("jit.py", "compiler.py")]
    features = llvm.get_host_cpu_features().flatten()
    return (
        hashlib.sha256(b"".join(sources)).hexdigest(), sys.version_info[:2], version("numba"), version("llvmlite"),
        llvm.get_process_triple(), llvm.get_host_cpu_name(), features,
    )  # fmt: skip


def _closure(function: Any) -> Iterator[object]:
    """A function as the compiler sees it: its code, and the values of the names in it. Helpers are treated alike."""
    yield from _code(function.__code__, function.__doc__)
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, _value(function.__globals__[name])


def _code(code: CodeType, docstring: str | None = None) -> Iterator[object]:
    yield code.co_code, code.co_varnames, code.co_freevars, code.co_names, code.co_argcount
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        elif constant != docstring:
            yield constant


def _value(value: Any) -> object:
    if isinstance(value, _Part):
        return [*_closure(value.function)]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, type):
        return value.__name__, getattr(value, "_fields", None)
    if isinstance(value, ModuleType):
        return value.__name__
    return repr(value)


@cache
def _engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _linked(symbol: str, code: bytes) -> int:
    """Load an object file into memory, and return the address of its function."""
    import llvmlite.binding as llvm

    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address: int = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"kernel {symbol} is not in its object file.")
    return address
