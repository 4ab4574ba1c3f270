"""ROUGE-WE as S3 computes it (Peyrard et al. 2017, https://aclanthology.org/W17-4510). A text is a list of tokens."""

from collections import Counter
from math import hypot

Tokens = list[str]
Vectors = dict[str, tuple[float, ...]]
NGram = tuple[str, ...]


def ngrams(text: Tokens, order: int) -> Counter[NGram]:
    """The n-grams of a text, in its order, and how often it has each."""
    return Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1))


def similarity(one: NGram, other: NGram, vectors: Vectors) -> float:
    """The cosine of the sums of both n-grams' vectors; 1 if they are equal, 0 if a word has no vector."""
    if one == other:
        return 1.0
    if not all(word in vectors for word in one + other):
        return 0.0
    a, b = ([sum(column) for column in zip(*(vectors[word] for word in each), strict=True)] for each in (one, other))
    return (
        min(1.0, sum(x * y for x, y in zip(a, b, strict=True)) / (hypot(*a) * hypot(*b))) if any(a) and any(b) else 0.0
    )


def hits(own: Counter[NGram], its: Counter[NGram], vectors: Vectors, threshold: float) -> int:
    """The n-grams that match: each takes the most similar one that is left; ties: the first."""
    left, found = dict(its), 0
    for ngram, count in own.items():
        best = max(left, key=lambda other: similarity(ngram, other, vectors), default=None)
        if best is not None and similarity(ngram, best, vectors) >= threshold:
            matched = min(count, left[best])
            found += matched
            left[best] -= matched
            if not left[best]:
                del left[best]
    return found


def rouge_we(
    hypothesis: Tokens,
    references: list[Tokens],
    vectors: Vectors,
    order: int = 3,
    threshold: float = 0.8,
    alpha: float = 0.5,
) -> tuple[float, float, float]:
    """Precision, recall and F-measure of a text; hits and n-grams of several references are summed.

    >>> vectors = {"cat": (1, 0), "kitten": (0.9, 0.1), "dog": (0, 1)}
    >>> rouge_we(["cat", "dog"], [["kitten", "dog"]], vectors, order=1, threshold=0.995)
    (0.5, 0.5, 0.5)
    """
    own, others = ngrams(hypothesis, order), [ngrams(reference, order) for reference in references]
    found = sum(hits(own, its, vectors, threshold) for its in others)
    ours, theirs = own.total() * len(others), sum(its.total() for its in others)
    precision, recall = found / ours if ours else 0.0, found / theirs if theirs else 0.0
    return precision, recall, precision * recall / ((1 - alpha) * precision + alpha * recall) if found else 0.0
