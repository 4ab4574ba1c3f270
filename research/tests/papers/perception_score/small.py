"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from metrologue_research.perception_score.network import Perception
from small_encoder import Letters
from small_trained import BETTER

from metrologue.learned import Features, Network, TrainedModel, Vectors


def model() -> TrainedModel:
    """Common letters are like those of people, and rare ones are not."""
    signs = np.zeros((2, 24))
    for row, letters in enumerate(("cdefghmnorst", "ijkpquvwx")):
        signs[row, [ord(letter) % 24 for letter in letters]] = 1.0
    layers = [(signs, np.zeros(2)), (np.array([[0.5, -0.5]]), np.array([0.25]))]
    network = Perception(Network(np.zeros(24), np.ones(24), layers), dropout=0.25)
    return TrainedModel("perception_score", Features((Vectors.of(Letters()),)), network, BETTER)
