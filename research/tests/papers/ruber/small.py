"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from small_encoder import Letters
from small_trained import BETTER, line

from metrologue.learned import Features, TrainedModel, Vectors


def model() -> TrainedModel:
    """A response belongs to the turn before it if both have the same letters."""
    weights = np.zeros((2, 96))
    weights[1, 48:72] = -2.0
    features, network = Features((Vectors.of(Letters()),)), line(weights, [0.0, 4.0], "classes")
    return TrainedModel("ruber", features, network, BETTER)
