"""The score of METEOR from counts: for one pair of texts, NumPy's calls would cost more than the alignment."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats
from metrologue.native import kernel

__all__ = ["matched_shares", "weighted_means"]


@kernel
def _matched_shares(
    content: FloatRows,
    function: FloatRows,
    lengths: Floats,
    function_lengths: Floats,
    weights: Floats,
    delta: float,
    found: Floats,
) -> None:
    """One stage is added after another, all of content words first, as METEOR 1.5 does."""
    for i in range(len(found)):
        matched = 0.0
        for stage in range(len(weights)):
            matched += content[i, stage] * weights[stage] * delta
        for stage in range(len(weights)):
            matched += function[i, stage] * weights[stage] * (1.0 - delta)
        whole = delta * (lengths[i] - function_lengths[i]) + (1.0 - delta) * function_lengths[i]
        found[i] = matched / whole if whole > 0.0 else 0.0


def matched_shares(
    content: Floats, function: Floats, lengths: Floats, function_lengths: Floats, weights: Floats, delta: float
) -> Floats:
    """The weighted share of matched words, of the shape of `lengths`; 0 if no word has a weight.

    `content` and `function` have another axis, with the matched words of each stage; `weights` are those of the stages.
    Content words have the weight `delta`, and function words 1 - `delta`.
    """
    found = np.empty(lengths.shape)
    stages = (found.size, len(weights))
    _matched_shares(
        np.ascontiguousarray(content, np.float64).reshape(stages),
        np.ascontiguousarray(function, np.float64).reshape(stages),
        _flat(lengths),
        _flat(function_lengths),
        weights,
        delta,
        found.reshape(-1),
    )
    return found


@kernel
def _weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool, found: Floats) -> None:
    for i in range(len(found)):
        precision, recall = precisions[i], recalls[i]
        if product:
            mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
        else:
            mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall)
        found[i] = mean if mean == mean else 0.0


def weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool) -> Floats:
    """The harmonic means in which recall has the weight `alpha`; 0 if either is 0. Both have the same shape (...).

    With `product` a mean is P R / (alpha P + (1 - alpha) R), otherwise 1 / ((1 - alpha) / P + alpha / R).
    """
    found = np.empty(np.shape(precisions))
    _weighted_means(_flat(precisions), _flat(recalls), alpha, product, found.reshape(-1))
    return found


def _flat(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)
