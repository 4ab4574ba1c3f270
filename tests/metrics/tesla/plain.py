"""TESLA-M (Liu et al. 2010, https://aclanthology.org/W10-1754), with a general solver of linear programs.

A text is a list of words. A word is a str, or a tuple of a lemma and a part of speech.
"""

from collections.abc import Callable
from math import prod
from statistics import fmean
from typing import Any

import numpy as np
from scipy.optimize import linprog

Words = list[Any]
Similarity = Callable[[Any, Any], float]
Weight = Callable[[Any], float]


def equal(one: Any, other: Any) -> float:
    """1 for the same word."""
    return float(one == other)


def basic(synonyms: Callable[[str, str], bool]) -> Similarity:
    """1 for the same lemma; otherwise half for synonyms and half for the same part of speech."""
    return lambda one, other: (
        1.0 if one[0] == other[0] else (synonyms(one[0], other[0]) + (one[1] == other[1] != "")) / 2
    )


def ngrams(words: Words, order: int) -> list[Words]:
    return [words[i : i + order] for i in range(len(words) - order + 1)]


def of_ngrams(one: Words, other: Words, similar: Similarity) -> float:
    """The mean of the similarities of their words; 0 if one of these is 0."""
    each = [similar(a, b) for a, b in zip(one, other, strict=True)]
    return fmean(each) if all(each) else 0.0


def matched(own: list[float], its: list[float], similarities: list[list[float]]) -> float:
    """The greatest sum of amounts times similarities, if no n-gram gives or gets more than it weighs."""
    rows = np.kron(np.eye(len(own)), np.ones(len(its)))
    columns = np.kron(np.ones(len(own)), np.eye(len(its)))
    found = linprog(-np.ravel(similarities), np.vstack([rows, columns]), [*own, *its], method="highs-ds")
    return -float(found.fun)


def of_order(
    hypothesis: Words, reference: Words, order: int, similar: Similarity, weight: Weight, alpha: float
) -> float | None:
    """The F-measure of the n-grams of an order; None if a text has none."""
    own, its = ngrams(hypothesis, order), ngrams(reference, order)
    if not own or not its:
        return None
    weights = [[prod(map(weight, ngram)) for ngram in side] for side in (own, its)]
    similarities = [[of_ngrams(one, other, similar) for other in its] for one in own]
    found = matched(*weights, similarities)
    if not found:
        return 0.0  # also if they weigh nothing
    precision, recall = (found / sum(side) for side in weights)
    return precision * recall / (alpha * precision + (1 - alpha) * recall)


def of_pair(
    hypothesis: Words, reference: Words, similars: list[Similarity], weight: Weight, max_order: int, alpha: float
) -> float:
    """The mean over similarities and over the orders that both texts have."""
    scores = [
        of_order(hypothesis, reference, order, similar, weight, alpha)
        for similar in similars
        for order in range(1, max_order + 1)
    ]
    return fmean([score for score in scores if score is not None] or [0.0])


def tesla(
    hypotheses: list[Words],
    references: list[list[Words]],
    similars: tuple[Similarity, ...] = (equal,),
    weight: Weight = lambda word: 1.0,
    max_order: int = 3,
    alpha: float = 0.8,
) -> float:
    """The mean over the segments of the mean over their references.

    >>> round(tesla([["a", "b"]], [[["a", "b", "c"], ["b", "a"]]]), 6)
    0.56746
    """
    return fmean(
        fmean(of_pair(hypothesis, reference, [*similars], weight, max_order, alpha) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
