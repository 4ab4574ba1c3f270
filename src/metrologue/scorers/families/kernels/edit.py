"""The edit distance of two texts, and a shortest alignment.

In an alignment the units of the reference are the columns of a matrix, and
the units of the hypothesis are its rows. D[r, c] is the distance between the first r units of the hypothesis and the
first c units of the reference.
"""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import (
    Bytes,
    FloatRows,
    Floats,
    Ids,
    Number,
    Offsets,
    Rows,
    Words,
    longest_row,
    row_lengths,
)
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["Bits", "alignments", "distance", "distances", "take_columns"]

# Below this many bytes, rapidfuzz keeps the whole matrix of bits. Above, it cuts the problem in two.
_MATRIX_BYTES = 1 << 20
# Texts up to this length are compared in full. For longer texts, a band near the diagonal is tried first.
_SHORT = 512
# Up to this many units and types, all calls of a thread share their room: to make arrays costs more than a short pair.
_FEW = 1 << 10
_KEPT = local()


class Bits(NamedTuple):
    """The arrays of `_block` and `_through`. Between two calls, `positions` is all 0."""

    positions: Words
    carries: Bytes
    begins: Offsets
    more: Words
    less: Words

    @classmethod
    def of(cls, longest: int, vocabulary: int) -> Bits:
        """Room for texts of up to `longest` units."""
        carries, begins = np.empty(longest, np.uint8), np.empty((longest >> 7) + 1, np.int64)
        more, less = np.empty((2, 2 * longest), np.uint64)
        return cls(np.zeros(2 * vocabulary, np.uint64), carries, begins, more, less)


class _Parts(NamedTuple):
    """The arrays of `_align`, which cuts a pair in halves; `mirrored` has both texts backwards."""

    mirrored: Ids
    before: Offsets
    after: Offsets
    open_parts: Rows

    @classmethod
    def of(cls, longest: int) -> _Parts:
        """Room for texts of up to `longest` units."""
        # Only pairs that are cut in halves are mirrored.
        mirrored = np.empty(2 * longest if longest**2 // 4 >= _MATRIX_BYTES else 0, np.int32)
        before, after = np.empty((2, longest + 1), np.int64)
        open_parts = np.empty((64, 5), np.int64)  # one for each time that a 64-bit length can be halved
        return cls(mirrored, before, after, open_parts)


@helper
def take_columns(matched: Number, rises: Number, falls: Number, up: Number, down: Number) -> Number:
    """Take 64 columns through one row (Hyyrö 2003).

    In the row before, bit j of `up` says that D rises by one from column j to j + 1, and bit j of `down` that it falls.
    Left of the columns, `rises` is 1 if D rises from the row before to this row, and `falls` is 1 if it falls. Returns
    `up` and `down` of this row, and the bits of the columns where D rises and where it falls from row to row.
    """
    matched |= falls
    diagonal = (((matched & up) + up) ^ up) | matched | down
    rising = down | ~(diagonal | up)
    falling = diagonal & up
    shifted = (rising << uint64(1)) | rises
    return (falling << uint64(1)) | falls | ~(diagonal | shifted), shifted & diagonal, rising, falling


@helper
def _block(
    ids: Ids,
    column: Number,
    width: Number,
    row: Number,
    first: Number,
    last: Number,
    bits: Bits,
    at: Number,
    keep: Number,
) -> None:
    """Take up to 128 columns, two words, through the rows `first` to `last`. The processor does both words at once.

    Invariant: bit j of `more[2 * (at + r - first) + h]` says that D rises from column 64 h + j to the next, after row
    r. The same bit of `less` says that it falls. Without `keep`, only the last row has these bits. On entry,
    `carries[r]` is about the column left of the block: 1 if D rises at row r, 2 if it falls, 0 otherwise. Afterwards it
    is about the block's last column. Between two calls, `positions` is all 0.
    """
    wide = width > 64
    types = uint64(len(bits.positions) >> 1)
    for j in range(width):
        bits.positions[uint64(ids[column + j]) + uint64(j >> 6) * types] |= uint64(1) << uint64(j & 63)
    top = uint64((width - 1) & 63)
    up, down = ~uint64(0), uint64(0)
    up2, down2 = ~uint64(0), uint64(0)
    # An unsigned index needs no test for negative values.
    place = uint64(2 * at)
    for step in range(last - first):
        r = uint64(first + step)
        token = uint64(ids[uint64(row) + r])
        carry = uint64(bits.carries[r])
        up, down, rising, falling = take_columns(bits.positions[token], carry & uint64(1), carry >> uint64(1), up, down)
        if wide:
            up2, down2, rising, falling = take_columns(
                bits.positions[token + types], rising >> uint64(63), falling >> uint64(63), up2, down2
            )
        bits.carries[r] = ((rising >> top) & uint64(1)) | (((falling >> top) & uint64(1)) << uint64(1))
        if keep:
            bits.more[place], bits.less[place] = up, down
            bits.more[place + uint64(1)], bits.less[place + uint64(1)] = up2, down2
            place += uint64(2)
    place = 2 * (at + last - 1 - first)
    bits.more[place], bits.less[place], bits.more[place + 1], bits.less[place + 1] = up, down, up2, down2
    for j in range(width):
        bits.positions[uint64(ids[column + j]) + uint64(j >> 6) * types] = 0


@helper
def _climb(carries: Bytes, first: Number, last: Number) -> Number:
    """D[last] - D[first] in the column that `carries` is about."""
    total = int64(0)
    for r in range(first, last):
        total += int64(carries[r] & 1) - int64(carries[r] >> 1)
    return total


@helper
def _band(columns: Number, rows: Number, limit: Number) -> Number:
    """The least and the greatest r - c on a path from corner to corner that costs at most `limit`."""
    excess = rows - columns
    return -((limit - excess) // 2), (limit + excess) // 2


@helper
def _through(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    rows: Number,
    lowest: Number,
    highest: Number,
    bits: Bits,
    keep: Number,
) -> Number:
    """Take all columns through the rows of a band (see `_band`), block by block. Returns D[rows, columns].

    With `keep`, the bits of row r in block b are `more[2 * (begins[b] + r)]` and the next word. Otherwise, all blocks
    share one place. Outside of the band, D is taken to rise by one at each step. So D is never too small, and it is
    right wherever a shortest path leads.
    """
    bits.carries[:rows] = 1
    value = at = int64(0)
    blocks = (columns + 127) >> 7
    for b in range(blocks):
        width = lesser(columns - 128 * b, 128)
        first, last = greater(128 * b + lowest, 0), lesser(128 * b + width + highest, rows)
        _block(ids, column + 128 * b, width, row, first, last, bits, at, keep)
        bits.begins[b] = at - first
        if keep:
            at += last - first
        following = rows if b == blocks - 1 else greater(128 * (b + 1) + lowest, 0)
        value += width + _climb(bits.carries, first, following)
    return value


@helper
def _kept(columns: Number, rows: Number, lowest: Number, highest: Number) -> Number:
    """The number of rows that a band needs, over all blocks."""
    total = int64(0)
    for begin in range(0, columns, 128):
        width = lesser(columns - begin, 128)
        total += lesser(begin + width + highest, rows) - greater(begin + lowest, 0)
    return total


@helper
def _last_row(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    rows: Number,
    lowest: Number,
    highest: Number,
    bits: Bits,
    values: Offsets,
) -> None:
    """Write D[rows, c] for all columns c inside of the band, and a large number for the others: (columns + 1,)."""
    bits.carries[:rows] = 1
    values[: columns + 1] = 1 << 40
    value = int64(0)  # D[first row of the block, left of the block]
    if highest >= rows:
        values[0] = rows
    for begin in range(0, columns, 128):
        width = lesser(columns - begin, 128)
        first, last = greater(begin + lowest, 0), lesser(begin + width + highest, rows)
        if first >= rows:
            break
        left = value + _climb(bits.carries, first, rows)
        _block(ids, column + begin, width, row, first, last, bits, 0, False)
        if last == rows:
            values[begin] = left
            for j in range(width):
                word, bit = 2 * (rows - 1 - first) + (j >> 6), uint64(j & 63)
                left += int64((bits.more[word] >> bit) & uint64(1)) - int64((bits.less[word] >> bit) & uint64(1))
                values[begin + j + 1] = left
        value += width + _climb(bits.carries, first, lesser(greater(begin + 128 + lowest, 0), rows))


@helper
def _trimmed(ids: Ids, column: Number, columns: Number, row: Number, rows: Number) -> Number:
    """The length of the common prefix, and of the common suffix of the rest."""
    prefix = suffix = int64(0)
    shorter = lesser(columns, rows)
    while prefix < shorter and ids[column + prefix] == ids[row + prefix]:
        prefix += 1
    shorter -= prefix
    while suffix < shorter and ids[column + columns - 1 - suffix] == ids[row + rows - 1 - suffix]:
        suffix += 1
    return prefix, suffix


@helper
def distance(ids: Ids, column: Number, columns: Number, row: Number, rows: Number, bits: Bits) -> Number:
    prefix, suffix = _trimmed(ids, column, columns, row, rows)
    column, columns = column + prefix, columns - prefix - suffix
    row, rows = row + prefix, rows - prefix - suffix
    if columns == 0 or rows == 0:
        return columns + rows
    # Either text can be the columns. The one that fills its words better costs less.
    if ((columns + 127) >> 7) * rows > ((rows + 127) >> 7) * columns:
        column, columns, row, rows = row, rows, column, columns
    longer = greater(columns, rows)
    limit = longer if longer <= _SHORT else greater(abs(rows - columns), 64)
    while True:
        lowest, highest = _band(columns, rows, limit)
        value = _through(ids, column, columns, row, rows, lowest, highest, bits, False)
        if value <= limit:
            return value
        limit = lesser(value, 4 * limit)  # the value is the cost of a path, so that the next band can be this wide


@helper
def _matched(
    ids: Ids, row: Number, rows: Number, columns: Number, width: Number, columns_of: Words, ups: Words, downs: Words
) -> Number:
    """The distance of a text to the one whose columns are known: bit j & 63 of `columns_of[width * t + (j >> 6)]` says
    that its token j is of type t. `ups` and `downs` have the bits of `take_columns` after each row."""
    top = uint64((columns - 1) & 63)
    value = columns
    if width == 1:
        up, down = ~uint64(0), uint64(0)
        for r in range(uint64(row), uint64(row + rows)):
            up, down, rising, falling = take_columns(columns_of[uint64(ids[r])], uint64(1), uint64(0), up, down)
            value += int64((rising >> top) & uint64(1)) - int64((falling >> top) & uint64(1))
        return value
    for w in range(width):
        ups[w], downs[w] = ~uint64(0), uint64(0)
    for r in range(uint64(row), uint64(row + rows)):
        place = uint64(ids[r]) * uint64(width)
        rises, falls = uint64(1), uint64(0)
        for w in range(uint64(width)):
            ups[w], downs[w], rising, falling = take_columns(columns_of[place + w], rises, falls, ups[w], downs[w])
            rises, falls = rising >> uint64(63), falling >> uint64(63)
        value += int64((rising >> top) & uint64(1)) - int64((falling >> top) & uint64(1))
    return value


@kernel
def _distances(texts: Pairs, bits: Bits, columns_of: Words, values: Offsets) -> None:
    """Pairs that follow each other and have the same hypothesis need its columns only once. Invariant: between two
    hypotheses, `columns_of` is all 0."""
    ids, hypotheses = texts.ids, texts.hypotheses
    p = 0
    while p < len(hypotheses):
        stop = p + 1
        while stop < len(hypotheses) and hypotheses[stop] == hypotheses[p]:
            stop += 1
        column, columns, _, _ = places(texts, p)
        kept = stop - p > 1 and 0 < columns <= _SHORT
        width = (columns + 63) >> 6
        if kept:
            for j in range(columns):
                columns_of[uint64(ids[column + j]) * uint64(width) + uint64(j >> 6)] |= uint64(1) << uint64(j & 63)
        for q in range(p, stop):
            _, _, row, rows = places(texts, q)
            if kept and rows <= _SHORT:
                values[q] = _matched(ids, row, rows, columns, width, columns_of, bits.more, bits.less)
            else:
                values[q] = distance(ids, column, columns, row, rows, bits)
        if kept:
            for j in range(columns):
                columns_of[uint64(ids[column + j]) * uint64(width) + uint64(j >> 6)] = 0
        p = stop


def _room(texts: Pairs, vocabulary: int) -> tuple[Bits, _Parts, int]:
    """The room for these texts, and how many units one of them has at most. Few units use the same room again."""
    if vocabulary > _FEW or len(texts.ids) > _FEW:
        longest = longest_row(texts.offsets)
        return Bits.of(longest, vocabulary), _Parts.of(longest), longest
    try:
        bits, parts = _KEPT.room
    except AttributeError:
        bits, parts = _KEPT.room = Bits.of(_FEW, _FEW), _Parts.of(_FEW)
    return bits, parts, len(texts.ids)


def distances(texts: Pairs, vocabulary: int) -> Offsets:
    """Levenshtein distance of pairs of texts: (pairs,).

    A pair of n and m units takes n * m / 64 steps, and fewer if the texts are alike. It takes memory for n + m. Pairs
    with the same hypothesis are quicker if they follow each other.
    """
    bits, _, longest = _room(texts, vocabulary)
    left = texts.hypotheses
    values = np.zeros(len(left), np.int64)
    repeated = len(left) > 1 and bool((left[1:] == left[:-1]).any())
    columns_of = np.zeros(vocabulary * -(-min(longest, _SHORT) // 64) if repeated else 0, np.uint64)
    _distances(*texts, *bits, columns_of, values)
    return values


@helper
def _walk_back(
    columns: Number, rows: Number, lowest: Number, bits: Bits, column: Number, row: Number, partners: Ids
) -> None:
    """Write the partner of each column, from the last corner on: first choice deletion, then insertion, then pair."""
    c, r = columns, rows
    while c > 0 and r > 0:
        b, half, bit = (c - 1) >> 7, ((c - 1) >> 6) & 1, uint64((c - 1) & 63)
        if (bits.more[2 * (bits.begins[b] + r - 1) + half] >> bit) & uint64(1):
            c -= 1
        else:
            r -= 1
            if r <= greater(128 * b + lowest, 0) or not (
                bits.less[2 * (bits.begins[b] + r - 1) + half] >> bit
            ) & uint64(1):
                c -= 1
                partners[column + c] = row + r


@helper
def _open(parts: Rows, part: Number, left: Number, right: Number, above: Number, below: Number, limit: Number) -> None:
    parts[part, 0], parts[part, 1], parts[part, 2], parts[part, 3] = left, right, above, below
    parts[part, 4] = limit


@helper
def _align(
    ids: Ids, column: Number, columns: Number, row: Number, rows: Number, parts: _Parts, bits: Bits, partners: Ids
) -> Number:
    """Write for each unit of the reference the index of its partner in the hypothesis, or -1.

    Among the shortest alignments it is the one that rapidfuzz chooses. Where rapidfuzz would need a large matrix, it
    cuts the hypothesis in halves, and the reference at the first place where the sum of the two distances is least
    (Hirschberg 1975). A band near the diagonal is tried first. Then the distance of each part is known, which makes its
    matrix smaller. `open_parts` has the columns, the rows and the distance of each part that is still to do. For the
    whole, the distance is -1.

    Returns 0, or the number of words that `more` and `less` need if they have fewer.
    """
    partners[:columns] = -1
    _open(parts.open_parts, 0, 0, columns, 0, rows, -1)
    count = 1
    while count:
        count -= 1
        left, right, above = parts.open_parts[count, 0], parts.open_parts[count, 1], parts.open_parts[count, 2]
        below, limit = parts.open_parts[count, 3], parts.open_parts[count, 4]
        prefix, suffix = _trimmed(ids, column + left, right - left, row + above, below - above)
        for k in range(prefix):
            partners[left + k] = above + k
        for k in range(1, suffix + 1):
            partners[right - k] = below - k
        left, right, above, below = left + prefix, right - suffix, above + prefix, below - suffix
        n, m = right - left, below - above
        if n == 0 or m == 0:
            continue
        widest = greater(n, m) if limit < 0 else lesser(limit, greater(n, m))
        if 2 * lesser(n, 2 * widest + 1) * m // 8 < _MATRIX_BYTES or n <= 64 or m < 10:
            lowest, highest = _band(n, m, widest)
            needed = 2 * _kept(n, m, lowest, highest)
            if needed > len(bits.more):
                return needed
            _through(ids, column + left, n, row + above, m, lowest, highest, bits, True)
            _walk_back(n, m, lowest, bits, left, above, partners)
            continue
        if limit < 0:
            limit = greater(abs(m - n), 64)
        half = m // 2
        while True:
            lowest, highest = _band(n, m, limit)
            _last_row(ids, column + left, n, row + above, half, lowest, highest, bits, parts.before)
            _last_row(
                parts.mirrored, columns - right, n, columns + rows - below, m - half, lowest, highest, bits, parts.after
            )
            middle: Number = int64(0)
            for c in range(n + 1):
                if parts.before[c] + parts.after[n - c] < parts.before[middle] + parts.after[n - middle]:
                    middle = c
            value = parts.before[middle] + parts.after[n - middle]
            if value <= limit:
                break
            limit = lesser(value, 4 * limit)
        _open(parts.open_parts, count, left + middle, right, above + half, below, parts.after[n - middle])
        _open(parts.open_parts, count + 1, left, left + middle, above, above + half, parts.before[middle])
        count += 2
    return 0


@kernel
def _alignments(texts: Pairs, bits: Bits, parts: _Parts, state: Offsets, counts: FloatRows, partners: Ids) -> int:
    """Align pairs for as long as `more` and `less` have room. Returns 0, or how many words the next pair needs.

    `state` has the next pair, and the index where its partners begin: in the end, their number.
    """
    first, begin = state[0], state[1]
    ids = texts.ids
    for p in range(first, len(texts.references)):
        row, rows, column, columns = places(texts, p)
        if columns * rows // 4 >= _MATRIX_BYTES:
            for i in range(columns):
                parts.mirrored[i] = ids[column + columns - 1 - i]
            for i in range(rows):
                parts.mirrored[columns + i] = ids[row + rows - 1 - i]
        own = partners[begin : begin + columns]
        needed = _align(ids, column, columns, row, rows, parts, bits, own)
        if needed:
            state[0], state[1] = p, begin
            return needed
        paired = hits = int64(0)
        for c in range(columns):
            if own[c] >= 0:
                paired += 1
                hits += int64(ids[column + c] == ids[row + own[c]])
        counts[p, 0], counts[p, 1], counts[p, 2], counts[p, 3] = hits, paired - hits, columns - paired, rows - paired
        counts[p, 4], counts[p, 5] = rows, columns
        begin += columns
    state[0], state[1] = len(texts.references), begin
    return 0


def alignments(texts: Pairs, vocabulary: int) -> tuple[Floats, Ids]:
    """The shortest alignment of each pair of texts that rapidfuzz and jiwer choose.

    Returns (counts, partners). The counts are hits, substitutions, deletions, insertions, and the lengths of hypothesis
    and reference, (pairs, 6). The partners have, for each unit of the references, pair after pair, the index of its
    partner in the hypothesis, or -1 if the unit is deleted.

    A pair of n and m units takes at most about n * m / 16 steps. It takes memory for n + m, and for a matrix of at most
    rapidfuzz's limit.
    """
    bits, parts, _ = _room(texts, vocabulary)
    pairs = len(texts.references)  # for one pair, all units are more than enough
    units = len(texts.ids) if pairs == 1 else int(row_lengths(texts.offsets)[texts.references].sum())
    counts, partners = np.empty((pairs, 6)), np.empty(units, np.int32)
    state = np.zeros(2, np.int64)
    while needed := _alignments(*texts, *bits, *parts, state, counts, partners):
        bits = bits._replace(more=np.empty(needed, np.uint64), less=np.empty(needed, np.uint64))
    return counts, partners[: state.item(1)]
