"""Soft pairwise accuracy: whether a metric is as sure as people are which of two systems is better."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Bytes, Flags, Floats, Offsets
from metrologue.errors import InputError, checked_int
from metrologue.inference.balance import exponent_of, moved
from metrologue.inference.correlation.levels import checked_scores, refuse_missing
from metrologue.inference.correlation.metric_tests import MetricTest, permuted, standardized
from metrologue.inference.resampling import checked_resamples, chosen_seed

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
    soft = _Soft(human, permutations, seed, single)
    return soft.accuracy(soft.checked("scores", scores))


def soft_permutation_test(
    first: ArrayLike, second: ArrayLike, human: ArrayLike, *, permutations: int = 1000, seed: int | None = None
) -> MetricTest:
    """Whether the second metric has a higher soft pairwise accuracy than the first one: PERM-BOTH.

    The metrics exchange scores of segments, as in ``permutation_test``; each exchange is as many permutations of
    segments as ``soft_pairwise_accuracy`` has by default.

    Parameters
    ----------
    first, second, human : numbers (systems, segments)
        As for ``soft_pairwise_accuracy``.
    permutations, seed : int, optional
        As for ``permutation_test``.

    Raises
    ------
    InputError
        As for ``soft_pairwise_accuracy``.

    Examples
    --------
    >>> human = [[1, 2, 3, 4], [2, 3, 4, 5], [2, 2, 3, 3]]
    >>> soft_permutation_test([[2, 1, 4, 2], [1, 2, 3, 1], [2, 3, 3, 5]], human, human, permutations=100).difference > 0
    True
    """
    soft = _Soft(human)
    permutations, seed = checked_resamples(permutations, "permutations"), chosen_seed(seed, "metrologue")
    a, b = (soft.checked(name, each)[soft.present] for name, each in (("first", first), ("second", second)))
    standard = standardized(a), standardized(b)

    def values(of_first: Bytes) -> Floats:
        mixed = np.zeros((len(of_first), *soft.present.shape))
        mixed[:, soft.present] = np.where(of_first, *standard)
        return np.array([soft.accuracy(each) for each in mixed])

    return permuted(values, lambda generator, trials: generator.binomial(1, 0.5, (trials, len(a))), len(a),
                    permutations, seed)  # fmt: skip


class _Soft:
    """People's p-values of every two systems, with the exchanges that a metric's p-values share."""

    def __init__(self, human: ArrayLike, permutations: int = 1000, seed: int = 4, single: bool = True) -> None:
        y = checked_scores("human", human)
        if y.ndim != 2 or len(y) < 2:
            raise InputError(
                f"`human` has the shape {y.shape}; (systems, segments) is expected, of two systems or more."
            )
        checked_int("permutations", permutations, 1, 1_000_000)
        self.single, self.present = single, ~np.isnan(y)
        self.pairs = first, second = np.triu_indices(len(y), 1)
        self.shared = self.present[first] & self.present[second]
        if not self.shared.any(axis=1).all():
            pair = int(np.flatnonzero(~self.shared.any(axis=1))[0])
            raise InputError(
                f"`human[{first[pair]}]` and `human[{second[pair]}]` share no segment; no p-value compares them."
            )
        drawn = np.random.default_rng(seed).random((permutations, y.shape[1]), np.float32)
        self.signs = 2 * np.rint(drawn).astype(np.float32 if single else np.float64) - 1
        self.theirs = self._p_values(y)

    def checked(self, name: str, scores: ArrayLike) -> Floats:
        """The scores of a metric. Raises an InputError if they do not fit people's."""
        x = checked_scores(name, scores)
        if x.shape != self.present.shape:
            raise InputError(f"`{name}` has the shape {x.shape}, but `human` {self.present.shape}; they must be equal.")
        refuse_missing(x, self.present, name)
        return x

    def accuracy(self, scores: Floats) -> float:
        """1 minus the mean difference of the p-values."""
        return float(1 - np.abs(self._p_values(scores) - self.theirs).mean())

    def _p_values(self, scores: Floats) -> Floats:
        # So that no sum is infinite; in 64 bits, what all scores share takes no digits from their differences.
        scores = scores if self.single else moved(scores)
        scaled = np.ldexp(scores, -exponent_of(scores)).astype(self.signs.dtype)
        return _p_values(scaled, *self.pairs, self.shared, self.signs)


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
