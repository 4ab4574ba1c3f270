"""The decorators, and the call of a kernel.

``@kernel`` marks a function that Python calls. Its annotations are its signature. It fills arrays that the caller gives
and returns a number or nothing. ``@helper`` marks a function that kernels call; it is inlined into them.
``@instruction`` marks a function that is written as LLVM code. The machine code of a kernel is in the library that was
built with the package. A kernel that has changed since then is compiled when it is first called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from metrologue.native import arrays, python
from metrologue.native.declared import INT, Declared, Part

R = TypeVar("R")

# The type of a number in C, and the result by which machine code refuses an array. NaN is the one of floats.
_IN_C: dict[np.dtype[Any], tuple[Any, int | None]] = {
    np.dtype(np.int64): (ctypes.c_int64, -(1 << 63)),
    np.dtype(np.uint64): (ctypes.c_uint64, 1 << 63),
    np.dtype(np.float64): (ctypes.c_double, None),
}


class Helper(Part):
    """A function that is inlined into the kernels that call it. The caller determines the types of its arguments."""

    @cached_property
    def _dispatcher(self) -> Any:
        from metrologue.native.compiler import dispatcher

        return dispatcher(self.function)

    @property
    def _numba_type_(self) -> Any:
        return self._dispatcher._numba_type_


class Instruction(Part):
    """A function that is written as LLVM code, defined as for ``numba.extending.intrinsic``."""

    @cached_property
    def _numba_type_(self) -> Any:
        from metrologue.native.compiler import instruction_type

        return instruction_type(self.function)


class Kernel(Declared):
    """A function that runs as machine code, without the interpreter's lock. See ``Declared`` for its annotations."""

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel. An array with another dtype or dimension, or not contiguous, raises a TypeError."""
        run, refusal = self._loaded
        try:
            result = run(*arguments)
        except (TypeError, ctypes.ArgumentError):
            self._check_numbers(arguments)
            raise
        # A kernel that returns a float refuses with NaN, which differs from itself.
        if result == refusal or result != result:
            result = self._checked(arguments, result)
        return None if self.returned is None else result

    def _checked(self, arguments: tuple[Any, ...], result: Any) -> Any:
        """The result if machine code has refused an array, or if a result looks like a refusal."""
        self._check_numbers(arguments)
        values, was_run = [*arguments], True
        for i, ((dtype, ndim), value) in enumerate(zip(self.kinds, arguments, strict=True)):
            if not ndim:
                continue
            if not isinstance(value, np.ndarray):
                raise TypeError(f"kernel {self.name}: {type(value).__name__} came for an array.")
            if value.dtype != dtype or value.ndim != ndim or not value.flags.c_contiguous:
                raise TypeError(
                    f"kernel {self.name}: {value.dtype} of {value.ndim} dimensions came for {dtype} of {ndim}, "
                    "contiguous."
                )
            was_run = was_run and arrays.is_plain(value)
            values[i] = arrays.imitation(value, dtype)
        return result if was_run else self._run_imitations(*values)

    def _check_numbers(self, arguments: tuple[Any, ...]) -> None:
        """Raise a TypeError if there are too few or too many arguments, or if one is not the number that it must be."""
        if len(arguments) != len(self.kinds):
            raise TypeError(f"kernel {self.name}: {len(arguments)} arguments came for {len(self.kinds)}.")
        for i, ((dtype, ndim), value) in enumerate(zip(self.kinds, arguments, strict=True), 1):
            if not ndim and not isinstance(value, (int, np.integer, *([float] if dtype.kind == "f" else []))):
                raise TypeError(f"kernel {self.name}: argument {i} is {type(value).__name__}; {dtype} is expected.")

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The function to call, and what it returns if it refuses an array."""
        if python.IS_DIRECT:
            from metrologue.native.library import address

            found = python.function(self.name, address(self, python.called_by))
        else:
            found = self._by_ctypes(ctypes.py_object)
        return found, _IN_C[self.returned or INT][1]

    @cached_property
    def _run_imitations(self) -> Any:
        return self._by_ctypes(ctypes.c_void_p)

    def _by_ctypes(self, array: Any) -> Any:
        """The machine code as a function of ctypes, which takes arrays as this type."""
        from metrologue.native.library import address

        types = [array if ndim else _IN_C[dtype][0] for dtype, ndim in self.kinds]
        return ctypes.CFUNCTYPE(_IN_C[self.returned or INT][0], *types)(address(self))

    @cached_property
    def key(self) -> str:
        from metrologue.native.key import key

        return key(self)


def kernel(function: Callable[..., R]) -> Callable[..., R]:
    """Mark a function that Python calls as a kernel; see ``Kernel``."""
    return Kernel(function)


def helper(function: Callable[..., R]) -> Callable[..., R]:
    """Mark a function that kernels call; see ``Helper``."""
    return Helper(function)


def instruction(function: Callable[..., Any]) -> Any:
    """Mark a function that is written as LLVM code; see ``Instruction``."""
    return Instruction(function)
