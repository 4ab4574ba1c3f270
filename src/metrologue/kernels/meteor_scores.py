"""The score of METEOR from counts: for one pair of texts, NumPy's calls would cost more than the alignment."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats, Number
from metrologue.native import helper, kernel

__all__ = ["matched_shares", "meteor_ratios", "weighted_means"]


@helper
def _share(
    content: Floats,
    content_at: Number,
    function: Floats,
    function_at: Number,
    step: Number,
    length: Number,
    function_length: Number,
    weights: Floats,
    delta: Number,
) -> Number:
    """The weighted share of the words that are matched. The counts of the next stage are `step` places further.

    One stage is added after another, all of content words first, as METEOR 1.5 does.
    """
    matched: Number = 0.0
    for stage in range(len(weights)):
        matched += content[content_at + stage * step] * weights[stage] * delta
    for stage in range(len(weights)):
        matched += function[function_at + stage * step] * weights[stage] * (1.0 - delta)
    whole = delta * (length - function_length) + (1.0 - delta) * function_length
    return matched / whole if whole > 0.0 else 0.0


@helper
def _mean(precision: Number, recall: Number, alpha: Number, product: Number) -> Number:
    if product:
        mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    else:
        mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall)
    return mean if mean == mean else 0.0


@kernel
def _matched_shares(
    content: Floats,
    function: Floats,
    lengths: Floats,
    function_lengths: Floats,
    weights: Floats,
    delta: float,
    found: Floats,
) -> None:
    for i in range(len(found)):
        at = i * len(weights)
        found[i] = _share(content, at, function, at, 1, lengths[i], function_lengths[i], weights, delta)


def matched_shares(
    content: Floats, function: Floats, lengths: Floats, function_lengths: Floats, weights: Floats, delta: float
) -> Floats:
    """The weighted share of matched words, of the shape of `lengths`; 0 if no word has a weight.

    `content` and `function` have another axis, with the matched words of each stage; `weights` are those of the stages.
    Content words have the weight `delta`, and function words 1 - `delta`.
    """
    found = np.empty(lengths.shape)
    counts = map(_flat, (content, function, lengths, function_lengths))
    _matched_shares(*counts, weights, delta, found.reshape(-1))
    return found


@kernel
def _weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool, found: Floats) -> None:
    for i in range(len(found)):
        found[i] = _mean(precisions[i], recalls[i], alpha, product)


def weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool) -> Floats:
    """The harmonic means in which recall has the weight `alpha`; 0 if either is 0. Both have the same shape (...).

    With `product` a mean is P R / (alpha P + (1 - alpha) R), otherwise 1 / ((1 - alpha) / P + alpha / R).
    """
    found = np.empty(np.shape(precisions))
    _weighted_means(_flat(precisions), _flat(recalls), alpha, product, found.reshape(-1))
    return found


@kernel
def _meteor_ratios(
    rows: Floats,
    weights: Floats,
    delta: float,
    alpha: float,
    product: bool,
    beta: float,
    gamma: float,
    penalize_whole: bool,
    found: FloatRows,
) -> None:
    stages = len(weights)
    for i in range(len(found)):
        row = i * (8 + 4 * stages)
        first, last = row + 4, row + 4 + 4 * stages
        precision = _share(rows, first, rows, first + 2, 4, rows[row], rows[row + 2], weights, delta)
        recall = _share(rows, first + 1, rows, first + 3, 4, rows[row + 1], rows[row + 3], weights, delta)
        mean = _mean(precision, recall, alpha, product)
        chunks = rows[last] - (0.0 if penalize_whole else rows[last + 1])
        matches = (rows[last + 2] + rows[last + 3]) / 2
        penalty = gamma * (chunks / matches if matches > 0.0 else 0.0) ** beta
        both = precision + recall
        found[i, 0], found[i, 1], found[i, 2] = mean * (1.0 - penalty), precision, recall
        found[i, 3], found[i, 4], found[i, 5] = 2 * precision * recall / both if both > 0.0 else 0.0, mean, penalty


def meteor_ratios(
    rows: Floats,
    weights: Floats,
    delta: float,
    alpha: float,
    product: bool,
    beta: float,
    gamma: float,
    penalize_whole: bool,
) -> Floats:
    """METEOR, precision, recall, their harmonic mean, that with the weight `alpha`, and the penalty: (..., 6).

    The rows (..., 8 + 4 * n_stages) have the columns of ``metrologue.kernels.meteor_alignment.align``. For `product`,
    see ``weighted_means``. Without `penalize_whole`, a segment that one chunk matches completely has no penalty.
    """
    found = np.empty((*rows.shape[:-1], 6))
    _meteor_ratios(
        _flat(rows), weights, delta, alpha, product, beta, gamma, penalize_whole, found.reshape(-1, found.shape[-1])
    )
    return found


def _flat(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)
