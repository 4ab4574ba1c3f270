"""Bootstraps: the median or mean of a corpus's means over resamples, drawn as the libraries draw them."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.inference.draws import DRAWS
from metrologue.scorers.core.options import Rule
from metrologue.scorers.rouge.types import MEASURES

__all__ = ["BOOTSTRAPS"]


def _median_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """rouge_score's aggregator: NumPy's legacy generator draws the resamples of one type after another."""
    draws = DRAWS["mt19937"](seed)
    n, columns = len(rows), rows.shape[1] - 1
    totals = np.ones(columns + 1)
    for first in range(0, columns, len(MEASURES)):
        measures = np.ascontiguousarray(rows[:, first : first + len(MEASURES)])
        means = np.concatenate([counts @ measures for counts in draws.counts(n, samples)]) / n
        totals[first : first + len(MEASURES)] = np.percentile(means, 50, axis=0)
    return totals


def _mean_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """ROUGE-1.5.5's bootstrap: resample i draws with Perl's rand() after srand(i).

    Segments are in the order of their ids, sorted as strings.
    """
    n = len(rows)
    by_id = rows[sorted(range(n), key=lambda index: f"{index + 1}.A")]
    # Perl's rand() is drand48: X becomes (0x5DEECE66D X + 0xB) mod 2^48, and the number is X / 2^48.
    state = (np.arange(seed, seed + samples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    sums = np.zeros((samples, rows.shape[1]))
    for _ in range(n):
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        sums += by_id[(state / 2.0**48 * n).astype(np.int64)]
    # The means are added one by one from the least, as in the script: the fifth decimal may depend on the last bit.
    totals: Floats = np.cumsum(np.sort(sums / n, axis=0), axis=0)[-1] / samples
    return totals


# For each aggregation, a function from rows (n, k), `samples` and `seed` to totals (k,). The last column of the rows is
# 1 for each segment, and the last total is 1.
BOOTSTRAPS: dict[str, Rule[[Floats, int, int], Floats]] = {
    "bootstrap-median": Rule(
        _median_of_means,
        "the median of the means of `samples` resamples, drawn by NumPy's legacy generator from `seed` (rouge_score's "
        "aggregator)",
    ),
    "bootstrap-mean": Rule(
        _mean_of_means, "the mean of the means of `samples` resamples that Perl draws from `seed` (ROUGE-1.5.5)"
    ),
}
