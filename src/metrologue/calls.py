"""Calls with arguments that do not fit, refused in a sentence that shows a right call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from metrologue.errors import InputError, instead_of, shown

__all__ = ["fitting"]


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
    parameters = signature(function).parameters
    known = {name: each for name, each in parameters.items() if each.kind != Parameter.VAR_KEYWORD}
    unknown = next((name for name in named if name not in known), None)
    if unknown is not None and len(known) == len(parameters):
        return f"there is no argument {unknown!r}; {instead_of(unknown, known)} As an example,"
    places = [name for name, each in known.items() if each.kind != Parameter.KEYWORD_ONLY]
    if len(arguments) > len(places):
        return f"{len(arguments)} arguments without a name are too many, of which the last is {shown(arguments[-1])};"
    if twice := next((name for name in places[: len(arguments)] if name in named), None):
        return f"`{twice}` is given twice;"
    needed = [name for name in places[len(arguments) :] if known[name].default is Parameter.empty and name not in named]
    return f"`{needed[0]}` is missing;"
