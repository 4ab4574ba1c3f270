"""Measures of lexical diversity: type-token ratios, MSTTR, MATTR, HD-D, vocd-D, MTLD. A text is a list of tokens.

McCarthy and Jarvis 2007, https://doi.org/10.1177/0265532207080767, and 2010, https://doi.org/10.3758/BRM.42.2.381;
Tweedie and Baayen 1998, https://doi.org/10.1023/A:1001749303137, for the measures of counts; McKee, Malvern and
Richards 2000, https://doi.org/10.1093/llc/15.3.323, for vocd-D. A measure that is not
defined raises a ZeroDivisionError or a ValueError.
"""

from collections import Counter
from math import comb, log, sqrt

Tokens = list[str]


def ttr(tokens: Tokens) -> float:
    """Types by tokens."""
    return len(set(tokens)) / len(tokens)


def of_counts(tokens: Tokens) -> dict[str, float]:
    """The measures of the number of tokens, the number of types and the types' counts, as far as they are defined."""
    counts = Counter(tokens).values()
    n, v, squares = len(tokens), len(counts), sum(count * count for count in counts)
    formulas = {
        "ttr": lambda: v / n,
        "root_ttr": lambda: v / sqrt(n),
        "corrected_ttr": lambda: v / sqrt(2 * n),
        "herdan_c": lambda: log(v) / log(n),
        "summer_s": lambda: log(log(v)) / log(log(n)),
        "dugast_u": lambda: log(n) ** 2 / (log(n) - log(v)),
        "maas_a2": lambda: (log(n) - log(v)) / log(n) ** 2,
        "yule_k": lambda: 10_000 * (squares - n) / n**2,
        "yule_i": lambda: v**2 / (squares - v),
        "herdan_vm": lambda: sqrt((squares * v - n * n) / (n * n * v)),
        "simpson_d": lambda: sum(count * (count - 1) for count in counts) / (n * (n - 1)),
    }
    defined = {}
    for name, formula in formulas.items():
        try:
            defined[name] = formula()
        except (ValueError, ZeroDivisionError):
            continue
    return defined


def msttr(tokens: Tokens, window: int) -> float:
    """The mean type-token ratio of the whole segments, one after another; of the text if it is shorter."""
    parts = [tokens[start : start + window] for start in range(0, len(tokens), window)]
    whole = [ttr(part) for part in parts if len(part) == window] or [ttr(tokens)]
    return sum(whole) / len(whole)


def mattr(tokens: Tokens, window: int) -> float:
    """The mean type-token ratio of all windows; of the text if it is shorter."""
    ratios = [ttr(tokens[start : start + window]) for start in range(len(tokens) - window + 1)] or [ttr(tokens)]
    return sum(ratios) / len(ratios)


def hdd(tokens: Tokens, draws: int) -> float:
    """The expected type-token ratio of a random sample; a sample of a shorter text is the text."""
    n, size = len(tokens), min(draws, len(tokens))
    chances = [1 - comb(n - count, size) / comb(n, size) for count in Counter(tokens).values()]
    return sum(chances) / size


def vocd_d(tokens: Tokens, longest: int = 50) -> float:
    """The D whose curve is nearest, by least squares, to the expected ratios of samples of 35 tokens and more."""
    sizes = range(35, longest + 1)
    ratios = [hdd(tokens, size) for size in sizes]

    def slope(d: float) -> float:
        """Half of the derivative of the sum of squares."""
        roots = [sqrt(1 + 2 * n / d) for n in sizes]
        terms = zip(sizes, roots, ratios, strict=True)
        return sum((d / n * (root - 1) - ratio) * ((root - 1) / n - 1 / (d * root)) for n, root, ratio in terms)

    low, high = 1e-3, 1e6
    for _ in range(100):
        middle = sqrt(low * high)
        low, high = (low, middle) if slope(middle) > 0 else (middle, high)
    return low


def factors(tokens: Tokens, threshold: float, below: bool, least: int, whole_end: bool) -> float:
    """The stretches of text, one after another, until the ratio is low; the last one counts as far as it fell."""
    found, start = 0.0, 0
    for stop in range(1, len(tokens) + 1):
        ratio = ttr(tokens[start:stop])
        low = ratio < threshold if below else ratio <= threshold
        if low and stop - start >= least and (whole_end or stop < len(tokens)):
            found, start = found + 1, stop
    return found + (1 - ttr(tokens[start:])) / (1 - threshold) if start < len(tokens) else found


def mtld(tokens: Tokens, threshold: float = 0.72, below: bool = False, least: int = 0, whole_end: bool = True) -> float:
    """The mean length of a factor, read forwards and backwards; without a factor, the length of the text.

    >>> mtld(["a", "b", "a", "c", "c"])
    2.5
    """
    each = [factors(one, threshold, below, least, whole_end) for one in (tokens, tokens[::-1])]
    return sum(len(tokens) / count if count else len(tokens) for count in each) / 2


def moving_mtld(tokens: Tokens, wrap: bool, threshold: float = 0.72, below: bool = False, least: int = 0) -> float:
    """The mean length of the factors that begin at each token. With `wrap` the text begins anew at its end, once.

    >>> moving_mtld(["a", "b", "a", "c", "c"], wrap=True)
    3.6
    """

    def mean_length(text: Tokens, starts: int) -> float:
        lengths = []
        for start in range(starts):
            for stop in range(start + max(least, 1), len(text) + 1):
                ratio = ttr(text[start:stop])
                if ratio < threshold or (ratio == threshold and not below):
                    lengths.append(stop - start)
                    break
        return sum(lengths) / len(lengths)

    if wrap:
        return mean_length(tokens * 2, len(tokens))
    return (mean_length(tokens, len(tokens)) + mean_length(tokens[::-1], len(tokens))) / 2


def entropy(texts: list[Tokens], order: int) -> float:
    """The entropy of the n-grams of all texts, in nats. No n-gram crosses from one text into the next."""
    counts = Counter(
        tuple(tokens[start : start + order]) for tokens in texts for start in range(len(tokens) - order + 1)
    )
    total = counts.total()
    return log(total) - sum(count * log(count) for count in counts.values()) / total


def lexical_diversity(texts: list[Tokens], window: int = 50, draws: int = 42, order: int = 1) -> dict[str, float]:
    """All measures of the texts, one after another; 0 where one is not defined.

    >>> lexical_diversity([["a", "b"], ["a"]])["ttr"]
    0.6666666666666666
    """
    tokens = [token for text in texts for token in text]
    names = ("dugast_u", "herdan_c", "herdan_vm", "maas_a2", "simpson_d", "summer_s", "yule_i", "yule_k")
    numbers = dict.fromkeys(names, 0.0)
    if not tokens:
        others = ("ttr", "root_ttr", "corrected_ttr", "msttr", "mattr", "hdd", "vocd_d", "mtld", "entropy")
        return {**numbers, **dict.fromkeys(others, 0.0)}
    longest = max(map(len, texts))
    return {
        **numbers,
        **of_counts(tokens),
        "msttr": msttr(tokens, window),
        "mattr": mattr(tokens, window),
        "hdd": hdd(tokens, draws),
        "vocd_d": vocd_d(tokens) if len(tokens) > 50 and len(set(tokens)) < len(tokens) else 0.0,
        "mtld": mtld(tokens),
        "entropy": entropy(texts, order) if longest >= order else 0.0,
    }
