"""BLEU's arithmetic: from counts to precisions, their mean, and the score, in a library's order of operations.

The logarithm and the powers are those of C's math library, as in Python's `math`. NumPy's own differ from them in the
last bit for some numbers, and from one processor to another.
"""

from __future__ import annotations

import math
import sys

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = [
    "ANY_ORDER", "EXP", "FIFTH", "FLOOR", "FOURTH", "MEAN", "NEVER", "NO_MATCH", "PLAIN", "PRODUCT", "SEVENTH",
    "SIXTH", "TINY", "WEIGHTED", "bleu_numbers", "effective_weights", "smoothed_precisions",
]  # fmt: skip

# What replaces the precision of an order without a match; some methods change the others too.
PLAIN, TINY, FLOOR, EXP, FOURTH, FIFTH, SIXTH, SEVENTH = range(8)
# When BLEU is 0: if no order has a match, or if one has none.
NO_MATCH, ANY_ORDER, NEVER = range(3)
# How the geometric mean is computed: from logarithms, with their mean or their weighted sum, or from the product.
MEAN, WEIGHTED, PRODUCT = range(3)
LEAST = sys.float_info.min


@helper
def _averaged(precision: Floats, longest: Number, fifth: Number, scale: Number) -> None:
    """Replace each precision by the mean of the averaged one before it, itself, and the plain one after it."""
    before = precision[0] + scale
    for n in range(longest):
        after = precision[n + 1] if n + 1 < longest else fifth
        before = (before + precision[n] + after) / 3
        precision[n] = before


@helper
def _smooth(
    row: Floats, orders: Number, method: Number, value: Number, scale: Number, longest: Number, precision: Floats
) -> None:
    """Change plain precisions as a method says. `missing` is 2, 4, 8 and so on at the orders without a match."""
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
    if method in (FIFTH, SEVENTH):
        _averaged(precision, longest, fifth, scale)


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
def smoothed_precisions(
    rows: FloatRows,
    orders: int,
    method: int,
    value: float,
    first: int,
    added_matches: float,
    added_ngrams: float,
    rule: int,
    scale: float,
    room: Floats,
    precisions: FloatRows,
    existing: Offsets,
) -> None:
    """The precisions of each row of counts times `scale`, and how many orders have one; 0 for an order without one.

    A row has two lengths, then the clipped count of each of the `orders`, then the number of n-grams of each. From
    the order `first` on, `value` is added to both. `room` has a place for each order.
    """
    longest = precisions.shape[1]
    for i in range(len(rows)):
        row = rows[i]
        for n in range(orders):
            added = value if n + 1 >= first else 0.0
            room[n] = scale * (row[2 + n] + added + added_matches) / (row[2 + orders + n] + added + added_ngrams)
        _smooth(row, orders, method, value, scale, longest, room)
        count, zero = 0, False
        for n in range(longest):
            if count == n and math.isfinite(room[n]):
                count += 1
            zero = _is_zero(row, n, rule, zero)
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
    precision: Floats,
    logs: Floats,
    weights: Floats,
    existing: Number,
    skip_zero: Number,
    form: Number,
    compensated: Number,
    perfect: Number,
) -> Number:
    """The mean over the orders whose weight is not 0; those from `existing` on are left out. That of none is `perfect`.

    Invariant: `total`, with `lost` if it is compensated, is the sum of the terms so far. `lost` is what rounding has
    taken from it.
    """
    product, total, lost, count, weight = 1.0, 0.0, 0.0, 0, 0.0
    factor = _growth(weights, existing) if existing < len(weights) and form != MEAN else 1.0
    for n in range(lesser(existing, len(weights))):
        if weights[n] == 0:
            continue
        count += 1
        weight = weights[n] * factor
        if skip_zero and not precision[n] > 0:
            continue
        if form == PRODUCT:
            product *= precision[n]
            continue
        term = logs[n] if form == MEAN else weight * logs[n]
        grown = total + term
        if compensated and math.isfinite(grown):
            lost += (total - grown) + term if abs(total) >= abs(term) else (term - grown) + total
        total = grown
    total += lost
    if count == 0:
        return perfect
    if form == PRODUCT:
        return product**weight
    return math.exp(total / count if form == MEAN else total)


@kernel
def bleu_numbers(
    rows: FloatRows,
    orders: int,
    rule: int,
    precisions: FloatRows,
    existing: Offsets,
    weights: FloatRows,
    form: int,
    compensated: bool,
    inverse: bool,
    effective: bool,
    skip_zero: bool,
    added_length: float,
    added_reference: float,
    perfect: float,
    logs: Floats,
    numbers: FloatRows,
) -> None:
    """All numbers of BLEU, (5 + 4 N, n): the scores, the precisions, the penalty and the counts.

    `weights` are rows for BLEU, then for BLEU-1 to BLEU-N: N + 1 in all, or N + 1 for each row of counts. Under `MEAN`
    and `PRODUCT`, the weights of a row that are not 0 are equal; under `MEAN`, their sum is 1, and the precisions have
    the scale, whose greatest value is `perfect`. With `inverse`, the penalty is computed from the ratio of the lengths,
    otherwise from its inverse. `logs` has a place for each order.
    """
    longest = precisions.shape[1]
    inner, scale = (perfect, 1.0) if form == MEAN else (1.0, perfect)
    lengths, same = 2 * longest + 2, len(weights) == longest + 1
    for n in range(longest):
        same = same and weights[0, n] == weights[longest, n]
    for i in range(len(rows)):
        row, zero = rows[i], False
        length, reference, penalty = row[0] + added_length, row[1] + added_reference, 1.0
        if length < reference:
            penalty = math.exp(1 - (1 / (length / reference) if inverse else reference / length))
        shift = i * (longest + 1) if len(weights) > longest + 1 else 0
        used = existing[i] if effective else longest
        if form != PRODUCT:
            for n in range(longest):
                logs[n] = math.log(precisions[i, n])
        for k in range(longest + 1):
            # BLEU comes last: it is 0 where BLEU-N is.
            place = (k + 1) % (longest + 1)
            if k < longest:
                zero = _is_zero(row, k, rule, zero)
            mean = 0.0
            if place == 0 and same:
                mean = numbers[longest, i]
            elif not zero:
                own = weights[shift + place]
                mean = _geometric_mean(precisions[i], logs, own, used, skip_zero, form, compensated, inner)
                mean = mean * penalty * scale
            numbers[place, i] = mean
        numbers[lengths - 1, i] = penalty
        numbers[lengths, i] = row[0] / row[1] if row[1] > 0 else 0.0
        numbers[lengths + 1, i], numbers[lengths + 2, i] = row[0], row[1]
        for n in range(longest):
            numbers[longest + 1 + n, i] = scale * precisions[i, n]
            numbers[lengths + 3 + n, i] = row[2 + n]
            numbers[lengths + 3 + longest + n, i] = row[2 + orders + n]
