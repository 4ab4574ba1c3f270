"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, TrainedModel, Vectors
from metrologue.learned.features import Tokens
from metrologue.learned.networks.apes import AttentiveReader

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
    weights = np.zeros(134)
    weights[96:98] = 40.0
    return Features((Tokens.of(Letters()),)), line([-weights / 2, weights / 2], [38.0, -38.0], "classes")


def _apes() -> tuple[Features, AttentiveReader]:
    """A reader that chooses the entity that comes first, mostly; its weights are drawn."""
    draws = np.random.default_rng(0)
    shapes = {"embedding": (2 + 8, 3), "bilinear": (4, 4)}
    for side in ("passage", "question"):
        for way in ("", "_reverse"):
            own = {"weight_ih_l0": (6, 3), "weight_hh_l0": (6, 2), "bias_ih_l0": (6,), "bias_hh_l0": (6,)}
            shapes |= {f"{side}.{part}{way}": shape for part, shape in own.items()}
    return Features(()), AttentiveReader({name: draws.normal(size=shape) for name, shape in shapes.items()}, (), 8)


_MODELS = {
    "apes": _apes,
    "comparator": _comparator,
    "composite": _composite,
    "dae": _dae,
    "nneval": _nneval,
    "ruse": _ruse,
}
