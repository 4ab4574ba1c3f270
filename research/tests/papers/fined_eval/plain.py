"""FineD-Eval (Zhang et al. 2022) over the vectors of turns: what a network of three heads makes of a dialogue."""

from itertools import pairwise
from math import exp, sqrt

Vector = list[float]


def steps(turns: list[Vector], nothing: Vector) -> list[Vector]:
    """Each turn v with the turn u before it: u, v, |u - v| and u * v.

    >>> steps([[1.0], [3.0]], [0.0])
    [[0.0, 1.0, 1.0, 0.0], [1.0, 3.0, 2.0, 3.0]]
    """
    pairs = zip([nothing, *turns], turns, strict=False)
    return [
        [*u, *v, *(abs(a - b) for a, b in zip(u, v, strict=True)), *(a * b for a, b in zip(u, v, strict=True))]
        for u, v in pairs
    ]


def layer(inputs: Vector, weights: list[Vector], biases: Vector) -> Vector:
    """A linear layer.

    >>> layer([2.0, 1.0], [[1.0, -1.0]], [0.5])
    [1.5]
    """
    return [sum(w * x for w, x in zip(row, inputs, strict=True)) + b for row, b in zip(weights, biases, strict=True)]


def heads(
    rows: list[Vector], hidden: list[Vector], hidden_biases: Vector, weights: list[Vector], biases: Vector
) -> Vector:
    """The three scores: a layer with max(0, x) over each turn, the mean over the turns, a layer and the sigmoid.

    >>> heads([[1.0], [-3.0]], [[2.0]], [0.0], [[0.0], [0.0], [0.0]], [0.0, 0.0, 0.0])
    [0.5, 0.5, 0.5]
    """
    read = [[max(0.0, x) for x in layer(row, hidden, hidden_biases)] for row in rows]
    means = [sum(column) / len(read) for column in zip(*read, strict=True)]
    return [1 / (1 + exp(-x)) for x in layer(means, weights, biases)]


def neighbours(turns: list[Vector]) -> float:
    """The mean cosine of neighbouring turns; 0 for a single turn.

    >>> neighbours([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), neighbours([[1.0]])
    (0.5, 0.0)
    """

    def cosine(u: Vector, v: Vector) -> float:
        lengths = sqrt(sum(x * x for x in u)) * sqrt(sum(x * x for x in v))
        return sum(a * b for a, b in zip(u, v, strict=True)) / lengths if lengths else 0.0

    found = [cosine(u, v) for u, v in pairwise(turns)]
    return sum(found) / len(found) if found else 0.0


def ranking_loss(better: float, worse: float, margin: float = 0.1) -> float:
    """What a pair of dialogues costs in the training.

    >>> ranking_loss(0.9, 0.2), round(ranking_loss(0.5, 0.5), 9), round(ranking_loss(0.2, 0.5), 9)
    (0.0, 0.1, 0.4)
    """
    return max(0.0, margin - (better - worse))


def fined_eval(scores: Vector) -> float:
    """The mean of the heads.

    >>> fined_eval([0.25, 0.5, 0.75])
    0.5
    """
    return sum(scores) / len(scores)
