"""hLEPOR and LEPOR (Han et al. 2012, https://aclanthology.org/C12-2044; Han et al. 2013, MT Summit).

A text is a list of tokens. nLEPOR is `combination` "product" with several orders of n-grams.
"""

from collections import Counter
from math import exp, prod
from statistics import fmean

Tokens = list[str]


def neighbours(text: Tokens, i: int, context: int) -> set[str]:
    """The words near word i, without itself."""
    return {*text[max(0, i - context) : i], *text[i + 1 : i + 1 + context]}


def alignment(hypothesis: Tokens, reference: Tokens, context: int = 2) -> dict[int, int]:
    """The place in the reference of each word that has one.

    From left to right, each word takes a free equal word: one with a common neighbour, if there is one, the nearest of
    several, and the first of several that are equally near.
    """
    found: dict[int, int] = {}
    for i, word in enumerate(hypothesis):
        free = [k for k, other in enumerate(reference) if other == word and k not in found.values()]
        near = [k for k in free if neighbours(hypothesis, i, context) & neighbours(reference, k, context)]
        if free:
            found[i] = min(near or free, key=lambda k: abs(i - k))
    return found


def ngrams(text: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(text[start:] for start in range(n)), strict=False))


def mean_of_precision_and_recall(
    hypothesis: Tokens, reference: Tokens, n: int, alpha: float = 9.0, beta: float = 1.0
) -> float:
    """The harmonic mean for n-grams. The recall has the weight `alpha`."""
    ours, theirs = ngrams(hypothesis, n), ngrams(reference, n)
    matches = (ours & theirs).total()
    if not matches:
        return 0.0
    return (alpha + beta) / (alpha / (matches / theirs.total()) + beta / (matches / ours.total()))


def factors(hypothesis: Tokens, reference: Tokens, max_order: int = 1) -> list[float]:
    """The length penalty, the position penalty, and the mean of precision and recall: over all orders, geometric."""
    own, its = len(hypothesis), len(reference)
    if not own or not its:
        return [0.0, 0.0, 0.0]
    pairs = alignment(hypothesis, reference).items()
    difference = sum(abs((i + 1) / own - (k + 1) / its) for i, k in pairs) / own
    means = [mean_of_precision_and_recall(hypothesis, reference, n) for n in range(1, max_order + 1)]
    return [exp(1 - max(own, its) / min(own, its)), exp(-difference), prod(means) ** (1 / max_order)]


def combined(three: list[float], combination: str = "harmonic", weights: tuple[float, ...] = (2.0, 1.0, 7.0)) -> float:
    """The factors as one number: their weighted harmonic mean, or their product. 0 if one of them is 0."""
    if combination == "product" or not all(three):
        return prod(three)
    return sum(weights) / sum(weight / factor for weight, factor in zip(weights, three, strict=True))


def hlepor(
    hypotheses: list[Tokens], references: list[list[Tokens]], combination: str = "harmonic", max_order: int = 1
) -> float:
    """The mean over the texts, each with its best reference.

    There is a list of references for each hypothesis.

    >>> round(hlepor([["b", "a", "c"]], [[["a", "b", "c"]]]), 6)
    0.975719
    """
    return fmean(
        max(combined(factors(hypothesis, reference, max_order), combination) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
