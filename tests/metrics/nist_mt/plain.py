"""NIST (Doddington 2002, "Automatic evaluation of machine translation quality using n-gram co-occurrence statistics").

A text is a list of tokens. Several references join as mteval-v13a has it: an n-gram counts as often as in the reference
that has the most of it, and the references' lengths are averaged.
"""

from collections import Counter
from math import exp, log, log2

Tokens = list[str]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, each with its count."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def information(references: list[list[Tokens]], max_order: int) -> dict[tuple[str, ...], float]:
    """The bits of each n-gram: how much rarer it is than its first n - 1 words, or a word than all words."""
    texts = [text for own in references for text in own]
    counts = Counter(gram for text in texts for n in range(1, max_order + 1) for gram in ngrams(text, n).elements())
    counts[()] = sum(map(len, texts))
    return {gram: log2(counts[gram[:-1]] / count) for gram, count in counts.items() if gram}


def length_penalty(ratio: float) -> float:
    """1 from the references' length on, and 1/2 at two thirds of it."""
    return 1.0 if ratio >= 1 else exp(log(0.5) * (log(ratio) / log(1.5)) ** 2) if ratio > 0 else 0.0


def nist(hypotheses: list[Tokens], references: list[list[Tokens]], max_order: int = 5) -> float:
    """The bits of the n-grams that match by the number of n-grams, summed over the orders, with the penalty.

    There is a list of references for each hypothesis.

    >>> nist([["a", "b"]], [[["a", "c"]]], max_order=1)
    0.5
    """
    bits = information(references, max_order)
    score = 0.0
    for n in range(1, max_order + 1):
        found = total = 0.0
        for hypothesis, own in zip(hypotheses, references, strict=True):
            ours, most = ngrams(hypothesis, n), Counter[tuple[str, ...]]()
            for reference in own:
                most |= ngrams(reference, n)
            found += sum(bits[gram] * count for gram, count in (ours & most).items())
            total += ours.total()
        score += found / max(total, 1)
    length = sum(map(len, hypotheses))
    reference_length = sum(sum(map(len, own)) / len(own) for own in references)
    return score * length_penalty(length / reference_length)
