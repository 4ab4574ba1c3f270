"""ESIM: two LSTMs with attention between them, which read the vectors of the tokens of two texts (Mathur et al. 2019).

Torch trains the network. numpy computes its scores, one pair at a time, so that a pair has the same bits in any
company.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.files.forms import record, whole
from metrologue.learned.architectures import ArrayNetwork
from metrologue.learned.arrays import check_arrays, check_width, shape_of, softmax
from metrologue.representations.base import Encoder, Matrix
from metrologue.representations.store import vector_store

_AT_ONCE = 512  # pairs whose texts are in memory at once
_LSTMS, _LINEAR = ("read", "compare"), ("project", "hidden", "out")
_SIDES = ("", "_reverse")
# The gates i, f, g and o of an LSTM. A sigmoid is half a hyperbolic tangent of half its argument, plus a half.
_HALVES = (0.5, 0.5, 1.0, 0.5)


class Kept(NamedTuple):
    """The vectors of the tokens of texts, one text after another.

    Attributes
    ----------
    vectors : float32 (tokens, width)
    offsets : int64 (texts + 1,)
    """

    vectors: Matrix
    offsets: np.ndarray

    def of(self, text: int) -> Matrix:
        """The vectors of one text."""
        return self.vectors[self.offsets[text] : self.offsets[text + 1]]


def kept_tokens(encoder: Encoder, texts: Sequence[str], layer: int, most: int) -> Kept:
    """The vectors of the first `most` tokens of each text, without those that a model adds, such as [CLS].

    A text without tokens has one, whose vector is zeros.

    Examples
    --------
    >>> from metrologue.learned import NgramEncoder
    >>> found = kept_tokens(NgramEncoder(4), ["a cat sat", ""], 0, 2)
    >>> found.vectors.shape, found.offsets, found.of(1)
    ((3, 4), array([0, 2, 3]), array([[0., 0., 0., 0.]], dtype=float32))
    """
    found = vector_store().tokens(encoder, texts, (layer,))
    texts_of = np.repeat(np.arange(len(texts)), np.diff(found.offsets))[found.counted]
    vectors = found.vectors[0][found.counted]
    counts = np.bincount(texts_of, minlength=len(texts))
    places = np.arange(len(texts_of)) - np.repeat(np.cumsum(counts) - counts, counts)
    taken = places < most
    lengths = np.maximum(np.minimum(counts, most), 1)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    rows = np.zeros((int(offsets[-1]), found.vectors.shape[2]), np.float32)
    rows[offsets[texts_of[taken]] + places[taken]] = vectors[taken]
    return Kept(rows, offsets)


class Read(NamedTuple):
    """Two texts as the network sees them.

    Attributes
    ----------
    score : float
    reference, hypothesis : float (tokens, tokens)
        How much each token of one text attends to each of the other: rows sum to 1, for each token of the reference,
        and for each of the hypothesis.
    """

    score: float
    reference: np.ndarray
    hypothesis: np.ndarray


@dataclass(frozen=True, eq=False)
class EsimNetwork(ArrayNetwork):
    """The network: what torch has trained, as arrays under torch's names.

    Attributes
    ----------
    arrays : mapping of str to float32 or float64 arrays
        Of the LSTMs ``read`` and ``compare``, in both directions, and the layers ``project``, ``hidden`` and ``out``.
    layer : int
        The layer of the encoder.
    most_tokens : int
        What follows in a text is left out.
    """

    architecture: ClassVar[str] = "esim"
    settings_form: ClassVar = record({"layer": whole(0, 1 << 16), "most_tokens": whole(1, 1 << 31)})

    layer: int
    most_tokens: int

    def __post_init__(self) -> None:
        check_arrays("EsimNetwork", self.arrays, shapes_of(self.width, self.widths))

    @property
    def width(self) -> int:
        """The length of an encoder's vector."""
        return shape_of("EsimNetwork", self.arrays, "read.weight_ih_l0", 2)[1]

    @property
    def widths(self) -> tuple[int, int, int, int]:
        """Those of the first LSTM, in one direction, of the projection, the second LSTM and the last hidden layer."""
        first, second = (shape_of("EsimNetwork", self.arrays, f"{name}.weight_hh_l0", 2)[1] for name in _LSTMS)
        [middle], [last] = (shape_of("EsimNetwork", self.arrays, f"{name}.bias", 1) for name in ("project", "hidden"))
        return first, middle, second, last

    @property
    def shape(self) -> str:
        """The widths, such as "768-300-300-300-300-1"."""
        return "-".join(map(str, (self.width, *self.widths, 1)))

    # ----- The forward pass -----

    @cached_property
    def _lstms(self) -> dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]:
        """Of each LSTM and direction: the weights of inputs and of states, and biases, halved for sigmoids."""
        found = {}
        for name in _LSTMS:
            parts = []
            for side in _SIDES:
                inputs, states = (self.arrays[f"{name}.weight_{kind}_l0{side}"] for kind in ("ih", "hh"))
                biases = self.arrays[f"{name}.bias_ih_l0{side}"] + self.arrays[f"{name}.bias_hh_l0{side}"]
                halves = np.repeat(np.array(_HALVES, inputs.dtype), len(biases) // 4)
                # A power of two: nothing is rounded.
                parts.append(
                    (np.ascontiguousarray((inputs * halves[:, None]).T), states * halves[:, None], biases * halves)
                )
            found[name] = parts
        return found

    def _both_ways(self, name: str, rows: np.ndarray) -> np.ndarray:
        """What an LSTM makes of the rows of a text: (tokens, 2 * width), the direction from the left first."""
        sides = []
        for (inputs, states, biases), step in zip(self._lstms[name], (1, -1), strict=True):
            gates = (rows @ inputs + biases)[::step]
            size = states.shape[1]
            found = np.empty((len(rows), size), gates.dtype)
            hidden, cell = np.zeros(size, gates.dtype), np.zeros(size, gates.dtype)
            for place, gate in enumerate(gates):
                i, f, g, o = np.tanh(gate + states @ hidden).reshape(4, size)
                cell = (0.5 * f + 0.5) * cell + (0.5 * i + 0.5) * g
                hidden = found[place] = (0.5 * o + 0.5) * np.tanh(cell)
            sides.append(found[::step])
        return np.hstack(sides)

    def _layer(self, name: str, rows: np.ndarray) -> np.ndarray:
        found: np.ndarray = rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return found

    def encoded(self, vectors: np.ndarray) -> np.ndarray:
        """What the first LSTM makes of the vectors of a text's tokens, (tokens, width): it sees no other text."""
        check_width("EsimNetwork", vectors, self.width)
        return self._both_ways("read", vectors.astype(self.arrays["out.bias"].dtype, copy=False))

    def compared(self, reference: np.ndarray, hypothesis: np.ndarray) -> Read:
        """The score of two texts, from what ``encoded`` gives for each."""
        products = reference @ hypothesis.T
        there, back = softmax(products), softmax(np.ascontiguousarray(products.T))
        pooled = []
        for own, attended in ((reference, there @ hypothesis), (hypothesis, back @ reference)):
            enhanced = np.hstack([own, attended, own - attended, own * attended])
            seen = self._both_ways("compare", np.maximum(self._layer("project", enhanced), 0))
            pooled += [seen.mean(axis=0), seen.max(axis=0)]
        last = np.maximum(self._layer("hidden", np.concatenate(pooled)), 0)
        return Read(float(self._layer("out", last)[0]), there, back)

    def of_pairs(self, encoder: Encoder, texts: Sequence[str], one: np.ndarray, other: np.ndarray) -> Floats:
        """The score of each pair of a hypothesis and a reference, given by their places among texts: (pairs,)."""
        scores = np.empty(len(one))
        known: dict[tuple[int, int], float] = {}
        for start in range(0, len(one), _AT_ONCE):
            at = slice(start, start + _AT_ONCE)
            own, places = np.unique(np.concatenate([one[at], other[at]]), return_inverse=True)
            kept = kept_tokens(encoder, [texts[text] for text in own], self.layer, self.most_tokens)
            read = [self.encoded(kept.of(text)) for text in range(len(own))]
            hypotheses, references = np.split(places, 2)
            for row, pair in enumerate(zip(one[at].tolist(), other[at].tolist(), strict=True)):
                if pair not in known:
                    known[pair] = self.compared(read[references[row]], read[hypotheses[row]]).score
                scores[start + row] = known[pair]
        return scores


def shapes_of(width: int, widths: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a network with these widths."""
    first, middle, second, last = widths
    shapes: dict[str, tuple[int, ...]] = {}
    for name, inputs, size in ((_LSTMS[0], width, first), (_LSTMS[1], middle, second)):
        for side in _SIDES:
            shapes |= {f"{name}.weight_ih_l0{side}": (4 * size, inputs), f"{name}.weight_hh_l0{side}": (4 * size, size)}
            shapes |= {f"{name}.bias_{kind}_l0{side}": (4 * size,) for kind in ("ih", "hh")}
    for name, inputs, size in zip(_LINEAR, (8 * first, 8 * second, last), (middle, last, 1), strict=True):
        shapes |= {f"{name}.weight": (size, inputs), f"{name}.bias": (size,)}
    return shapes
