"""Sums over the tokens of texts."""

from __future__ import annotations

import math

from numpy import float32, float64

from metrologue.kernels.arrays import Flags, FloatRows, Floats, Offsets
from metrologue.native import kernel

__all__ = ["token_sums"]


@kernel
def token_sums(logs: Floats, unknown: Flags, offsets: Offsets, single: bool, rows: FloatRows) -> None:
    """The sums of each text: log-probabilities of known and of unknown tokens, and the counts of tokens, of unknown
    ones, of impossible ones, and of those that are both.

    Invariant: the sums are those of the tokens before j. With `single`, each log-probability is rounded to 32 bits, and
    so is `total` after each addition.
    """
    for i in range(len(rows)):
        known, oov, total = 0.0, 0.0, float32(0.0)
        oovs, impossible, impossible_oovs = 0, 0, 0
        for j in range(offsets[i], offsets[i + 1]):
            value = logs[j]
            if single:
                value = float64(float32(value))
            oovs += unknown[j]
            if value == -math.inf:
                impossible += 1
                impossible_oovs += unknown[j]
                continue
            total = float32(total + float32(value))
            if unknown[j]:
                oov += value
            else:
                known += value
        rows[i, 0] = float64(total) - oov if single else known
        rows[i, 1], rows[i, 2], rows[i, 3] = oov, offsets[i + 1] - offsets[i], oovs
        rows[i, 4], rows[i, 5] = impossible, impossible_oovs
