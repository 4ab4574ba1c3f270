"""What an encoder gives, whichever library it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Encoder", "Matrix", "TokenVectors", "joined"]

Matrix = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class TokenVectors:
    """The vectors of the tokens of n texts, on one or several layers.

    Attributes
    ----------
    layers : tuple of int
        The numbers of the layers.
    vectors : float32 (len(layers), tokens, width)
    offsets : int64 (n + 1,)
        The tokens of text i are ``offsets[i]:offsets[i + 1]``. A text may have none.
    ids : int64 (tokens,)
        The number of each token's type in the encoder's vocabulary; -1 for a type that it does not have.
    spans : int64 (tokens, 2)
        Where each token begins and ends in its text, in characters. Both are 0 for a token that is not in the text.
    counted : bool (tokens,)
        False for a token that the model adds to each text, such as [CLS].
    left_out : int64 (n,)
        The tokens at the end of each text that the model has no place for.

    Examples
    --------
    >>> one = TokenVectors.of_texts([np.ones((2, 3), np.float32), np.zeros((1, 3), np.float32)])
    >>> one.vectors.shape, one.offsets, one.part(1, 2).vectors
    ((1, 3, 3), array([0, 2, 3]), array([[[0., 0., 0.]]], dtype=float32))
    """

    layers: tuple[int, ...]
    vectors: Matrix
    offsets: NDArray[np.int64]
    ids: NDArray[np.int64]
    spans: NDArray[np.int64]
    counted: NDArray[np.bool_]
    left_out: NDArray[np.int64]

    @classmethod
    def of_texts(cls, matrices: Sequence[Matrix]) -> TokenVectors:
        """One layer of vectors, (tokens, width) for each text, of which nothing else is known."""
        offsets = np.cumsum([0, *map(len, matrices)])
        vectors = np.concatenate(matrices)[None] if matrices else np.zeros((1, 0, 0), np.float32)
        count = int(offsets[-1])
        return cls(
            layers=(0,),
            vectors=vectors,
            offsets=offsets,
            ids=np.full(count, -1),
            spans=np.zeros((count, 2), np.int64),
            counted=np.ones(count, np.bool_),
            left_out=np.zeros(len(matrices), np.int64),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def nbytes(self) -> int:
        """The size of the vectors in bytes."""
        return self.vectors.nbytes

    def part(self, start: int, stop: int) -> TokenVectors:
        """The texts `start` to `stop`, without a copy."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        return TokenVectors(
            layers=self.layers,
            vectors=self.vectors[:, first:last],
            offsets=self.offsets[start : stop + 1] - first,
            ids=self.ids[first:last],
            spans=self.spans[first:last],
            counted=self.counted[first:last],
            left_out=self.left_out[start:stop],
        )

    def of_layer(self, layer: int) -> TokenVectors:
        """The vectors of one layer, without a copy."""
        place = self.layers.index(layer)
        return TokenVectors(**{**vars(self), "layers": (layer,), "vectors": self.vectors[place : place + 1]})


def joined(parts: Sequence[TokenVectors]) -> TokenVectors:
    """The texts of all parts, one after another; their layers are the same."""
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    offsets = np.concatenate([[0], *(part.offsets[1:] + end for part, end in zip(parts, ends[:-1], strict=True))])
    return TokenVectors(
        layers=parts[0].layers,
        vectors=np.concatenate([part.vectors for part in parts], axis=1),
        offsets=offsets,
        ids=np.concatenate([part.ids for part in parts]),
        spans=np.concatenate([part.spans for part in parts]),
        counted=np.concatenate([part.counted for part in parts]),
        left_out=np.concatenate([part.left_out for part in parts]),
    )


class Encoder(Protocol):
    """A model that gives vectors to the tokens of a text, and one vector to the whole text."""

    @property
    def name(self) -> str:
        """The encoder's name with a digest of its content, such as "minilm@06dcd770684d", as a signature has it."""

    @property
    def layers(self) -> int:
        """The number of its last layer. 0 is the layer of vectors that do not depend on the context."""

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors of the tokens of each text on these layers."""

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """One vector for each text, float32 (n, width)."""

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text for which ``encode_tokens`` has vectors, as people read them."""
