"""Word gap: how many words more or fewer a text has than its reference. A metric of another package."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.author import (
    About,
    Floats,
    PairScorer,
    Segments,
    Tokenized,
    by_name,
    counted,
    number,
    option,
    ratio,
)
from wordgap.variants import VARIANTS


@dataclass(frozen=True, kw_only=True)
class WordGap(Tokenized, PairScorer):
    """Difference of the numbers of words, divided by those of the reference; lower is better, 0 or more."""

    name: ClassVar[str] = "word_gap"
    about: ClassVar[About] = About(papers=("gap-2026",))
    floor: int = option(1, stage="score", choice="floor", least=1, greatest=10, about="The least length of references.")
    _columns = ("difference", "reference_length")
    numbers: ClassVar = (
        number("word_gap", 0, float("inf"), better="lower", title="Word gap", unit="", about="words too many or few"),
        counted("difference", "words", about="words too many or too few"),
        counted("reference_length", "words", about="words of the references"),
    )
    _variants: ClassVar = VARIANTS

    def _pair_statistics(self, segments: Segments) -> Floats:
        view = self._view(segments)
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets).astype(float)
        return np.column_stack([abs(lengths[hypotheses] - lengths[references]), lengths[references]])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        return {
            "word_gap": ratio(counts["difference"], np.maximum(counts["reference_length"], self.floor)),
            **counts,
        }
