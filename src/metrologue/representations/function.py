"""Any function as an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.representations.base import Matrix, TokenVectors

__all__ = ["FunctionEncoder"]


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
