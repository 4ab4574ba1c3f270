"""rapidfuzz: ``rapidfuzz.distance``."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["Rapidfuzz"]


class Rapidfuzz(Library):
    """rapidfuzz. It compares two strings; the mean over segments is computed here."""

    name = "rapidfuzz"
    distributions = ("rapidfuzz",)

    def score_edit_distance(
        self, predictions: Texts, references: References, *, kind: str = "Levenshtein", **options: Any
    ) -> Scores:
        """The means of ``distance``, ``normalized_distance`` and ``normalized_similarity``.

        `kind` is "Levenshtein", "OSA", "DamerauLevenshtein" or another class of ``rapidfuzz.distance``. The prediction
        is the second string, so an insertion is a character that only the prediction has.
        """
        from rapidfuzz import distance

        chosen = getattr(distance, kind)
        pairs = [*zip(self._single(references), predictions, strict=True)]
        return {
            "edit_distance": fmean(chosen.distance(*pair, **options) for pair in pairs),
            "normalized_distance": fmean(chosen.normalized_distance(*pair, **options) for pair in pairs),
            "normalized_similarity": fmean(chosen.normalized_similarity(*pair, **options) for pair in pairs),
        }

    def score_normalized_distance(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The numbers of ``score_edit_distance``, with the mean of ``normalized_distance`` first."""
        scores = self.score_edit_distance(predictions, references, **options)
        return {"normalized_distance": scores.pop("normalized_distance"), **scores}

    def score_ratio(self, predictions: Texts, references: References) -> Scores:
        """The mean of ``fuzz.ratio``, which thefuzz rounds to whole per cent, as a similarity and as a distance."""
        from rapidfuzz import distance, fuzz

        pairs = [*zip(self._single(references), predictions, strict=True)]
        similarities = [round(fuzz.ratio(*pair)) / 100 for pair in pairs]
        return {
            "normalized_distance": fmean(1 - similarity for similarity in similarities),
            "normalized_similarity": fmean(similarities),
            "edit_distance": fmean(distance.Indel.distance(*pair) for pair in pairs),
        }
