"""bleuscore: a Rust twin of the Hub's BLEU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Bleuscore"]


class Bleuscore(Library):
    """bleuscore, with the shortest reference's length unless ``reference_length`` says "closest"."""

    name = "bleuscore"
    distributions = ("bleuscore",)

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        smooth: bool = False,
        reference_length: Literal["shortest", "closest"] = "shortest",
    ) -> Scores:
        """``bleuscore.compute``; ``smooth`` adds one to the counts of every order."""
        import bleuscore

        return numbers(bleuscore.compute(references, predictions, max_order, smooth, reference_length))


def numbers(found: Mapping[str, Any]) -> Scores:
    """Name as ours what the Hub's BLEU and its twin return."""
    return {
        "bleu": found["bleu"],
        "brevity_penalty": found["brevity_penalty"],
        "length_ratio": found["length_ratio"],
        "hypothesis_length": found["translation_length"],
        "reference_length": found["reference_length"],
        **by_order(precision=found["precisions"]),
    }
