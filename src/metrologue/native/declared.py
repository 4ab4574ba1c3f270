"""What a kernel declares: its function, its name, and the types of its arguments and of its result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, get_args, get_type_hints

import numpy as np

__all__ = ["INT", "Declared", "Part", "symbol_of"]

INT = np.dtype(np.int64)
_NUMBERS = {
    int: INT,
    bool: INT,
    float: np.dtype(np.float64),
    np.uint64: np.dtype(np.uint64),
}


class Part:
    """A name that numba finds in the code that it compiles. Its numba type is made only then."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function: Any = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} runs inside kernels only.")


class Declared:
    """A kernel as it is declared.

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


def symbol_of(name: str) -> str:
    """The name of a kernel in the library: an identifier of C, which all linkers take."""
    return f"metrologue_{name.replace('.', '_').replace('-', '_')}"


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
