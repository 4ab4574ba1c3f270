"""A metric that needs a third text, registered while a test uses it: tests that metrics' inputs are enough."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers import Scorer
from metrologue.scorers.core.inputs import REFERENCES, Input, texts, turns
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["small_metric"]


@contextmanager
def small_metric(called: str = "kept") -> Iterator[type[Scorer]]:
    """A metric that needs sources: the words of the source that a text keeps, divided by those of the source."""
    former = {name: Scorer._registered[name] for name in (called,) if name in Scorer._registered}

    @dataclass(frozen=True, kw_only=True)
    class Kept(Scorer):
        """The share of the source's words that a text keeps."""

        name: ClassVar[str] = called
        inputs: ClassVar[tuple[Input, ...]] = (
            texts("predictions"),
            texts("sources", about="the text before it was shortened"),
            REFERENCES,
            turns("remarks", required=False, about="what people said of it"),
        )
        _columns = ("kept_count", "source_count")
        lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")
        numbers: ClassVar = (
            number("kept", 0, "scale", better="higher", about="words that are kept, divided by the source's words"),
            counted("kept_count", "words", about="words of the sources that are kept"),
            counted("source_count", "words", about="words of the sources"),
        )
        _variants: ClassVar = {
            "metrologue": Variant("metrologue", "the definition"),
            "lowercase": Variant("metrologue", "the same in lower case", {"lowercase": True}),
        }

        def _statistics(self, segments: Segments) -> Floats:
            rows = []
            for index in range(len(segments)):
                source, own = (
                    [
                        word.lower() if self.lowercase else word
                        for word in segments.columns[name].entries(index)[0].split()
                    ]
                    for name in ("sources", "predictions")
                )
                rows.append([sum(word in own for word in source), len(source)])
            return np.array(rows, np.float64).reshape(-1, 2)

        def _score(self, statistics: Floats) -> dict[str, Floats]:
            kept_count, source_count = statistics[..., 0], statistics[..., 1]
            share = self.scale * kept_count / np.maximum(source_count, 1)
            return {"kept": share, "kept_count": kept_count, "source_count": source_count}

    try:
        yield Kept
    finally:
        del Scorer._registered[called]
        for name, kind in former.items():  # a metric of the package may have the name
            Scorer._registered[name] = kind
