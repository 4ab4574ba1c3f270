"""Logarithms and powers of C's math library, which Python's `math` and `**` use.

NumPy has its own on some processors, which differ in the last bit for some numbers. A score that mirrors a library of
plain Python has to use these.
"""

from __future__ import annotations

import math

import numpy as np

from metrologue.kernels.arrays import Floats
from metrologue.native import kernel

__all__ = ["exps", "logs", "penalties", "powers"]


@kernel
def _logs(values: Floats, decimal: bool, found: Floats) -> None:
    for i in range(len(values)):
        found[i] = math.log10(values[i]) if decimal else math.log(values[i])


@kernel
def _exps(values: Floats, found: Floats) -> None:
    for i in range(len(values)):
        found[i] = math.exp(values[i])


@kernel
def _alike(bases: Floats, exponent: float, found: Floats) -> None:
    for i in range(len(found)):
        found[i] = bases[i] ** exponent


@kernel
def _penalties(lengths: Floats, references: Floats, found: Floats) -> None:
    for i in range(len(found)):
        short = lengths[i] < references[i]
        found[i] = math.exp(1.0 - references[i] / lengths[i]) if short else 1.0


@kernel
def _powers(bases: Floats, exponents: Floats, found: Floats) -> None:
    for i in range(len(found)):
        found[i] = bases[i] ** exponents[i]


def logs(values: Floats, decimal: bool = False) -> Floats:
    """``math.log`` of each number, or ``math.log10``, in an array of the same shape; -inf for 0, NaN below 0."""
    flat = _flat(values)
    _logs(flat, decimal, found := np.empty(len(flat)))
    return found.reshape(np.shape(values))


def exps(values: Floats) -> Floats:
    """``math.exp`` of each number, in an array of the same shape; infinite if it is too large."""
    flat = _flat(values)
    _exps(flat, found := np.empty(len(flat)))
    return found.reshape(np.shape(values))


def powers(bases: Floats | float, exponents: Floats | float) -> Floats:
    """``math.pow`` of each pair of numbers, in an array of the shape that they have together.

    Examples
    --------
    >>> powers(np.array([0.0, 4.0]), 0.5)
    array([0., 2.])
    """
    if isinstance(exponents, float):
        _alike(_flat(bases), exponents, found := np.empty(np.size(bases)))
        return found.reshape(np.shape(bases))
    wide = np.empty((2, *np.broadcast(bases, exponents).shape))
    wide[0], wide[1] = bases, exponents
    _powers(wide[0].reshape(-1), wide[1].reshape(-1), found := np.empty(wide[0].size))
    return found.reshape(wide.shape[1:])


def penalties(lengths: Floats, references: Floats) -> Floats:
    """``math.exp(1 - reference / length)`` where a length is below that of its reference, otherwise 1.

    Both have the same shape.
    """
    _penalties(_flat(lengths), _flat(references), found := np.empty(np.size(lengths)))
    return found.reshape(np.shape(lengths))


def _flat(values: Floats | float) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)
