"""What a language model gives, whichever library it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["LanguageModel", "TokenScores"]


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
