"""CIDEr and CIDEr-D (Vedantam et al. 2015, https://arxiv.org/abs/1411.5726). A text is a list of tokens."""

from collections import Counter
from math import exp, log, sqrt

Tokens = list[str]
NGram = tuple[str, ...]


def ngrams(tokens: Tokens, order: int) -> Counter[NGram]:
    """How often the text has each n-gram of this order."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def frequencies(references: list[list[Tokens]], order: int) -> Counter[NGram]:
    """The number of images whose references have each n-gram."""
    return Counter(ngram for own in references for ngram in {g for text in own for g in ngrams(text, order)})


def similarity(
    hypothesis: dict[NGram, float], reference: dict[NGram, float], difference: int, clipped: bool, sigma: float
) -> float:
    """The cosine of two vectors; that of CIDEr-D is `clipped`, and has a penalty for a difference of lengths."""
    norm = sqrt(sum(x * x for x in hypothesis.values())) * sqrt(sum(x * x for x in reference.values()))
    if norm == 0:
        return 0.0
    both = hypothesis.keys() & reference.keys()
    ours = {g: min(hypothesis[g], reference[g]) if clipped else hypothesis[g] for g in both}
    return sum(ours[g] * reference[g] for g in both) / norm * exp(-(difference**2) / (2 * sigma**2))


def images(
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    max_order: int = 4,
    clipped: bool = True,
    sigma: float = 6.0,
) -> list[float]:
    """The score of each image. CIDEr is not `clipped`, and has an infinite `sigma`. There are references for each."""
    scores = [0.0] * len(hypotheses)
    for order in range(1, max_order + 1):
        seen = frequencies(references, order)

        def vector(tokens: Tokens, order: int = order, seen: Counter[NGram] = seen) -> dict[NGram, float]:
            return {g: n * log(len(references) / max(1, seen[g])) for g, n in ngrams(tokens, order).items()}

        for i, (text, own) in enumerate(zip(hypotheses, references, strict=True)):
            for other in own:
                value = similarity(vector(text), vector(other), len(text) - len(other), clipped, sigma)
                scores[i] += 10 * value / len(own) / max_order
    return scores


def cider(
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    max_order: int = 4,
    clipped: bool = True,
    sigma: float = 6.0,
) -> float:
    """The mean over images: of CIDEr-D, or with `clipped` False and an infinite `sigma` of CIDEr.

    >>> cider([["a", "b"], ["c", "d"]], [[["a", "b"]], [["c", "d"]]])
    5.0
    >>> cider([["a", "a"], ["c"]], [[["a", "b"]], [["c"]]], max_order=1, clipped=False, sigma=float("inf")) < 10
    True
    """
    scores = images(hypotheses, references, max_order, clipped, sigma)
    return sum(scores) / len(scores)
