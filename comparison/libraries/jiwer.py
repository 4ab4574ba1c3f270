"""jiwer: ``process_words`` and ``process_characters``."""

from __future__ import annotations

from collections.abc import Callable

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["Jiwer"]

_COUNTS = ("hits", "substitutions", "deletions", "insertions")


def _words(first: str) -> Callable[..., Scores]:
    """The method of a metric: the numbers of ``process_words``, this one first."""

    def score(self: Jiwer, predictions: Texts, references: References) -> Scores:
        from jiwer import process_words

        found = process_words(self._single(references), predictions)
        return {name: getattr(found, name) for name in (first, "wer", "mer", "wil", "wip", *_COUNTS)}

    return score


class Jiwer(Library):
    """jiwer with its default transforms. It takes one reference."""

    name = "jiwer"
    distributions = ("jiwer",)

    score_wer = _words("wer")
    score_mer = _words("mer")
    score_wil = _words("wil")
    score_wip = _words("wip")

    def score_cer(self, predictions: Texts, references: References) -> Scores:
        """``process_characters``."""
        from jiwer import process_characters

        found = process_characters(self._single(references), predictions)
        return {name: getattr(found, name) for name in ("cer", *_COUNTS)}
