"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from metrologue_research.adem.network import BilinearNetwork
from small_encoder import Letters
from small_trained import BETTER

from metrologue.learned import Features, TrainedModel


def model() -> TrainedModel:
    """The score is 3 plus 4 for each letter that both texts have; there are no contexts."""
    features, network = (
        Features.of([Letters()]),
        BilinearNetwork(np.zeros(24), np.eye(24), {"reference": np.eye(24)}, 0.0, 1.0),
    )
    return TrainedModel("adem", features, network, BETTER)
