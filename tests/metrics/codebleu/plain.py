"""The weighted n-gram match of CodeBLEU (Ren et al. 2020, section 3.1), and the sum of its parts."""

from collections import Counter
from math import exp, log, prod

Tokens = list[str]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def weighted_ngram_match(
    hypotheses: list[Tokens], references: list[list[Tokens]], keywords: set[str], recall: bool, length_of_two: bool
) -> float:
    """BLEU whose unigrams have weights: 1 for keywords, 0.2 for other words.

    >>> round(weighted_ngram_match([["return", "x"]], [[["return", "x"]]], {"return"}, True, False), 4)
    0.3162
    """
    matched, counted, own, other = [0.0] * 4, [0.0] * 4, 0, 0
    for hypothesis, others in zip(hypotheses, references, strict=True):
        own += len(hypothesis)
        lengths = sorted(map(len, others), key=lambda length: (abs(length - len(hypothesis)), length))
        other += 2 if length_of_two else lengths[0]
        for n in range(4):

            def weight(counts: Counter[tuple[str, ...]], order: int = n) -> float:
                return sum(k * (1 if order or gram[0] in keywords else 0.2) for gram, k in counts.items())

            ours, theirs = ngrams(hypothesis, n + 1), [ngrams(each, n + 1) for each in others]
            if recall:
                matched[n] += sum(weight(ours & each) for each in theirs)
                counted[n] += sum(max(1, weight(each)) for each in theirs)
            else:
                most: Counter[tuple[str, ...]] = Counter()
                for each in theirs:
                    most |= each
                matched[n] += weight(ours & most)
                counted[n] += max(1, weight(ours))
    if not matched[0]:
        return 0.0
    shares = [(match or 0.1) / count for match, count in zip(matched, counted, strict=True)]
    return exp(min(0.0, 1 - other / own)) * exp(log(prod(shares)) / 4)


def codebleu(parts: list[float], weights: list[float], no_flow: float) -> float:
    """The weighted sum of four parts; a data-flow match of 0 counts as `no_flow`."""
    return sum(weight * part for weight, part in zip(weights, [*parts[:3], parts[3] or no_flow], strict=True))
