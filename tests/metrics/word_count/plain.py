"""The number of words of texts, and of different words. A text is a list of tokens."""

from collections import Counter

Tokens = list[str]


def word_count(texts: list[Tokens], vocabulary: int | None = None) -> tuple[int, int]:
    """Words, and different words: all, or the most frequent ones.

    >>> word_count([["hello", "world", "and", "hello", "moon"]]), word_count([["a", "b"], ["a"]], 1)
    ((5, 4), (2, 1))
    """
    counts = Counter(token for text in texts for token in text).most_common(vocabulary)
    return sum(count for _, count in counts), len(counts)
