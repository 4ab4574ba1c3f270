"""The systems of a comparison: predictions by name, or those of one system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.scorers import Scorer

__all__ = ["named_systems"]


def named_systems(systems: Any, owner: str, call: str) -> Mapping[str, Any]:
    """The predictions of each system by its name; those of a single system have the name "predictions".

    Parameters
    ----------
    systems : mapping of str to n predictions, or n predictions
    owner, call : str
        The caller's name, and a right call of it, for messages.

    Raises
    ------
    InputError
        If it is a single text, the name of a metric or a scorer, or None.

    Examples
    --------
    >>> named_systems(["a cat"], "compare", "compare(predictions, references)")
    {'predictions': ['a cat']}
    """
    if isinstance(systems, Mapping):
        return systems
    if systems is None or isinstance(systems, str | Scorer):
        raise InputError(
            f"{owner}: `systems` is {shown(systems)}; the predictions of one system, or a dict with those of each "
            f"system, are expected, as in `{call}`."
        )
    return {"predictions": systems}
