"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from small_encoder import Letters
from small_trained import BETTER, line

from metrologue.learned import Features, TrainedModel
from metrologue.learned.features import Tokens


def model() -> TrainedModel:
    """An arc follows if the source has words that are spelled like both of its words."""
    weights = np.zeros(134)
    weights[96:98] = 40.0
    features, network = Features((Tokens.of(Letters()),)), line([-weights / 2, weights / 2], [38.0, -38.0], "classes")
    return TrainedModel("dae", features, network, BETTER)
