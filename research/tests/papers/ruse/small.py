"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from small_encoder import Letters
from small_trained import BETTER, line

from metrologue.learned import Features, TrainedModel, Vectors


def model() -> TrainedModel:
    """The score falls with the distance of the vectors of both texts."""
    weights = np.zeros((1, 96))
    weights[0, 48:72] = -0.125
    features, network = Features((Vectors.of(Letters()),)), line(weights, 1.5)
    return TrainedModel("ruse", features, network, BETTER)
