"""Counts of tokens, and of the different ones among them: what the measurements of texts alone are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Ids
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.shapes import SetScorer, Tokenized
from metrologue.scorers.core.tables import Table, type_hashes
from metrologue.segments import Segments, View


@dataclass(frozen=True, kw_only=True)
class OfTypes(Tokenized, SetScorer):
    """Base of a measurement that counts tokens, and types: different tokens."""

    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"),)
    about: ClassVar = About(two_texts=False)

    _columns = ("token_count", "type_count", "text_count")  # a metric may have other names for them
    _added = ("text_count",)

    @property
    def _most(self) -> int | None:
        """How many types count at most, the most frequent ones; None: all."""
        return None

    def _tables(self, segments: Segments) -> dict[str, Table]:
        view = segments.read(self._words)
        return {"types": Table.of(type_hashes(view)[self._tokens(view)])}

    @staticmethod
    def _tokens(view: View) -> Ids:
        """The tokens of the predictions."""
        start, stop = view.offsets[[view.first_hypothesis, view.first_hypothesis + len(view)]]
        return view.ids[start:stop]

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        counts = np.sort(tables["types"].counts)[::-1][: self._most]
        return dict(zip(self._columns, (float(counts.sum()), float(len(counts))), strict=False))

    def _statistics(self, segments: Segments) -> Floats:
        view, n = segments.read(self._words), len(segments)
        text_of = np.repeat(np.arange(n), view.lengths)
        types = max(1, view.type_count)
        pairs, counts = np.unique(text_of * types + self._tokens(view), return_counts=True)
        order = np.lexsort((-counts, pairs // types))
        text, counts = (pairs // types)[order], counts[order]
        kept = np.arange(len(text)) - np.searchsorted(text, text) < (len(text) if self._most is None else self._most)
        sums = [np.bincount(text[kept], weights, n) for weights in (counts[kept], None)]
        return np.column_stack([*sums, np.ones(n)])
