"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, TrainedModel, Vectors
from metrologue.learned.features import Tokens

__all__ = ["trained"]

# What was reached, so that no score warns.
BETTER = {"held_out": {"beats_rival": True, "rivals": {"all": "length"}, "compared": {}}}


@cache
def trained(metric: str) -> Any:
    """A model of this metric."""
    features, network = _MODELS[metric]()
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


def _dae() -> tuple[Features, Network]:
    """An arc follows if the source has words that are spelled like both of its words."""
    weights = np.zeros(133)
    weights[96:98] = 40.0
    return Features((Tokens.of(Letters()),)), line([-weights / 2, weights / 2], [38.0, -38.0], "classes")


_MODELS = {"comparator": _comparator, "composite": _composite, "dae": _dae, "nneval": _nneval, "ruse": _ruse}
