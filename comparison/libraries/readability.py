"""textstat and the package readability: how hard English text is to read."""

from __future__ import annotations

from collections.abc import Callable

from metrologue.comparison.libraries.base import Available, Library, Missing, References, Scores, Texts
from metrologue.text.lexicon.word_lists import nltk_corpus

__all__ = ["ReadabilityPackage", "Textstat"]

# Their names of our numbers.
_OF_TEXTSTAT = {
    "fkgl": "flesch_kincaid_grade",
    "flesch": "flesch_reading_ease",
    "gunning_fog": "gunning_fog",
    "smog": "smog_index",
    "ari": "automated_readability_index",
    "coleman_liau": "coleman_liau_index",
    "dale_chall": "dale_chall_readability_score",
}
_OF_READABILITY = {
    "fkgl": "Kincaid",
    "flesch": "FleschReadingEase",
    "gunning_fog": "GunningFogIndex",
    "smog": "SMOGIndex",
    "ari": "ARI",
    "coleman_liau": "Coleman-Liau",
    "dale_chall": "DaleChallIndex",
}


class Textstat(Library):
    """textstat. It scores one text; the number of a corpus is the mean of its texts, as MLflow gives it."""

    name = "textstat"
    distributions = ("textstat",)
    extra = "readability"

    def status(self, metric: str | None = None) -> Available | Missing:
        """As ``Library.status``; the dictionary of pronunciations, which textstat would download, is checked too."""
        found = super().status(metric)
        if isinstance(found, Available) and nltk_corpus("cmudict", "cmudict") is None:
            return Missing("nltk's data has no cmudict", "python -m nltk.downloader cmudict")
        return found

    def segments_readability(self, predictions: Texts, references: References) -> list[Scores]:
        """textstat's functions of each text."""
        import textstat

        calls: dict[str, Callable[[str], float]] = {
            name: getattr(textstat, theirs) for name, theirs in _OF_TEXTSTAT.items()
        }
        return [{name: float(call(text)) for name, call in calls.items()} for text in predictions]


class ReadabilityPackage(Library):
    """The package readability. The lines of all texts are one text."""

    name = "readability"
    distributions = ("readability",)

    def score_readability(self, predictions: Texts, references: References) -> Scores:
        """``getmeasures``, with its own counts."""
        import readability

        measures = readability.getmeasures("\n".join(predictions))
        grades, counts = measures["readability grades"], measures["sentence info"]
        numbers = {name: float(grades[theirs]) for name, theirs in _OF_READABILITY.items()}
        return {
            **numbers,
            **{f"{name}_count": float(counts[f"{name}s"]) for name in ("sentence", "word", "syllable")},
        }
