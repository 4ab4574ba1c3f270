"""Token F1 (Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text")."""

import re
from collections import Counter
from itertools import permutations
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


def drop_words(span: str) -> Tokens:
    """The words of a span in DROP: numbers as floats, without punctuation and articles; hyphens separate."""
    words: Tokens = []
    for part in re.split("[ -]", span.lower()):
        kept = part if is_number(part) else "".join(character for character in part if character not in punctuation)
        words += re.sub(r"\b(a|an|the)\b", " ", str(float(kept)) if is_number(kept) else kept).split()
    return words


def is_number(text: str) -> bool:
    """Whether Python reads it as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def drop(hypothesis: str | list[str], reference: str | list[str]) -> tuple[float, float]:
    """DROP's F1 of two answers, each a span or a list of spans, and whether they are the same.

    Both are 0 if the first span of the reference is blank.

    >>> drop("7 yards", "7.0"), drop(["Ann", "Bob"], "Bob")
    ((0.67, 0.0), (0.5, 0.0))
    """
    sides = [[each] if isinstance(each, str) else each for each in (hypothesis, reference)]
    if not sides[1][0].strip():
        return 0.0, 0.0
    ours, right = ([*map(drop_words, side)] for side in sides)

    def score(one: Tokens, other: Tokens) -> float:
        numbers = {*filter(is_number, other)}
        if numbers and not numbers & {*one}:
            return 0.0
        shared = len({*one} & {*other})
        precision = shared / len({*one}) if one else 1.0
        recall = shared / len({*other}) if other else 1.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    shorter, longer = sorted((ours, right), key=len)
    best = max(
        sum(
            score(one, other) if shorter is ours else score(other, one)
            for one, other in zip(shorter, chosen, strict=True)
        )
        for chosen in permutations(longer, len(shorter))
    )
    same = len(ours) == len(right) and {*map(tuple, ours)} == {*map(tuple, right)}
    return round(best / len(longer), 2), float(same)
