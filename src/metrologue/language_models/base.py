"""What a language model gives, whichever library it comes from; and any function as a language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.named import NamedFunction
from metrologue.errors import InputError, shown


@dataclass(frozen=True, kw_only=True)
class TokenScores:
    """The log-probability of each token of n texts.

    Attributes
    ----------
    log_probabilities : float64 (tokens,)
        Logarithms to the model's ``base``; minus infinity for a probability of 0.
    offsets : int64 (n + 1,)
        The tokens of text i are ``offsets[i]:offsets[i + 1]``. A text may have none.
    unknown : bool (tokens,)
        True for a token that is not in the model's vocabulary.

    Examples
    --------
    >>> scores = TokenScores(
    ...     log_probabilities=np.array([-0.5, -0.25, -1.0]), offsets=np.array([0, 2, 3]), unknown=np.zeros(3, bool)
    ... )
    >>> np.add.reduceat(scores.log_probabilities, scores.offsets[:-1])
    array([-0.75, -1.  ])
    """

    log_probabilities: NDArray[np.float64]
    offsets: NDArray[np.int64]
    unknown: NDArray[np.bool_]


class LanguageModel(Protocol):
    """A model that gives each token of a text a probability."""

    @property
    def name(self) -> str:
        """The model's name with a digest of its content, such as "news.arpa@06dcd770684d", as a signature has it."""

    @property
    def base(self) -> float:
        """The base of its logarithms: e, 2 or 10."""

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """The log-probabilities of the tokens of each text."""

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text that ``score_texts`` scores, as people read them."""


_LISTS = "{} lists of tokens"


class FunctionModel(NamedFunction[Callable[[list[str]], Sequence[Sequence[tuple[str, float]]]]]):
    """A function that gives tokens their log-probabilities.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a list of texts to a list of pairs for each: a token, and its natural log-probability.

    Attributes
    ----------
    base : float
        e.

    Examples
    --------
    >>> model = FunctionModel("lengths", lambda texts: [[(w, -len(w)) for w in t.split()] for t in texts], "1")
    >>> model.score_texts(pa.array(["a cat", ""], pa.large_string())).log_probabilities
    array([-1., -3.])
    >>> model.tokens("a cat")
    ['a', 'cat']
    """

    base = math.e

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """What the function gives. All tokens are known.

        Raises
        ------
        InputError
            If it does not give a list of pairs for each text.
        """
        rows = self._results(texts.to_pylist(), _LISTS)
        try:
            logs = np.array([log for row in rows for _, log in row], np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"{self.name}: it gives {shown(rows)}; pairs of a token and a number are expected."
            ) from None
        offsets = np.cumsum([0, *map(len, rows)])
        return TokenScores(log_probabilities=logs, offsets=offsets, unknown=np.zeros(len(logs), np.bool_))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [token for token, _ in self._results([text], _LISTS)[0]]
