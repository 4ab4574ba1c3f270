"""BLEURT's network by its definition (Sellam et al. 2020; Devlin et al. 2019): lists of numbers, one pair at a time."""

import math
from collections.abc import Mapping
from typing import Any

Vector = list[float]
Matrix = list[Vector]


def dot(one: Vector, other: Vector) -> float:
    """The product of two vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def linear(weights: Mapping[str, Any], name: str, vector: Vector) -> Vector:
    """A layer of weights and biases."""
    pairs = zip(weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
    return [dot(row, vector) + bias for row, bias in pairs]


def normal(weights: Mapping[str, Any], name: str, vector: Vector, epsilon: float) -> Vector:
    """The vector with the mean 0 and the variance 1, times the weights, plus the biases."""
    mean = sum(vector) / len(vector)
    spread = math.sqrt(sum((value - mean) ** 2 for value in vector) / len(vector) + epsilon)
    pairs = zip(vector, weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
    return [(value - mean) / spread * weight + bias for value, weight, bias in pairs]


def added(one: Vector, other: Vector) -> Vector:
    """The sum of two vectors."""
    return [a + b for a, b in zip(one, other, strict=True)]


def gelu(value: float) -> float:
    """The value, times how much of a normal distribution lies below it."""
    return value * (1 + math.erf(value / math.sqrt(2))) / 2


def attended(weights: Mapping[str, Any], name: str, vectors: Matrix, heads: int) -> Matrix:
    """What each token takes from all tokens: for each head, a mean of their values by the softmax of the products."""
    queries, keys, values = ([linear(weights, f"{name}.{part}", each) for each in vectors] for part in
                             ("query", "key", "value"))  # fmt: skip
    size = len(vectors[0]) // heads
    found: Matrix = [[] for _ in vectors]
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        for place, query in enumerate(queries):
            powers = [math.exp(dot(query[part], key[part]) / math.sqrt(size)) for key in keys]
            shares = [power / sum(powers) for power in powers]
            found[place] += [dot(shares, [value[at] for value in values]) for at in range(part.start, part.stop)]
    return found


def bleurt(weights: Mapping[str, Any], ids: list[int], types: list[int], layers: int, heads: int) -> float:
    """The score of the tokens [CLS] reference [SEP] candidate [SEP], with the type 0 up to the first [SEP], then 1."""
    epsilon = 1e-12
    words, kinds, places = (
        weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "token_type", "position")
    )
    vectors = [
        added(added(words[token], kinds[kind]), place)
        for token, kind, place in zip(ids, types, places[: len(ids)], strict=True)
    ]
    vectors = [normal(weights, "embeddings.LayerNorm", each, epsilon) for each in vectors]
    if "encoder.embedding_hidden_mapping_in.weight" in weights:  # BLEURT-20 has narrow embeddings
        vectors = [linear(weights, "encoder.embedding_hidden_mapping_in", each) for each in vectors]
    for number in range(layers):
        layer = f"encoder.layer.{number}"
        taken = attended(weights, f"{layer}.attention.self", vectors, heads)
        between = [linear(weights, f"{layer}.attention.output.dense", each) for each in taken]
        vectors = [
            normal(weights, f"{layer}.attention.output.LayerNorm", added(one, other), epsilon)
            for one, other in zip(vectors, between, strict=True)
        ]
        wide = [[*map(gelu, linear(weights, f"{layer}.intermediate.dense", each))] for each in vectors]
        narrow = [linear(weights, f"{layer}.output.dense", each) for each in wide]
        vectors = [
            normal(weights, f"{layer}.output.LayerNorm", added(one, other), epsilon)
            for one, other in zip(vectors, narrow, strict=True)
        ]
    pooled = [*map(math.tanh, linear(weights, "pooler.dense", vectors[0]))]
    return linear(weights, "head", pooled)[0]
