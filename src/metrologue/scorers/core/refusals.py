"""The errors for texts that have no score, such as empty ones."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Flags, Integers
from metrologue.errors import InputError
from metrologue.scorers.core.result import at_fault

__all__ = ["refuse_empty", "refuse_undefined"]


def refuse_empty(
    owner: str, argument: str, empty: Flags, reason: str, first: int = 0, offsets: Integers | None = None
) -> None:
    """Raise an InputError for the first text that is empty, if there is one.

    Parameters
    ----------
    owner, argument : str
        The scorer, and "predictions" or "references".
    empty : bool (n_texts,)
    reason : str
        What the text lacks, and what to do.
    first : int
        The index of the first segment.
    offsets : int64 (n_segments + 1,), optional
        Where the texts of each segment begin. Without them, each segment has one text.

    Raises
    ------
    InputError
        If a text is empty.

    Examples
    --------
    >>> empty = np.array([False, False, True])
    >>> refuse_empty("Ribes", "references", empty, "has no words; drop it", offsets=np.array([0, 2, 3]))
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Ribes: `references[1]` has no words; drop it.
    """
    if empty.any():
        text = int(np.argmax(empty))
        index = text if offsets is None else int(np.searchsorted(offsets, text, "right")) - 1
        raise InputError.at(owner, argument, first + index, f" {reason}.")


def refuse_undefined(owner: str, undefined: Flags, reason: str) -> None:
    """Raise an InputError if a score is undefined: that of a corpus (), of a segment (n,), or of a resample.

    Examples
    --------
    >>> refuse_undefined("Bleu", np.array([False, True]), "has no token in its references; drop it")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: segment 1 has no token in its references; drop it.
    """
    if undefined.any():
        raise InputError(f"{owner}: {at_fault(undefined)} {reason}.")
