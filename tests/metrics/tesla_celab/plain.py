"""TESLA-CELAB (Liu and Ng 2012, https://aclanthology.org/P12-1097), with a general solver of linear programs.

A text is a list of units, such as characters.
"""

from statistics import fmean

import numpy as np
from scipy.optimize import linprog

Text = list[str]
Span = tuple[int, int]
Synonyms = list[set[str]]


def spans(text: Text, max_order: int) -> list[Span]:
    """All n-grams: where they begin and end."""
    return [(i, j) for i in range(len(text)) for j in range(i + 1, min(i + max_order, len(text)) + 1)]


def same(one: str, other: str, synonyms: Synonyms) -> bool:
    return one == other or any({one, other} <= own for own in synonyms)


def match(one: Text, other: Text, synonyms: Synonyms, short: bool) -> bool:
    """Whether two n-grams can be cut into units that match one by one; with `short`, the first of one is one token."""

    def rest(i: int, j: int) -> bool:
        if i == len(one) or j == len(other):
            return i == len(one) and j == len(other)
        return any(
            same("".join(one[i:k]), "".join(other[j:l]), synonyms) and rest(k, l)
            for k in range(i + 1, len(one) + 1)
            for l in range(j + 1, len(other) + 1)  # noqa: E741
            if not (short and i == j == 0 and k > 1 and l > 1)
        )

    return rest(0, 0)


def of_pair(
    hypothesis: Text, reference: Text, synonyms: Synonyms, max_order: int, precision_weight: float, short: bool
) -> float:
    """The greatest coverage, divided by all n-grams.

    The variables are the weights of the matches, then how much each n-gram of both texts is covered.
    """
    own, its = spans(hypothesis, max_order), spans(reference, max_order)
    matches = [
        (x, y)
        for x, (a, b) in enumerate(own)
        for y, (c, d) in enumerate(its)
        if match(hypothesis[a:b], reference[c:d], synonyms, short)
    ]
    if not matches:
        return 0.0
    count = len(matches) + len(own) + len(its)
    gains, first, rows, most = np.zeros(count), len(matches), list[np.ndarray](), list[float]()
    for side, (ngrams, weight) in enumerate(((own, precision_weight), (its, 1.0))):
        for child, (start, stop) in enumerate(ngrams):
            sends, covered = np.zeros(count), np.zeros(count)
            gains[first + child], covered[first + child] = weight, 1.0
            for at, pair in enumerate(matches):
                a, b = ngrams[pair[side]]
                sends[at] = pair[side] == child
                covered[at] = -float(a <= start and stop <= b)
            rows += [sends, covered]
            most += [1.0, 0.0]
        first += len(ngrams)
    found = linprog(-gains, np.array(rows), most, bounds=(0, 1), method="highs-ds")
    return -float(found.fun) / (precision_weight * len(own) + len(its))


def tesla_celab(
    hypotheses: list[Text],
    references: list[list[Text]],
    synonyms: Synonyms = [],  # noqa: B006
    max_order: int = 4,
    precision_weight: float = 0.25,
    short: bool = False,
) -> float:
    """The mean over the segments of the mean over their references.

    >>> tesla_celab([["买", "伞"]], [[["买", "雨", "伞"]]], [{"雨伞", "伞"}])
    1.0
    """
    return fmean(
        fmean(of_pair(hypothesis, one, synonyms, max_order, precision_weight, short) for one in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
