"""Scores after two systems have exchanged some of their outputs, as in a randomization test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.inference.metric import Metric
from metrologue.inference.resampling import Sample, score_of
from metrologue.inference.totals import is_exact_in_float32
from metrologue.kernels.resampling import single_subset_sums, subset_sums
from metrologue.segments import Segments

__all__ = ["exchanged"]

Bits = NDArray[np.uint8]

_OTHERS = bytes.maketrans(b"\0\1", b"\1\0")


def exchanged(
    scorer: Metric, key: str, samples: Sequence[Sample], pairs: Sequence[tuple[int, int]], blocks: Iterable[Bits]
) -> Floats:
    """The difference of each pair's scores in each trial.

    Parameters
    ----------
    scorer : Scorer
    key : str
        The number that is compared.
    samples : sequence of float64 (n, k), or of Segments
    pairs : sequence of (int, int)
        Which samples are compared.
    blocks : iterable of uint8 (b, n / 8)
        A bit for each segment in each trial: in a trial, both systems have exchanged the segments whose bit is set.

    Returns
    -------
    float64 (pairs, trials)
    """
    of_kind = _of_segments if isinstance(samples[0], Segments) else _of_rows
    return of_kind(scorer, key, samples, pairs, blocks)


def _of_rows(
    scorer: Metric, key: str, samples: Sequence[Any], pairs: Sequence[tuple[int, int]], blocks: Iterable[Bits]
) -> Floats:
    single = is_exact_in_float32(*samples)
    rows = np.concatenate(samples, axis=1, dtype=np.float32 if single else float)
    table = np.empty((256, rows.shape[1]), rows.dtype)
    wholes = [sample.sum(axis=0)[:, None] for sample in samples]

    def differences(bits: Bits) -> list[Floats]:
        sums = np.empty((len(bits), rows.shape[1]), rows.dtype)
        (single_subset_sums if single else subset_sums)(bits, rows, table, sums)
        # What each system gives away. Each column is contiguous: a score adds and divides columns.
        given = np.ascontiguousarray(sums.T, float).reshape(len(samples), -1, len(bits))
        found = []
        for a, b in pairs:
            change = given[b] - given[a]
            totals = np.stack([wholes[a] + change, wholes[b] - change], axis=1)
            first, second = scorer.score(np.moveaxis(totals, 0, -1))[key]
            found.append(first - second)
        return found

    return np.concatenate([differences(bits) for bits in blocks], axis=1)


def _of_segments(
    scorer: Metric, key: str, samples: Sequence[Any], pairs: Sequence[tuple[int, int]], blocks: Iterable[Bits]
) -> Floats:
    n = len(samples[0])
    outputs = [[segments.predictions.prediction(index) for index in range(n)] for segments in samples]

    # Few segments can be exchanged in few ways, and each way comes in many trials.
    @lru_cache(maxsize=4096)
    def score(a: int, b: int, exchanged: bytes) -> float:
        mixed = [(ours, theirs)[where] for ours, theirs, where in zip(outputs[a], outputs[b], exchanged, strict=True)]
        return float(score_of(scorer, samples[a].with_predictions(mixed))[key])

    def difference(a: int, b: int, exchanged: bytes) -> float:
        return score(a, b, exchanged) - score(a, b, exchanged.translate(_OTHERS))

    unpacked = (np.unpackbits(bits, axis=1, count=n, bitorder="little") for bits in blocks)
    found = [[[difference(a, b, trial.tobytes()) for trial in trials] for a, b in pairs] for trials in unpacked]
    return np.concatenate(found, axis=1)
