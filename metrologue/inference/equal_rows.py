"""Resampling of long tables with few distinct rows, such as the counts of labels: equal rows are drawn together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.inference import resampling
from metrologue.inference.metric import Metric

__all__ = ["resampled_scores"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Tables below this size, or with fewer columns, are multiplied as quickly as their equal rows are counted.
_CELLS, _COLUMNS = 1 << 19, 8
# Equal rows are drawn together if there are this many of each on average.
_EQUAL = 16


def resampled_scores(
    scorer: Metric, samples: Sequence[Floats], blocks: Iterable[NDArray[np.uint8]]
) -> dict[str, Floats]:
    """``resampling.resampled_scores``, and its numbers; quicker if each sample has few distinct rows.

    Examples
    --------
    >>> from metrologue.scorers import Accuracy
    >>> blocks = [np.array([[2, 0, 1], [0, 3, 0]], np.uint8)]
    >>> resampled_scores(Accuracy(), [np.array([[1.0, 1], [0, 1], [0, 1]])], blocks)["accuracy"].round(4)
    array([[0.6667],
           [0.    ]])
    """
    grouped = [group for group in map(_grouped, samples) if group]
    if len(grouped) < len(samples):
        return resampling.resampled_scores(scorer, samples, blocks)
    parts = [
        [np.stack([np.bincount(places, counts, len(rows)) for counts in block]) @ rows for rows, places in grouped]
        for block in blocks
    ]
    totals = np.stack([np.concatenate(own) for own in zip(*parts, strict=True)], axis=1)
    return scorer.score(np.asfortranarray(totals))


def _grouped(sample: Floats) -> tuple[Floats, Integers] | None:
    """The distinct rows, and the place of each row among them; None if there are too many, or the table is small."""
    if sample.size < _CELLS or sample.shape[1] < _COLUMNS:
        return None
    # Rows are compared by one number each. What it takes for equal is compared in full.
    keys = sample @ np.random.default_rng(0).random(sample.shape[1])
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    rows = sample[first]
    if len(rows) * _EQUAL > len(sample) or not np.array_equal(rows[places], sample):
        return None
    return rows, places
