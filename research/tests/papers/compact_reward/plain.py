"""The compact reward by its definition (Li and Chen 2020, from the idea): lists of numbers, one word at a time."""

import math
from collections.abc import Mapping
from typing import Any

Vector = list[float]
Arrays = Mapping[str, Any]


def linear(arrays: Arrays, name: str, vector: Vector, own: str = "weight", added: str = "bias") -> Vector:
    """A layer of weights and biases."""
    pairs = zip(arrays[f"{name}{own}"], arrays[f"{name}{added}"], strict=True)
    return [sum(weight * value for weight, value in zip(row, vector, strict=True)) + bias for row, bias in pairs]


def sigmoid(value: float) -> float:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + math.exp(-value))


def states(arrays: Arrays, part: str, ids: list[int], context: Vector) -> list[Vector]:
    """The states of a GRU (Cho et al. 2014) before each word, and after the last one."""
    state = [math.tanh(value) for value in linear(arrays, f"{part}.start.", context)]
    found = [state]
    for word in ids:
        given = linear(arrays, f"{part}.gru.", arrays[f"{part}.embed.weight"][word], "weight_ih_l0", "bias_ih_l0")
        kept = linear(arrays, f"{part}.gru.", state, "weight_hh_l0", "bias_hh_l0")
        size = len(state)
        after = []
        for place, before in enumerate(state):
            reset = sigmoid(given[place] + kept[place])
            update = sigmoid(given[size + place] + kept[size + place])
            fresh = math.tanh(given[2 * size + place] + reset * kept[2 * size + place])
            after.append((1 - update) * fresh + update * before)
        state = after
        found.append(state)
    return found


def log_probability(logits: Vector, word: int) -> float:
    """The logarithm of the softmax."""
    return logits[word] - math.log(sum(math.exp(each) for each in logits))


def rewards(arrays: Arrays, ids: list[int], context: Vector) -> Vector:
    """The reward of each word; the last id is the end of the caption, after which the value is 0."""
    policy, own = (states(arrays, part, ids[:-1], context) for part in ("policy", "reward"))
    values = [linear(arrays, "reward.value.", state)[0] for state in own] + [0.0]
    found = []
    for place, word in enumerate(ids):
        gain = linear(arrays, "reward.out.", own[place])[word]
        expected = log_probability(linear(arrays, "policy.out.", policy[place]), word)
        found.append(gain + values[place + 1] - values[place] - expected)
    return found
