"""sacrebleu: ``sacrebleu.metrics.BLEU``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Sacrebleu"]


class Sacrebleu(Library):
    """sacrebleu, in per cent."""

    name = "sacrebleu"
    distributions = ("sacrebleu",)
    scale = 100.0

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        tokenize: str | None = None,
        smooth: str = "exp",
        smooth_value: float | None = None,
        lowercase: bool = False,
        effective_order: bool = False,
    ) -> Scores:
        """``BLEU.corpus_score``; ``tokenize`` None is sacrebleu's own default, 13a."""
        from sacrebleu.metrics.bleu import BLEU

        bleu = BLEU(
            lowercase=lowercase,
            force=True,  # no warning about input that looks tokenized
            tokenize=tokenize,
            smooth_method=smooth,
            smooth_value=smooth_value,
            max_ngram_order=max_order,
            effective_order=effective_order,
        )
        # One stream holds the first reference of every segment, the next one the second: None where there is none.
        streams = list(map(list, zip_longest(*references)))
        return numbers(vars(bleu.corpus_score(predictions, streams)))


def numbers(found: Mapping[str, Any]) -> Scores:
    """Name sacrebleu's numbers as ours; its precisions are those after smoothing."""
    return {
        "bleu": found["score"],
        "brevity_penalty": found["bp"],
        "hypothesis_length": found["sys_len"],
        "reference_length": found["ref_len"],
        **by_order(precision=found["precisions"], clipped_count=found["counts"], count=found["totals"]),
    }
