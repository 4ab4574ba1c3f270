"""The order of operations in BLEU, which changes its last bits only: ties in ranks depend on them."""

from __future__ import annotations

import sys
from typing import NamedTuple

from metrologue.scorers.bleu import kernels as bleu_scores

__all__ = ["ARITHMETIC", "Arithmetic"]

# Python's `sum` of floats gives back what rounding takes from it, from this version on.
_PYTHON_SUMS_EXACTLY = sys.version_info >= (3, 12)


class Arithmetic(NamedTuple):
    """One order of operations.

    Attributes
    ----------
    form : int
        The kernel's number of the form of the geometric mean, if all orders have the same weight.
    about : str
        What it does.
    compensated : bool
        Whether the sum of the logarithms is rounded once.
    inverse : bool
        Whether the brevity penalty is computed from hypothesis length / reference length.
    """

    form: int
    about: str
    compensated: bool = False
    inverse: bool = False

    def form_of(self, weights: tuple[float, ...], skip_zero: bool) -> int:
        """The form for these weights of the orders: a weighted sum of logarithms, unless they allow another.

        A mean has all orders, each with the scale, so it cannot skip one.
        """
        order, equal = len(weights), len({weight for weight in weights if weight}) <= 1
        no_mean = skip_zero or weights != (1 / order,) * order
        if not equal or (self.form == bleu_scores.MEAN and no_mean):
            return bleu_scores.WEIGHTED
        return self.form


ARITHMETIC = {
    "mean-of-logs": Arithmetic(
        bleu_scores.MEAN, "exp(mean of log(`scale` * precision)); Python's sum", _PYTHON_SUMS_EXACTLY
    ),
    "weighted-logs": Arithmetic(
        bleu_scores.WEIGHTED, "exp(sum of weight * log(precision)); Python's sum", _PYTHON_SUMS_EXACTLY, inverse=True
    ),
    "weighted-logs-in-order": Arithmetic(bleu_scores.WEIGHTED, "the same, with each sum rounded", inverse=True),
    "weighted-logs-exact": Arithmetic(
        bleu_scores.WEIGHTED, "exp(sum of weight * log(precision)), with the sum rounded once", compensated=True
    ),
    "root-of-product": Arithmetic(bleu_scores.PRODUCT, "product of precisions to the power of a weight", inverse=True),
}
