"""A ratio of counts, with its value where the denominator is 0."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["ratio"]


def ratio(numerator: Floats, denominator: Floats, zero: Floats | float = 0.0) -> Floats:
    """The numerator divided by the denominator, and `zero` where the denominator is not above 0.

    Parameters
    ----------
    numerator, denominator : float64 (...)
        Numbers whose shapes broadcast.
    zero : float, or float64 (...)
        The value where the denominator is 0.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> ratio(np.array([1.0, 2.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    array([0.5, 0. , 0. ])
    """
    # A masked division is quicker than `np.where` under `np.errstate`: for one pair of texts, calls cost the most.
    found = np.empty(np.broadcast(numerator, denominator).shape)
    found[...] = zero
    return np.divide(numerator, denominator, found, where=denominator > 0)
