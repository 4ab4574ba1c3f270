"""Token F1: the words that an answer shares with the right one, as SQuAD counts them (Rajpurkar et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.rows import columns_of
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.answers import OfAnswers, token_f1
from metrologue.segments import Segments

__all__ = ["TokenF1", "token_f1"]


@dataclass(frozen=True, kw_only=True)
class TokenF1(OfAnswers):
    """The F1 of the tokens of an answer and of the right one, and the share of exact answers; 0-100, higher is better.

    Tokens are compared as bags: a token matches as often as both texts have it. ``exact_match`` is the share of texts
    that have the same tokens as a reference, in the same order. With several references, each number is the best one.
    The score is the mean over the texts.

    References
    ----------
    Rajpurkar et al. 2016, https://aclanthology.org/D16-1264, and the evaluation script of SQuAD 1.1.

    Examples
    --------
    >>> TokenF1().corpus(["The cat sat."], ["cat sat down"]).value
    80.0
    """

    name: ClassVar[str] = "token_f1"
    _papers: ClassVar[tuple[str, ...]] = ("rajpurkar-etal-2016-squad",)

    aggregation: str = "mean"
    scale: float = 100.0

    _columns = ("match_count", "hypothesis_count", "reference_count", "exact_count", "text_count")

    numbers: ClassVar = (
        number(
            "token_f1", 0, "scale", better="higher", title="token F1",
            about="harmonic mean of the shares of the tokens of both texts that match",
        ),
        number(
            "exact_match", 0, "scale", better="higher",
            about="share of the texts with the same tokens as a reference, in the same order",
        ),
        counted("match_count", "tokens", about="tokens that both texts have"),
        counted("hypothesis_count", "tokens", about="tokens of the hypotheses"),
        counted("reference_count", "tokens", about="tokens of the references"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key in ("token_f1", "exact_match")

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: shared tokens, hypothesis tokens, reference tokens, 1 if all are equal, and a 1."""
        counts = self._compared_counts(segments)
        return np.column_stack([counts, np.ones(len(counts))])

    def _quality(self, rows: Floats) -> Floats:
        # A reference that is equal is the best for both numbers, even where "zero" gives each reference an F1 of 0.
        *_, exact, _ = columns_of(rows)
        quality: Floats = self._f1(rows) + exact
        return quality

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *counts, exact, texts = columns_of(statistics)
        shares = {"token_f1": self.scale * self._f1(statistics), "exact_match": self.scale * exact / texts}
        return shares | dict(zip(self._columns, counts, strict=False))

    _variants: ClassVar = {
        "squad": Variant("evaluate", "the Hub's `squad`: the first script of SQuAD", live="evaluate-squad.token_f1"),
        "torchmetrics": Variant(
            "torchmetrics", "squad, in float32 there: two texts without tokens have an F1 of 1", {"empty": "equal"},
            live="torchmetrics-squad.token_f1",
        ),
    }  # fmt: skip
