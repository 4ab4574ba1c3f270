"""Perception Score by its definition (Gu, Wu and Yu 2021, from the idea): one text at a time, as lists of numbers."""

import math

Vector = list[float]
Layers = list[tuple[list[Vector], Vector]]


def score(vector: Vector, layers: Layers, kept: list[list[bool]] | None = None, dropout: float = 0.0) -> float:
    """What the layers give, with max(0, x) between them and 1 / (1 + exp(-x)) at the end.

    With `kept`, some numbers of each hidden layer are left out, and the others weigh more.
    """
    values = vector
    for depth, (weights, biases) in enumerate(layers):
        if depth:
            values = [max(0.0, value) for value in values]
            if kept:
                pairs = zip(values, kept[depth - 1], strict=True)
                values = [value / (1 - dropout) if is_kept else 0.0 for value, is_kept in pairs]
        values = [
            sum(weight * value for weight, value in zip(row, values, strict=True)) + bias
            for row, bias in zip(weights, biases, strict=True)
        ]
    return 1 / (1 + math.exp(-values[0]))


def spread(vector: Vector, layers: Layers, runs: list[list[list[bool]]], dropout: float) -> float:
    """The standard deviation of the runs."""
    scores = [score(vector, layers, kept, dropout) for kept in runs]
    mean = sum(scores) / len(scores)
    return math.sqrt(sum((each - mean) ** 2 for each in scores) / len(scores))


def target(text: Vector, people: list[Vector], scores: list[float], neighbours: int, diffusion: float) -> float:
    """The target of a text that is none of people: their scores, as far as they are alike, of the nearest ones."""

    def cosine(one: Vector, other: Vector) -> float:
        product = sum(a * b for a, b in zip(one, other, strict=True))
        return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))

    near = sorted(((max(0.0, cosine(text, each)), own) for each, own in zip(people, scores, strict=True)), reverse=True)
    return diffusion * sum(likeness * own for likeness, own in near[:neighbours]) / len(near[:neighbours])
