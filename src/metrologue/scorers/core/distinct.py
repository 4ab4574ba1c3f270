"""The texts of segments as an encoder takes them: each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.core.crossed import Crossed
from metrologue.segments import Segments

__all__ = ["Distinct", "distinct_texts"]

Indices = NDArray[np.int64]


class Distinct(NamedTuple):
    """Texts, and where hypotheses and references are among them.

    Attributes
    ----------
    texts : sequence of str
    hypotheses : int64 (hypotheses,)
    references : int64 (references,)
    """

    texts: Sequence[str]
    hypotheses: Indices
    references: Indices

    def pairs(self, segments: Segments) -> tuple[Indices, Indices]:
        """The text of the hypothesis and that of the reference of each pair."""
        if isinstance(segments, Crossed):
            return self.hypotheses[segments.hypotheses], self.references[segments.its]
        return np.repeat(self.hypotheses, np.diff(segments.reference_offsets)), self.references

    def first(self, chosen: NDArray[np.bool_]) -> tuple[str, int] | None:
        """The argument and the index of the first text among the chosen ones; None if there is none."""
        for name, places in (("predictions", self.hypotheses), ("references", self.references)):
            if len(found := np.flatnonzero(chosen[places])):
                return name, int(found[0])
        return None


def distinct_texts(segments: Segments) -> Distinct:
    """The distinct texts of some segments; for ``pairwise`` all texts of the call, references side by side.

    Examples
    --------
    >>> found = distinct_texts(Segments(["a", "b"], [["b", "c"], ["a"]]))
    >>> found.texts, found.hypotheses, found.references, found.pairs(Segments(["a", "b"], [["b", "c"], ["a"]]))
    (['a', 'b', 'c'], array([0, 1]), array([1, 2, 0]), (array([0, 0, 1]), array([1, 2, 0])))
    """
    if isinstance(segments, Crossed):
        return _of_collection(segments)
    numbers: dict[str, int] = {}
    sides = [segments.texts(name).to_pylist() for name in ("predictions", "references") if name in segments.columns]
    places = [np.array([numbers.setdefault(text, len(numbers)) for text in side], np.int64) for side in sides]
    return Distinct([*numbers], places[0], places[1] if len(places) > 1 else np.zeros(0, np.int64))


def _of_collection(segments: Crossed) -> Distinct:
    """In a matrix, one product serves a hypothesis and all references, if these follow each other."""
    collection = segments.collection
    own: list[str] = collection.alone.texts().to_pylist()
    if collection.same:
        return Distinct(own, np.arange(len(own)), np.arange(len(own)))
    its: list[str] = collection.both.texts("references").to_pylist()
    return Distinct(own + its, np.arange(len(own)), len(own) + np.arange(len(its)))
