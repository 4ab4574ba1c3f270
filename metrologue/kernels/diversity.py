"""How many types a running text has: in all of it, in windows of it, and until it begins to repeat itself."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["factor_counts", "moving_factors", "segment_ratios", "type_counts", "window_types"]


@kernel
def _type_counts(ids: Ids, offsets: Offsets, counts: Offsets, found: Offsets, ends: Offsets) -> None:
    """Invariant: between two texts all `counts` are 0. The first token of a type in its text writes the count."""
    known = 0
    for text in range(len(offsets) - 1):
        for i in range(offsets[text], offsets[text + 1]):
            counts[ids[i]] += 1
        for i in range(offsets[text], offsets[text + 1]):
            if counts[ids[i]] > 0:
                found[known] = counts[ids[i]]
                counts[ids[i]] = 0
                known += 1
        ends[text] = known


def type_counts(ids: Ids, offsets: Offsets) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each type of a text occurs in it, and the offsets of these counts, (n_texts + 1,)."""
    found, ends = np.empty(len(ids), np.int64), np.zeros(len(offsets), np.int64)
    _type_counts(ids, offsets, _of_types(ids), found, ends[1:])
    return found[: ends[-1]], ends


@kernel
def _window_types(ids: Ids, offsets: Offsets, widths: Offsets, counts: Offsets, sums: Offsets) -> None:
    """Invariant: `counts` are those of the window that ends at token i, and `types` is how many are not 0."""
    for text in range(len(widths)):
        start, stop, width = offsets[text], offsets[text + 1], widths[text]
        types = total = 0
        for i in range(start, stop):
            counts[ids[i]] += 1
            types += counts[ids[i]] == 1
            if i >= start + width:
                counts[ids[i - width]] -= 1
                types -= counts[ids[i - width]] == 0
            if i >= start + width - 1:
                total += types
        for i in range(start, stop):
            counts[ids[i]] = 0
        sums[text] = total


def window_types(ids: Ids, offsets: Offsets, widths: Offsets) -> NDArray[np.int64]:
    """The number of types in each window of `widths[t]` tokens, summed over all windows of text t: (n_texts,)."""
    sums = np.zeros(len(widths), np.int64)
    _window_types(ids, offsets, widths, _of_types(ids), sums)
    return sums


@kernel
def _segment_ratios(ids: Ids, offsets: Offsets, widths: Offsets, seen: Offsets, ratios: Rows, rests: FloatRows) -> None:
    """Invariant: `seen` holds the number of the segment that a type was seen in last. No number comes twice."""
    segment = 0
    for text in range(len(widths)):
        start, stop, width = offsets[text], offsets[text + 1], widths[text]
        while start < stop:
            segment += 1
            end = start + width if start + width < stop else stop
            types = 0
            for i in range(start, end):
                types += seen[ids[i]] != segment
                seen[ids[i]] = segment
            if end - start == width:
                ratios[text, 0] += types
                ratios[text, 1] += 1
                rests[text, 0] = types / width
            else:
                rests[text, 1] = types / (end - start)
            start = end


def segment_ratios(ids: Ids, offsets: Offsets, widths: Offsets) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Each text in segments of `widths[t]` tokens, one after another.

    Returns
    -------
    int64 (n_texts, 2)
        The types of all whole segments, added up, and the number of these segments.
    float64 (n_texts, 2)
        The type-token ratio of the last whole segment, and that of the shorter rest. 0 if there is none.
    """
    ratios, rests = np.zeros((len(widths), 2), np.int64), np.zeros((len(widths), 2))
    _segment_ratios(ids, offsets, widths, _of_types(ids), ratios, rests)
    return ratios, rests


@helper
def _factors(
    ids: Ids, first: Number, stop: Number, step: Number, threshold: Number, below: Number, least: Number,
    whole_end: Number, seen: Offsets, factor: Number, partials: Floats,
) -> Number:  # fmt: skip
    """The number of whole factors from `first` to before `stop`; `partials[0]` is the partial one at the end.

    Invariant: the running factor began `length` tokens ago and has `types` types, whose `seen` is `factor`. Returns the
    number of the last factor, so that the next text begins with another one.
    """
    types = length = 0
    begun = factor
    i = first
    while i != stop:
        types += seen[ids[i]] != factor
        seen[ids[i]] = factor
        length += 1
        i += step
        ratio = types / length
        low = ratio < threshold if below else ratio <= threshold
        if low and length >= least and (whole_end or i != stop):
            factor += 1
            types = length = 0
    partials[0] = factor - begun
    if types < length:
        partials[0] += (1.0 - types / length) / (1.0 - threshold) if threshold < 1.0 else 1.0
    return factor + 1


@kernel
def _factor_counts(
    ids: Ids, offsets: Offsets, threshold: float, below: bool, least: int, whole_end: bool, seen: Offsets,
    sums: Floats, factors: FloatRows,
) -> None:  # fmt: skip
    factor = 1
    for text in range(len(factors)):
        start, stop = offsets[text], offsets[text + 1]
        factor = _factors(ids, start, stop, 1, threshold, below, least, whole_end, seen, factor, sums)
        factors[text, 0] = sums[0]
        factor = _factors(ids, stop - 1, start - 1, -1, threshold, below, least, whole_end, seen, factor, sums)
        factors[text, 1] = sums[0]


def factor_counts(
    ids: Ids, offsets: Offsets, threshold: float, below: bool, least: int, whole_end: bool
) -> NDArray[np.float64]:
    """The factors of each text, read forwards and backwards: (n_texts, 2).

    A factor is a stretch of text whose type-token ratio falls to `threshold`, or with `below` falls below it. It has at
    least `least` tokens. The rest at the end is a part of a factor: how far its ratio fell, as a share of 1 minus the
    threshold. With a threshold of 1 it is a whole factor if its ratio fell at all. Without `whole_end`, the last token
    always belongs to such a rest.
    """
    factors = np.zeros((len(offsets) - 1, 2))
    _factor_counts(ids, offsets, threshold, below, least, whole_end, _of_types(ids), np.zeros(1), factors)
    return factors


@kernel
def _moving_factors(
    ids: Ids, offsets: Offsets, step: int, wrap: bool, threshold: float, below: bool, least: int, last: Offsets,
    previous: Offsets, factors: Rows,
) -> None:  # fmt: skip
    """Invariant: `length` tokens from `start` on have `types` types, those whose type did not come since `start`.

    Each further token lowers the ratio by its length only, so that no shorter stretch than types / threshold has a
    ratio as low as the threshold, and these lengths are skipped.
    """
    for text in range(len(factors)):
        count = offsets[text + 1] - offsets[text]
        first = offsets[text] if step > 0 else offsets[text + 1] - 1
        total = 2 * count if wrap else count
        for i in range(count):
            last[ids[offsets[text] + i]] = -1
        for i in range(total):
            token = ids[first + step * (i % count)]
            previous[i] = last[token]
            last[token] = i
        for start in range(count if threshold > 0.0 else 0):
            types = length = 0
            while True:
                target = greater(length + 1, greater(least, int64(types / threshold)))
                if start + target > total:
                    break
                for i in range(start + length, start + target):
                    types += previous[i] < start
                length = target
                ratio = types / length
                if ratio < threshold if below else ratio <= threshold:
                    factors[text, 0] += length
                    factors[text, 1] += 1
                    break


def moving_factors(
    ids: Ids, offsets: Offsets, step: int, wrap: bool, threshold: float, below: bool, least: int
) -> NDArray[np.int64]:
    """The factors that begin at each token of a text: their length, added up, and their number, (n_texts, 2).

    A factor is that of ``factor_counts``. One that does not end is left out. With a `step` of -1, the text is read
    backwards. With `wrap` it begins anew at its end, once.
    """
    factors = np.zeros((len(offsets) - 1, 2), np.int64)
    previous = np.zeros((2 if wrap else 1) * int(np.diff(offsets).max(initial=0)), np.int64)
    _moving_factors(ids, offsets, step, wrap, threshold, below, least, _of_types(ids), previous, factors)
    return factors


def _of_types(ids: Ids) -> NDArray[np.int64]:
    """A 0 for each type."""
    return np.zeros(int(ids.max(initial=-1)) + 1, np.int64)
