"""ESIM by its definition (Chen et al. 2017, Mathur et al. 2019, https://aclanthology.org/P19-1269), over lists."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

Vector = list[float]
Rows = list[Vector]


def dot(one: Vector, other: Vector) -> float:
    """The sum of the products."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), also far from 0."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def lstm(rows: Rows, weights: Mapping[str, list[Any]], name: str, side: str) -> Rows:
    """The states of an LSTM; its gates stand one below the other: input, forget, cell, output."""
    inputs, states, bias, more = (weights[f"{name}.{kind}_l0{side}"] for kind in
                                  ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))  # fmt: skip
    size = len(bias) // 4
    hidden, cell, found = [0.0] * size, [0.0] * size, []
    for row in rows[::-1] if side else rows:
        gates = [
            dot(w, row) + dot(u, hidden) + a + b for w, u, a, b in zip(inputs, states, bias, more, strict=True)
        ]  # fmt: skip
        take, keep, new, show = (gates[part * size : (part + 1) * size] for part in range(4))
        cell = [sigmoid(keep[k]) * cell[k] + sigmoid(take[k]) * math.tanh(new[k]) for k in range(size)]
        hidden = [sigmoid(show[k]) * math.tanh(cell[k]) for k in range(size)]
        found.append(hidden)
    return found[::-1] if side else found


def both_ways(rows: Rows, weights: Mapping[str, list[Any]], name: str) -> Rows:
    """The states of both directions, side by side."""
    return [a + b for a, b in zip(*(lstm(rows, weights, name, side) for side in ("", "_reverse")), strict=True)]


def layer(row: Vector, weights: Mapping[str, list[Any]], name: str) -> Vector:
    """A layer of weights and biases."""
    return [dot(w, row) + b for w, b in zip(weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)]


def relu(row: Vector) -> Vector:
    """max(0, x) of each."""
    return [max(0.0, x) for x in row]


def attended(row: Vector, others: Rows) -> Vector:
    """The mean of the other rows, weighted by the softmax of the products."""
    products = [dot(row, other) for other in others]
    powers = [math.exp(product - max(products)) for product in products]
    return [sum(p * other[k] for p, other in zip(powers, others, strict=True)) / sum(powers) for k in range(len(row))]


def pooled(rows: Rows, others: Rows, weights: Mapping[str, list[Any]]) -> Vector:
    """The means and the greatest values of what the second LSTM makes of one text, beside the other."""
    enhanced = []
    for a in rows:
        both = [*zip(a, attended(a, others), strict=True)]
        enhanced.append([*a, *(y for _, y in both), *(x - y for x, y in both), *(x * y for x, y in both)])
    projected = [relu(layer(row, weights, "project")) for row in enhanced]
    seen = [*zip(*both_ways(projected, weights, "compare"), strict=True)]
    return [*(sum(column) / len(column) for column in seen), *map(max, seen)]


def esim(hypothesis: Rows, references: Sequence[Rows], weights: Mapping[str, list[Any]]) -> float:
    """The greatest score of the hypothesis with one of its references; texts are vectors of tokens."""
    own, scores = both_ways(hypothesis, weights, "read"), []
    for reference in references:
        its = both_ways(reference, weights, "read")
        both = pooled(its, own, weights) + pooled(own, its, weights)
        scores.append(layer(relu(layer(both, weights, "hidden")), weights, "out")[0])
    return max(scores)
