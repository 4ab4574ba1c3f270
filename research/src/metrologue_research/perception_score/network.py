"""The network of Perception Score: how much a text is like human texts, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.files.forms import real, record, whole
from metrologue.learned.architectures import Architecture
from metrologue.learned.arrays import sigmoid
from metrologue.learned.network import Network

_SEED = 12345  # of the numbers that are left out


@dataclass(frozen=True, eq=False)
class Perception(Architecture):
    """A network of layers whose only number goes through 1 / (1 + exp(-x)).

    It is also run several times with some numbers of the hidden layers left out, as in its training. How far these runs
    are apart says how sure it is (Gal and Ghahramani 2016). What is left out in a run is drawn once, and is the same
    for all texts; so a text has the same numbers, whatever is beside it. Raises an InputError if the network has
    several outputs, or a setting is out of range.

    Attributes
    ----------
    layers : Network
        Of one output, and with the head "value".
    dropout : float
        The share that is left out.
    passes : int
        The number of runs.
    """

    layers: Network
    dropout: float = 0.1
    passes: int = 10

    architecture: ClassVar[str] = "perception"
    settings_form: ClassVar = record({"dropout": real(0.0, 0.999), "passes": whole(1, 1000)})

    def __post_init__(self) -> None:
        if self.layers.outputs != 1 or self.layers.head != "value":
            raise InputError(f"Perception: the network has {self.layers.outputs} outputs; one number is expected.")
        if not 0 <= self.dropout < 1 or self.passes < 1:
            raise InputError(f"Perception: a dropout of {self.dropout} in {self.passes} passes is out of range.")

    def __call__(self, vectors: Floats) -> tuple[Floats, Floats]:
        """The score of each row of vectors (n, width), and the standard deviation of the runs: float64 (n,) each."""
        scores = sigmoid(self.layers(vectors)[:, 0])
        runs = [sigmoid(thinned(vectors)[:, 0]) for thinned in self._thinned]
        # One run after another: NumPy's own sums round in ways that depend on the number of texts.
        mean = sum(runs, np.zeros(len(scores))) / len(runs)
        squares = sum(((each - mean) ** 2 for each in runs), np.zeros(len(scores)))
        return scores, np.sqrt(squares / len(runs))

    @cached_property
    def _thinned(self) -> list[Network]:
        """The network of each run. A hidden number that is left out has no weight; the others weigh more."""
        draws = np.random.default_rng(_SEED)
        found = []
        for _ in range(self.passes):
            layers = [self.layers.layers[0]]
            for weights, biases in self.layers.layers[1:]:
                kept = draws.random(weights.shape[1]) >= self.dropout
                layers.append((weights * (kept / (1 - self.dropout)), biases))
            found.append(Network(self.layers.mean, self.layers.spread, layers))
        return found

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"dropout": self.dropout, "passes": self.passes}

    @property
    def shape(self) -> str:
        return self.layers.shape

    def tensors(self) -> dict[str, np.ndarray]:
        return self.layers.tensors()

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        layers = Network.of_tensors(tensors, {"head": "value"})
        return cls(layers, float(settings["dropout"]), settings["passes"])
