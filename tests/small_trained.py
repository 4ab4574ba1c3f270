"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, TrainedModel, Vectors

__all__ = ["trained"]

# What was reached, so that no score warns.
BETTER = {"held_out": {"beats_rival": True, "rivals": {"all": "length"}, "compared": {}}}


@cache
def trained(metric: str) -> Any:
    """A model of this metric."""
    features, network = {
        "comparator": _comparator,
        "composite": _composite,
        "nneval": _nneval,
        "ruber": _ruber,
        "ruse": _ruse,
    }[metric]()
    return TrainedModel(metric, features, network, BETTER)


def line(weights: Any, bias: Any, head: str = "value") -> Network:
    """A network of one layer."""
    weights = np.atleast_2d(np.array(weights, float))
    return Network(
        np.zeros(weights.shape[1]), np.ones(weights.shape[1]), [(weights, np.zeros(len(weights)) + bias)], head
    )


def _ruse() -> tuple[Features, Network]:
    """The score falls with the distance of the vectors of both texts."""
    weights = np.zeros((1, 96))
    weights[0, 48:72] = -0.125
    return Features((Vectors.of(Letters()),)), line(weights, 1.5)


def _ruber() -> tuple[Features, Network]:
    """A response belongs to the turn before it if both have the same letters."""
    weights = np.zeros((2, 96))
    weights[1, 48:72] = -2.0
    return Features((Vectors.of(Letters()),)), line(weights, [0.0, 4.0], "classes")


def _composite() -> tuple[Features, Network]:
    return Features.of(scores=["chrf", "ter"]), line([0.03, -0.01], -0.5)


def _nneval() -> tuple[Features, Network]:
    return Features.of(scores=["chrf", "token_f1"]), line([[-0.04, -0.04], [0.04, 0.04]], [4.0, -4.0], "classes")


def _comparator() -> tuple[Features, Network]:
    """The text with more common letters, and fewer rare ones, is the better one."""
    gaps = np.zeros(72)
    for letters, weight in (("cdefghmnorst", 0.125), ("ijkpquvwx", -0.125)):
        gaps[[48 + ord(letter) % 24 for letter in letters]] = weight
    return Features((Vectors.of(Letters()),)), line([-gaps, np.zeros(72), gaps], 0.0, "classes")
