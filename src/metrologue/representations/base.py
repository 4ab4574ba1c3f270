"""What an encoder gives, whichever library it comes from; and any function as an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from metrologue.data.named import NamedFunction
from metrologue.errors import InputError

Matrix = NDArray[np.float32]
_OF_TOKENS = ("ids", "spans", "counted")  # columns with a row for each token


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
        return replace(
            self,
            vectors=self.vectors[:, first:last],
            offsets=self.offsets[start : stop + 1] - first,
            left_out=self.left_out[start:stop],
            **{name: getattr(self, name)[first:last] for name in _OF_TOKENS},
        )

    def of_layer(self, layer: int) -> TokenVectors:
        """The vectors of one layer, without a copy."""
        place = self.layers.index(layer)
        return replace(self, layers=(layer,), vectors=self.vectors[place : place + 1])


def joined(parts: Sequence[TokenVectors]) -> TokenVectors:
    """The texts of all parts, one after another; their layers are the same."""
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    offsets = np.concatenate([[0], *(part.offsets[1:] + end for part, end in zip(parts, ends[:-1], strict=True))])
    rows: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in (*_OF_TOKENS, "left_out")
    }
    return replace(parts[0], vectors=np.concatenate([part.vectors for part in parts], axis=1), offsets=offsets, **rows)


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


def spans_in(text: str, forms: Iterable[str]) -> NDArray[np.int64]:
    """Where tokens stand in their text, one after another, (tokens, 2); zeros for one that is not there."""
    spans, end = [], 0
    for form in forms:
        start = text.find(form, end) if form else -1
        end = start + len(form) if start >= 0 else end
        spans.append((start, end) if start >= 0 else (0, 0))
    return np.array(spans, np.int64).reshape(-1, 2)


def _empty(width: int) -> Matrix:
    return np.zeros((0, width), np.float32)


class FunctionEncoder(NamedFunction[Callable[[list[str]], Sequence[Any]]]):
    """A function that gives vectors to texts.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a list of texts to a list with a float array (tokens, width) for each. Its rows are the tokens' vectors.

    Attributes
    ----------
    layers : int
        0.

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

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors that the function gives. There is one layer.

        Raises
        ------
        InputError
            If the function does not give an array of two dimensions for each text, or the widths differ.
        """
        results = self._results([*texts], "vectors of {}")
        matrices = [self._matrix(index, rows) for index, rows in enumerate(results)]
        width = max((matrix.shape[1] for matrix in matrices), default=0)
        for index, matrix in enumerate(matrices):
            if len(matrix) and matrix.shape[1] != width:
                what = f" has vectors of {matrix.shape[1]} numbers, but others have {width}."
                raise InputError.at(self.name, "texts", index, what)
        return TokenVectors.of_texts([matrix if len(matrix) else _empty(width) for matrix in matrices])

    def _matrix(self, index: int, rows: Any) -> Matrix:
        try:
            matrix = np.asarray(rows, np.float32)
        except (TypeError, ValueError):
            matrix = None
        if matrix is not None and matrix.size == 0:
            return _empty(0)
        if matrix is None or matrix.ndim != 2:
            raise InputError.at(self.name, "texts", index, " has no array (tokens, width), one row for each token.")
        return matrix

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """The mean of the vectors of each text's tokens; zeros for a text without any. Raises as ``encode_tokens``."""
        tokens = self.encode_tokens(texts, (0,))
        parts = [tokens.part(i, i + 1).vectors[0] for i in range(len(texts))]
        return np.array([part.mean(0) if len(part) else np.zeros(part.shape[1]) for part in parts], np.float32)

    def tokens(self, text: str) -> list[str]:
        """The words of a text if there is one for each token; otherwise the numbers of the tokens."""
        count, words = len(self.encode_tokens([text], (0,)).ids), text.split()
        return words if len(words) == count else [f"#{index}" for index in range(count)]
