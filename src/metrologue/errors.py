"""The one exception for bad input, the helpers for its messages, and warnings."""

import re
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from numbers import Integral
from typing import Any, Self

# The characters that a name in a signature cannot have, in words for messages.
NOT_IN_NAMES = 'whitespace, a character that does not print or one of @ | = "'

# So many names are looked through for one that is near: a file of a stranger may have any number.
_MOST_NAMES = 200
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


def shown(value: Any, most: int = 60) -> str:
    """A short text of any value, for messages. It takes no longer for a large value than for a small one.

    What is inside is looked at only until there are `most` characters: a few lists within lists, each of them in
    several places, may be larger than all memory when they are written out.

    Examples
    --------
    >>> shown([1, "a", {"b": None}]), shown("a" * 100, 5)
    ("[1, 'a', {'b': None}]", "'aaaa…")
    """
    text = ""
    for part in _parts(value, most + 1, ()):
        text += part
        if len(text) > most:
            return f"{text[:most]}…"
    return text


_LONG_INT = 10_000  # bits: Python refuses to write longer ones, or takes long
_PLAIN = (dict, list, tuple, set)


def _parts(value: Any, most: int, around: tuple[int, ...]) -> Iterator[str]:
    """The text of a value in parts, each of them short; `around` has the identities of what the value is inside."""
    kind = type(value)
    name = kind.__name__
    try:
        if (base := _one_of(value, (str, bytes, bytearray))) and len(value) > most:
            yield repr(base.__getitem__(value, slice(most)))
        elif isinstance(value, int) and value.bit_length() > _LONG_INT:
            yield f"an int of {value.bit_length():,} bits"
        elif kind.__module__.partition(".")[0] in ("pandas", "pyarrow") and hasattr(kind, "__len__"):
            yield f"a {name} of length {len(value)}"  # a cell may be long, and is written whole
        elif id(value) in around:
            yield "..."
        elif hasattr(getattr(value, "dtype", None), "hasobject") and getattr(value, "ndim", None):
            is_small = value.dtype.kind in "biufc" and value.size <= most
            yield from [repr(value)] if is_small else _joined(value, "array([", "])", most, around)
        elif (base := _one_of(value, (dict, list, tuple, set, frozenset, deque, Mapping))) and len(value):
            opened, closed = "[]" if base in (list, deque) else "()" if base is tuple else "{}"
            if base is tuple and len(value) == 1:
                closed = ",)"
            if kind not in _PLAIN:
                opened, closed = f"{name}({opened}", f"{closed})"
            yield from _joined(value, opened, closed, most, around)
        else:
            yield repr(value)
    except Exception:  # a user's class may raise anything
        yield f"a {name}"


def _joined(values: Any, opened: str, closed: str, most: int, around: tuple[int, ...]) -> Iterator[str]:
    """The text of what a container holds."""
    yield opened
    around = (*around, id(values))
    for place, each in enumerate(values):
        is_number = hasattr(each, "dtype") and getattr(each, "ndim", None) == 0  # of an array
        yield ", " if place else ""
        yield from _parts(each.item() if is_number else each, most, around)
        if isinstance(values, Mapping):
            yield ": "
            yield from _parts(values[each], most, around)
    yield closed


def _one_of(value: Any, kinds: tuple[type[Any], ...]) -> type[Any] | None:
    """The first of these classes that a value is an instance of."""
    return next((kind for kind in kinds if isinstance(value, kind)), None)


def number_of(count: int | str, noun: str) -> str:
    """A number with its noun, for messages.

    Examples
    --------
    >>> number_of(1, "reference"), number_of(2, "reference")
    ('1 reference', '2 references')
    """
    return f"{count} {noun}" if count in (1, "1") else f"{count} {noun}s"


# A message lists all names that are known, up to this number.
_LISTED = 30


def instead_of(name: Any, known: Iterable[str]) -> str:
    """The known names, for the end of a message about an unknown name: the nearest one first, ignoring case, then all.

    Of many names, the three nearest ones are named only.

    Examples
    --------
    >>> instead_of("Blue", ["bleu", "ter"]), instead_of("x", ["bleu", "ter"])
    ("did you mean 'bleu'? There are bleu, ter.", 'there are bleu, ter.')
    >>> instead_of("level7", [f"level_{number}" for number in range(50)])
    "did you mean 'level_7', 'level_47' or 'level_37'?"
    """
    from difflib import get_close_matches

    names = [each if len(each) <= 60 else f"{each[:60]}…" for each in islice(known, _MOST_NAMES)]
    folded = {each.casefold().replace("-", "_"): each for each in reversed(names)}
    wanted = name.casefold().replace("-", "_")[:60] if isinstance(name, str) else ""
    # In a short name, two letters that change places are half of it.
    cutoff = 0.5 if len(wanted) < 6 else 0.6
    if len(names) > _LISTED:
        near = get_close_matches(wanted, folded, 3, cutoff=cutoff)
        nearest = [repr(folded[each]) for each in near or get_close_matches(wanted, folded, 3, cutoff=0.0)]
        choice = " or ".join(filter(None, (", ".join(nearest[:-1]), nearest[-1])))
        return f"did you mean {choice}?" if near else f"the nearest names are {choice}."
    near = get_close_matches(wanted, folded, 1, cutoff=cutoff)
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
