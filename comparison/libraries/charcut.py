"""charcut, CharCut as a package, which the Hub's `charcut_mt` calls."""

from __future__ import annotations

from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["Charcut"]


class Charcut(Library):
    """charcut. It takes one reference, and writes the texts to files, which it compares line by line."""

    name = "charcut"
    distributions = ("charcut",)

    def score_charcut_mt(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``calculate_charcut``, with its ``match_size`` and ``alt_norm``."""
        from charcut import calculate_charcut

        return {"charcut_mt": float(calculate_charcut(predictions, self._single(references), **options)[0])}
