"""Which orders of n-grams make the score 0, and the weights of the orders in the score."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.scorers.core.options import Rule

__all__ = ["ZERO_RULES", "effective_weights", "few_word_weights"]


# Each rule turns "this order has no match" (..., N) into "BLEU-n is 0" (..., N).
ZERO_RULES: dict[str, Rule[[Flags], Flags]] = {
    "no-match": Rule(lambda missing: np.logical_and.accumulate(missing, axis=-1), "if no order has a match"),
    "any-order": Rule(lambda missing: np.logical_or.accumulate(missing, axis=-1), "if at least one order has no match"),
    "never": Rule(np.zeros_like, "never"),
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


def effective_weights(weights: Floats, exists: Flags) -> Floats:
    """The weights under `effective_order`: 0 for orders that do not exist, the others scaled up to the same sum.

    Parameters
    ----------
    weights : float64 (N,) or (..., N)
    exists : bool (..., N)
        Whether the hypothesis has n-grams of the order.

    Returns
    -------
    float64 (..., N)

    Examples
    --------
    >>> effective_weights(np.array([0.25, 0.25, 0.5]), np.array([True, True, False]))
    array([0.5, 0.5, 0. ])
    """
    present = (weights * exists).sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        grown = weights * (weights.sum(axis=-1, keepdims=True) / present)
    return np.where(exists & (weights != 0), grown, 0.0)
