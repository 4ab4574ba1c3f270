"""The measures of texts that need more than two numbers: the counts of their types, or their tokens in order.

`ids` and `offsets` are the tokens of all texts and the start of each text, (n_texts + 1,). `counts` are how often each
type of each text occurs, with their own offsets. Each function gives float64 (n_texts,), NaN where it is not defined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrologue.data.arrays import Floats, Ids, Offsets
from metrologue.scorers.lexical_diversity.kernels import (
    factor_counts,
    moving_factors,
    sampled_types,
    segment_ratios,
    window_types,
)
from metrologue.scorers.lexical_diversity.measures import hdd, mtld, vocd_d
from metrologue.threads import each_of

__all__ = [
    "Counts",
    "entropy_column",
    "hdd_column",
    "mattr_column",
    "moving_mtld_column",
    "msttr_column",
    "mtld_column",
    "sums",
    "vocd_column",
]

Counts = tuple[Offsets, Offsets]

# The shortest sample of vocd-D.
SHORTEST = 35


def sums(values: Floats, offsets: Offsets) -> Floats:
    """The sum of the values of each text."""
    n_texts = len(offsets) - 1
    return np.bincount(np.repeat(np.arange(n_texts), np.diff(offsets)), values, n_texts).astype(np.float64)


def entropy_column(counts: Counts) -> Floats:
    """The entropy of each text's n-grams, in nats."""
    each = counts[0].astype(np.float64)
    total = sums(each, counts[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(total) - sums(each * np.log(each), counts[1]) / total
    return np.where(total > 0, np.maximum(entropy, 0.0), np.nan)


def _expected_ratios(lengths: Offsets, counts: Counts, sizes: Sequence[int]) -> Floats:
    """The expected type-token ratio of a random sample of each size, (n_texts, n_sizes); one of the text if shorter."""
    each, offsets = counts
    texts = np.repeat(np.arange(len(lengths)), np.diff(offsets))
    # Types of one count in texts of one length have the same chance.
    span = int(each.max(initial=0)) + 1
    packed, which = np.unique(lengths[texts] * span + each, return_inverse=True)
    length, count = (packed // span).astype(np.float64), (packed % span).astype(np.float64)
    ratios = [sums(hdd(count, length, np.minimum(length, size))[which], offsets) for size in sizes]
    return np.column_stack(ratios)


def hdd_column(lengths: Offsets, counts: Counts, draws: int, cut: bool) -> Floats:
    """HD-D. With `cut`, the sample of a shorter text is the text."""
    known = lengths > 0 if cut else lengths >= draws
    return np.where(known, _expected_ratios(lengths, counts, [draws])[:, 0], np.nan)


def vocd_column(
    lengths: Offsets,
    counts: Counts,
    order: tuple[Ids, Offsets] | None,
    longest: int,
    samples: int | None,
    runs: int,
    seed: int,
) -> Floats:
    """vocd-D, from the expected ratios of samples; with a number of `samples` from the ratios of random ones."""
    sizes = np.arange(SHORTEST, longest + 1)
    found = np.full(len(lengths), np.nan)
    long = (lengths > longest) & (np.diff(counts[1]) < lengths)  # a text of distinct types has an infinite D
    if samples is None:
        if long.any():
            found[long] = vocd_d(sizes, _expected_ratios(lengths, counts, sizes.tolist())[long])
        return found
    assert order is not None
    ids, offsets = order
    for text in np.flatnonzero(long):
        tokens = ids[offsets[text] : offsets[text + 1]]
        types = sampled_types(tokens, SHORTEST, longest, samples, runs, seed)
        found[text] = vocd_d(sizes, types / (samples * sizes)).mean()
    return found


def _widths(lengths: Offsets, window: int) -> Offsets:
    return np.clip(lengths, 1, window)


def msttr_column(ids: Ids, offsets: Offsets, window: int, rest: str, cut: bool, shares: bool) -> Floats:
    """MSTTR. `rest` says what happens to the tokens after the last whole segment. With `cut`, a short text is one.

    With `shares`, ratios are added instead of types.
    """
    lengths = np.diff(offsets)
    widths = _widths(lengths, window)
    whole, ratios = segment_ratios(ids, offsets, widths)
    types, segments = (whole / [1, 1]).T
    total = ratios[:, 2] if shares else types / widths
    if rest == "keep":
        total, segments = total + ratios[:, 1], segments + (ratios[:, 1] > 0)
    if rest == "drop-last":
        last = (ratios[:, 1] == 0) & (segments > 1)
        total, segments = total - np.where(last, ratios[:, 0], 0.0), segments - last
    return np.where(lengths > (0 if cut else window), total / np.maximum(segments, 1), np.nan)


def mattr_column(ids: Ids, offsets: Offsets, window: int, cut: bool, shares: bool) -> Floats:
    """MATTR. With `cut`, a short text is one window. With `shares`, ratios are added instead of types."""
    lengths = np.diff(offsets)
    widths = _widths(lengths, window)
    sums, windows = window_types(ids, offsets, widths, shares), np.maximum(lengths - widths + 1, 1)
    ratios = sums / (windows if shares else widths * windows)
    return np.where(lengths >= (1 if cut else window), ratios, np.nan)


def mtld_column(
    ids: Ids, offsets: Offsets, threshold: float, below: bool, least: int, whole_end: bool, unbroken: str, threads: int
) -> Floats:
    """MTLD. `unbroken` says what a text without a factor has: its "length", or nothing."""
    lengths = np.diff(offsets).astype(np.float64)

    def factors(step: int) -> Floats:
        return factor_counts(ids, offsets, step, threshold, below, least, whole_end)

    forward, backward = each_of(factors, (1, -1), threads)
    otherwise = lengths if unbroken == "length" else np.full(len(lengths), np.nan)
    return np.where(lengths > 0, mtld(lengths, forward, backward, otherwise), np.nan)


def moving_mtld_column(
    ids: Ids, offsets: Offsets, threshold: float, below: bool, least: int, wrap: bool, threads: int
) -> Floats:
    """MTLD with a factor from each token on: in a ring with `wrap`, otherwise in both directions."""

    def factors(step: int) -> Offsets:
        return moving_factors(ids, offsets, step, wrap, threshold, below, least)

    found = each_of(factors, (1,) if wrap else (1, -1), threads)
    with np.errstate(invalid="ignore"):
        means: Floats = np.mean([each[:, 0] / each[:, 1] for each in found], axis=0)
    return means
