"""Options that belong together: a command gets what they say as one argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Self, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Settings(tuple[str, ...]):
    """The values of ``--set``, and the language whose fields come before them."""

    language: str | None

    def __new__(cls, settings: Iterable[str], language: str | None) -> Self:
        made = super().__new__(cls, settings)
        made.language = language
        return made


def option_name(argument: str) -> str:
    """The option that sets an argument of a command."""
    return f"--{argument.replace('_', '-')}"


def with_options(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """A decorator that gives a command these options, in the order of its help text."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def gathered(argument: str, make: Callable[[dict[str, Any]], Any], *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """A decorator that gives a command these options as one argument.

    `make` gets the values of all options of the command by their names. It takes its own out, and returns the argument.
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def command(*arguments: Any, **values: Any) -> Any:
            made = make(values)
            return function(*arguments, **values, **{argument: made})

        decorated: F = with_options(*options)(command)  # type: ignore[assignment]  # it is called as `function` is
        return decorated

    return decorate
