"""Sums of columns: exact ones, in fixed point, and those over the references of each segment; and ratios of counts."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Flags, FloatRows, Floats, Number, Offsets, Rows, WordRows
from metrologue.native import kernel

__all__ = ["exact_terms", "integer_sums", "ratios", "reference_sums"]

# A float64 is an integer of 53 bits, shifted by at most 2045 bits, times 2^-1074. So many limbs of 32 bits hold it.
_LIMBS, _LEAST = 66, -1074
# Each number adds less than 2^33 to a limb of 64 bits.
_MOST = 1 << 29
# Integers up to this are exact in float64, and so are their sums.
_INTEGERS = 2.0**53


@kernel
def _add(words: WordRows, limbs: Rows) -> None:
    """Add finite float64 numbers, given by their bits, to the limbs of their columns; then carry.

    Invariant: limb j stands for multiples of 2^(32 j - 1074). After the carry it is at least -2^31 and below 2^31.
    """
    for i in range(len(words)):
        for column in range(words.shape[1]):
            word = words[i, column]
            exponent: Number = int64((word >> uint64(52)) & uint64(0x7FF))
            mantissa = int64(word & uint64(0xFFFFFFFFFFFFF))
            if exponent > 0:
                mantissa |= int64(1) << int64(52)
                exponent -= 1
            sign = int64(1) - (int64(word >> uint64(63)) << int64(1))
            limb, shift = exponent >> int64(5), exponent & int64(31)
            low = (mantissa & int64(0xFFFFFFFF)) << shift
            high = (mantissa >> int64(32)) << shift
            limbs[column, limb] += sign * (low & int64(0xFFFFFFFF))
            limbs[column, limb + 1] += sign * ((low >> int64(32)) + (high & int64(0xFFFFFFFF)))
            limbs[column, limb + 2] += sign * (high >> int64(32))
    for column in range(len(limbs)):
        for limb in range(limbs.shape[1] - 1):
            carry = (limbs[column, limb] + (int64(1) << int64(31))) >> int64(32)
            limbs[column, limb] -= carry << int64(32)
            limbs[column, limb + 1] += carry


@kernel
def _sums(rows: FloatRows, sums: Floats, sizes: Floats, has_fractions: Flags) -> None:
    for i in range(len(rows)):
        for column in range(rows.shape[1]):
            number = rows[i, column]
            sums[column] += number
            sizes[column] += abs(number)
            has_fractions[column] |= number != np.floor(number)


def integer_sums(rows: FloatRows) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The sum of each column, (k,), and whether it is exact in any order: all are integers, and their sizes small."""
    sums, sizes = np.zeros((2, rows.shape[1]))
    has_fractions = np.zeros(rows.shape[1], np.bool_)
    _sums(np.ascontiguousarray(rows, np.float64), sums, sizes, has_fractions)
    return sums, ~has_fractions & (sizes < _INTEGERS)


def exact_terms(rows: FloatRows) -> NDArray[np.float64]:
    """A few numbers for each column of finite numbers (n, k), with the same exact sum: (m, k)."""
    limbs = np.zeros((rows.shape[1], _LIMBS), np.int64)
    words = np.ascontiguousarray(rows, np.float64).view(np.uint64)
    for start in range(0, len(words), _MOST):
        _add(words[start : start + _MOST], limbs)
    used = np.flatnonzero(limbs.any(axis=0))
    with np.errstate(over="ignore"):
        return np.ldexp(limbs[:, used].astype(np.float64), 32 * used + _LEAST).T


@kernel
def _reference_sums(rows: FloatRows, offsets: Offsets, sums: FloatRows) -> None:
    for s in range(len(sums)):
        for p in range(offsets[s], offsets[s + 1]):
            for k in range(rows.shape[1]):
                sums[s, k] += rows[p, k]


def reference_sums(rows: FloatRows, offsets: Offsets) -> FloatRows:
    """The sums of `rows[offsets[s]:offsets[s + 1]]`, (n_segments, k), in the order in which a plain loop adds them.

    ``np.add.reduceat`` adds the first row last.
    """
    sums = np.zeros((len(offsets) - 1, rows.shape[1]))
    _reference_sums(np.ascontiguousarray(rows), offsets, sums)
    return sums


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
