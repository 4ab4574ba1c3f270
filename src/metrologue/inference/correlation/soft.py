"""Soft pairwise accuracy: whether a metric is as sure as people are which of two systems is better."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Flags, Floats, Offsets
from metrologue.errors import InputError, checked_int
from metrologue.inference.balance import exponent_of, moved
from metrologue.inference.correlation.levels import checked_scores, refuse_missing

# Exchanged sums that should be equal to the observed one may differ in their last bits.
_ROUNDING = 1e-10


def soft_pairwise_accuracy(
    scores: ArrayLike, human: ArrayLike, *, permutations: int = 1000, seed: int = 4, single: bool = True
) -> float:
    """Soft pairwise accuracy: 1 minus the mean difference of the p-values of a metric and of people.

    For every two systems there are two p-values of the hypothesis that the first one is better: one from the metric's
    scores, one from people's. Each comes from a permutation test that exchanges segments between both systems.

    Parameters
    ----------
    scores : numbers (systems, segments)
        The metric's scores; higher is better.
    human : numbers (systems, segments)
        People's scores; NaN or None where one is missing. Two systems are compared on the segments of both.
    permutations : int
    seed : int
        Of the exchanges: those of ``numpy.random.default_rng(seed).random`` in 32 bits, above one half, as in WMT's
        mt-metrics-eval.
    single : bool
        Whether to add scores in 32 bits, as mt-metrics-eval does. Sums that are equal can then differ in their last
        bit, and whether they count as equal depends on the order of additions, and so on the processor: with ratings on
        a short scale, this moves the third digit. Otherwise scores are added in 64 bits, and equal sums are equal.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    InputError
        If shapes differ, there are fewer than two systems, two systems share no segment, or a score is infinite or
        missing where people have scored.

    References
    ----------
    Thompson et al. 2024, Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise
    Accuracy, https://aclanthology.org/2024.wmt-1.118.

    Examples
    --------
    >>> human = [[1, 2, 3, 4], [2, 3, 4, 5], [2, 2, 3, 3]]
    >>> soft_pairwise_accuracy(human, human)
    1.0
    """
    x, y = checked_scores("scores", scores), checked_scores("human", human)
    if x.ndim != 2 or x.shape != y.shape or len(x) < 2:
        raise InputError(
            f"`scores` has the shape {x.shape}, and `human` {y.shape}; both need one: (systems, segments), "
            "of two systems or more."
        )
    present = ~np.isnan(y)
    refuse_missing(x, present, "scores")
    checked_int("permutations", permutations, 1, 1_000_000)
    first, second = np.triu_indices(len(x), 1)
    shared = present[first] & present[second]
    if not shared.any(axis=1).all():
        pair = int(np.flatnonzero(~shared.any(axis=1))[0])
        raise InputError(
            f"`human[{first[pair]}]` and `human[{second[pair]}]` share no segment; no p-value compares them."
        )
    drawn = np.random.default_rng(seed).random((permutations, x.shape[1]), np.float32)
    kind = np.float32 if single else np.float64
    signs = 2 * np.rint(drawn).astype(kind) - 1
    # So that no sum is infinite; in 64 bits, what all scores share takes no digits from their differences.
    x, y = (each if single else moved(each) for each in (x, y))
    scaled = [np.ldexp(each, -exponent_of(each)).astype(kind) for each in (x, y)]
    ours, theirs = (_p_values(each, first, second, shared, signs) for each in scaled)
    return float(1 - np.abs(ours - theirs).mean())


def _p_values(scores: Any, first: Offsets, second: Offsets, shared: Flags, signs: Any) -> Floats:
    """For each pair of systems, how often exchanged segments make the first one at least as much better: (pairs,)."""
    if shared.all():
        sums, exchanged = scores.sum(axis=1), signs @ scores.T
        observed, differences_of_exchanges = sums[first] - sums[second], exchanged[:, first] - exchanged[:, second]
    else:
        differences = np.where(shared, scores[first] - scores[second], scores.dtype.type(0))
        observed, differences_of_exchanges = differences.sum(axis=1), signs @ differences.T
    if scores.dtype == np.float64:
        observed = observed - _ROUNDING * np.abs(differences_of_exchanges).max(axis=0)
    return np.asarray((differences_of_exchanges >= observed).mean(axis=0))
