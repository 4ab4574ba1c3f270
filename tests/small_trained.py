"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, TrainedModel, Vectors
from metrologue.learned.features import Tokens
from metrologue.learned.networks.claims import ClaimNetwork

__all__ = ["trained"]

# What was reached, so that no score warns.
BETTER = {"held_out": {"beats_rival": True, "rivals": {"all": "length"}, "compared": {}}}


@cache
def trained(metric: str) -> Any:
    """A model of this metric."""
    makers = {
        "comparator": _comparator, "composite": _composite, "factcc": _factcc, "nneval": _nneval, "ruse": _ruse,
    }  # fmt: skip
    features, network = makers[metric]()
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


def _factcc() -> tuple[Features, Any]:
    """The mean over the words of the greatest cosine with a word of the source."""
    sizes = {"project": (2, 24), "compare": (2, 10), "around": (2, 6), "label": (1, 6), "claim_span": (2, 2),
             "source_span": (2, 2)}  # fmt: skip
    arrays = {f"{name}.weight": np.zeros(size) for name, size in sizes.items()}
    arrays |= {f"{name}.bias": np.zeros(size[0]) for name, size in sizes.items()}
    arrays["label.weight"][0, -1], arrays["label.bias"][0] = 12.0, -6.0
    return Features((Tokens.of(Letters()),)), ClaimNetwork({**arrays, "sharpness": np.array(10.0)}, 1)


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
