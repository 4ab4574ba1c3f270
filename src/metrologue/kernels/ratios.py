"""Ratios of counts."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import Floats
from metrologue.native import kernel

__all__ = ["ratios"]


@kernel
def _ratios(numerators: Floats, denominators: Floats, zero: float, found: Floats) -> None:
    for i in range(len(found)):
        found[i] = numerators[i] / denominators[i] if denominators[i] > 0.0 else zero


def ratios(numerators: Floats, denominators: Floats, zero: float) -> Floats:
    """The ratio of the numbers at each place of two arrays (...), and `zero` where the second is not above 0."""
    found = np.empty(numerators.shape)
    _ratios(_flat(numerators), _flat(denominators), zero, found.reshape(-1))
    return found


def _flat(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)
