"""RIBES (Isozaki et al. 2010, "Automatic Evaluation of Translation Quality for Distant Language Pairs").

A text is a list of tokens. The contexts are those of RIBES.py, unless the arguments say otherwise.
"""

from collections.abc import Iterator
from itertools import combinations
from math import exp
from statistics import fmean

Tokens = list[str]


def places(ngram: Tokens, text: Tokens) -> list[int]:
    """Where an n-gram begins in a text."""
    return [start for start in range(len(text)) if text[start : start + len(ngram)] == ngram]


def contexts(i: int, text: Tokens, left_first: bool, whole_left: bool) -> Iterator[tuple[int, int]]:
    """The n-grams that end or begin with word i, shorter ones first, as their first word and the word after them."""
    for more in range(len(text)):
        left = [(i - more, i + 1)] if more < i or (more == i and (whole_left or 2 * i <= len(text))) else []
        right = [(i, i + more + 1)] if i + more < len(text) else []
        yield from left + right if left_first else right + left


def ranks(hypothesis: Tokens, reference: Tokens, left_first: bool = True, whole_left: bool = True) -> list[int]:
    """The places of the words in the reference, each identified by the shortest n-gram that is unique in both texts."""
    found = []
    for i in range(len(hypothesis)):
        for start, stop in contexts(i, hypothesis, left_first, whole_left):
            where = places(hypothesis[start:stop], reference)
            if len(where) == 1 == len(places(hypothesis[start:stop], hypothesis)):
                found.append(where[0] + i - start)
                break
    return found


def kendall(ranks: list[int]) -> float:
    """The share of pairs that ascend: Kendall's tau, from 0 to 1."""
    pairs = [*combinations(ranks, 2)]
    return sum(first < second for first, second in pairs) / len(pairs) if pairs else 0.0


def ribes_of_two(hypothesis: Tokens, reference: Tokens, alpha: float = 0.25, beta: float = 0.1) -> float:
    """RIBES with one reference. A reference without words is an error."""
    if not hypothesis:
        return 0.0
    found = ranks(hypothesis, reference)
    correlation = 1.0 if len(found) == len(reference) == 1 else kendall(found)
    precision = len(found) / len(hypothesis)
    penalty = min(1.0, exp(1 - len(reference) / len(hypothesis)))
    return correlation * precision**alpha * penalty**beta


def ribes(hypotheses: list[Tokens], references: list[list[Tokens]]) -> float:
    """The mean over the texts, each with its best reference.

    There is a list of references for each hypothesis.

    >>> ribes([["b", "a", "c"]], [[["a", "b", "c"]]])
    0.6666666666666666
    """
    pairs = zip(hypotheses, references, strict=True)
    return fmean(max(ribes_of_two(hypothesis, reference) for reference in own) for hypothesis, own in pairs)
