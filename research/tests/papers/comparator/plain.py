"""The comparator by its definition (Zhou and Xu 2020): three probabilities for a pair of vectors, in both orders."""

from math import exp

Vector = list[float]


def outcomes(one: Vector, other: Vector, weights: list[Vector], biases: Vector) -> Vector:
    """The probabilities that the second text is better, neither is, the first one is."""
    features = [*one, *other, *(a - b for a, b in zip(one, other, strict=True))]
    powers = [
        exp(sum(weight * value for weight, value in zip(row, features, strict=True)) + bias)
        for row, bias in zip(weights, biases, strict=True)
    ]
    return [power / sum(powers) for power in powers]


def comparator(one: Vector, other: Vector, weights: list[Vector], biases: Vector) -> float:
    """How probably the first text is better, a tie counting half, as a mean over both orders."""
    worse, tie, better = outcomes(one, other, weights, biases)
    own = better + tie / 2
    worse, tie, better = outcomes(other, one, weights, biases)
    return (own + worse + tie / 2) / 2


def elo(ratings: tuple[float, float], result: float, k: float = 32.0) -> tuple[float, float]:
    """The ratings of two players after a game."""
    one, other = ratings
    expected = 1 / (1 + 10 ** ((other - one) / 400))
    return one + k * (result - expected), other - k * (result - expected)
