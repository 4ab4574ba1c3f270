"""NNEval by its definition (Sharif et al. 2018): a network over the scores of other metrics, and a softmax."""

from math import exp

Row = list[float]


def nneval(features: Row, layers: list[tuple[list[Row], Row]]) -> float:
    """The probability of the second class, that a person wrote the text."""
    values = features
    for depth, (weights, biases) in enumerate(layers):
        values = [max(0.0, value) for value in values] if depth else values
        values = [
            sum(weight * value for weight, value in zip(row, values, strict=True)) + bias
            for row, bias in zip(weights, biases, strict=True)
        ]
    machine, person = values
    return 1 / (1 + exp(machine - person))
