"""The network of FineD-Eval: what each turn is after the one before it, the mean over the turns, and three heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.errors import InputError
from metrologue.learned.architectures import Architecture
from metrologue.learned.arrays import check_arrays, shape_of, sigmoid
from metrologue.learned.features import Features
from metrologue.learned.network import Network
from metrologue.representations.store import vector_store
from metrologue.scorers.core.rows import ratio
from metrologue.segments import Segments

# What a dialogue is scored for, in the order of the network's numbers.
HEADS = ("coherence", "likability", "topic_depth")
_EMPTY = "."  # as the features read a text without content


def turn_rows(features: Features, dialogues: Sequence[Sequence[str]]) -> tuple[Floats, Offsets]:
    """The features of each turn with the turn before it, and where each dialogue begins; nothing is before the first.

    Returns
    -------
    float64 (turns, k), int64 (dialogues + 1,)
    """
    offsets = np.cumsum([0, *map(len, dialogues)])
    pairs = [pair for turns in dialogues for pair in pairwise(["", *turns])]
    places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
    if not places:
        return np.zeros((0, 0)), offsets
    befores, turns = ([*each] for each in zip(*places, strict=True))
    rows = features.of_segments(Segments(turns, befores))
    return rows[[places[pair] for pair in pairs]], offsets


def neighbour_cosines(features: Features, dialogues: Sequence[Sequence[str]]) -> Floats:
    """The mean cosine of neighbouring turns by the first encoder, (dialogues,); 0 for a single turn.

    Examples
    --------
    >>> from metrologue.learned import NgramEncoder
    >>> neighbour_cosines(Features.of([NgramEncoder(8)]), [["a cat", "a cat"], ["a cat"]])
    array([1., 0.])
    """
    texts = [*dict.fromkeys(turn if turn.strip() else _EMPTY for turns in dialogues for turn in turns)]
    if not texts:
        return np.zeros(len(dialogues))
    vectors = vector_store().texts(features.encoders[0].encoder, texts).astype(np.float64)
    lengths = [float(np.sqrt(each @ each)) for each in vectors]
    place = {text: row for row, text in enumerate(texts)}
    found = np.zeros(len(dialogues))
    for row, turns in enumerate(dialogues):
        own = [place[turn if turn.strip() else _EMPTY] for turn in turns]
        products = np.array([float(vectors[a] @ vectors[b]) for a, b in pairwise(own)])
        cosines = ratio(products, np.array([lengths[a] * lengths[b] for a, b in pairwise(own)]))
        found[row] = cosines.sum() / max(len(cosines), 1)
    return np.clip(found, -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class DialogueHeads(Architecture):
    """A layer with max(0, x) over the features of each turn, the mean over the turns, and a sigmoid for each head.

    One network with three heads is "multitask". In an ensemble of three, the layer is three of them side by side, and a
    head has no weights but for its own. Raises an InputError if shapes do not fit together, or a number is not finite.

    Attributes
    ----------
    layer : Network
        Of one layer, and with the head "value".
    weights : float64 (3, width)
    biases : float64 (3,)

    Examples
    --------
    >>> layer = Network(np.zeros(1), np.ones(1), [(np.array([[1.0], [-1.0]]), np.zeros(2))])
    >>> network = DialogueHeads(layer, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), np.zeros(3))
    >>> network(np.array([[4.0], [-2.0], [0.0]]), np.array([0, 2, 3])).round(2)
    array([[0.88, 0.73, 0.5 ],
           [0.5 , 0.5 , 0.5 ]])
    """

    architecture: ClassVar[str] = "dialogue_heads"

    layer: Network
    weights: Floats
    biases: Floats

    def __post_init__(self) -> None:
        if self.layer.head != "value" or len(self.layer.layers) != 1:
            raise InputError("DialogueHeads: a network of one layer is expected, with the head 'value'.")
        shapes = {"heads": (len(HEADS), self.layer.outputs), "heads.biases": (len(HEADS),)}
        check_arrays("DialogueHeads", {"heads": self.weights, "heads.biases": self.biases}, shapes)

    def __call__(self, rows: Floats, offsets: Offsets) -> Floats:
        """The scores of dialogues, float64 (dialogues, 3), from rows of turns (turns, k)."""
        found = np.zeros((len(offsets) - 1, len(HEADS)))
        if len(rows):
            hidden = np.maximum(self.layer(rows), 0.0)
            for place, (start, stop) in enumerate(pairwise(offsets.tolist())):
                found[place] = self.weights @ (hidden[start:stop].sum(axis=0) / (stop - start)) + self.biases
        return sigmoid(found)

    @property
    def shape(self) -> str:
        """The widths of its layers."""
        return f"{self.layer.shape}, the mean over the turns, {len(HEADS)}"

    def tensors(self) -> dict[str, np.ndarray]:
        return {**self.layer.tensors(), "heads": self.weights, "heads.biases": self.biases}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        arrays = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        for name in ("heads", "heads.biases"):
            shape_of("DialogueHeads", arrays, name)
        weights, biases = arrays.pop("heads"), arrays.pop("heads.biases")
        return cls(Network.of_tensors(arrays, {"head": "value"}), weights, biases)
