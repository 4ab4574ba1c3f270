"""GLEU (Wu et al. 2016, "Google's Neural Machine Translation System", https://arxiv.org/abs/1609.08144, section 4.3).

A text is a list of tokens.
"""

from collections import Counter

Tokens = list[str]


def ngrams(tokens: Tokens, orders: range) -> Counter[tuple[str, ...]]:
    """The n-grams of a text of all orders together, each with its count."""
    return Counter(tuple(tokens[i : i + n]) for n in orders for i in range(len(tokens) - n + 1))


def counts(hypothesis: Tokens, reference: Tokens, orders: range) -> tuple[int, int]:
    """Matching n-grams, and the n-grams of that text which has more of them."""
    ours, theirs = ngrams(hypothesis, orders), ngrams(reference, orders)
    return (ours & theirs).total(), max(ours.total(), theirs.total())


def google_bleu(hypotheses: list[Tokens], references: list[list[Tokens]], orders: range = range(1, 5)) -> float:
    """Matching n-grams by n-grams, which is the lesser of precision and recall, with the best reference of each text.

    There is a list of references for each hypothesis.

    >>> google_bleu([["the", "cat", "sat"]], [[["the", "cat"]]])
    0.5
    """
    matches = total = 0
    for hypothesis, own in zip(hypotheses, references, strict=True):
        pairs = [counts(hypothesis, reference, orders) for reference in own]
        best = max((pair for pair in pairs if pair[1]), key=lambda pair: pair[0] / pair[1], default=(0, 0))
        matches, total = matches + best[0], total + best[1]
    return matches / total if total else 0.0
