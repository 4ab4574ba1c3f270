"""WikiSplit's numbers: SARI, BLEU and exact match of sentences that were split or rewritten (Botha et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.bleu import Bleu
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import REFERENCES, Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.exact_match import ExactMatch
from metrologue.scorers.sari import Sari
from metrologue.segments import Segments

__all__ = ["WikiSplit"]


@dataclass(frozen=True, kw_only=True)
class WikiSplit(OfTexts, Scorer):
    """SARI, sacrebleu's BLEU and SQuAD's exact match of the same texts; higher is better, 0-100.

    Each number is that of its own metric: `sari`, `bleu:sacrebleu` and `exact_match:squad`. The Hub's module refuses
    texts with different numbers of references, for which BLEU has a number here.

    References
    ----------
    The Hub's module `wiki_split`; Botha et al. 2018, https://aclanthology.org/D18-1080, for the texts.

    Examples
    --------
    >>> sources, predictions = ["About 95 species are currently accepted ."], ["About 95 you now get in ."]
    >>> scores = WikiSplit().corpus(predictions, ["About 95 species are currently known ."], sources=sources).scores
    >>> {name: round(value, 4) for name, value in scores.items()}
    {'sari': 21.8056, 'sacrebleu': 14.5358, 'exact': 0.0}
    """

    name: ClassVar[str] = "wiki_split"
    title: ClassVar[str] = "WikiSplit"
    about: ClassVar = About(
        papers=(
            "botha-etal-2018-learning",
            "xu-etal-2016-optimizing",
            "post-2018-call",
            "rajpurkar-etal-2016-squad",
        ),
    )  # fmt: skip
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", about="the sentences before they were split"),
        REFERENCES,
    )

    # What is summed of SARI is its score of each segment.
    scale: float = option(100.0, stage="join", choice=None, least=1e-9)

    numbers: ClassVar = (
        number("sari", 0, "scale", better="higher", title="SARI", about="SARI as the Hub's module computes it"),
        number("sacrebleu", 0, "scale", better="higher", title="BLEU", about="sacrebleu's BLEU of the corpus"),
        number(
            "exact", 0, "scale", better="higher",
            about="share of the texts that equal a reference after SQuAD's normalization",
        ),
    )  # fmt: skip

    @cached_property
    def _parts(self) -> dict[str, Scorer]:
        """The scorer of each number."""
        return {
            "sari": Sari(scale=self.scale),
            "sacrebleu": Bleu(scale=self.scale),
            "exact": ExactMatch.variant("squad", scale=self.scale),
        }

    @property
    def _cut_by(self) -> str:
        """That of BLEU and SARI. SQuAD's normalization compares whole texts."""
        return self._parts["sacrebleu"]._cut_by

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return tuple(f"{name}_{column}" for name, part in self._parts.items() for column in part.columns)

    def _statistics(self, segments: Segments) -> Floats:
        return np.concatenate([part.statistics(segments, 1) for part in self._parts.values()], axis=1)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        ends = accumulate(len(part.columns) for part in self._parts.values())
        rows = np.split(statistics, [*ends][:-1], axis=-1)
        return {
            name: part.score(own)[part.primary] for (name, part), own in zip(self._parts.items(), rows, strict=True)
        }

    _variants: ClassVar = {
        "evaluate": Variant("evaluate", "the Hub's `wiki_split`", live="evaluate.wiki_split"),
    }
