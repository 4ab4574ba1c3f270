"""Resampling: how often each segment was drawn, and the sums of many subsets of rows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.arrays import FloatRows, Floats, Offsets, Words
from metrologue.kernels.words import lesser

__all__ = ["count_draws", "count_indices", "subset_sums"]

ByteRows = Annotated[NDArray[np.uint8], 2]


@kernel
def count_draws(words: Words, counts: FloatRows) -> None:
    """Draw as many segments as there are, with replacement, for each row of `counts`, and count them there.

    A random word gives two draws. Each half h, of 32 bits, draws the segment floor(h n / 2^32), so that the
    probabilities of two segments differ by less than 2^-32.

    Invariant: row `row` has the draws of the words before `used`.
    """
    resamples, n = counts.shape
    scale, low = uint64(n), uint64(0xFFFFFFFF)
    used = 0
    for row in range(resamples):
        for s in range(n):
            counts[row, s] = 0.0
        for _draw in range(0, n - 1, 2):
            word = words[used]
            used += 1
            counts[row, int64(((word & low) * scale) >> uint64(32))] += 1.0
            counts[row, int64(((word >> uint64(32)) * scale) >> uint64(32))] += 1.0
        if n & 1:
            counts[row, int64(((words[used] & low) * scale) >> uint64(32))] += 1.0
            used += 1


@kernel
def count_indices(indices: Offsets, counts: FloatRows) -> None:
    """Count the drawn segments of each row; `indices` has n of them for each row, one row after another."""
    resamples, n = counts.shape
    for row in range(resamples):
        for s in range(n):
            counts[row, s] = 0.0
        for i in range(row * n, row * n + n):
            counts[row, indices[i]] += 1.0


@kernel
def subset_sums(bits: ByteRows, rows: FloatRows, table: Floats, sums: FloatRows) -> None:
    """For each row of `bits`, the sum of those rows whose bit is set; bit 0 is the lowest bit of byte 0.

    `table` has room for 256 rows. The rows are added in groups of eight: `table` has the sum of every subset of the
    group, so that a group costs one addition, and not eight.

    Invariant: `sums` has the sums over the groups before `group`.
    """
    trials, groups = bits.shape
    n, k = rows.shape
    for trial in range(trials):
        for c in range(k):
            sums[trial, c] = 0.0
    for group in range(groups):
        first = 8 * group
        for c in range(k):
            table[c] = 0.0
        subsets = 1
        for s in range(first, lesser(first + 8, n)):
            for subset in range(subsets):
                for c in range(k):
                    table[(subsets + subset) * k + c] = table[subset * k + c] + rows[s, c]
            subsets *= 2
        for trial in range(trials):
            place = (bits[trial, group] & (subsets - 1)) * k
            for c in range(k):
                sums[trial, c] += table[place + c]
