"""Which orders of n-grams make the score 0, and the weights of the orders in the score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.bleu import kernels as bleu_scores

__all__ = ["ZERO_RULES", "ZeroRule", "effective_weights", "few_word_weights"]


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

    Parameters
    ----------
    weights : float64 (N,) or (..., N)
        They change only if they are four times 0.25.
    length : float64 (...)
        Tokens of the hypothesis.

    Returns
    -------
    float64 (N,) or (..., N)

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
    """The weights under `effective_order`: 0 for orders that do not exist, the others scaled up to the same sum.

    Parameters
    ----------
    weights : float64 (N,)
    existing : int
        The hypothesis has n-grams of so many orders, from the first one on.

    Returns
    -------
    float64 (N,)

    Examples
    --------
    >>> effective_weights(np.array([0.25, 0.25, 0.5]), 2)
    array([0.5, 0.5, 0. ])
    """
    grown = np.empty(len(weights))
    bleu_scores.effective_weights(weights, existing, grown)
    return grown
