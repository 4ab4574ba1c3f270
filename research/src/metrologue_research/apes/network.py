"""The reader of APES: recurrent layers over a text and a question, and a softmax over the mentions of entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.files.forms import TEXT, list_of, record, whole
from metrologue.learned.architectures import ArrayNetwork
from metrologue.learned.arrays import check_arrays, shape_of
from metrologue_research.apes.cloze import PLACEHOLDER, entity_number

UNKNOWN, _PLACEHOLDER, ENTITIES = 0, 1, 2  # rows of the embedding; those of words come after those of entities
_SIDES = ("passage", "question")
_GRU = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
_WAYS = ("", "_reverse")


@dataclass(frozen=True, eq=False)
class AttentiveReader(ArrayNetwork):
    """A network that answers questions about entities from a text.

    Two recurrent layers, GRUs in both directions, read the text and the question. The state of each mention of an
    entity is multiplied by a matrix and by the last states of the question; a softmax over the mentions gives each a
    probability, and an entity has the sum of those of its mentions. Raises an InputError if an array is missing, shapes
    do not fit together, or a number is not finite.

    Attributes
    ----------
    arrays : mapping of str to float64 array
        By the names that the modules of torch give them: "embedding", "bilinear", and for "passage" and "question" the
        arrays of a GRU, such as "passage.weight_ih_l0_reverse".
    words : tuple of str
        The words that have a vector of their own.
    entities : int
        How many entities have one; those after them share the vector of unknown words.
    """

    words: tuple[str, ...]
    entities: int

    architecture: ClassVar[str] = "attentive-reader"
    reads_texts: ClassVar[bool] = True
    settings_form: ClassVar = record({"words": list_of(TEXT), "entities": whole(0, 1 << 24)})
    numbers: ClassVar = np.float64

    def __post_init__(self) -> None:
        _, width = shape_of("AttentiveReader", self.arrays, "embedding", 2)
        units = shape_of("AttentiveReader", self.arrays, "bilinear", 2)[0] // 2
        check_arrays(
            "AttentiveReader", self.arrays, shapes_of(ENTITIES + self.entities + len(self.words), width, units)
        )

    @property
    def shape(self) -> str:
        rows, width = self.arrays["embedding"].shape
        return f"{rows}x{width}, two GRUs of {len(self.arrays['bilinear']) // 2} in both directions"

    @cached_property
    def _rows(self) -> dict[str, int]:
        first = ENTITIES + self.entities
        return {PLACEHOLDER: _PLACEHOLDER, **{word: first + place for place, word in enumerate(self.words)}}

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The row of each token in the embedding."""
        found = []
        for token in tokens:
            number = entity_number(token)
            own = ENTITIES + number if number < self.entities else UNKNOWN
            found.append(own if number >= 0 else self._rows.get(token, UNKNOWN))
        return found

    def states(self, side: str, tokens: Sequence[str]) -> Floats:
        """The states of a GRU after each token, float64 (tokens, 2 * units): from the left, and from the right."""
        vectors = self.arrays["embedding"][self.ids(tokens)]
        there = self._run(side, "", vectors)
        back = self._run(side, "_reverse", vectors[::-1])[::-1]
        return np.hstack([there, back])

    def _run(self, side: str, way: str, vectors: Floats) -> Floats:
        of_input, of_state, input_bias, state_bias = (self.arrays[f"{side}.{part}{way}"] for part in _GRU)
        units = of_state.shape[1]
        given, state = vectors @ of_input.T + input_bias, np.zeros(units)
        found = np.empty((len(vectors), units))
        for place, own in enumerate(given):
            before = of_state @ state + state_bias
            reset, update = 1 / (1 + np.exp(-(own[: 2 * units] + before[: 2 * units]).reshape(2, units)))
            new = np.tanh(own[2 * units :] + reset * before[2 * units :])
            state = (1 - update) * new + update * state
            found[place] = state
        return found

    def answers(self, passage: Sequence[str], question: Sequence[str]) -> dict[int, float]:
        """The probability of each entity of a passage, in the order in which they come."""
        numbers = np.array([entity_number(token) for token in passage], np.int64)
        places = np.flatnonzero(numbers >= 0)
        if not len(places):
            return {}
        logits = self._read(tuple(passage))[places] @ (self.arrays["bilinear"] @ self._asked(question))
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        found: dict[int, float] = {}
        for number, share in zip(numbers[places].tolist(), shares.tolist(), strict=True):
            found[number] = found.get(number, 0.0) + share
        return found

    def _read(self, passage: tuple[str, ...]) -> Floats:
        """The states of a passage. Those of the last one are kept: many questions follow each other about one text."""
        states = self._last.get(passage)
        if states is None:
            states = self.states("passage", passage)
            self._last.clear()
            self._last[passage] = states
        return states

    @cached_property
    def _last(self) -> dict[tuple[str, ...], Floats]:
        return {}

    def _asked(self, question: Sequence[str]) -> Floats:
        units = len(self.arrays["bilinear"]) // 2
        states = self.states("question", question)
        return np.concatenate([states[-1, :units], states[0, units:]]) if len(states) else np.zeros(2 * units)


def shapes_of(rows: int, width: int, units: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a reader with so many vectors of tokens, of this width, and states of `units`."""
    shapes: dict[str, tuple[int, ...]] = {"embedding": (rows, width), "bilinear": (2 * units, 2 * units)}
    of_gru = ((3 * units, width), (3 * units, units), (3 * units,), (3 * units,))
    for side in _SIDES:
        for way in _WAYS:
            shapes |= {f"{side}.{part}{way}": shape for part, shape in zip(_GRU, of_gru, strict=True)}
    return shapes
