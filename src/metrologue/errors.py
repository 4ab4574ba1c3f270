"""The one exception for bad input, the helpers for its messages, and warnings."""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from typing import Any, Self

# The characters that a name in a signature cannot have, in words for messages.
NOT_IN_NAMES = 'whitespace, a character that does not print or one of @ | = "'


# An argument in a message, as `model`, or with a value, as in too_long="cut".
_ARGUMENT = re.compile(
    r"`(?P<name>[a-z]\w*)`"
    r"|(?<![\w`'\"|.=-])(?P<set>[a-z]\w*)=(?P<value>'[^'`]*'|\"[^\"`]*\"|-?\d+(\.\d+)?|None|True|False)(?!\w)"
)


class InputError(ValueError):
    """Input that cannot be scored.

    The message names the argument and the index, the value that was given, and what to do.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> Bleu().corpus(["a cat", "a dog"], ["a cat"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: 2 predictions but 1 reference; each prediction needs its references.
    """

    # If one segment is at fault: the argument, the index, and what is wrong with it. Commands then name file and line.
    place: tuple[str, int, str] | None = None

    @classmethod
    def at(cls, owner: str, argument: str, index: int, what: str) -> Self:
        """The error of one segment.

        Examples
        --------
        >>> InputError.at("Bleu", "predictions", 3, " is empty.")
        InputError('Bleu: `predictions[3]` is empty.')
        """
        error = cls(f"{owner}: `{argument}[{index}]`{what}")
        error.place = argument, index, what
        return error


def shown(value: Any) -> str:
    """A short text of any value, for messages."""
    try:
        text = repr(value)
    except Exception:  # an int of 5,000 digits has no repr, and a user's class may raise anything
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


def number_of(count: int | str, noun: str) -> str:
    """A number with its noun, for messages.

    Examples
    --------
    >>> number_of(1, "reference"), number_of(2, "reference")
    ('1 reference', '2 references')
    """
    return f"{count} {noun}" if count in (1, "1") else f"{count} {noun}s"


def instead_of(name: Any, known: Iterable[str]) -> str:
    """The known names, for the end of a message about an unknown name: the nearest one first, ignoring case, then all.

    Examples
    --------
    >>> instead_of("Blue", ["bleu", "ter"]), instead_of("x", ["bleu", "ter"])
    ("did you mean 'bleu'? There are bleu, ter.", 'there are bleu, ter.')
    """
    from difflib import get_close_matches

    names = list(known)
    folded = {each.casefold().replace("-", "_"): each for each in reversed(names)}
    wanted = name.casefold().replace("-", "_")[:60] if isinstance(name, str) else ""
    # In a short name, two letters that change places are half of it.
    near = get_close_matches(wanted, folded, 1, cutoff=0.5 if len(wanted) < 6 else 0.6)
    listed = f"here are {', '.join(names)}."
    return f"did you mean {folded[near[0]]!r}? T{listed}" if near else f"t{listed}"


def is_name(value: Any) -> bool:
    """Whether a value can be the name of a user's tokenizer or table, and be part of a signature."""
    return isinstance(value, str) and value.isprintable() and bool(re.fullmatch(r'[^\s@|="]+', value))


def respelled(message: str, spell: Callable[[str, str | None], str | None]) -> str:
    """A message that names arguments as the caller knows them, such as the options of a command.

    Parameters
    ----------
    message : str
        It has arguments in backticks, or with a value as Python writes it.
    spell : callable
        Takes the name of an argument and its value as Python writes it, None without one; gives what to write in its
        place, or None to leave it.

    Examples
    --------
    >>> def as_option(name, value):
    ...     return None if name == "segments" else f"--{name}" if value is None else f"--set {name}={value}"
    >>> respelled('`model` is missing. Give too_long="cut", or use `segments`.', as_option)
    '--model is missing. Give --set too_long="cut", or use `segments`.'
    """

    def spelled(match: re.Match[str]) -> str:
        given = spell(match["name"] or match["set"], match["value"])
        return match[0] if given is None else given

    return _ARGUMENT.sub(spelled, message)


def checked_int(argument: str, value: Any, least: int, greatest: int = 2**31 - 1) -> int:
    """The argument as an int. Raises an InputError if it is not an int from `least` to `greatest`."""
    if isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= greatest:
        return int(value)
    raise InputError(f"{argument}: {shown(value)} is not an int from {least} to {greatest}.")


# The categories that are listened for in this thread, and what was heard; the innermost last.
_listening: ContextVar[tuple[tuple[tuple[type[Warning], ...], list[str]], ...]] = ContextVar("listening", default=())


@contextmanager
def heard(*categories: type[Warning]) -> Iterator[list[str]]:
    """A context manager that gives a list of what ``warn_caller`` says inside, in place of such warnings.

    A filter of ``warnings`` would act on all threads.

    Examples
    --------
    >>> with heard(UserWarning) as told:
    ...     warn_caller("few segments")
    >>> told
    ['few segments']
    """
    told: list[str] = []
    before = _listening.set((*_listening.get(), (categories, told)))
    try:
        yield told
    finally:
        _listening.reset(before)


# Modules through which a caller asks for a score: `evaluate`, and what it makes of ours.
_INSIDE = ("metrologue", "evaluate", "evaluate_modules")


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside this package, and outside `evaluate`, that called it."""
    for categories, told in reversed(_listening.get()):
        if issubclass(category, categories):
            told.append(message)
            return
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] in _INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
