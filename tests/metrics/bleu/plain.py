"""BLEU (Papineni, Roukos, Ward and Zhu 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation").

https://aclanthology.org/P02-1040, section 2. A text is a list of tokens.
"""

from collections import Counter
from math import exp, log

Tokens = list[str]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, each with its count."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped_count(hypothesis: Tokens, references: list[Tokens], n: int) -> int:
    """How many n-grams of the hypothesis match; each one at most as often as it is in one of the references."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return (ngrams(hypothesis, n) & most).total()


def closest_length(hypothesis: Tokens, references: list[Tokens]) -> int:
    """The length of the reference that is closest to the hypothesis in length; the shorter of two."""
    return min(map(len, references), key=lambda length: (abs(length - len(hypothesis)), length))


def brevity_penalty(length: int, reference_length: int) -> float:
    """Less than 1 for texts shorter than their references."""
    if length >= reference_length:
        return 1.0
    return exp(1 - reference_length / length) if length else 0.0


def bleu(hypotheses: list[Tokens], references: list[list[Tokens]], weights: list[float]) -> float:
    """The geometric mean of the n-gram precisions of a corpus, times the brevity penalty.

    There is a list of references for each hypothesis, and a weight for each order n, from 1 on.

    >>> hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> round(bleu([hypothesis.split()], [[reference.split()]], weights=[0.25] * 4), 4)
    0.4118
    """
    length = sum(map(len, hypotheses))
    reference_length = sum(map(closest_length, hypotheses, references))
    log_mean = 0.0
    for n, weight in enumerate(weights, 1):
        matches = sum(clipped_count(*pair, n) for pair in zip(hypotheses, references, strict=True))
        total = sum(ngrams(hypothesis, n).total() for hypothesis in hypotheses)
        if weight and not matches:
            return 0.0
        log_mean += weight * log(matches / total) if weight else 0.0
    return brevity_penalty(length, reference_length) * exp(log_mean)
