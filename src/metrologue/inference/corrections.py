"""Corrections of p-values for several tests at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.inference.resampling import one_of

__all__ = ["CORRECTIONS", "check_correction", "corrected"]


# For each correction, the corrected values of sorted p-values, least first.
CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "bonferroni": lambda p: p * len(p),
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "benjamini-hochberg": lambda p: np.minimum.accumulate((p * (len(p) / np.arange(1, len(p) + 1)))[::-1])[::-1],
}


def check_correction(name: str | None) -> None:
    """Raise an InputError if there is no correction of this name. None stands for no correction."""
    if name is not None:
        one_of("correction", name, CORRECTIONS)


def corrected(p_values: Sequence[float], name: str | None) -> list[float]:
    """The corrected p-values, in the same order.

    Parameters
    ----------
    p_values : sequence of float
    name : str or None
        One of ``CORRECTIONS``: "bonferroni"; "holm", https://www.jstor.org/stable/4615733; "benjamini-hochberg",
        https://doi.org/10.1111/j.2517-6161.1995.tb02031.x. None: no correction.

    Raises
    ------
    InputError
        If there is no such correction.

    Examples
    --------
    >>> corrected([0.03, 0.01], "holm")
    [0.03, 0.02]
    """
    check_correction(name)
    values = np.array(p_values, float)
    if name is not None:
        order = np.argsort(values)
        values[order] = np.minimum(CORRECTIONS[name](values[order]), 1.0)
    return [*map(float, values)]
