"""The totals and scores of resamples, and of systems that exchange outputs as in a randomization test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Integers
from metrologue.inference.kernels import single_subset_sums, subset_sums
from metrologue.inference.metric import Metric
from metrologue.inference.resampling import Sample, score_of
from metrologue.segments import Segments

Counts = NDArray[np.uint8]

# The multiplications of a product for which BLAS uses one thread, and the rows for which it is quickest.
_SMALL, _ROWS = 1 << 19, 12
# Equal rows are drawn together if there are this many of each on average. Tables with fewer cells, or with fewer
# columns, are multiplied as quickly as their equal rows are found.
_EQUAL, _CELLS, _COLUMNS = 16, 1 << 19, 8


def resampled_scores(scorer: Metric, samples: Sequence[Floats], blocks: Iterable[Counts]) -> dict[str, Floats]:
    """Every number of each resample of each sample, each (resamples, len(samples)).

    The samples have the same segments, such as the outputs of several systems, and share the draws.

    Parameters
    ----------
    scorer : Scorer
    samples : sequence of float64 (n, k)
    blocks : iterable of uint8 (b, n)
        How often each segment is in each resample.

    Examples
    --------
    >>> from metrologue.scorers import Accuracy
    >>> blocks = [np.array([[2, 0, 1], [0, 3, 0]], np.uint8)]
    >>> resampled_scores(Accuracy(), [np.array([[1.0, 1], [0, 1], [0, 1]])], blocks)["accuracy"].round(4)
    array([[0.6667],
           [0.    ]])
    """
    return scorer.score(resampled_totals(samples, blocks))


def resampled_totals(samples: Sequence[Floats], blocks: Iterable[Counts]) -> Floats:
    """The totals (resamples, len(samples), k): products of the counts and the rows of each sample."""
    grouped = [group for sample in samples if (group := _distinct_rows(sample))]
    # A row of a mean may be infinite, and 0 times infinity is NaN; such a number has no interval.
    with np.errstate(invalid="ignore"):
        parts = _of_distinct_rows(grouped, blocks) if len(grouped) == len(samples) else _of_all_rows(samples, blocks)
    totals = [np.concatenate(blocks_of_sample) for blocks_of_sample in zip(*parts, strict=True)]
    # Each column is contiguous: a score adds and divides columns.
    return np.asfortranarray(np.stack(totals, axis=1), float)


def is_exact_in_float32(*samples: Floats) -> bool:
    """Whether no sum of n rows of one of these samples (n, k) is rounded in float32; sums of counts mostly are not."""
    return all(len(rows) * np.abs(rows).max() < 1 << 24 and (rows == np.rint(rows)).all() for rows in samples)


def _of_all_rows(samples: Sequence[Floats], blocks: Iterable[Counts]) -> list[list[NDArray[Any]]]:
    """The products of some resamples' counts and the rows of each sample.

    They are too small for BLAS to start threads, which would wait for each other whenever other programs use the
    processors.
    """
    # float32 takes half the time, and BLAS is quicker with contiguous columns.
    dtype: Any = np.float32 if is_exact_in_float32(*samples) else np.float64
    tables = [sample.astype(dtype, order="F") for sample in samples]
    step = max(1, min(_ROWS, _SMALL // tables[0].size))
    parts = (block[start : start + step].astype(dtype) for block in blocks for start in range(0, len(block), step))
    return [[part @ table for table in tables] for part in parts]


def _of_distinct_rows(
    tables: Sequence[tuple[Floats, Integers]], blocks: Iterable[Counts]
) -> list[list[NDArray[np.float64]]]:
    """The same products, with the counts of equal rows added first."""
    return [
        [np.stack([np.bincount(places, counts, len(rows)) for counts in block]) @ rows for rows, places in tables]
        for block in blocks
    ]


def _distinct_rows(sample: Floats) -> tuple[Floats, Integers] | None:
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


Bits = NDArray[np.uint8]

_OTHERS = bytes.maketrans(b"\0\1", b"\1\0")


def exchanged(
    scorer: Metric, key: str, samples: Sequence[Sample], pairs: Sequence[tuple[int, int]], blocks: Iterable[Bits]
) -> Floats:
    """The difference of each pair's scores in each trial, float64 (pairs, trials).

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
        rows_of_pairs = []
        for a, b in pairs:
            change = given[b] - given[a]
            totals = np.stack([wholes[a] + change, wholes[b] - change], axis=1)
            first, second = scorer.score(np.moveaxis(totals, 0, -1))[key]
            rows_of_pairs.append(first - second)
        return rows_of_pairs

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
    differences = [[[difference(a, b, trial.tobytes()) for trial in trials] for a, b in pairs] for trials in unpacked]
    return np.concatenate(differences, axis=1)
