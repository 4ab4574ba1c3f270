"""Token F1 (Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text")."""

import re
from collections import Counter
from statistics import fmean
from string import punctuation

Tokens = list[str]


def normalized(text: str) -> Tokens:
    """The words of a text in lower case, without ASCII punctuation and English articles."""
    closed_up = "".join(character for character in text.lower() if character not in punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", closed_up).split()


def f1(hypothesis: Tokens, reference: Tokens, of_nothing: float = 0.0) -> float:
    """The harmonic mean of precision and recall; `of_nothing` if both texts are empty."""
    if not hypothesis and not reference:
        return of_nothing
    return 2 * (Counter(hypothesis) & Counter(reference)).total() / (len(hypothesis) + len(reference))


def token_f1(hypotheses: list[Tokens], references: list[list[Tokens]], of_nothing: float = 0.0) -> float:
    """The mean over the texts, each with its best reference.

    There is a list of references for each hypothesis.

    >>> token_f1([["cat", "sat"]], [[["cat", "sat", "down"], ["dog"]]])
    0.8
    """
    return fmean(
        max(f1(hypothesis, reference, of_nothing) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
