"""What a kernel declares: its function, its name, and the types of its arguments and of its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias, get_args, get_type_hints

import numpy as np

INT = np.dtype(np.int64)
Kind: TypeAlias = "tuple[np.dtype[Any], int]"
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


class Declared(ABC):
    """A kernel as it is declared.

    Parameters
    ----------
    function : function
        Annotated with ``int``, ``bool``, ``float`` or ``np.uint64`` for numbers and ``NDArray[...]`` for vectors;
        ``Annotated[NDArray[...], 2]`` is a matrix. All arrays are C-contiguous. Of a class of named tuples, a call
        passes the fields, one after another, and the function gets the tuple.
    """

    def __init__(self, function: Any) -> None:
        self.function: Any = function
        package, _, module = function.__module__.rpartition(".")
        # The kernels of a metric's home have the home's name.
        self.name = f"{package.rpartition('.')[2] if module == 'kernels' else module}.{function.__name__}"
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def parameters(self) -> list[tuple[type | None, list[Kind]]]:
        """The class of named tuples of each parameter, None for a number or an array, and what a call passes for it."""
        hints = [hint for name, hint in self._hints.items() if name != "return"]
        return [(hint, _fields(hint)) if hasattr(hint, "_fields") else (None, [_kind(hint)]) for hint in hints]

    @cached_property
    def kinds(self) -> list[Kind]:
        """dtype and number of dimensions of each argument of a call, 0 for a number."""
        return [kind for _, kinds in self.parameters for kind in kinds]

    @cached_property
    def returned(self) -> np.dtype[Any] | None:
        """The dtype of the result: int64, uint64, float64, or None."""
        returned = self._hints["return"]
        return None if returned is type(None) else _NUMBERS[returned]

    @property
    @abstractmethod
    def key(self) -> str:
        """A digest of the source that the machine code depends on, equal in all versions of Python and NumPy.

        Comments, docstrings and other kernels do not change it.
        """


def symbol_of(name: str) -> str:
    """The name of a kernel in the library: an identifier of C, which all linkers take."""
    return f"metrologue_{name.replace('.', '_').replace('-', '_')}"


def _fields(cls: Any) -> list[Kind]:
    return [_kind(hint) for hint in get_type_hints(cls, include_extras=True).values()]


def _kind(hint: Any) -> Kind:
    """dtype and number of dimensions of an argument with this annotation."""
    if hint in _NUMBERS:
        return _NUMBERS[hint], 0
    ndim = 1
    if hasattr(hint, "__metadata__"):
        hint, ndim = hint.__origin__, hint.__metadata__[0]
    # NDArray[np.int32] names the type last: as np.int32 if NDArray is a type alias, otherwise as np.dtype[np.int32].
    scalar = get_args(hint)[-1]
    return np.dtype((get_args(scalar) or (scalar,))[0]), ndim
