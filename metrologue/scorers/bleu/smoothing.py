"""Smoothing: the precision of an order without a match (Chen & Cherry 2014), as libraries compute it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["SMOOTHINGS", "Smoothing", "smoothed_precisions"]

Method = Callable[[Floats, Floats, Floats, Floats, float, int], Floats]


def smoothed_precisions(
    smoothing: str,
    clipped: Floats,
    total: Floats,
    length: Floats,
    *,
    longest: int,
    value: float,
    first: int,
    epsilons: tuple[float, float],
) -> Floats:
    """The precision of each order under a smoothing method.

    Parameters
    ----------
    smoothing : str
        One of ``SMOOTHINGS``.
    clipped, total : float64 (..., N)
        For each order, the clipped count and the number of n-grams. N is at least 5 for a method with `fifth_order`.
    length : float64 (...)
        Tokens of the hypothesis.
    longest : int
        The number of orders to return, at most N.
    value : float
        The method's parameter.
    first : int
        First order that "add-k" changes.
    epsilons : (float, float)
        The number added to each numerator, and the number added to each denominator.

    Returns
    -------
    float64 (..., longest)
        Not finite for an order without n-grams.

    Examples
    --------
    >>> clipped, total = np.array([2.0, 0.0, 0.0]), np.array([4.0, 3.0, 2.0])
    >>> smoothed_precisions(
    ...     "add-k", clipped, total, np.array(4.0), longest=3, value=1.0, first=2, epsilons=(0.0, 0.0)
    ... )
    array([0.5       , 0.25      , 0.33333333])
    """
    matches, ngrams = clipped, total
    if smoothing == "add-k":
        added = np.where(np.arange(1, clipped.shape[-1] + 1) >= first, value, 0.0)
        matches, ngrams = clipped + added, total + added
    if any(epsilons):
        matches, ngrams = matches + epsilons[0], ngrams + epsilons[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = matches / ngrams
        return SMOOTHINGS[smoothing].method(precision, clipped, total, length, value, longest)[..., :longest]


# The methods. Each takes plain precisions, clipped counts and totals (..., N), the hypothesis length (...), the
# method's parameter and the longest order. It gives the smoothed precisions (..., N).


def _plain(precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int) -> Floats:
    return precision


def _tiny(precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int) -> Floats:
    return np.where(clipped == 0, sys.float_info.min, precision)


def _floor(precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int) -> Floats:
    return np.where(clipped == 0, value / total, precision)


def _exp(precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int) -> Floats:
    return np.where(clipped == 0, 1 / _powers_of_two(clipped, total) / total, precision)


def _chen_cherry_4(
    precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int
) -> Floats:
    matches = np.log(length)[..., None] / (_powers_of_two(clipped, total) * value)
    return np.where(clipped == 0, np.where(length[..., None] > 1, matches, 0.0) / total, precision)


def _chen_cherry_5(
    precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int
) -> Floats:
    return _averaged(precision[..., :longest], precision[..., 4:5])


def _chen_cherry_6(
    precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int
) -> Floats:
    smoothed = precision.copy()
    for n in range(2, precision.shape[-1]):
        expected = smoothed[..., n - 1] ** 2 / smoothed[..., n - 2]
        ngrams = np.maximum(length - n, 0)
        smoothed[..., n] = (clipped[..., n] + value * expected) / (ngrams + value)
    return smoothed


def _chen_cherry_7(
    precision: Floats, clipped: Floats, total: Floats, length: Floats, value: float, longest: int
) -> Floats:
    fourth = _chen_cherry_4(precision, clipped, total, length, value, longest)
    return _averaged(fourth[..., :longest], precision[..., 4:5])


def _powers_of_two(clipped: Floats, total: Floats) -> Floats:
    """2, 4, 8 and so on at the first, second, third order without a match and so on."""
    powers: Floats = np.exp2(np.cumsum((clipped == 0) & (total > 0), axis=-1))
    return powers


def _averaged(precision: Floats, fifth: Floats) -> Floats:
    """The mean of each precision and its neighbours: the averaged precision before it, the plain one after it.

    In nltk the neighbour after the last order is always the precision of order 5, whatever the last order is.
    """
    after = np.concatenate([precision[..., 1:], fifth], axis=-1)
    averaged = np.empty_like(precision)
    before = precision[..., 0] + 1
    for n in range(precision.shape[-1]):
        averaged[..., n] = before = (before + precision[..., n] + after[..., n]) / 3
    return averaged


class Smoothing(NamedTuple):
    """One smoothing method.

    Attributes
    ----------
    method : callable
    about : str
        What it does.
    value : float or None
        The default of its parameter; None if it has no parameter.
    at_most_one : bool
        Whether all precisions stay at or below 1 if the parameter is at most 1.
    one_segment : bool
        Whether it is defined for one segment only.
    fifth_order : bool
        Whether it uses order 5, whatever the longest order is.
    """

    method: Method
    about: str
    value: float | None = None
    at_most_one: bool = False
    one_segment: bool = False
    fifth_order: bool = False


SMOOTHINGS = {
    "none": Smoothing(_plain, "no smoothing", at_most_one=True),
    "tiny": Smoothing(_tiny, "the precision is the least normal double (nltk's method0)", at_most_one=True),
    "floor": Smoothing(_floor, "`smooth_value` replaces a count of 0 matches (1)", 0.1, at_most_one=True),
    "add-k": Smoothing(  # it changes the counts only
        _plain, "`smooth_value` is added to matches and n-grams from order `smooth_from` on (2)", 1.0, at_most_one=True
    ),
    "exp": Smoothing(_exp, "the orders without a match count 1/2, 1/4, 1/8 and so on as matches (3)", at_most_one=True),
    "chen-cherry-4": Smoothing(_chen_cherry_4, "method 4 as nltk computes it", 5.0),
    "chen-cherry-5": Smoothing(
        _chen_cherry_5, "method 5 as nltk computes it, for one segment only", one_segment=True, fifth_order=True
    ),
    "chen-cherry-6": Smoothing(
        _chen_cherry_6, "method 6 as nltk computes it, for one segment only", 5.0, one_segment=True
    ),
    "chen-cherry-7": Smoothing(
        _chen_cherry_7, "method 7 as nltk computes it, for one segment only", 5.0, one_segment=True, fifth_order=True
    ),
}
