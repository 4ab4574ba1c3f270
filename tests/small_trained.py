"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, TrainedModel, Vectors

__all__ = ["trained"]


@cache
def trained(metric: str) -> Any:
    """A model of this metric."""
    return {"ruse": _ruse}[metric]()


def _ruse() -> TrainedModel:
    """The score falls with the distance of the vectors of both texts."""
    weights = np.zeros((1, 96))
    weights[0, 48:72] = -0.125
    network = Network(np.zeros(96), np.ones(96), [(weights, np.array([1.0]))])
    return TrainedModel("ruse", Features((Vectors.of(Letters()),)), network)
