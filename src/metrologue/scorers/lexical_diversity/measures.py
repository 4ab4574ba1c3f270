"""The measures of lexical diversity that follow from counts alone, each a function of arrays of any shape."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.kernels.c_math import powers
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.ratio import ratio

__all__ = ["MEASURES", "NUMBERS", "hdd", "mtld", "vocd_d"]


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


# For each measure N is the number of tokens, V of types, and S the sum of the squared counts of the types. None: the
# text itself is needed, or the count of each type.
MEASURES: dict[str, OfCounts | None] = {
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
    "msttr": None,
    "mattr": None,
    "hdd": None,
    "vocd_d": None,
    "mtld": None,
    "mtld_ma_wrap": None,
    "mtld_ma_bid": None,
    "entropy": None,
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
    number("summer_s", -math.inf, 1, better="higher", title="Summer's S", about="log log V / log log N"),
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
        about="mean length of such a stretch from each token on, in a text that begins anew at its end",
    ),
    number(
        "mtld_ma_bid", 0, math.inf, better="higher", title="MTLD-MA-Bid",
        about="mean length of such a stretch from each token on, in both directions",
    ),
    number(
        "entropy", 0, math.inf, better="higher", unit="nats", about="entropy of the n-grams of `entropy_order`",
    ),
)  # fmt: skip
