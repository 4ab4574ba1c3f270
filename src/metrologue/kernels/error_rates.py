"""The counts behind error rates, and the rates. For one pair, NumPy's calls would cost more than the alignment."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats, Number
from metrologue.kernels.pairs import Pairs, places
from metrologue.native import helper, kernel

__all__ = ["counts_of", "rates_of"]


@kernel
def _counts_of(edits: Floats, hits: Floats, texts: Pairs, counts: FloatRows) -> None:
    for p in range(len(edits)):
        _, own, _, its = places(texts, p)
        hypothesis, reference = float(own), float(its)
        deletions, insertions = edits[p] + hits[p] - hypothesis, edits[p] + hits[p] - reference
        counts[p, 0], counts[p, 1] = hits[p], edits[p] - deletions - insertions
        counts[p, 2], counts[p, 3] = deletions, insertions
        counts[p, 4], counts[p, 5] = hypothesis, reference


def counts_of(edits: Floats, hits: Floats, texts: Pairs) -> Floats:
    """Hits, substitutions, deletions, insertions and both lengths of pairs with these edits and hits, (pairs, 6)."""
    counts = np.empty((len(edits), 6))
    _counts_of(edits, hits, *texts, counts)
    return counts


@helper
def _share(part: Number, whole: Number, zero: Number) -> Number:
    return part / whole if whole > 0 else zero


@kernel
def _rates_of(counts: FloatRows, rates: FloatRows) -> None:
    for i in range(len(counts)):
        hits, substitutions, deletions, insertions = counts[i, 0], counts[i, 1], counts[i, 2], counts[i, 3]
        edits, paired = substitutions + deletions + insertions, hits + substitutions
        reference, hypothesis = paired + deletions, paired + insertions
        both_empty = 1.0 if reference + hypothesis == 0 else 0.0
        wip = _share(hits, reference, 0.0) * _share(hits, hypothesis, 0.0) + both_empty
        rates[i, 0], rates[i, 1] = _share(edits, reference, insertions), _share(edits, edits + hits, 0.0)
        rates[i, 2], rates[i, 3] = 1 - wip, wip


def rates_of(counts: Floats) -> Floats:
    """WER, MER, WIL and WIP, (..., 4), of hits, substitutions, deletions and insertions, (..., 4 or more)."""
    rates = np.empty((*counts.shape[:-1], 4))
    rows = np.ascontiguousarray(counts, np.float64).reshape(-1, counts.shape[-1])
    _rates_of(rows, rates.reshape(-1, 4))
    return rates
