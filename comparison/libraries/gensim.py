"""gensim: Word Mover's Distance, by POT's solver."""

from __future__ import annotations

import os
from functools import lru_cache
from statistics import fmean
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["Gensim"]


class Gensim(Library):
    """The package gensim. It takes word vectors, in a file of any format that we read."""

    name = "gensim"
    distributions = ("gensim", "POT")
    extra = "test"
    resolution = 1e-6  # it scales vectors to length 1 in float32
    takes_model = True
    model_needed = "word vectors; give `model`, the path of their file"

    def segments_wmd(
        self, predictions: Texts, references: References, *, model: str | os.PathLike[str], norm: bool = True
    ) -> list[Scores]:
        """``wmdistance`` of the words between whitespace, from the nearest reference."""
        keyed = _keyed_vectors(os.fspath(model))
        return [
            {"wmd": min(float(keyed.wmdistance(text.split(), other.split(), norm=norm)) for other in own)}
            for text, own in zip(predictions, references, strict=True)
        ]

    def score_wmd(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The mean of the finite distances; gensim itself has none."""
        found = [row["wmd"] for row in self.segments_wmd(predictions, references, **options)]
        finite = [value for value in found if value != float("inf")]
        return {"wmd": fmean(finite) if finite else float("inf")}


@lru_cache(maxsize=1)
def _keyed_vectors(path: str) -> Any:
    """gensim's own object, filled with the words and vectors of a file."""
    from gensim.models import KeyedVectors  # it has no types

    from metrologue.representations import WordVectors

    read = WordVectors(path)
    keyed = KeyedVectors(read.width)
    keyed.add_vectors(read.words.to_pylist(), read.vectors)
    return keyed
