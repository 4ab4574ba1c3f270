"""Tails of the distributions that tests need: normal, Student's t, Kendall's and Wilcoxon's under the null hypothesis.

They are here so that the package needs no scipy. The tests compare them with scipy's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache


def normal_tail(z: float) -> float:
    """The probability that a standard normal number is at least z.

    Examples
    --------
    >>> round(normal_tail(1.959963984540054), 12)
    0.025
    """
    return 0.5 * math.erfc(z / math.sqrt(2))


def chi_squared_tail(value: float) -> float:
    """The probability that the square of a standard normal number is at least `value`.

    Examples
    --------
    >>> round(chi_squared_tail(1.0), 12)
    0.317310507863
    """
    return math.erfc(math.sqrt(value / 2))


def student_tail(t: float, freedom: float) -> float:
    """The probability that a number with Student's distribution is at least t.

    Examples
    --------
    >>> round(student_tail(2.0, 10), 12)
    0.036694017385
    """
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    # The share of the square; where it is infinite or nearly so, the degrees of freedom add nothing to it.
    x, rest = (freedom / (freedom + square), square / (freedom + square)) if abs(t) < 1e150 else (freedom / t / t, 1.0)
    tail = _beta_share(freedom / 2, x, rest) / 2
    return tail if t >= 0 else 1 - tail


def _beta_share(a: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function at x, which is 1 minus `rest`, for a and 1 / 2."""
    b = 0.5
    if x == 0 or rest == 0:
        return 0.0 if x == 0 else 1.0
    front = math.exp(a * math.log(x) if x < 0.5 else a * math.log1p(-rest)) * math.sqrt(rest / math.pi)
    front *= _gamma_ratio(a)
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _gamma_ratio(a: float) -> float:
    """Gamma(a + 1/2) / Gamma(a)."""
    if a < 100:
        return math.gamma(a + 0.5) / math.gamma(a)
    u = 1 / (8 * a)
    # Its asymptotic series in 1 / (8 a); the next term is below 1e-15.
    return math.sqrt(a) * (1 + u * (-1 + u * (0.5 + u * (2.5 + u * (-2.625 - u * 49.875)))))


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            value *= c * d
        if abs(c * d - 1) < 3e-16:
            break
    return value


@lru_cache(maxsize=64)
def _inversions(n: int, most: int) -> tuple[int, ...]:
    """How many orders of n things have 0, 1, ..., `most` inversions."""
    counts = [1] + [0] * most
    for size in range(2, n + 1):
        total, after = 0, []
        for k in range(most + 1):
            total += counts[k] - (counts[k - size] if k >= size else 0)
            after.append(total)
        counts = after
    return tuple(counts)


def kendall_tail(discordant: int, n: int) -> float:
    """The two-sided p-value of this many discordant pairs of n points without ties (Kendall 1970).

    Examples
    --------
    >>> kendall_tail(0, 3)
    0.3333333333333333
    """
    pairs = n * (n - 1) // 2
    fewer = min(discordant, pairs - discordant)
    if 2 * fewer == pairs:
        return 1.0
    return min(1.0, 2 * sum(_inversions(n, fewer)) / math.factorial(n))


def signed_rank_tail(ranks: Sequence[float], above: float) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test: each rank is positive or negative with equal probability.

    Parameters
    ----------
    ranks : sequence of float
        The ranks of the differences by size. They are halves, so that tied ranks can be means.
    above : float
        The sum of the ranks of positive differences.

    Examples
    --------
    >>> signed_rank_tail([1, 2, 3, 4, 5], 10)
    0.625
    """
    doubled = [round(2 * rank) for rank in ranks]
    total, reached = sum(doubled), round(2 * above)
    smaller = min(reached, total - reached)
    ways = [1] + [0] * smaller
    for rank in doubled:
        for k in range(smaller, rank - 1, -1):
            ways[k] += ways[k - rank]
    return min(1.0, 2 * sum(ways) / (1 << len(doubled)))
