"""bleuscore: the Hub's BLEU in Rust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, by_order, renamed

__all__ = ["Bleuscore"]


class Bleuscore(Library):
    """bleuscore. It uses the shortest reference's length, or the closest with ``reference_length="closest"``."""

    name = "bleuscore"
    distributions = ("bleuscore",)

    def score_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``bleuscore.compute``, with its ``max_order`` and ``smooth``, which adds one to the counts of every order."""
        import bleuscore

        given = renamed(options, reference_length="ref_len_method")
        return numbers(bleuscore.compute(references, predictions, **given))


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
