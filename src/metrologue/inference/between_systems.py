"""Paired tests of every two systems, with p-values that hold for all pairs together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from metrologue.data.arrays import Floats
from metrologue.inference.metric import Metric
from metrologue.inference.paired import DEFAULT_RESAMPLES, PairedResults, checked_test, results_of
from metrologue.inference.resampling import Resampling, checked_level, score_of
from metrologue.segments import Segments

__all__ = ["enough_resamples", "pairwise_tests"]


def pairwise_tests(
    scorer: Metric,
    systems: Mapping[str, Floats | Segments],
    *,
    alpha: float = 0.05,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = "holm",
    level: float = 0.95,
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> PairedResults:
    """Compare every two systems on the same segments.

    Which system is the best one is only known after the scores. So the p-values of the best one against all others
    must be corrected for all pairs: the best of ten equal systems is always better than the worst of them.

    Parameters
    ----------
    alpha : float
        The probability of a wrong finding that the p-values shall reach; see `resamples`.
    resamples : int, optional
        The number of resamples or exchanges. By default that of ``paired_test``, or more if there are many pairs, so
        that a corrected p-value can be below `alpha`.
    correction : str, optional
        The correction for all pairs together: one of ``CORRECTIONS``, or None.
    scorer, systems, method, seed, level, key, resampling
        As for ``paired_test``.

    Returns
    -------
    PairedResults
        A result for each pair. Its baseline is the better one of the two systems. The pairs of the best system come
        first.

    Raises
    ------
    InputError
        As for ``paired_test``.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> first = Segments(["a b", "c d", "e f", "g h"] * 5, ["a b", "c x", "e x", "x y"] * 5)
    >>> second = first.with_predictions(["a x", "c d", "y f", "g h"] * 5)
    >>> found = pairwise_tests(TokenF1(), {"second": second, "first": first, "again": first})
    >>> [(each.baseline, each.system, each.is_significant()) for each in found]
    [('first', 'again', False), ('first', 'second', True), ('again', 'second', True)]
    """
    if resamples is None:
        enough = enough_resamples(len(systems), alpha) if isinstance(systems, Mapping) else 0
        resamples = max(DEFAULT_RESAMPLES.get(method, 0), enough)
    test, samples = checked_test(scorer, systems, method, resamples, seed, level, key, resampling)
    scores = {name: float(score_of(test.scorer, sample)[test.key]) for name, sample in samples.items()}
    best_first = sorted(scores, key=scores.__getitem__, reverse=test.scorer.higher_is_better.get(test.key, True))
    return results_of(test, samples, [(other, better) for better, other in combinations(best_first, 2)], correction)


def enough_resamples(systems: int, alpha: float) -> int:
    """How many resamples the tests of all pairs of so many systems need, so that one can be below `alpha`."""
    # The least p-value is 1 / (resamples + 1). The correction multiplies it by the number of pairs.
    return math.ceil(4 * math.comb(systems, 2) / checked_level(alpha))
