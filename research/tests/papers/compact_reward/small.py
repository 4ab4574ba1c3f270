"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from metrologue_research.compact_reward.network import Reward
from small_encoder import Letters
from small_trained import BETTER

from metrologue.learned import Features, TrainedModel, Vectors


def model() -> TrainedModel:
    """A word of the vocabulary has a reward above 0, whatever stands before it, and an unknown one has one below 0."""
    words = ("a", "and", "at", "big", "cat", "dog", "it", "looked", "mat", "on", "red", "sat", "the", "then")
    arrays = reward_arrays(len(words) + 2, lambda shape: np.zeros(shape))
    arrays["reward.out.bias"] = np.where(np.arange(len(words) + 2) == 1, -9.0, 2.0).astype(np.float32)
    return TrainedModel("compact_reward", Features((Vectors.of(Letters()),)), Reward(arrays, words), BETTER)


def reward_arrays(count: int, drawn: Any) -> dict[str, Any]:
    """The arrays of a reward with so many words, of a context of 24 numbers."""
    shapes = {
        "start.weight": (6, 24), "start.bias": (6,), "embed.weight": (count, 4), "gru.weight_ih_l0": (18, 4),
        "gru.weight_hh_l0": (18, 6), "gru.bias_ih_l0": (18,), "gru.bias_hh_l0": (18,), "out.weight": (count, 6),
        "out.bias": (count,),
    }  # fmt: skip
    found = {f"{part}.{name}": drawn(shape) for part in ("policy", "reward") for name, shape in shapes.items()}
    found |= {"reward.value.weight": drawn((1, 6)), "reward.value.bias": drawn((1,))}
    return {name: each.astype(np.float32) for name, each in found.items()}
