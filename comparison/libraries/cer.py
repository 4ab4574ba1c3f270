"""cer, a package for CharacTER, which the Hub's `character` calls."""

from __future__ import annotations

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["Cer"]


class Cer(Library):
    """cer, on words split at whitespace. It compares a text with one reference, and fails if this one has no words."""

    name = "cer"
    distributions = ("cer",)

    def segments_character(self, predictions: Texts, references: References) -> list[Scores]:
        """``calculate_cer`` of each text; of several references, the least one."""
        from cer import calculate_cer

        return [
            {"character": min(calculate_cer(text.split(), reference.split()) for reference in own)}
            for text, own in zip(predictions, references, strict=True)
        ]
