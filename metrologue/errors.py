"""The one exception that bad input raises."""

__all__ = ["InputError"]


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
