"""BLEU's arithmetic: from counts to precisions, and from their logarithms to the exponents of the scores.

NumPy computes the logarithms and the powers of e, because those of another library can differ in the last bit.
"""

from __future__ import annotations

import math
import sys

from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets
from metrologue.native import helper, kernel

__all__ = [
    "ANY_ORDER", "EXP", "FIFTH", "FLOOR", "FOURTH", "NEVER", "NO_MATCH", "PLAIN", "SEVENTH", "SIXTH", "TINY",
    "effective_weights", "score_exponents", "smoothed_precisions",
]  # fmt: skip

# What replaces the precision of an order without a match; some methods change the others too.
PLAIN, TINY, FLOOR, EXP, FOURTH, FIFTH, SIXTH, SEVENTH = range(8)
# When BLEU is 0: if no order has a match, or if one has none.
NO_MATCH, ANY_ORDER, NEVER = range(3)
LEAST = sys.float_info.min


@helper
def _averaged(precision: Floats, longest: Number, fifth: Number) -> None:
    """Replace each precision by the mean of the averaged one before it, itself, and the plain one after it."""
    before = precision[0] + 1
    for n in range(longest):
        after = precision[n + 1] if n + 1 < longest else fifth
        before = (before + precision[n] + after) / 3
        precision[n] = before


@helper
def _smooth(
    row: Floats, orders: Number, method: Number, value: Number, log_length: Number, longest: Number, precision: Floats
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
            precision[n] = (clipped + value * expected) / (left + value)
        elif clipped == 0:
            if method == TINY:
                precision[n] = LEAST
            elif method == FLOOR:
                precision[n] = value / total
            elif method == EXP:
                precision[n] = 1 / missing / total
            elif method in (FOURTH, SEVENTH):
                precision[n] = (log_length / (missing * value) if row[0] > 1 else 0.0) / total
    if method in (FIFTH, SEVENTH):
        _averaged(precision, longest, fifth)


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
    log_lengths: Floats,
    room: Floats,
    precisions: FloatRows,
    existing: Offsets,
) -> None:
    """The precisions of each row of counts, and how many orders have one; 0 for an order without one.

    A row has two lengths, then the clipped count of each of the `orders`, then the number of n-grams of each. From
    the order `first` on, `value` is added to both. `room` has a place for each order.
    """
    longest = precisions.shape[1]
    for i in range(len(rows)):
        row = rows[i]
        for n in range(orders):
            added = value if n + 1 >= first else 0.0
            room[n] = (row[2 + n] + added + added_matches) / (row[2 + orders + n] + added + added_ngrams)
        _smooth(row, orders, method, value, log_lengths[i] if len(log_lengths) else 0.0, longest, room)
        count, zero = 0, False
        for n in range(longest):
            if count == n and math.isfinite(room[n]):
                count += 1
            zero = _is_zero(row, n, rule, zero)
            precisions[i, n] = room[n] if count > n and not zero else 0.0
        existing[i] = count


@helper
def _sum(terms: Floats, count: Number) -> Number:
    """The sum of the first terms in NumPy's order: from eight terms on, every eighth one is added up on its own."""
    total, i = 0.0, 0
    if count >= 8:
        a, b, c, d = terms[0], terms[1], terms[2], terms[3]
        e, f, g, h = terms[4], terms[5], terms[6], terms[7]
        i = 8
        while i + 8 <= count:
            a, b, c, d = a + terms[i], b + terms[i + 1], c + terms[i + 2], d + terms[i + 3]
            e, f, g, h = e + terms[i + 4], f + terms[i + 5], g + terms[i + 6], h + terms[i + 7]
            i += 8
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    while i < count:
        total += terms[i]
        i += 1
    return total


@helper
def _growth(weights: Floats, existing: Number, room: Floats) -> Number:
    """The factor by which the weights of the first orders have the sum of all weights."""
    longest = len(weights)
    for n in range(longest):
        room[n] = weights[n] if n < existing else 0.0
    return _sum(weights, longest) / _sum(room, longest)


@kernel
def effective_weights(weights: Floats, existing: int, room: Floats, grown: Floats) -> None:
    """The weights of the first `existing` orders, scaled up to the sum of all; 0 for the other orders."""
    factor = _growth(weights, existing, room)
    for n in range(len(weights)):
        grown[n] = weights[n] * factor if n < existing and weights[n] != 0 else 0.0


@kernel
def score_exponents(
    rows: FloatRows,
    orders: int,
    rule: int,
    logs: FloatRows,
    existing: Offsets,
    weights: FloatRows,
    effective: bool,
    skip_zero: bool,
    added_length: float,
    added_reference: float,
    scale: float,
    room: Floats,
    precisions: FloatRows,
    exponents: FloatRows,
    numbers: FloatRows,
) -> None:
    """The logarithm of each geometric mean, -inf if it is 0, and of the brevity penalty, (N + 2, n); other numbers.

    `weights` are rows for BLEU, then for BLEU-1 to BLEU-N: N + 1 in all, or N + 1 for each row of counts. The numbers
    are those of BLEU, (5 + 4 N, n), without the scores and the brevity penalty.
    """
    longest = logs.shape[1]
    lengths = 2 * longest + 2
    for i in range(len(rows)):
        row, zero = rows[i], False
        shift = i * (longest + 1) if len(weights) > longest + 1 else 0
        for k in range(longest + 1):
            # BLEU comes last: it is 0 where BLEU-N is.
            place = (k + 1) % (longest + 1)
            if k < longest:
                zero = _is_zero(row, k, rule, zero)
            own = weights[shift + place]
            factor = _growth(own, existing[i], room) if effective else 1.0
            for n in range(longest):
                weight = own[n] * factor if own[n] != 0 else 0.0
                if (effective and n >= existing[i]) or (skip_zero and not logs[i, n] > -math.inf):
                    weight = 0.0
                room[n] = weight * logs[i, n] if weight != 0 else 0.0
            exponents[place, i] = -math.inf if zero else _sum(room, longest)
        length, reference = row[0] + added_length, row[1] + added_reference
        exponents[longest + 1, i] = 1 - reference / length if length < reference else 0.0
        numbers[lengths, i] = row[0] / row[1] if row[1] > 0 else 0.0
        numbers[lengths + 1, i], numbers[lengths + 2, i] = row[0], row[1]
        for n in range(longest):
            numbers[longest + 1 + n, i] = scale * precisions[i, n]
            numbers[lengths + 3 + n, i] = row[2 + n]
            numbers[lengths + 3 + longest + n, i] = row[2 + orders + n]
