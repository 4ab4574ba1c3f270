"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from metrologue_research.apes.network import AttentiveReader
from small_trained import BETTER

from metrologue.learned import Features, TrainedModel


def model() -> TrainedModel:
    """A reader that chooses the entity that comes first, mostly; its weights are drawn."""
    draws = np.random.default_rng(0)
    shapes = {"embedding": (2 + 8, 3), "bilinear": (4, 4)}
    for side in ("passage", "question"):
        for way in ("", "_reverse"):
            own = {"weight_ih_l0": (6, 3), "weight_hh_l0": (6, 2), "bias_ih_l0": (6,), "bias_hh_l0": (6,)}
            shapes |= {f"{side}.{part}{way}": shape for part, shape in own.items()}
    features, network = (
        Features(()),
        AttentiveReader({name: draws.normal(size=shape) for name, shape in shapes.items()}, (), 8),
    )
    return TrainedModel("apes", features, network, BETTER)
