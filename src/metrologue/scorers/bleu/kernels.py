"""BLEU's arithmetic: from counts to precisions, their mean, and the score, in a library's order of operations.

The logarithm and the powers are those of C's math library, as in Python's `math`. NumPy's own differ from them in the
last bit for some numbers, and from one processor to another.
"""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = [
    "ANY_ORDER", "EXP", "FIFTH", "FLOOR", "FOURTH", "FOURTH_SUM", "MEAN", "NEVER", "NO_MATCH", "PLAIN", "PRODUCT",
    "SEVENTH", "SEVENTH_SUM", "SIXTH", "TINY", "WEIGHTED", "Rules", "bleu_numbers", "effective_weights",
    "smoothed_precisions",
]  # fmt: skip

# What replaces the precision of an order without a match; some methods change the others too.
PLAIN, TINY, FLOOR, EXP, FOURTH, FIFTH, SIXTH, SEVENTH, FOURTH_SUM, SEVENTH_SUM = range(10)
# When BLEU is 0: if no order has a match, or if one has none.
NO_MATCH, ANY_ORDER, NEVER = range(3)
# How the geometric mean is computed: from logarithms, with their mean or their weighted sum, or from the product.
MEAN, WEIGHTED, PRODUCT = range(3)
LEAST = sys.float_info.min


class Rules(NamedTuple):
    """How BLEU is computed from rows of counts.

    A row has two lengths, then the clipped count of each of the `orders`, then the number of n-grams of each. From the
    order `first` on, `value` is added to both. With `inverse`, the penalty is computed from the ratio of the lengths,
    otherwise from its inverse. The greatest score is `perfect`: the scale of the precisions under `MEAN`, otherwise of
    the score.
    """

    orders: int
    zero: int
    method: int
    value: float
    first: int
    added_matches: float
    added_ngrams: float
    form: int
    compensated: bool
    inverse: bool
    effective: bool
    skip_zero: bool
    added_length: float
    added_reference: float
    perfect: float


@helper
def _average(precision: Floats, longest: Number, fifth: Number, scale: Number) -> None:
    """Replace each precision by the mean of the averaged one before it, itself, and the plain one after it."""
    before = precision[0] + scale
    for n in range(longest):
        after = precision[n + 1] if n + 1 < longest else fifth
        before = (before + precision[n] + after) / 3
        precision[n] = before


@helper
def _smooth(row: Floats, by: Rules, scale: Number, longest: Number, precision: Floats) -> None:
    """Change plain precisions as a method says. `missing` is 2, 4, 8 and so on at the orders without a match."""
    orders, method, value = by.orders, by.method, by.value
    fifth, missing = precision[4] if orders > 4 else 0.0, 1.0
    for n in range(orders):
        clipped, total = row[2 + n], row[2 + orders + n]
        if clipped == 0 and total > 0:
            missing *= 2
        if method == SIXTH and n > 1:
            expected = precision[n - 1] * precision[n - 1] / precision[n - 2]
            left = row[0] - n if row[0] > n else 0.0
            precision[n] = (scale * clipped + value * expected) / (left + value)
        elif clipped == 0:
            if method == TINY:
                precision[n] = scale * LEAST
            elif method == FLOOR:
                precision[n] = scale * value / total
            elif method == EXP:
                precision[n] = scale / (missing * total)
            elif method in (FOURTH, SEVENTH):
                precision[n] = scale / (missing * value / math.log(row[0])) / total if row[0] > 1 else 0.0
            elif method in (FOURTH_SUM, SEVENTH_SUM):
                precision[n] = scale * (n + value / math.log(row[0])) / total if row[0] > 1 else 0.0
    if method in (FIFTH, SEVENTH, SEVENTH_SUM):
        _average(precision, longest, fifth, scale)


@helper
def _is_zero(row: Floats, order: Number, rule: Number, before: Number) -> Number:
    """Whether BLEU of the orders up to `order` is 0, if BLEU of one order less is 0 or not."""
    missing = row[2 + order] == 0
    if rule == NEVER:
        return False
    if order == 0:
        return missing
    return missing and before if rule == NO_MATCH else missing or before


@kernel
def smoothed_precisions(rows: FloatRows, by: Rules, room: Floats, precisions: FloatRows, existing: Offsets) -> None:
    """The precisions of each row of counts times the scale, and how many orders have one; 0 for an order without one.
    `room` has a place for each order."""
    longest, scale = precisions.shape[1], by.perfect if by.form == MEAN else 1.0
    for i in range(len(rows)):
        row = rows[i]
        for n in range(by.orders):
            added = by.value if n + 1 >= by.first else 0.0
            clipped, total = row[2 + n] + added + by.added_matches, row[2 + by.orders + n] + added + by.added_ngrams
            room[n] = scale * clipped / total
        _smooth(row, by, scale, longest, room)
        count, zero = 0, False
        for n in range(longest):
            if count == n and math.isfinite(room[n]):
                count += 1
            zero = _is_zero(row, n, by.zero, zero)
            precisions[i, n] = room[n] if count > n and not zero else 0.0
        existing[i] = count


@helper
def _growth(weights: Floats, existing: Number) -> Number:
    """The factor by which the weights of the first orders have the sum of all weights."""
    own, total = 0.0, 0.0
    for n in range(len(weights)):
        own += weights[n] if n < existing else 0.0
        total += weights[n]
    return total / own


@kernel
def effective_weights(weights: Floats, existing: int, grown: Floats) -> None:
    """The weights of the first `existing` orders, scaled up to the sum of all; 0 for the other orders."""
    factor = _growth(weights, existing)
    for n in range(len(weights)):
        grown[n] = weights[n] * factor if n < existing and weights[n] != 0 else 0.0


@helper
def _geometric_mean(
    precision: Floats, logs: Floats, weights: Floats, existing: Number, by: Rules, perfect: Number
) -> Number:
    """The mean over the orders whose weight is not 0; those from `existing` on are left out. That of none is `perfect`.

    Invariant: `total`, with `lost` if it is compensated, is the sum of the terms so far. `lost` is what rounding has
    taken from it.
    """
    product, total, lost, count, weight = 1.0, 0.0, 0.0, 0, 0.0
    factor = _growth(weights, existing) if existing < len(weights) and by.form != MEAN else 1.0
    for n in range(lesser(existing, len(weights))):
        if weights[n] == 0:
            continue
        count += 1
        weight = weights[n] * factor
        if by.skip_zero and not precision[n] > 0:
            continue
        if by.form == PRODUCT:
            product *= precision[n]
            continue
        term = logs[n] if by.form == MEAN else weight * logs[n]
        grown = total + term
        if by.compensated and math.isfinite(grown):
            lost += (total - grown) + term if abs(total) >= abs(term) else (term - grown) + total
        total = grown
    total += lost
    if count == 0:
        return perfect
    if by.form == PRODUCT:
        return product**weight
    return math.exp(total / count if by.form == MEAN else total)


@kernel
def bleu_numbers(
    rows: FloatRows,
    precisions: FloatRows,
    existing: Offsets,
    weights: FloatRows,
    by: Rules,
    logs: Floats,
    numbers: FloatRows,
) -> None:
    """All numbers of BLEU, (5 + 4 N, n): the scores, the precisions, the penalty and the counts.

    `weights` are rows for BLEU, then for BLEU-1 to BLEU-N: N + 1 in all, or N + 1 for each row of counts. Under
    `MEAN` and `PRODUCT`, the weights of a row that are not 0 are equal; under `MEAN`, their sum is 1. `logs` has a
    place for each order.
    """
    longest = precisions.shape[1]
    inner, scale = (by.perfect, 1.0) if by.form == MEAN else (1.0, by.perfect)
    lengths, same = 2 * longest + 2, len(weights) == longest + 1
    for n in range(longest):
        same = same and weights[0, n] == weights[longest, n]
    for i in range(len(rows)):
        row, zero = rows[i], False
        length, reference, penalty = row[0] + by.added_length, row[1] + by.added_reference, 1.0
        if length < reference:
            penalty = math.exp(1 - (1 / (length / reference) if by.inverse else reference / length))
        shift = i * (longest + 1) if len(weights) > longest + 1 else 0
        used = existing[i] if by.effective else longest
        if by.form != PRODUCT:
            for n in range(longest):
                logs[n] = math.log(precisions[i, n])
        for k in range(longest + 1):
            # BLEU comes last: it is 0 where BLEU-N is.
            place = (k + 1) % (longest + 1)
            if k < longest:
                zero = _is_zero(row, k, by.zero, zero)
            mean = 0.0
            if place == 0 and same:
                mean = numbers[longest, i]
            elif not zero:
                own = weights[shift + place]
                mean = _geometric_mean(precisions[i], logs, own, used, by, inner)
                mean = mean * penalty * scale
            numbers[place, i] = mean
        numbers[lengths - 1, i] = penalty
        numbers[lengths, i] = row[0] / row[1] if row[1] > 0 else 0.0
        numbers[lengths + 1, i], numbers[lengths + 2, i] = row[0], row[1]
        for n in range(longest):
            numbers[longest + 1 + n, i] = scale * precisions[i, n]
            numbers[lengths + 3 + n, i] = row[2 + n]
            numbers[lengths + 3 + longest + n, i] = row[2 + by.orders + n]
