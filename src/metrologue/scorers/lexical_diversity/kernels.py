"""How many types a running text has: in all of it, in windows of it, and until it begins to repeat itself."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows, Words, longest_row
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["factor_counts", "moving_factors", "sampled_types", "segment_ratios", "type_counts", "window_types"]

_NEVER = 1 << 60  # a sum that no text has


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
def _window_types(ids: Ids, offsets: Offsets, widths: Offsets, shares: bool, counts: Offsets, sums: Floats) -> None:
    """Invariant: `counts` are those of the window that ends at token i, and `types` is how many are not 0."""
    for text in range(len(widths)):
        start, stop, width = offsets[text], offsets[text + 1], widths[text]
        types, total = 0, 0.0
        for i in range(start, stop):
            counts[ids[i]] += 1
            types += counts[ids[i]] == 1
            if i >= start + width:
                counts[ids[i - width]] -= 1
                types -= counts[ids[i - width]] == 0
            if i >= start + width - 1:
                total += types / width if shares else types
        for i in range(start, stop):
            counts[ids[i]] = 0
        sums[text] = total


def window_types(ids: Ids, offsets: Offsets, widths: Offsets, shares: bool = False) -> Floats:
    """The number of types in each window of `widths[t]` tokens, summed over all windows of text t: (n_texts,).

    With `shares`, each number is divided by the width before it is added.
    """
    sums = np.zeros(len(widths))
    _window_types(ids, offsets, widths, shares, _of_types(ids), sums)
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
                rests[text, 2] += types / width
            else:
                rests[text, 1] = types / (end - start)
            start = end


def segment_ratios(ids: Ids, offsets: Offsets, widths: Offsets) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Each text in segments of `widths[t]` tokens, one after another.

    Returns
    -------
    int64 (n_texts, 2)
        The types of all whole segments, added up, and the number of these segments.
    float64 (n_texts, 3)
        The type-token ratio of the last whole segment, that of the shorter rest, and the sum of those of all whole
        segments. 0 if there is none.
    """
    ratios, rests = np.zeros((len(widths), 2), np.int64), np.zeros((len(widths), 3))
    _segment_ratios(ids, offsets, widths, _of_types(ids), ratios, rests)
    return ratios, rests


class _Rule(NamedTuple):
    """When a factor ends: see ``factor_counts``."""

    threshold: float
    below: bool
    least: int
    whole_end: bool


@helper
def _factors(
    ids: Ids, first: Number, stop: Number, step: Number, rule: _Rule, seen: Offsets, factor: Number, count: Floats
) -> Number:
    """Write to `count[0]` the number of factors from `first` to before `stop`, with the partial one at the end.

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
        low = ratio < rule.threshold if rule.below else ratio <= rule.threshold
        if low and length >= rule.least and (rule.whole_end or i != stop):
            factor += 1
            types = length = 0
    count[0] = factor - begun
    if types < length:
        count[0] += (1.0 - types / length) / (1.0 - rule.threshold) if rule.threshold < 1.0 else 1.0
    return factor + 1


@kernel
def _factor_counts(ids: Ids, offsets: Offsets, step: int, rule: _Rule, seen: Offsets, factors: Floats) -> None:
    factor = 1
    for text in range(len(factors)):
        start, stop = offsets[text], offsets[text + 1]
        if step < 0:
            start, stop = stop - 1, start - 1
        own = factors[text : text + 1]
        factor = _factors(ids, start, stop, step, rule, seen, factor, own)


def factor_counts(
    ids: Ids, offsets: Offsets, step: int, threshold: float, below: bool, least: int, whole_end: bool
) -> Floats:
    """The factors of each text, (n_texts,), which is read forwards with a `step` of 1 and backwards with -1.

    A factor is a stretch of text whose type-token ratio falls to `threshold`, or with `below` falls below it. It has at
    least `least` tokens. The rest at the end is a part of a factor: how far its ratio fell, as a share of 1 minus the
    threshold. With a threshold of 1 it is a whole factor if its ratio fell at all. Without `whole_end`, the last token
    always belongs to such a rest.
    """
    factors = np.zeros(len(offsets) - 1)
    _factor_counts(ids, offsets, step, threshold, below, least, whole_end, _of_types(ids), factors)
    return factors


@helper
def _join(sums: Offsets, lows: Offsets, node: Number) -> None:
    """Set a node from its two children. `lows` has the least sum of a node's first leaves, one of them or more."""
    sums[node] = sums[2 * node] + sums[2 * node + 1]
    lows[node] = lesser(lows[2 * node], sums[2 * node] + lows[2 * node + 1])


@helper
def _sum_before(sums: Offsets, node: Number) -> Number:
    """The sum of all leaves to the left of a leaf."""
    total = 0
    while node > 1:
        if node & 1:
            total += sums[node - 1]
        node >>= 1
    return total


@helper
def _first_low(sums: Offsets, lows: Offsets, node: Number, total: Number) -> Number:
    """The first leaf, from this one on, at which `total` and the leaves up to it are 0 or less, or 0."""
    while total + lows[node] > 0:
        total += sums[node]
        while node & 1:
            node >>= 1
        if node == 0:
            return node
        node += 1
    while 2 * node < len(sums):
        node *= 2
        if total + lows[node] > 0:
            total += sums[node]
            node += 1
    return node


@kernel
def _moving_factors(
    ids: Ids,
    offsets: Offsets,
    step: int,
    wrap: bool,
    part: int,
    whole: int,
    below: bool,
    least: int,
    last: Offsets,
    following: Offsets,
    sums: Offsets,
    lows: Offsets,
    factors: Rows,
) -> None:
    """Invariant: leaf i is `whole` - `part` if no token since `start` has the type of token i, otherwise -`part`.

    So the leaves from `start` to a token add up to 0 where the ratio of the types is `part` / `whole`, and to less
    where it is lower. The sums and the least sums of the nodes tell where that is first.
    """
    for text in range(len(factors)):
        count = offsets[text + 1] - offsets[text]
        first = offsets[text] if step > 0 else offsets[text + 1] - 1
        total = 2 * count if wrap else count
        leaves = 1
        while leaves < total:
            leaves *= 2
        tree, lowest = sums[: 2 * leaves], lows[: 2 * leaves]
        for i in range(count):
            last[ids[offsets[text] + i]] = -1
        for i in range(total):
            token = ids[first + step * (i % count)]
            before = last[token]
            if before >= 0:
                following[before] = i
            last[token], following[i] = i, -1
            tree[leaves + i] = lowest[leaves + i] = -part if before >= 0 else whole - part
        tree[leaves + total :], lowest[leaves + total :] = 0, _NEVER
        for node in range(leaves - 1, 0, -1):
            _join(tree, lowest, node)
        passed = int64(below)  # with `below`, a sum of 0 is not low enough
        for start in range(count):
            place = start + greater(least, 1) - 1
            if place < total:
                node = _first_low(tree, lowest, leaves + place, _sum_before(tree, leaves + place) + passed)
                if node:
                    factors[text, 0] += node - leaves - start + 1
                    factors[text, 1] += 1
            passed -= tree[leaves + start]
            if following[start] >= 0:
                node = leaves + following[start]
                tree[node] = lowest[node] = whole - part
                while node > 1:
                    node >>= 1
                    _join(tree, lowest, node)


def moving_factors(
    ids: Ids, offsets: Offsets, step: int, wrap: bool, threshold: float, below: bool, least: int
) -> NDArray[np.int64]:
    """The factors that begin at each token of a text: their length, added up, and their number, (n_texts, 2).

    A factor is that of ``factor_counts``. One that does not end is left out. With a `step` of -1, the text is read
    backwards. With `wrap` it begins anew at its end, once. A text of n tokens takes n log n steps.
    """
    factors = np.zeros((len(offsets) - 1, 2), np.int64)
    longest = (2 if wrap else 1) * longest_row(offsets)
    following = np.zeros(longest, np.int64)
    sums, lows = np.empty((2, 2 << max(longest - 1, 0).bit_length()), np.int64)
    part, whole = _ratio(threshold)
    _moving_factors(ids, offsets, step, wrap, part, whole, below, least, _of_types(ids), following, sums, lows, factors)
    return factors


def _ratio(number: float) -> tuple[int, int]:
    """The fraction with a small denominator that is this number, such as 18 / 25 for 0.72: sums of it are exact.

    A quotient of two numbers of tokens is rounded to the same side of it, or to the number itself, as the exact one.
    """
    for digits in range(10):
        found = Fraction(number).limit_denominator(10**digits)
        if float(found) == number:
            break
    return found.numerator, found.denominator


def _of_types(ids: Ids) -> NDArray[np.int64]:
    """A 0 for each type."""
    return np.zeros(int(ids.max(initial=-1)) + 1, np.int64)


@helper
def _below(limit: Number, words: Words, read: Offsets) -> Number:
    """A random number below `limit`, from as many bits as `limit` has; -1 if the words are at an end."""
    bits = 0
    while limit >> bits:
        bits += 1
    while read[0] < len(words):
        drawn = int64(words[read[0]] >> uint64(32 - bits))
        read[0] += 1
        if drawn < limit:
            return drawn
    return -1


@kernel
def _sampled_types(
    ids: Ids,
    words: Words,
    shortest: int,
    samples: int,
    read: Offsets,
    pool: Offsets,
    drawn: Offsets,
    seen: Offsets,
    types: Rows,
) -> bool:
    """Invariant: a token of this sample has the number of the sample in `drawn`, and its type has it in `seen`.

    Where a sample is large for its text, a drawn token leaves the pool. Otherwise a token that comes again is drawn
    anew. `types[run, j]` is the sum over the samples of `shortest + j` tokens. Returns whether the words were enough.
    """
    number = 0
    for run in range(len(types)):
        for column in range(types.shape[1]):
            size = shortest + column
            most = 1
            while most < 3 * size:
                most *= 4
            has_pool = len(ids) <= most + 21
            for _ in range(samples):
                number += 1
                for i in range(len(ids) if has_pool else 0):
                    pool[i] = i
                for i in range(size):
                    token = _below(len(ids) - i if has_pool else len(ids), words, read)
                    while not has_pool and token >= 0 and drawn[token] == number:
                        token = _below(len(ids), words, read)
                    if token < 0:
                        return False
                    if has_pool:
                        place, token = token, pool[token]
                        pool[place] = pool[len(ids) - i - 1]
                    drawn[token] = number
                    types[run, column] += seen[ids[token]] != number
                    seen[ids[token]] = number
    return True


def sampled_types(ids: Ids, shortest: int, longest: int, samples: int, runs: int, seed: int) -> NDArray[np.int64]:
    """The number of types in `samples` random samples of each size, added up: (runs, longest - shortest + 1).

    A sample is drawn without replacement, with the generator and the rules of ``random.sample`` after
    ``random.seed(seed)``. `shortest` is 6 or more, and `longest` is at most the number of tokens.

    Parameters
    ----------
    ids : int32 (n_tokens,)
        The tokens of one text.
    shortest, longest : int
    samples, runs, seed : int
    """
    shape = runs, longest - shortest + 1
    # A limit just above a power of two needs two words for a draw, on average.
    count = 3 * runs * samples * sum(range(shortest, longest + 1)) + 1000
    while True:
        # This seed in a list is what Python's generator makes of the number.
        words = np.random.RandomState([seed]).randint(0, 1 << 32, count, dtype=np.uint32).astype(np.uint64)
        types, read = np.zeros(shape, np.int64), np.zeros(1, np.int64)
        pool, drawn = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
        seen = np.zeros(int(ids.max(initial=-1)) + 1, np.int64)
        if _sampled_types(ids, words, shortest, samples, read, pool, drawn, seen, types):
            return types
        count *= 2
