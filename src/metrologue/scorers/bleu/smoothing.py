"""Smoothing: the precision of an order without a match (Chen & Cherry 2014), as libraries compute it."""

from __future__ import annotations

from typing import NamedTuple

from metrologue.scorers.bleu import kernels as bleu_scores

__all__ = ["SMOOTHINGS", "Smoothing"]


class Smoothing(NamedTuple):
    """One smoothing method.

    Attributes
    ----------
    method : int
        The kernel's number of the method.
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

    method: int
    about: str
    value: float | None = None
    at_most_one: bool = False
    one_segment: bool = False
    fifth_order: bool = False


SMOOTHINGS = {
    "none": Smoothing(bleu_scores.PLAIN, "no smoothing", at_most_one=True),
    "tiny": Smoothing(bleu_scores.TINY, "the precision is the least normal double (nltk's method0)", at_most_one=True),
    "floor": Smoothing(bleu_scores.FLOOR, "`smooth_value` replaces a count of 0 matches (1)", 0.1, at_most_one=True),
    "add-k": Smoothing(  # it changes the counts only
        bleu_scores.PLAIN,
        "`smooth_value` is added to matches and n-grams from order `smooth_from` on (2)",
        1.0,
        at_most_one=True,
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
        bleu_scores.SEVENTH,
        "method 7 as nltk computes it, for one segment only",
        5.0,
        one_segment=True,
        fifth_order=True,
    ),
}
