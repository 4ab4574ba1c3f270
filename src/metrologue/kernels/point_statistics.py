"""Correlations of points that are taken several times, or not at all: the loops of bootstraps and permutation tests.

Point i has the values `x[i]` and `y[i]`. Group g has the points from `offsets[g]` to `offsets[g + 1]`. In row r, point
i is there `counts[r, i]` times. A bootstrap counts draws, and a permutation test counts 0 or 1. The values are sorted
once; each row then takes a few passes.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = ["COLUMNS", "moments", "pair_counts", "pair_counts_apart", "rank_moments"]

Counts = Annotated[NDArray[np.uint8], 2]
Moments = Annotated[NDArray[np.float64], 3]
PairCounts = Annotated[NDArray[np.int64], 3]

# What the pairs of points in a group are: in the same order by x and by y, in opposite orders, equal in x alone, in y
# alone, in both; then the number of points, and of different values, of x or of y, whichever are fewer.
COLUMNS = ("concordant", "discordant", "ties_x", "ties_y", "ties_both", "points", "classes")


@kernel
def moments(x: Floats, y: Floats, offsets: Offsets, counts: Counts, sums: Moments) -> None:
    """`sums[r, g]` becomes the sum of (x - mean)(y - mean), and of both squares; 0 where x or y does not vary."""
    for row in range(len(counts)):
        for group in range(len(offsets) - 1):
            total, sum_x, sum_y, first = 0.0, 0.0, 0.0, -1
            varies_x, varies_y = False, False
            for i in range(offsets[group], offsets[group + 1]):
                if counts[row, i] > 0:
                    first = i if first < 0 else first
                    varies_x |= x[i] != x[first]
                    varies_y |= y[i] != y[first]
                    weight = float(counts[row, i])
                    total += weight
                    sum_x += weight * x[i]
                    sum_y += weight * y[i]
            product, square_x, square_y = 0.0, 0.0, 0.0
            if varies_x and varies_y:
                mean_x, mean_y = sum_x / total, sum_y / total
                for i in range(offsets[group], offsets[group + 1]):
                    weight, off_x, off_y = float(counts[row, i]), x[i] - mean_x, y[i] - mean_y
                    square_x += weight * off_x * off_x
                    square_y += weight * off_y * off_y
                    product += weight * off_x * off_y
            sums[row, group, 0], sums[row, group, 1], sums[row, group, 2] = product, square_x, square_y


@helper
def tally(levels: Number, counts: Number, row: Number, begin: Number, end: Number, sizes: Number) -> Number:
    """`sizes[level]` becomes how many points have it; returns the number of levels up to the last one."""
    most = 0
    for i in range(begin, end):
        if levels[i] >= most:
            most = levels[i] + 1
    for level in range(most):
        sizes[level] = 0
    for i in range(begin, end):
        sizes[levels[i]] += counts[row, i]
    return most


@helper
def mean_ranks(sizes: Number, levels: Number, total: Number, ranks: Number) -> Number:
    """`ranks[level]` becomes the mean rank of its points, less the mean of all ranks; returns the sum of squares."""
    before, squares = 0, 0.0
    for level in range(levels):
        ranks[level] = before + (sizes[level] - total) / 2
        squares += sizes[level] * ranks[level] * ranks[level]
        before += sizes[level]
    return squares


@kernel
def rank_moments(
    x: Offsets, y: Offsets, offsets: Offsets, counts: Counts, sizes: Offsets, ranks: FloatRows, sums: Moments
) -> None:
    """``moments`` of mean ranks. They are halves, so that no sum is rounded.

    `x` and `y` are levels: 0 for the least value of a group, 1 for the next one. `sizes` and both rows of `ranks` have
    room for all levels of a group.
    """
    for row in range(len(counts)):
        for group in range(len(offsets) - 1):
            begin, end = offsets[group], offsets[group + 1]
            total = 0
            for i in range(begin, end):
                total += counts[row, i]
            sums[row, group, 1] = mean_ranks(sizes, tally(x, counts, row, begin, end, sizes), total, ranks[0])
            sums[row, group, 2] = mean_ranks(sizes, tally(y, counts, row, begin, end, sizes), total, ranks[1])
            product = 0.0
            for i in range(begin, end):
                product += counts[row, i] * ranks[0, x[i]] * ranks[1, y[i]]
            sums[row, group, 0] = product


@helper
def ties_in(sizes: Number, levels: Number) -> Number:
    """How many pairs of points have the same level."""
    pairs = 0
    for level in range(levels):
        pairs += sizes[level] * (sizes[level] - 1) // 2
    return pairs


@helper
def classes_in(sizes: Number, levels: Number) -> Number:
    """How many levels have a point."""
    classes = 0
    for level in range(levels):
        classes += sizes[level] > 0
    return classes


@helper
def seen_up_to(tree: Number, level: Number) -> Number:
    """How many points below `level` are in the tree (Fenwick 1994)."""
    found = 0
    while level > 0:
        found += tree[level]
        level &= level - 1
    return found


@kernel
def pair_counts(
    x: Offsets, y: Offsets, order: Offsets, offsets: Offsets, counts: Counts, sizes: Offsets, pairs: PairCounts
) -> None:
    """`pairs[r, g]` becomes ``COLUMNS`` of the group, in n log n steps (Knight 1966).

    `x` and `y` are levels, as for ``rank_moments``, and `order` has the points of each group in the order of x.
    `sizes` has room for all levels of a group, and one more.

    Invariant: the tree has the points whose x is less than that of this run of points with the same x.
    """
    for row in range(len(counts)):
        for group in range(len(offsets) - 1):
            begin, end = offsets[group], offsets[group + 1]
            total = 0
            for i in range(begin, end):
                total += counts[row, i]
            levels = tally(x, counts, row, begin, end, sizes)
            ties_x, classes = ties_in(sizes, levels), classes_in(sizes, levels)
            levels = tally(y, counts, row, begin, end, sizes)
            ties_y, classes = ties_in(sizes, levels), lesser(classes, classes_in(sizes, levels))
            for level in range(levels + 1):
                sizes[level] = 0
            concordant, discordant, seen, run = 0, 0, 0, begin
            for place in range(begin, end):
                i = order[place]
                if counts[row, i] > 0:
                    concordant += counts[row, i] * seen_up_to(sizes, y[i])
                    discordant += counts[row, i] * (seen - seen_up_to(sizes, y[i] + 1))
                if place + 1 == end or x[order[place + 1]] != x[i]:
                    for k in range(run, place + 1):
                        weight, level = counts[row, order[k]], y[order[k]] + 1
                        seen += weight
                        while weight > 0 and level <= levels:
                            sizes[level] += weight
                            level += level & -level
                    run = place + 1
            both = ties_x + ties_y + concordant + discordant - total * (total - 1) // 2
            pairs[row, group, 0] = concordant
            pairs[row, group, 1] = discordant
            pairs[row, group, 2] = ties_x - both
            pairs[row, group, 3] = ties_y - both
            pairs[row, group, 4] = both
            pairs[row, group, 5] = total
            pairs[row, group, 6] = classes


@kernel
def pair_counts_apart(
    x: Floats, y: Floats, offsets: Offsets, counts: Counts, tie_x: float, gap_y: float, pairs: PairCounts
) -> None:
    """``pair_counts``, but values of x that differ by at most `tie_x` are ties, and those of y by less than `gap_y`.

    Each pair is compared, because such ties do not follow from an order. The number of classes stays 0.
    """
    for row in range(len(counts)):
        for group in range(len(offsets) - 1):
            begin, end = offsets[group], offsets[group + 1]
            for column in range(7):
                pairs[row, group, column] = 0
            for i in range(begin, end):
                weight = int64(counts[row, i])
                if weight == 0:
                    continue
                pairs[row, group, 4] += weight * (weight - 1) // 2
                pairs[row, group, 5] += weight
                for j in range(i + 1, end):
                    off_x, off_y = x[i] - x[j], y[i] - y[j]
                    tied_x, tied_y = abs(off_x) <= tie_x, abs(off_y) < gap_y or off_y == 0
                    if tied_x:
                        column = 4 if tied_y else 2
                    elif tied_y:
                        column = 3
                    else:
                        column = 0 if (off_x > 0) == (off_y > 0) else 1
                    pairs[row, group, column] += weight * int64(counts[row, j])
