"""What an encoder gives, whichever library it comes from; and any function as an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown

__all__ = ["Encoder", "FunctionEncoder", "Matrix", "TokenVectors", "joined"]

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


class FunctionEncoder:
    """A function that gives vectors to texts, under a name and a digest that stand for it in signatures.

    Parameters
    ----------
    name : str
    function : callable
        From a list of texts to a list with a float array (tokens, width) for each. Its rows are the tokens' vectors.
    digest : str
        A text that identifies this version of the function.

    Attributes
    ----------
    name : str
        ``name@digest``.
    layers : int
        0.

    Raises
    ------
    InputError
        If the name or the digest cannot be part of a signature, or `function` is no function.

    Examples
    --------
    >>> encoder = FunctionEncoder("lengths", lambda texts: [[[len(w), 1.0] for w in t.split()] for t in texts], "1")
    >>> encoder.encode_tokens(["a cat"], (0,)).vectors
    array([[[1., 1.],
            [3., 1.]]], dtype=float32)
    >>> encoder.encode_texts(["a cat"])
    array([[2., 1.]], dtype=float32)
    """

    layers = 0

    def __init__(self, name: str, function: Callable[[list[str]], Sequence[Any]], digest: str) -> None:
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"FunctionEncoder: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"FunctionEncoder: `function` is {shown(function)}; a callable is expected.")
        self.name = f"{name}@{digest[:12]}"
        self._function = function

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors that the function gives. There is one layer.

        Raises
        ------
        InputError
            If the function does not give an array of two dimensions for each text, or the widths differ.
        """
        found = self._function([*texts])
        if len(found) != len(texts):
            raise InputError(f"{self.name}: {len(texts)} texts went in, but vectors of {len(found)} came back.")
        matrices = [self._matrix(index, rows) for index, rows in enumerate(found)]
        width = max((matrix.shape[1] for matrix in matrices), default=0)
        for index, matrix in enumerate(matrices):
            if len(matrix) and matrix.shape[1] != width:
                raise InputError.at(
                    self.name, "texts", index, f" has vectors of {matrix.shape[1]} numbers, but others have {width}."
                )
        return TokenVectors.of_texts(
            [matrix if len(matrix) else np.zeros((0, width), np.float32) for matrix in matrices]
        )

    def _matrix(self, index: int, rows: Any) -> Matrix:
        try:
            matrix = np.asarray(rows, np.float32)
        except (TypeError, ValueError):
            matrix = None
        if matrix is not None and matrix.size == 0:
            return np.zeros((0, 0), np.float32)
        if matrix is None or matrix.ndim != 2:
            raise InputError.at(self.name, "texts", index, " has no array (tokens, width), one row for each token.")
        return matrix

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """The mean of the vectors of each text's tokens; zeros for a text without any. Raises as ``encode_tokens``."""
        found = self.encode_tokens(texts, (0,))
        return np.array([found.part(i, i + 1).vectors[0].mean(0) if found.offsets[i] < found.offsets[i + 1] else
                         np.zeros(found.vectors.shape[2]) for i in range(len(texts))], np.float32)  # fmt: skip

    def tokens(self, text: str) -> list[str]:
        """The tokens by their numbers, or the words if there are as many."""
        count, words = len(self.encode_tokens([text], (0,)).ids), text.split()
        return words if len(words) == count else [f"#{index}" for index in range(count)]
