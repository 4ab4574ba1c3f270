"""jiwer: ``process_words`` and ``process_characters``."""

from __future__ import annotations

from metrologue.comparison.libraries.base import Library, Scores

__all__ = ["Jiwer"]

_COUNTS = ("hits", "substitutions", "deletions", "insertions")


class Jiwer(Library):
    """jiwer with its default transforms. It takes one reference."""

    name = "jiwer"
    distributions = ("jiwer",)

    def _words(self, first: str, predictions: list[str], references: list[list[str]]) -> Scores:
        from jiwer import process_words

        found = process_words(self._single(references), predictions)
        return {name: getattr(found, name) for name in (first, "wer", "mer", "wil", "wip", *_COUNTS)}

    def score_wer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """The numbers of ``process_words``, the word error rate first."""
        return self._words("wer", predictions, references)

    def score_mer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """The numbers of ``process_words``, the match error rate first."""
        return self._words("mer", predictions, references)

    def score_wil(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """The numbers of ``process_words``, the information lost first."""
        return self._words("wil", predictions, references)

    def score_wip(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """The numbers of ``process_words``, the information preserved first."""
        return self._words("wip", predictions, references)

    def score_cer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``process_characters``."""
        from jiwer import process_characters

        found = process_characters(self._single(references), predictions)
        return {name: getattr(found, name) for name in ("cer", *_COUNTS)}
