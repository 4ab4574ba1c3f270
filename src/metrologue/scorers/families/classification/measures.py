"""Precision, recall and F1 of labels: the definitions, as functions of counts."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.scorers.core.rows import columns_of, ratio

__all__ = ["average_scores", "f1", "label_scores", "precision", "recall"]


def precision(both: Floats, predicted: Floats, zero_division: float = 0.0) -> Floats:
    """Precision: of the segments that were given a label, the share that have it.

    Parameters
    ----------
    both, predicted : float64 (...)
        How many segments have the label in prediction and reference, and how many have it in the prediction.
    zero_division : float
        The value of 0 divided by 0.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> precision(np.array([2.0, 0.0]), np.array([3.0, 0.0])).round(4)
    array([0.6667, 0.    ])
    """
    return ratio(both, predicted, zero_division)


def recall(both: Floats, actual: Floats, zero_division: float = 0.0) -> Floats:
    """Recall: of the segments that have a label, the share that were given it.

    Parameters
    ----------
    both, actual : float64 (...)
        How many segments have the label in prediction and reference, and how many have it in the reference.
    zero_division : float
        The value of 0 divided by 0.

    Returns
    -------
    float64 (...)
    """
    return precision(both, actual, zero_division)


def f1(both: Floats, predicted: Floats, actual: Floats, zero_division: float = 0.0, beta: float = 1.0) -> Floats:
    """F of precision and recall, from counts: (1 + beta^2)·both/(predicted + beta^2·actual).

    Parameters
    ----------
    both, predicted, actual : float64 (...)
        As for ``precision`` and ``recall``.
    zero_division : float
        The value of 0 divided by 0: a label that is neither predicted nor right anywhere.
    beta : float
        How many times as much recall counts as precision. 1: the harmonic mean of both.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> float(f1(np.array(2.0), np.array(3.0), np.array(5.0)))
    0.5
    >>> float(f1(np.array(2.0), np.array(3.0), np.array(5.0), beta=0.0))  # the precision
    0.6666666666666666
    """
    square = beta * beta
    return precision((1 + square) * both, predicted + square * actual, zero_division)


def label_scores(counts: Floats, zero_division: float = 0.0, beta: float = 1.0) -> Floats:
    """Precision, recall and F of each label, (..., 3).

    Parameters
    ----------
    counts : float64 (..., 3)
        Segments with the label in both, in the prediction, in the reference.
    zero_division, beta : float
        As for ``f1``.
    """
    both, predicted, actual = columns_of(counts)
    return np.stack(
        [
            precision(both, predicted, zero_division),
            recall(both, actual, zero_division),
            f1(both, predicted, actual, zero_division, beta),
        ],
        axis=-1,
    )


def average_scores(
    counts: Floats, average: str, zero_division: float = 0.0, skip_absent: bool = False, beta: float = 1.0
) -> Floats:
    """Precision, recall and F over labels, (..., 3).

    Parameters
    ----------
    counts : float64 (..., L, 3)
        For each of L labels: segments with the label in both, in the prediction, in the reference.
    average : str
        "micro": the scores of the summed counts. "macro": the mean over labels. "weighted": the mean over labels,
        weighted by how often references have them. "binary": the score of the only label.
    zero_division : float
        The value of 0 divided by 0. If it is NaN, a mean is over the other labels.
    skip_absent : bool
        Whether a macro mean leaves out labels that neither predictions nor references have.
    beta : float
        As for ``f1``.

    Returns
    -------
    float64 (..., 3)

    Raises
    ------
    InputError
        If there is no label.

    Examples
    --------
    >>> counts = np.array([[2.0, 4.0, 2.0], [0.0, 0.0, 2.0]])
    >>> average_scores(counts, "macro").round(4), average_scores(counts, "micro")
    (array([0.25  , 0.5   , 0.3333]), array([0.5, 0.5, 0.5]))
    """
    if not counts.shape[-2]:
        raise InputError("a score over labels needs at least one label.")
    if average in ("micro", "binary"):
        return label_scores(counts.sum(axis=-2), zero_division, beta)
    scores = label_scores(counts, zero_division, beta)
    weights = np.ones(scores.shape)
    if average == "weighted":
        weights *= counts[..., 2:]
    elif skip_absent:
        weights *= counts[..., 1:].any(axis=-1, keepdims=True)
    defined = ~np.isnan(scores)
    weights = np.where(defined, weights, 0.0)
    # Without any weight, labels count alike.
    weights = np.where(weights.any(axis=-2, keepdims=True), weights, defined)
    with np.errstate(invalid="ignore"):
        found: Floats = (np.where(defined, scores, 0.0) * weights).sum(axis=-2) / weights.sum(axis=-2)
    return found
