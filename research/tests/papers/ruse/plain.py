"""RUSE by its definition (Shimanaka et al. 2018, https://aclanthology.org/W18-6456): features of two vectors, a net."""

Vector = list[float]


def features(reference: Vector, hypothesis: Vector) -> Vector:
    """u, v, |u - v| and u * v, side by side."""
    pairs = [*zip(reference, hypothesis, strict=True)]
    return [*reference, *hypothesis, *(abs(u - v) for u, v in pairs), *(u * v for u, v in pairs)]


def network(values: Vector, layers: list[tuple[list[Vector], Vector]]) -> Vector:
    """What layers of weights and biases give, with max(0, x) between them."""
    for depth, (weights, biases) in enumerate(layers):
        values = [max(0.0, value) for value in values] if depth else values
        values = [
            sum(weight * value for weight, value in zip(row, values, strict=True)) + bias
            for row, bias in zip(weights, biases, strict=True)
        ]
    return values


def ruse(hypothesis: Vector, references: list[Vector], layers: list[tuple[list[Vector], Vector]]) -> float:
    """The greatest score of the hypothesis with one of its references."""
    return max(network(features(each, hypothesis), layers)[0] for each in references)
