"""How several references of a segment join."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["first_best"]


def first_best(values: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair of each segment with the greatest value, the first of several.

    Parameters
    ----------
    values : (n_pairs,)
        One for each pair of a hypothesis and one of its references.
    offsets : int64 (n_segments + 1,)
        The pairs of segment s are ``offsets[s]:offsets[s + 1]``, at least one.

    Returns
    -------
    int64 (n_segments,)

    Examples
    --------
    >>> first_best(np.array([0.5, 0.7, 0.7, 0.1]), np.array([0, 3, 4]))
    array([1, 3])
    """
    greatest = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    candidates = np.where(values == greatest, np.arange(len(values)), len(values))
    best: NDArray[np.int64] = np.minimum.reduceat(candidates, offsets[:-1])
    return best
