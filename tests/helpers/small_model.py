"""A language model of a few words: each has its own probability, whatever stands before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from metrologue.language_models import TokenScores

__all__ = ["WordModel"]


@dataclass(frozen=True)
class WordModel:
    """A model with the log-probability of each word, and of all words that it does not know."""

    name: str
    base: float
    known: Mapping[str, float]
    other: float

    def __hash__(self) -> int:
        return hash(self.name)

    def tokens(self, text: str) -> list[str]:
        return text.split()

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        words = [self.tokens(text) for text in texts.to_pylist()]
        flat = [word for text in words for word in text]
        return TokenScores(
            log_probabilities=np.array([self.known.get(word, self.other) for word in flat], np.float64),
            offsets=np.cumsum([0, *map(len, words)]),
            unknown=np.array([word not in self.known for word in flat], np.bool_),
        )
