"""ROUGE's arithmetic: the counts of pairs, their shares, and F. For one pair, NumPy's calls would cost more.

Each operation is done in the order of the libraries, because the last bit of a score decides which segments tie.
"""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["counts_by_length", "counts_of_pairs", "measures_of", "put_f_measures"]


@kernel
def _counts_of_pairs(
    matches: FloatRows,
    hypothesis: FloatRows,
    reference: FloatRows,
    compared: FloatRows,
    hypotheses: Offsets,
    references: Offsets,
    counts: FloatRows,
) -> None:
    for p in range(len(matches)):
        h, r = hypotheses[p], references[p]
        for k in range(matches.shape[1]):
            counts[p, 4 * k], counts[p, 4 * k + 1] = matches[p, k], hypothesis[h, k]
            counts[p, 4 * k + 2], counts[p, 4 * k + 3] = reference[r, k], compared[r, k]


def counts_of_pairs(
    matches: Floats,
    hypothesis: Floats,
    reference: Floats,
    compared: Floats,
    hypotheses: Offsets,
    references: Offsets,
) -> Floats:
    """The four counts of each of k types side by side, (pairs, 4 k).

    The matches are those of pairs, (pairs, k). The totals are those of texts, (texts, k). Pair p has the texts
    `hypotheses[p]` and `references[p]`.
    """
    counts = np.empty((len(matches), 4 * matches.shape[1]))
    _counts_of_pairs(matches, hypothesis, reference, compared, hypotheses, references, counts)
    return counts


@kernel
def _counts_by_length(
    matches: FloatRows, offsets: Offsets, hypotheses: Offsets, references: Offsets, counts: FloatRows
) -> None:
    for p in range(len(matches)):
        hypothesis = offsets[hypotheses[p] + 1] - offsets[hypotheses[p]]
        reference = offsets[references[p] + 1] - offsets[references[p]]
        for k in range(matches.shape[1]):
            counts[p, 4 * k], counts[p, 4 * k + 1] = matches[p, k], greater(hypothesis - k, 0)
            counts[p, 4 * k + 2] = counts[p, 4 * k + 3] = greater(reference - k, 0)


def counts_by_length(matches: Floats, offsets: Offsets, hypotheses: Offsets, references: Offsets) -> Floats:
    """What ``counts_of_pairs`` gives if the totals are the n-grams of orders 1 to k of the texts, by their offsets."""
    counts = np.empty((len(matches), 4 * matches.shape[1]))
    _counts_by_length(matches, offsets, hypotheses, references, counts)
    return counts


@helper
def _share(part: Number, whole: Number) -> Number:
    return part / whole if whole > 0 else 0.0


@helper
def _f_measure(precision: Number, recall: Number, factor: Number, own: Number, its: Number, epsilon: Number) -> Number:
    if precision > 0 and recall > 0:
        return factor * precision * recall / (its * recall + own * precision + epsilon)
    return 0.0


@kernel
def _measures_of(counts: FloatRows, factor: float, own: float, its: float, epsilon: float, measures: FloatRows) -> None:
    for i in range(len(counts)):
        precision, recall = _share(counts[i, 0], counts[i, 1]), _share(counts[i, 0], counts[i, 2])
        measures[i, 0], measures[i, 1] = precision, recall
        measures[i, 2] = _f_measure(precision, recall, factor, own, its, epsilon)
        measures[i, 3] = _share(counts[i, 0], counts[i, 3])


def measures_of(counts: Floats, form: tuple[float, float, float, float]) -> Floats:
    """Precision, recall, F and the third share, (..., 4), from matches and three totals, (..., 4).

    F is ``form[0] P R / (form[2] R + form[1] P + form[3])``, and 0 where P or R is 0.
    """
    measures = np.empty(counts.shape)
    _measures_of(np.ascontiguousarray(counts).reshape(-1, 4), *form, measures.reshape(-1, 4))
    return measures


@kernel
def _put_f_measures(rows: FloatRows, factor: float, own: float, its: float, epsilon: float) -> None:
    for i in range(len(rows)):
        rows[i, 2] = _f_measure(rows[i, 0], rows[i, 1], factor, own, its, epsilon)


def put_f_measures(rows: Floats, form: tuple[float, float, float, float]) -> None:
    """Write F into column 2 of rows (..., k), from the precision and the recall in columns 0 and 1."""
    _put_f_measures(rows.reshape(-1, rows.shape[-1]), *form)
