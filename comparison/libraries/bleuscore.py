"""bleuscore: the Hub's BLEU in Rust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Bleuscore"]


class Bleuscore(Library):
    """bleuscore. It uses the shortest reference's length, or the closest with ``reference_length="closest"``."""

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
    """The result of the Hub's BLEU, or of bleuscore, under our names."""
    return {
        "bleu": found["bleu"],
        "brevity_penalty": found["brevity_penalty"],
        "length_ratio": found["length_ratio"],
        "hypothesis_length": found["translation_length"],
        "reference_length": found["reference_length"],
        **by_order(precision=found["precisions"]),
    }
