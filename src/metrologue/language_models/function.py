"""Any function as a language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.language_models.base import TokenScores

__all__ = ["FunctionModel"]


class FunctionModel:
    """A function that gives tokens their log-probabilities, under a name and a digest that stand for it in signatures.

    Parameters
    ----------
    name : str
    function : callable
        From a list of texts to a list of pairs for each: a token, and its natural log-probability.
    digest : str
        A text that identifies this version of the function.

    Attributes
    ----------
    name : str
        ``name@digest``.
    base : float
        e.

    Raises
    ------
    InputError
        If the name or the digest cannot be part of a signature, or `function` is no function.

    Examples
    --------
    >>> model = FunctionModel("lengths", lambda texts: [[(w, -len(w)) for w in t.split()] for t in texts], "1")
    >>> model.score_texts(pa.array(["a cat", ""], pa.large_string())).log_probabilities
    array([-1., -3.])
    >>> model.tokens("a cat")
    ['a', 'cat']
    """

    base = math.e

    def __init__(
        self, name: str, function: Callable[[list[str]], Sequence[Sequence[tuple[str, float]]]], digest: str
    ) -> None:
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"FunctionModel: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"FunctionModel: `function` is {shown(function)}; a callable is expected.")
        self.name = f"{name}@{digest[:12]}"
        self._function = function

    def _pairs(self, texts: list[str]) -> Sequence[Sequence[tuple[str, float]]]:
        found = self._function(texts)
        if len(found) != len(texts):
            raise InputError(f"{self.name}: {len(texts)} texts went in, but {len(found)} lists of tokens came back.")
        return found

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """What the function gives. All tokens are known.

        Raises
        ------
        InputError
            If it does not give a list of pairs for each text.
        """
        found = self._pairs(texts.to_pylist())
        try:
            logs = np.array([log for own in found for _, log in own], np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"{self.name}: it gives {shown(found)}; pairs of a token and a number are expected."
            ) from None
        offsets = np.cumsum([0, *map(len, found)])
        return TokenScores(log_probabilities=logs, offsets=offsets, unknown=np.zeros(len(logs), np.bool_))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [token for token, _ in self._pairs([text])[0]]
