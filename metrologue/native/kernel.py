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
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np

from metrologue.native import arrays

__all__ = ["Helper", "Instruction", "Kernel", "Part", "helper", "instruction", "kernel"]

R = TypeVar("R")

_NUMBERS = {
    int: np.dtype(np.int64),
    bool: np.dtype(np.int64),
    float: np.dtype(np.float64),
    np.uint64: np.dtype(np.uint64),
}
# The type of a number in C, and the result by which machine code refuses an array. NaN is the one of floats.
_IN_C: dict[np.dtype[Any], tuple[Any, int | None]] = {
    np.dtype(np.int64): (ctypes.c_int64, -(1 << 63)),
    np.dtype(np.uint64): (ctypes.c_uint64, 1 << 63),
    np.dtype(np.float64): (ctypes.c_double, None),
}


class Part:
    """A name that numba finds in the code that it compiles. Its numba type is made only then."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function: Any = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} runs inside kernels only.")


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


class Kernel:
    """A function that runs as machine code, without the interpreter's lock.

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
        run, refusal, count = self._loaded
        if len(arguments) != count:
            raise TypeError(f"kernel {self.name}: {len(arguments)} arguments came for {count}.")
        try:
            result = run(*arguments)
        except ctypes.ArgumentError as error:
            raise TypeError(f"kernel {self.name}: {error}.") from None
        # A kernel that returns a float refuses with NaN, which differs from itself.
        if result == refusal or result != result:
            result = self._checked(arguments, result)
        return None if self.returned is None else result

    def _checked(self, arguments: tuple[Any, ...], result: Any) -> Any:
        """The result if machine code has refused an array, or if a result looks like a refusal."""
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

    @cached_property
    def _loaded(self) -> tuple[Any, Any, int]:
        """The function to call, what it returns if it refuses an array, and the number of arguments."""
        return self._address(ctypes.py_object), _IN_C[self.returned or _NUMBERS[int]][1], len(self.kinds)

    @cached_property
    def _run_imitations(self) -> Any:
        return self._address(ctypes.c_void_p)

    def _address(self, array: Any) -> Any:
        """The machine code as a function of ctypes, which takes arrays as this type."""
        from metrologue.native.library import loaded

        types = [array if ndim else _IN_C[dtype][0] for dtype, ndim in self.kinds]
        return loaded(self, ctypes.CFUNCTYPE(_IN_C[self.returned or _NUMBERS[int]][0], *types))

    @cached_property
    def _signature(self) -> tuple[list[tuple[np.dtype[Any], int]], np.dtype[Any] | None]:
        hints = get_type_hints(self.function, include_extras=True)
        returned = hints.pop("return")
        return [_kind(hint) for hint in hints.values()], None if returned is type(None) else _NUMBERS[returned]

    @cached_property
    def kinds(self) -> list[tuple[np.dtype[Any], int]]:
        """dtype and number of dimensions of each argument, 0 for a number."""
        return self._signature[0]

    @cached_property
    def returned(self) -> np.dtype[Any] | None:
        """The dtype of the result: int64, uint64, float64, or None."""
        return self._signature[1]

    @cached_property
    def key(self) -> str:
        """A digest of the source that the machine code depends on, equal in all versions of Python and NumPy.

        Comments, docstrings and other kernels do not change it.
        """
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


def _kind(hint: Any) -> tuple[np.dtype[Any], int]:
    """dtype and number of dimensions of an argument with this annotation."""
    if hint in _NUMBERS:
        return _NUMBERS[hint], 0
    ndim = 1
    if hasattr(hint, "__metadata__"):
        hint, ndim = hint.__origin__, hint.__metadata__[0]
    # NDArray[np.int32] names the type last: as np.int32 if NDArray is a type alias, otherwise as np.dtype[np.int32].
    scalar = get_args(hint)[-1]
    return np.dtype((get_args(scalar) or (scalar,))[0]), ndim
