"""A trained model: what it was trained for, its features, and its network."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from metrologue.errors import InputError
from metrologue.learned.architectures import Architecture
from metrologue.learned.features import Features
from metrologue.learned.network import Network
from metrologue.learned.tensors import tensors_to
from metrologue.representations.base import Encoder

Kind = TypeVar("Kind")


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """What a learned metric needs to score.

    Attributes
    ----------
    metric : str
        The metric that it was trained for.
    features : Features
        None for a network that reads the texts themselves.
    network : Architecture
    report : mapping of str to anything
        How it was trained, on what, and what it reached, as plain values.
    is_sample : bool
        Whether it is an example that comes with the package, and its numbers mean nothing.
    """

    metric: str
    features: Features
    network: Architecture
    report: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.features.parts and not self.network.reads_texts:
            raise InputError("train: there are no features; give encoders or metrics.")

    @property
    def is_sample(self) -> bool:
        return "sample" in self.report

    @cached_property
    def name(self) -> str:
        """The metric with a digest of the features, the weights and the other files; an example is a "sample-"."""
        state = hashlib.sha256(self.weights)
        for file, content in sorted(self.network.files().items()):
            state.update(file.encode() + hashlib.sha256(content).digest())
        for part in self.features.to_list():
            known: dict[str, Any] = {
                key: part[key] for key in ("vectors", "tokens", "score", "number", "form") if key in part
            }
            state.update(json.dumps(_unversioned(known), sort_keys=True).encode())
        return f"{'sample-' * self.is_sample}{self.metric}@{state.hexdigest()[:12]}"

    def network_as(self, kind: type[Kind]) -> Kind:
        """The network, if it is of this architecture. Raises an InputError if it is of another one."""
        if not isinstance(self.network, kind):
            own = self.network.architecture
            raise InputError(f"{self.name}: its network has the architecture {own}, and {kind.__name__} is needed.")
        return self.network

    def with_encoder(self, kind: type[Kind]) -> tuple[Kind, Encoder]:
        """The network, of this architecture, and the only encoder. Raises an InputError as ``network_as``."""
        return self.network_as(kind), self.features.encoders[0].encoder

    @property
    def layers(self) -> Network:
        """The network, if it reads a row of features of each text. Raises an InputError otherwise."""
        return self.network_as(Network)

    @property
    def weights(self) -> bytes:
        """The arrays of the network with its settings, as a file of safetensors."""
        settings = json.dumps(self.network.settings, sort_keys=True)
        return tensors_to(self.network.tensors(), {"architecture": self.network.architecture, "settings": settings})


def _unversioned(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part without the versions in a signature, which do not change what it scores."""
    if "score" not in part:
        return dict(part)
    versions = ("metrologue=", "mirrors=", "package=")
    kept = [each for each in part["score"].split("|") if not each.startswith(versions)]
    return {**part, "score": "|".join(kept)}
