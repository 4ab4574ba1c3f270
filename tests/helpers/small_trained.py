"""Small trained models, with weights that are written here: their scores are sums of a few numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from small_encoder import Letters

from metrologue.learned import Features, Network, PairFunction, TrainedModel, Vectors
from metrologue.learned.features import Tokens
from metrologue.scorers.adem.network import BilinearNetwork
from metrologue.scorers.apes.network import AttentiveReader
from metrologue.scorers.comet.network import CometFunction
from metrologue.scorers.compact_reward.network import Reward
from metrologue.scorers.esim.network import EsimNetwork, shapes_of
from metrologue.scorers.factcc.network import ClaimNetwork
from metrologue.scorers.fined_eval.network import DialogueHeads
from metrologue.scorers.perception_score.network import Perception

__all__ = ["trained"]

# What was reached, so that no score warns.
BETTER = {"held_out": {"beats_rival": True, "rivals": {"all": "length"}, "compared": {}, "leaks": {}, "dropped": {}}}


@cache
def trained(metric: str) -> Any:
    """A model of this metric."""
    if metric in _WHOLE:
        return _WHOLE[metric]()
    features, network = _MADE[metric]()
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


def _ruber() -> tuple[Features, Network]:
    """A response belongs to the turn before it if both have the same letters."""
    weights = np.zeros((2, 96))
    weights[1, 48:72] = -2.0
    return Features((Vectors.of(Letters()),)), line(weights, [0.0, 4.0], "classes")


def _fined() -> tuple[Features, DialogueHeads]:
    """A dialogue is good if each turn has letters of the turn before it; a hyphen turns a word round."""
    likeness = np.zeros((2, 96))
    likeness[:, 72:] = [[1.0], [-1.0]]
    heads = np.outer([4.0, 5.0, 6.0], [1.0, -1.0])
    return Features((Vectors.of(Letters()),)), DialogueHeads(line(likeness, 0.0), heads, np.zeros(3))


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


def _esim() -> tuple[Features, EsimNetwork]:
    """The score falls with the distance of the means over the letters of both texts; no token looks at a neighbour."""
    widths = (24, 48, 48, 96)
    arrays = {name: np.zeros(shape) for name, shape in shapes_of(24, widths).items()}
    for name, size in (("read", 24), ("compare", 48)):
        for side in ("", "_reverse"):  # the gates i, f, g and o
            arrays[f"{name}.weight_ih_l0{side}"][2 * size : 3 * size] = np.eye(size)
            arrays[f"{name}.bias_ih_l0{side}"][:] = np.repeat([40.0, -40.0, 0.0, 40.0], size)
    arrays["project.weight"][:, :24] = np.vstack([np.eye(24), -np.eye(24)])
    for sign, rows in ((1, slice(0, 48)), (-1, slice(48, 96))):
        arrays["hidden.weight"][rows, :48] = sign * np.eye(48)
        arrays["hidden.weight"][rows, 192:240] = -sign * np.eye(48)
    arrays["out.weight"][:] = -1.0
    arrays["out.bias"][:] = 1.5
    return Features((Tokens.of(Letters()),)), EsimNetwork(arrays, 0, 100)


def _adem() -> tuple[Features, BilinearNetwork]:
    """The score is 3 plus 4 for each letter that both texts have; there are no contexts."""
    return Features.of([Letters()]), BilinearNetwork(np.zeros(24), np.eye(24), {"reference": np.eye(24)}, 0.0, 1.0)


_MADE: dict[str, Callable[[], Any]] = {
    "adem": _adem,
    "apes": _apes,
    "comparator": _comparator,
    "composite": _composite,
    "dae": _dae,
    "esim": _esim,
    "factcc": _factcc,
    "fined_eval": _fined,
    "nneval": _nneval,
    "ruber": _ruber,
    "ruse": _ruse,
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


def _perception() -> Any:
    """Common letters are like those of people, and rare ones are not."""
    signs = np.zeros((2, 24))
    for row, letters in enumerate(("cdefghmnorst", "ijkpquvwx")):
        signs[row, [ord(letter) % 24 for letter in letters]] = 1.0
    layers = [(signs, np.zeros(2)), (np.array([[0.5, -0.5]]), np.array([0.25]))]
    network = Perception(Network(np.zeros(24), np.ones(24), layers), dropout=0.25)
    return TrainedModel("perception_score", Features((Vectors.of(Letters()),)), network, BETTER)


def _reward() -> Any:
    """A word of the vocabulary has a reward above 0, whatever stands before it, and an unknown one has one below 0."""
    words = ("a", "and", "at", "big", "cat", "dog", "it", "looked", "mat", "on", "red", "sat", "the", "then")
    arrays = reward_arrays(len(words) + 2, lambda shape: np.zeros(shape))
    arrays["reward.out.bias"] = np.where(np.arange(len(words) + 2) == 1, -9.0, 2.0).astype(np.float32)
    return TrainedModel("compact_reward", Features((Vectors.of(Letters()),)), Reward(arrays, words), BETTER)


def reward_arrays(count: int, drawn: Any) -> dict[str, Any]:
    """The arrays of a reward with so many words, of a context of 24 numbers."""
    shapes = {
        "start.weight": (6, 24), "start.bias": (6,), "embed.weight": (count, 4), "gru.weight_ih_l0": (18, 4),
        "gru.weight_hh_l0": (18, 6), "gru.bias_ih_l0": (18,), "gru.bias_hh_l0": (18,), "out.weight": (count, 6),
        "out.bias": (count,),
    }  # fmt: skip
    found = {f"{part}.{name}": drawn(shape) for part in ("policy", "reward") for name, shape in shapes.items()}
    found |= {"reward.value.weight": drawn((1, 6)), "reward.value.bias": drawn((1,))}
    return {name: each.astype(np.float32) for name, each in found.items()}


# Models that are made whole.
_WHOLE: dict[str, Callable[[], Any]] = {
    "bleurt": _bleurt,
    "comet": _comet,
    "compact_reward": _reward,
    "perception_score": _perception,
}
