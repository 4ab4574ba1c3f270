"""Distinct-n (Li et al. 2016, "A Diversity-Promoting Objective Function for Neural Conversation Models").

https://aclanthology.org/N16-1014; the entropy is that of Zhang et al. 2018, https://arxiv.org/abs/1809.05972, and the
expectation that of Liu et al. 2022, https://aclanthology.org/2022.acl-short.86. A text is a list of tokens.
"""

from collections import Counter
from math import log

Tokens = list[str]


def ngrams(tokens: Tokens, n: int) -> list[tuple[str, ...]]:
    """The n-grams of a text."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def expected_distinct(draws: int, vocabulary: int) -> float:
    """How many different n-grams are expected of so many draws out of a vocabulary."""
    return vocabulary * (1 - ((vocabulary - 1) / vocabulary) ** draws)


def distinct_n(texts: list[Tokens], n: int, denominator: str = "ngrams", vocabulary: int | None = None) -> float:
    """Different n-grams of all texts, by all their n-grams, or by all their tokens.

    With a vocabulary they are divided by the number of different ones that is expected of so many.

    >>> distinct_n([["the", "cat", "sat"], ["the", "cat", "ran"]], 2)
    0.75
    """
    found = [gram for tokens in texts for gram in ngrams(tokens, n)]
    total = len(found) if denominator == "ngrams" else sum(map(len, texts))
    if not total:
        return 0.0
    return len(set(found)) / (expected_distinct(total, vocabulary) if vocabulary else total)


def mean_distinct_n(texts: list[Tokens], n: int, denominator: str = "ngrams", vocabulary: int | None = None) -> float:
    """The mean of distinct-n over the texts that have an n-gram."""
    shares = [distinct_n([tokens], n, denominator, vocabulary) for tokens in texts if len(tokens) >= n]
    return sum(shares) / len(shares) if shares else 0.0


def entropy_n(texts: list[Tokens], n: int) -> float:
    """The entropy of the n-grams of all texts, in nats."""
    counts = Counter(gram for tokens in texts for gram in ngrams(tokens, n))
    return -sum(count / counts.total() * log(count / counts.total()) for count in counts.values())
