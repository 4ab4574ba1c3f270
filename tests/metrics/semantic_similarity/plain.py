"""Semantic similarity by a bi-encoder (Reimers and Gurevych 2019, https://arxiv.org/abs/1908.10084): cosines."""

from math import sqrt

Vector = list[float]


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors; 0 if one of them is all zeros."""
    norm = sqrt(sum(x * x for x in one)) * sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / norm if norm else 0.0


def semantic_similarity(hypotheses: list[Vector], references: list[list[Vector]]) -> list[float]:
    """The greatest cosine of each hypothesis with one of its references. An empty text is a vector of zeros."""
    pairs = zip(hypotheses, references, strict=True)
    return [max(cosine(vector, other) for other in own) for vector, own in pairs]
