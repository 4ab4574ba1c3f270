"""The one exception that bad input raises, and what its messages are made of."""

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["NOT_IN_NAMES", "InputError", "instead_of", "is_name", "shown"]

# What would end a name in a signature, as messages say it.
NOT_IN_NAMES = 'a blank, a character that does not print or one of @ | = "'


class InputError(ValueError):
    """Input from which no score can be made.

    The message names the argument and the index at fault, what came, and the cure.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> Bleu().corpus(["a cat", "a dog"], ["a cat"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: 2 predictions but 1 references; each prediction needs its references.
    """


def shown(value: Any) -> str:
    """A value in a message: short, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # an int of 5,000 digits has no repr, and another's class may raise anything
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


def instead_of(name: Any, known: Iterable[str]) -> str:
    """What there is where a name is unknown, for the end of a message: the nearest name in any case, then all.

    Examples
    --------
    >>> instead_of("Blue", ["bleu", "ter"]), instead_of("x", ["bleu", "ter"])
    ("did you mean 'bleu'? There are bleu, ter.", 'there are bleu, ter.')
    """
    from difflib import get_close_matches

    names = list(known)
    folded = {each.casefold().replace("-", "_"): each for each in reversed(names)}
    wanted = name.casefold().replace("-", "_")[:60] if isinstance(name, str) else ""
    near = get_close_matches(wanted, folded, 1, cutoff=0.5)
    listed = f"here are {', '.join(names)}."
    return f"did you mean {folded[near[0]]!r}? T{listed}" if near else f"t{listed}"


def is_name(value: Any) -> bool:
    """Whether something can be the name of a user's tokenizer or table, and stand in a signature."""
    return isinstance(value, str) and value.isprintable() and bool(re.fullmatch(r'[^\s@|="]+', value))
