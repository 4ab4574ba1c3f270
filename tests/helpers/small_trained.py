"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from other_values import home_of_tests
from small_encoder import Letters

from metrologue.learned import Features, Network, PairFunction, TrainedModel
from metrologue.learned.features import Tokens
from metrologue.scorers.comet.network import CometFunction
from metrologue.scorers.factcc.network import ClaimNetwork

__all__ = ["trained"]

# What was reached, so that no score warns.
BETTER = {"held_out": {"beats_rival": True, "rivals": {"all": "length"}, "compared": {}, "leaks": {}, "dropped": {}}}


@cache
def trained(metric: str) -> Any:
    """A model of this metric: one of those below, or that of ``small.py`` beside its tests."""
    if metric in _WHOLE:
        return _WHOLE[metric]()
    if metric not in _MADE:
        return importlib.import_module(home_of_tests(metric, "small")).model()
    features, network = _MADE[metric]()
    return TrainedModel(metric, features, network, BETTER)


def line(weights: Any, bias: Any, head: str = "value") -> Network:
    """A network of one layer."""
    weights = np.atleast_2d(np.array(weights, float))
    return Network(
        np.zeros(weights.shape[1]), np.ones(weights.shape[1]), [(weights, np.zeros(len(weights)) + bias)], head
    )


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


_MADE: dict[str, Callable[[], Any]] = {
    "composite": _composite,
    "factcc": _factcc,
}


def _near(references: list[str], texts: list[str]) -> list[float]:
    """It falls with the distance of the counts of the letters of both texts."""
    one, other = (Letters().encode_texts(each).astype(float) for each in (references, texts))
    return [1.5 - float(gap) / 8 for gap in np.abs(one - other).sum(axis=1)]


def _bleurt() -> Any:
    return PairFunction("letters", "1", _near).model("bleurt", BETTER)


def _comet() -> Any:
    """As `_near`, and a little lower for a long source."""

    def rated(texts: list[str], sources: list[str], references: list[str]) -> list[float]:
        return [one - len(source) / 256 for one, source in zip(_near(references, texts), sources, strict=True)]

    return CometFunction("letters", "1", rated).model("comet", BETTER)


# Models that are made whole.
_WHOLE: dict[str, Callable[[], Any]] = {
    "bleurt": _bleurt,
    "comet": _comet,
}
