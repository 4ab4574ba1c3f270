"""The rules by which BLEU's libraries differ: reference lengths, smoothing, zeros, weights, and last bits."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.scorers.bleu import kernels as bleu_scores
from metrologue.scorers.core.options import Rule


class Counts(NamedTuple):
    """Views of rows of statistics (..., k), which can be filled."""

    length: Floats  # tokens of the hypothesis, (...)
    reference_length: Floats
    clipped: Floats  # matching n-grams of each order, clipped, (..., orders)
    total: Floats  # all n-grams of the hypothesis, (..., orders)
    segments: Floats  # the number of segments, (..., 1), or (..., 0) if the smoothing does not need it

    @classmethod
    def of(cls, rows: Floats, orders: int) -> Counts:
        """The counts of rows, with n-grams up to `orders`."""
        end = 2 + orders
        return cls(
            rows[..., 0], rows[..., 1], rows[..., 2:end], rows[..., end : end + orders], rows[..., end + orders :]
        )


# Each function takes the lengths of the hypotheses (n,), the lengths of all references (n_references,), and where each
# segment's references begin (n + 1,). It gives a length for each segment (n,).


def _closest_by(tie: Integers, lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    """The value in `tie` of the closest reference. Among equally close references, the smallest `tie` wins."""
    distances = np.abs(reference_lengths - np.repeat(lengths, np.diff(offsets)))
    # Distance and tie are packed into one number, so that one pass minimises both.
    span = int(tie.max(initial=0)) + 1
    packed: Integers = np.minimum.reduceat(distances * span + tie, offsets[:-1])
    return packed % span


def _closest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    return _closest_by(reference_lengths, lengths, reference_lengths, offsets)


def _closest_first(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    order = np.arange(len(reference_lengths))
    return reference_lengths[_closest_by(order, lengths, reference_lengths, offsets)]


def _shortest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    shortest: Integers = np.minimum.reduceat(reference_lengths, offsets[:-1])
    return shortest


def _longest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    longest: Integers = np.maximum.reduceat(reference_lengths, offsets[:-1])
    return longest


def _average(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Floats:
    average: Floats = np.add.reduceat(reference_lengths, offsets[:-1]) / np.diff(offsets)
    return average


REFERENCE_LENGTHS: dict[str, Rule[[Integers, Integers, Integers], Integers | Floats]] = {
    "closest": Rule(_closest, "that of the closest reference; of two equally close ones, the shorter"),
    "closest-first": Rule(_closest_first, "that of the closest reference; of two equally close ones, the first"),
    "shortest": Rule(_shortest, "that of the shortest reference"),
    "longest": Rule(_longest, "that of the longest reference"),
    "average": Rule(_average, "the mean of all"),
}


def reference_lengths_of(
    rule: str, lengths: Integers, reference_lengths: Integers, offsets: Integers
) -> Integers | Floats:
    """The reference length of each segment, (n,), by a rule of ``REFERENCE_LENGTHS``."""
    if len(reference_lengths) == len(lengths):
        return reference_lengths  # one reference each: there is nothing to choose
    return REFERENCE_LENGTHS[rule](lengths, reference_lengths, offsets)


class Smoothing(NamedTuple):
    """One smoothing method: the kernel's number of it, and what it does."""

    method: int
    about: str
    value: float | None = None  # the default of its parameter, if it has one
    at_most_one: bool = False  # whether all precisions stay at or below 1 if the parameter is at most 1
    one_segment: bool = False  # whether it is defined for one segment only
    fifth_order: bool = False  # whether it uses order 5, whatever the longest order is


SMOOTHINGS = {
    "none": Smoothing(bleu_scores.PLAIN, "no smoothing", at_most_one=True),
    "tiny": Smoothing(
        bleu_scores.TINY, "the precision is the smallest normal float (nltk's method0)", at_most_one=True
    ),
    "floor": Smoothing(bleu_scores.FLOOR, "`smooth_value` replaces a count of 0 matches (1)", 0.1, at_most_one=True),
    # It changes the counts only.
    "add-k": Smoothing(
        bleu_scores.PLAIN, "`smooth_value` is added to matches and n-grams from order `smooth_from` on (2)", 1.0, True
    ),
    "exp": Smoothing(
        bleu_scores.EXP, "the orders without a match count 1/2, 1/4, 1/8 and so on as matches (3)", at_most_one=True
    ),
    "chen-cherry-4": Smoothing(bleu_scores.FOURTH, "method 4 as nltk computes it", 5.0),
    "chen-cherry-5": Smoothing(
        bleu_scores.FIFTH, "method 5 as nltk computes it, for one segment only", one_segment=True, fifth_order=True
    ),
    "chen-cherry-6": Smoothing(
        bleu_scores.SIXTH, "method 6 as nltk computes it, for one segment only", 5.0, one_segment=True
    ),
    "chen-cherry-7": Smoothing(
        bleu_scores.SEVENTH, "method 7 as nltk computes it, for one segment only", 5.0, False, True, True
    ),
    "chen-cherry-4-sum": Smoothing(
        bleu_scores.FOURTH_SUM,
        "method 4 of nltk 3.5: order n without a match counts n - 1 + `smooth_value` / log(length) matches",
        5.0,
    ),
    "chen-cherry-7-sum": Smoothing(
        bleu_scores.SEVENTH_SUM,
        "method 7 of nltk 3.5, with this method 4, for one segment only",
        5.0,
        False,
        True,
        True,
    ),
}


class ZeroRule(NamedTuple):
    """When BLEU is 0 despite smoothing: the kernel's number of the rule, and what it says."""

    code: int
    about: str


ZERO_RULES = {
    "no-match": ZeroRule(bleu_scores.NO_MATCH, "if no order has a match"),
    "any-order": ZeroRule(bleu_scores.ANY_ORDER, "if at least one order has no match"),
    "never": ZeroRule(bleu_scores.NEVER, "never"),
}


def few_word_weights(weights: Floats, length: Floats) -> Floats:
    """The weights under nltk's `auto_reweigh`: a hypothesis with n < 4 tokens has n orders of equal weight.

    `length` is the number of tokens, (...). Weights (..., N) change only if they are four times 0.25.

    Examples
    --------
    >>> few_word_weights(np.full(4, 0.25), np.array([2.0, 9.0]))
    array([[0.5 , 0.5 , 0.  , 0.  ],
           [0.25, 0.25, 0.25, 0.25]])
    """
    if weights.shape[-1] != 4 or (weights != 0.25).any():
        return weights
    tokens = length[..., None]
    return np.where(tokens < 4, (np.arange(4) < tokens) / np.maximum(tokens, 1), weights)


def effective_weights(weights: Floats, existing: int) -> Floats:
    """The weights under `effective_order`: 0 for all but the `existing` first, which grow to the same sum.

    Examples
    --------
    >>> effective_weights(np.array([0.25, 0.25, 0.5]), 2)
    array([0.5, 0.5, 0. ])
    """
    grown = np.empty(len(weights))
    bleu_scores.effective_weights(weights, existing, grown)
    return grown


# Python's `sum` of floats gives back what rounding takes from it, from this version on.
_PYTHON_SUMS_EXACTLY = sys.version_info >= (3, 12)


class Arithmetic(NamedTuple):
    """One order of operations: the kernel's number of the form for equal weights, and what it does."""

    form: int
    about: str
    compensated: bool = False  # whether the sum of the logarithms is rounded once
    inverse: bool = False  # whether the brevity penalty is computed from hypothesis length / reference length

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
