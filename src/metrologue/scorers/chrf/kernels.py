"""The score of chrF from counts of n-grams. For one pair, NumPy's calls would cost more than all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import float32, float64

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.native import helper, kernel

__all__ = ["EPSILON", "Formula", "numbers_of"]

EPSILON = 1e-16


class Formula(NamedTuple):
    """How the score follows from the counts.

    Attributes
    ----------
    scale : float
    weight : float
        beta^2, the weight of recall.
    undefined : float
        The value of a ratio with the denominator 0.
    floored : bool
        Whether the ratios of an order without a match are `EPSILON`.
    product_first : bool
        Whether P R is multiplied first in (1 + beta^2) P R, which can change the last bit.
    of_means : bool
        Whether F is computed from the mean precision and recall; otherwise the F of the orders are averaged.
    effective : bool
        Whether only orders count in which both texts have n-grams.
    single : bool
        Whether all is computed in float32.
    """

    scale: float
    weight: float
    undefined: float
    floored: bool
    product_first: bool
    of_means: bool
    effective: bool
    single: bool


@helper
def _r(value: Number, formula: Formula) -> Number:
    """The value as it is rounded. Sums, products and quotients of two float32 numbers are exact enough in float64."""
    return float64(float32(value)) if formula.single else value


@helper
def _ratio(part: Number, whole: Number, zero: Number, formula: Formula) -> Number:
    return _r(part / whole, formula) if whole > 0 else zero


@helper
def _fscore(precision: Number, recall: Number, formula: Formula) -> Number:
    weight, factor = _r(formula.weight, formula), _r(1 + formula.weight, formula)
    if formula.product_first:
        whole = _r(factor * _r(precision * recall, formula), formula)
    else:
        whole = _r(_r(factor * precision, formula) * recall, formula)
    parts = _r(_r(weight * precision, formula) + recall, formula)
    return _ratio(whole, parts, _r(formula.undefined, formula), formula)


@kernel
def _numbers_of(counts: FloatRows, ends: Offsets, formula: Formula, numbers: FloatRows) -> None:
    orders, scale = counts.shape[1] // 3, _r(formula.scale, formula)
    undefined, floor = _r(formula.undefined, formula), _r(EPSILON, formula)
    for i in range(len(counts)):
        # Orders are added one after another, as in the libraries: the last bit can decide which reference counts.
        counted = precisions = recalls = fscores = 0.0
        k = 0
        for end in ends:
            some_precisions = some_recalls = some_fscores = 0.0
            while k < end:
                matches, ours, theirs = counts[i, k], counts[i, orders + k], counts[i, 2 * orders + k]
                precision = _ratio(matches, ours, undefined, formula)
                recall = _ratio(matches, theirs, undefined, formula)
                fscore = _fscore(precision, recall, formula)
                if formula.floored and not matches > 0:
                    precision = recall = fscore = floor
                if (ours > 0 and theirs > 0) or not formula.effective:
                    counted += 1
                    some_precisions = _r(some_precisions + precision, formula)
                    some_recalls = _r(some_recalls + recall, formula)
                    some_fscores = _r(some_fscores + fscore, formula)
                numbers[i, 3 + 3 * k], numbers[i, 4 + 3 * k] = scale * precision, scale * recall
                numbers[i, 5 + 3 * k] = scale * fscore
                k += 1
            precisions = _r(precisions + some_precisions, formula)
            recalls, fscores = _r(recalls + some_recalls, formula), _r(fscores + some_fscores, formula)
        precision = _ratio(precisions, counted, 0.0, formula)
        recall = _ratio(recalls, counted, 0.0, formula)
        if formula.of_means:
            numbers[i, 0] = _r(scale * _fscore(precision, recall, formula), formula)
        else:
            numbers[i, 0] = _ratio(_r(scale * fscores, formula), counted, 0.0, formula)
        numbers[i, 1], numbers[i, 2] = scale * precision, scale * recall
        for k in range(3 * orders):
            numbers[i, 3 + 3 * orders + k] = counts[i, k]


def numbers_of(counts: Floats, formula: Formula, sizes: Sequence[int] = ()) -> Floats:
    """The score, mean precision and recall; precision, recall and F of each order; and the counts: (3 + 6 orders, ...).

    `counts`, (..., 3 * orders), are matches, n-grams of the hypothesis and n-grams of the reference, for each order.
    With `sizes`, the orders in each level, each level is summed first.
    """
    kinds = counts.shape[-1]
    numbers = np.empty((*counts.shape[:-1], 3 + 2 * kinds))
    ends = np.cumsum(sizes) if sizes else np.array((kinds // 3,))
    rows = np.ascontiguousarray(counts, np.float64).reshape(-1, kinds)
    _numbers_of(rows, ends, *formula, numbers.reshape(-1, 3 + 2 * kinds))
    # They are written pair by pair, which is faster for many. NumPy's function takes long for one.
    return numbers.T if numbers.ndim < 3 else np.moveaxis(numbers, -1, 0)
