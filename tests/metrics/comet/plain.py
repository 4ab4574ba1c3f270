"""COMET's network by its definition (Rei et al. 2020): lists of numbers, one row at a time."""

import math
from collections.abc import Mapping
from typing import Any

Vector = list[float]
Weights = Mapping[str, Any]


def shares(values: Vector) -> Vector:
    """The softmax of the weights of the layers."""
    powers = [math.exp(value) for value in values]
    return [power / sum(powers) for power in powers]


def mixed(layers: list[list[Vector]], weights: Vector, gamma: float) -> list[Vector]:
    """The vector of each token: a mean of the layers, by their shares, times gamma."""
    own = shares(weights)

    def number(token: int, at: int) -> float:
        return gamma * sum(share * layer[token][at] for share, layer in zip(own, layers, strict=True))

    return [[number(token, at) for at in range(len(row))] for token, row in enumerate(layers[0])]


def mean(vectors: list[Vector]) -> Vector:
    """The mean of the vectors of all tokens."""
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def estimated(weights: Weights, row: Vector) -> float:
    """What the feed-forward network gives, with a tanh between its layers."""
    places = sorted({int(name.split(".")[2]) for name in weights if name.startswith("estimator.")})
    for place in places:
        rows, biases = (weights[f"estimator.ff.{place}.{part}"] for part in ("weight", "bias"))
        row = [sum(a * b for a, b in zip(own, row, strict=True)) + bias for own, bias in zip(rows, biases, strict=True)]
        row = row if place == places[-1] else [*map(math.tanh, row)]
    return row[0]


def comet(texts: list[Vector], references: list[Vector], sources: list[Vector], *, weights: Weights) -> list[float]:
    """The score of each translation, of the vectors of the three texts."""
    scores = []
    for own, right, before in zip(texts, references, sources, strict=True):
        parts = [own, right]
        for other in (right, before):
            parts.append([a * b for a, b in zip(own, other, strict=True)])
            parts.append([abs(a - b) for a, b in zip(own, other, strict=True)])
        scores.append(estimated(weights, [value for part in parts for value in part]))
    return scores
