"""The measures of lexical diversity: of counts alone, of the counts of a text's types, and of its tokens in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Ids, Offsets
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.families.kernels.c_math import powers
from metrologue.scorers.lexical_diversity.kernels import (
    factor_counts,
    moving_factors,
    sampled_types,
    segment_ratios,
    window_types,
)
from metrologue.threads import each_of

# The value of a measure from the number of tokens N, the number of types V, the sum of the squares of the types'
# counts, (...) each, and a logarithm. Not finite where it is not defined.
OfCounts = Callable[[Floats, Floats, Floats, Callable[[Floats], Floats]], Floats]


def hdd(counts: Floats, lengths: Floats, draws: Floats) -> Floats:
    """What a type adds to HD-D: its chance to be in a random sample of the text, divided by the sample's size.

    Parameters
    ----------
    counts : float64 (n,)
        How often the type occurs in its text.
    lengths, draws : float64 (n,)
        The tokens of the text, and of the sample. A sample is no longer than the text.

    Returns
    -------
    float64 (n,)

    References
    ----------
    McCarthy & Jarvis 2007, https://doi.org/10.1177/0265532207080767.

    Examples
    --------
    A sample of 2 from "a a b c" has an "a" in 5 of 6 cases.

    >>> hdd(np.array([2.0]), np.array([4.0]), np.array([2.0])) * 2
    array([0.83333333])
    """
    missing = np.ones_like(counts)
    for drawn in range(int(draws.max(initial=0))):
        left = lengths - drawn
        share = np.maximum(left - counts, 0.0) / np.maximum(left, 1.0)
        missing *= np.where(drawn < draws, share, 1.0)
    return (1.0 - missing) / draws


def mtld(length: Floats, forward: Floats, backward: Floats, unbroken: Floats) -> Floats:
    """MTLD: the mean number of tokens of a factor, as a mean of both reading directions (McCarthy & Jarvis 2010).

    Parameters
    ----------
    length, forward, backward : float64 (...)
        The tokens of the text, and its factors in each direction.
    unbroken : float64 (...)
        The value of a direction without a factor: of a text in which no type comes twice.

    Returns
    -------
    float64 (...)

    References
    ----------
    McCarthy & Jarvis 2010, https://doi.org/10.3758/BRM.42.2.381.

    Examples
    --------
    >>> float(mtld(np.array(20.0), np.array(2.0), np.array(1.6), np.array(20.0)))
    11.25
    """
    return (ratio(length, forward, unbroken) + ratio(length, backward, unbroken)) / 2


def vocd_d(sizes: NDArray[np.int64], ratios: Floats) -> Floats:
    """vocd-D: the D whose curve (D / n) (sqrt(1 + 2n / D) - 1) is nearest to the ratios, by least squares.

    Parameters
    ----------
    sizes : int64 (n,)
        The tokens of a sample.
    ratios : float64 (..., n)
        The mean type-token ratio of samples of each size.

    Returns
    -------
    float64 (...)
        Infinite if all ratios are 1.

    References
    ----------
    Malvern & Richards 1997; McKee, Malvern & Richards 2000, https://doi.org/10.1093/llc/15.3.323.

    Examples
    --------
    >>> sizes = np.arange(35, 51)
    >>> round(float(vocd_d(sizes, 80 / sizes * (np.sqrt(1 + 2 * sizes / 80) - 1))), 9)
    80.0
    """
    # With u = 1 / D the curve is 2 / (1 + sqrt(1 + 2nu)). Where it meets one of the ratios, u is 2 (1 - r) / (n r^2).
    # The nearest curve is between the outermost of these: outside, it gets nearer to all ratios if u moves inwards.
    each = 2 * (1 - ratios) / (sizes * ratios**2)
    low, high = each.min(axis=-1), each.max(axis=-1)
    for _ in range(60):
        middle = (low + high) / 2
        root = np.sqrt(1 + 2 * sizes * middle[..., None])
        curve, slope = 2 / (1 + root), -2 * sizes / (root * (1 + root) ** 2)
        rises = ((curve - ratios) * slope).sum(axis=-1) > 0
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    with np.errstate(divide="ignore"):
        return np.asarray(2 / (low + high))


# N is the number of tokens, V of types, and S the sum of the squared counts of the types. The other measures need the
# text itself, or the count of each type.
OF_COUNTS: dict[str, OfCounts] = {
    "ttr": lambda N, V, S, log: V / N,
    "root_ttr": lambda N, V, S, log: V / np.sqrt(N),  # Guiraud 1954
    "corrected_ttr": lambda N, V, S, log: V / np.sqrt(2 * N),  # Carroll 1964
    "herdan_c": lambda N, V, S, log: log(V) / log(N),
    "summer_s": lambda N, V, S, log: log(log(V)) / log(log(N)),
    "dugast_u": lambda N, V, S, log: powers(log(N), 2.0) / (log(N) - log(V)),
    "maas_a2": lambda N, V, S, log: (log(N) - log(V)) / powers(log(N), 2.0),
    "yule_k": lambda N, V, S, log: 1e4 * (S / N**2 - 1 / N),
    "yule_i": lambda N, V, S, log: V**2 / (S - V),
    "herdan_vm": lambda N, V, S, log: np.sqrt(np.maximum(S * V - N**2, 0.0) / (N**2 * V)),
    "simpson_d": lambda N, V, S, log: (S - N) / (N * (N - 1)),
}

# The direction is that of a richer vocabulary. The logarithms of short texts can be below 0.
NUMBERS = (
    number(
        "ttr", 0, "scale", better="higher", title="type-token ratio", heading="ttr",
        about="V / N: distinct tokens, divided by all tokens",
    ),
    number("root_ttr", 0, math.inf, better="higher", title="root TTR", about="V / sqrt(N) (Guiraud)"),
    number("corrected_ttr", 0, math.inf, better="higher", title="corrected TTR", about="V / sqrt(2 N) (Carroll)"),
    number("herdan_c", 0, 1, better="higher", title="Herdan's C", about="ln V / ln N"),
    number("summer_s", -math.inf, "_most_summer", better="higher", title="Summer's S", about="log log V / log log N"),
    number("dugast_u", 0, math.inf, better="higher", title="Dugast's U", about="(ln N)^2 / (ln N - ln V)"),
    number("maas_a2", 0, math.inf, better="lower", title="Maas' a^2", about="(ln N - ln V) / (ln N)^2"),
    number(
        "yule_k", 0, 1e4, better="lower", title="Yule's K",
        about="10^4 (S / N^2 - 1 / N), where S is the sum of the squared counts of the types",
    ),
    number("yule_i", 0, math.inf, better="higher", title="Yule's I", about="V^2 / (S - V), with the S of Yule's K"),
    number(
        "herdan_vm", 0, 1, better="lower", title="Herdan's Vm",
        about="sqrt((S V - N^2) / (N^2 V)), with the S of Yule's K",
    ),
    number(
        "simpson_d", 0, 1, better="lower", title="Simpson's D",
        about="(S - N) / (N (N - 1)): the chance that two tokens are of one type",
    ),
    number(
        "msttr", 0, "scale", better="higher", title="MSTTR",
        about="mean type-token ratio of segments of `window` tokens",
    ),
    number(
        "mattr", 0, "scale", better="higher", title="MATTR", heading="mattr",
        about="mean type-token ratio of all windows of `window` tokens",
    ),
    number(
        "hdd", 0, "scale", better="higher", title="HD-D", heading="hdd",
        about="expected type-token ratio of a random sample of `draws` tokens",
    ),
    number(
        "vocd_d", 0, math.inf, better="higher", title="vocd-D",
        about="parameter D of the curve that fits the type-token ratios of samples of 35 to `vocd_longest` tokens",
    ),
    number(
        "mtld", 0, math.inf, better="higher", title="MTLD", heading="mtld",
        about="mean length of a stretch until its type-token ratio falls to `mtld_threshold`",
    ),
    number(
        "mtld_ma_wrap", 0, math.inf, better="higher", title="MTLD-MA-Wrap",
        about="mean length of such a stretch from each token on, in a text that starts again at its end",
    ),
    number(
        "mtld_ma_bid", 0, math.inf, better="higher", title="MTLD-MA-Bid",
        about="mean length of such a stretch from each token on, in both directions",
    ),
    number(
        "entropy", 0, math.inf, better="higher", unit="nats", about="entropy of the n-grams of `entropy_order`",
    ),
)  # fmt: skip
MEASURES = tuple(one.name for one in NUMBERS)


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
    is_defined = lengths > 0 if cut else lengths >= draws
    return np.where(is_defined, _expected_ratios(lengths, counts, [draws])[:, 0], np.nan)


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
    values = np.full(len(lengths), np.nan)
    long = (lengths > longest) & (np.diff(counts[1]) < lengths)  # a text of distinct types has an infinite D
    if samples is None:
        if long.any():
            values[long] = vocd_d(sizes, _expected_ratios(lengths, counts, sizes.tolist())[long])
        return values
    assert order is not None
    ids, offsets = order
    for text in np.flatnonzero(long):
        tokens = ids[offsets[text] : offsets[text + 1]]
        types = sampled_types(tokens, SHORTEST, longest, samples, runs, seed)
        values[text] = vocd_d(sizes, types / (samples * sizes)).mean()
    return values


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

    by_direction = each_of(factors, (1,) if wrap else (1, -1), threads)
    with np.errstate(invalid="ignore"):
        means: Floats = np.mean([each[:, 0] / each[:, 1] for each in by_direction], axis=0)
    return means
