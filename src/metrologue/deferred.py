"""What is imported when it is first used: names of a package, and values of a mapping."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

from metrologue.errors import InputError, instead_of, shown

T = TypeVar("T")


def deferred(package: str, homes: Mapping[str, str], calls: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    homes : mapping of str to str
        Each name with the module that defines it, which is imported when the name is first used.
    calls : mapping of str to str, optional
        A right call of some functions. These refuse arguments that do not fit with an InputError that shows the call,
        where Python would raise a TypeError.

    Raises
    ------
    AttributeError
        By the function that is returned, if the package has no such name.

    Examples
    --------
    >>> get = deferred("metrologue.errors", {"sqrt": "math"})
    >>> get("sqrt")(4)
    2.0
    """

    def get(name: str) -> Any:
        if name not in homes:
            cure = "" if name.startswith("__") else f"; {instead_of(name, homes)}"
            raise AttributeError(f"module {package!r} has no attribute {name!r}{cure}")
        value = getattr(import_module(homes[name]), name)
        if calls and name in calls:
            value = fitting(value, package, calls[name])
        setattr(sys.modules[package], name, value)  # this function is then not asked again
        return value

    return get


def fitting(function: Callable[..., Any], package: str, call: str) -> Callable[..., Any]:
    """The function, as a package has it. It refuses arguments that do not fit its signature with an InputError.

    Parameters
    ----------
    function : callable
        A function that is written in Python.
    package : str
    call : str
        A right call, for the message.

    Examples
    --------
    >>> from metrologue.scorers import pairwise
    >>> fitting(pairwise, "metrologue", 'pairwise("chrf", predictions, references)')("chrf")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: pairwise: `hypotheses` is missing; a call is `pairwise("chrf", predictions, \
references)`.
    """

    @wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            if error.__traceback__ and error.__traceback__.tb_next:  # the function has begun
                raise
            wrong = _misfit(function, arguments, named)
        raise InputError(f"{function.__name__}: {wrong} a call is `{call}`.")

    called.__module__ = package  # so that it is pickled as the package's own name
    return called


def _misfit(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    """What does not fit, in words."""
    from inspect import Parameter, signature  # slow to import

    parameters = signature(function).parameters
    named_parameters = {name: each for name, each in parameters.items() if each.kind != Parameter.VAR_KEYWORD}
    unknown = next((name for name in named if name not in named_parameters), None)
    if unknown is not None and len(named_parameters) == len(parameters):
        return f"there is no argument {unknown!r}; {instead_of(unknown, named_parameters)} As an example,"
    places = [name for name, each in named_parameters.items() if each.kind != Parameter.KEYWORD_ONLY]
    if len(arguments) > len(places):
        return f"{len(arguments)} arguments without a name are too many, of which the last is {shown(arguments[-1])};"
    if twice := next((name for name in places[: len(arguments)] if name in named), None):
        return f"`{twice}` is given twice;"
    free = {name: each for name, each in named_parameters.items() if name not in (*places[: len(arguments)], *named)}
    needed = [name for name, each in free.items() if each.default is Parameter.empty]
    return f"`{needed[0]}` is missing;"


def names_in(stub: str) -> dict[str, str]:
    """The names that a package's stub imports, with the module of each.

    Parameters
    ----------
    stub : str
        The path of an ``__init__.pyi`` whose lines are ``from MODULE import NAME as NAME``.
    """
    with open(stub, encoding="utf-8") as lines:
        return {
            name: module for module, name in re.findall(r"^from (\S+) import (\w+) as ", lines.read(), re.MULTILINE)
        }


def from_stub(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names are those of its ``__init__.pyi``.

    Parameters
    ----------
    package, file : str
        The package's ``__name__`` and ``__file__``.

    Examples
    --------
    >>> import metrologue.learned
    >>> from_stub("metrologue.learned", metrologue.learned.__file__)[0][-2:]
    ['save_model', 'train']
    """
    homes = names_in(f"{file}i")
    names = sorted(homes)
    return names, deferred(package, homes), lambda: names


class Deferred(MutableMapping[str, T]):
    """A mapping whose values are imported when they are first asked for. Others can be added.

    Parameters
    ----------
    homes : mapping of str to (str, str)
        For each key, the module that defines the value, and its name there.

    Examples
    --------
    >>> functions = Deferred({"root": ("math", "sqrt")})
    >>> list(functions), functions["root"](4)
    (['root'], 2.0)
    """

    def __init__(self, homes: Mapping[str, tuple[str, str]]) -> None:
        self._homes = dict(homes)
        self._values: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._values:
            module, name = self._homes[key]
            self._values[key] = getattr(import_module(module), name)
        return self._values[key]

    def loaded(self) -> list[T]:
        """The values that have been imported by now."""
        return [*self._values.values()]

    def __setitem__(self, key: str, value: T) -> None:
        self._values[key] = value

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._values.pop(key, None)
        self._homes.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._values or key in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter({**self._homes, **self._values})

    def __len__(self) -> int:
        return len({*self._homes, *self._values})
