"""What becomes of the phrases of a list: in the reference, in the hypothesis, and in the alignment of both."""

from __future__ import annotations

from metrologue.kernels.arrays import FloatRows, Ids, Number, Offsets, Rows
from metrologue.kernels.pairs import Pairs, places
from metrologue.native import helper, kernel

__all__ = ["count_phrases"]


@helper
def _mark(
    ids: Ids, start: Number, length: Number, first: Offsets, phrases: Ids, limits: Offsets, found: Rows, row: Number
) -> None:
    """Row `row` of `found` gets the phrase that each unit belongs to, or -1, and the next row where the phrase begins.

    From left to right, the longest phrase counts; phrases do not overlap. `limits` and `phrases` have the phrases in
    the order of their first unit, the longer ones before; those that begin with unit u are ``first[u]:first[u + 1]``.
    """
    i = 0
    while i < length:
        found[row, i] = -1
        step = 1
        unit = ids[start + i]
        for q in range(first[unit], first[unit + 1]):
            size = limits[q + 1] - limits[q]
            if size > length - i:
                continue
            equal = True
            for k in range(1, size):
                if ids[start + i + k] != phrases[limits[q] + k]:
                    equal = False
                    break
            if equal:
                for k in range(size):
                    found[row, i + k], found[row + 1, i + k] = q, i
                step = size
                break
        i += step


@helper
def _has(found: Rows, row: Number, length: Number, phrase: Number) -> Number:
    """Whether a text has the phrase."""
    there = False
    for c in range(length):
        there = there or found[row, c] == phrase
    return there


@kernel
def count_phrases(
    texts: Pairs,
    partners: Ids,
    first: Offsets,
    phrases: Ids,
    limits: Offsets,
    group_limits: Offsets,
    groups: Offsets,
    in_reference: int,
    found: Rows,
    counts: FloatRows,
) -> None:
    """Seven counts for each pair and each group of phrases; phrase q is in ``groups[group_limits[q]:...]``.

    With `in_reference`, inserted units count only if the reference has their phrase too. `found` has room for the
    longest text, (4, ...), and `counts` begins with zeros.

    The counts are phrases that both texts have at one place of the alignment, those of the reference, those of the
    hypothesis; units of phrases that are substituted, deleted and inserted; and units of phrases of the reference.
    """
    begin = 0
    for p in range(len(counts)):
        start, height, other, width = places(texts, p)
        _mark(texts.ids, start, height, first, phrases, limits, found, 0)
        _mark(texts.ids, other, width, first, phrases, limits, found, 2)
        next_row = 0  # hypothesis units before it have a partner, or were counted as insertions
        for c in range(width + 1):
            partner = partners[begin + c] if c < width else height
            if partner >= 0:
                for r in range(next_row, partner):
                    q = found[0, r]
                    if q >= 0 and (in_reference == 0 or _has(found, 2, width, q)):
                        for g in range(group_limits[q], group_limits[q + 1]):
                            counts[p, 7 * groups[g] + 5] += 1
                next_row = partner + 1
            if c == width or found[2, c] < 0:
                continue
            q = found[2, c]
            kind = 4
            if partner >= 0:
                kind = 3 if texts.ids[start + partner] != texts.ids[other + c] else -1
            whole = False
            if found[3, c] == c and partner >= 0:
                size = limits[q + 1] - limits[q]
                whole = found[0, partner] == q and found[1, partner] == partner
                for k in range(size):
                    whole = whole and partners[begin + c + k] == partner + k
            for g in range(group_limits[q], group_limits[q + 1]):
                column = 7 * groups[g]
                counts[p, column + 6] += 1
                if found[3, c] == c:
                    counts[p, column + 1] += 1
                if whole:
                    counts[p, column] += 1
                if kind >= 0:
                    counts[p, column + kind] += 1
        for r in range(height):
            q = found[0, r]
            if q >= 0 and found[1, r] == r:
                for g in range(group_limits[q], group_limits[q + 1]):
                    counts[p, 7 * groups[g] + 2] += 1
        begin += width
