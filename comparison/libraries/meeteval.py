"""meeteval: ``cp_word_error_rate``."""

from __future__ import annotations

from collections.abc import Sequence

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts

__all__ = ["Meeteval"]


class Meeteval(Library):
    """meeteval. A prediction is what one speaker says, or a list of such texts; each reference is a speaker's."""

    name = "meeteval"
    distributions = ("meeteval",)
    extra = "meeteval"

    def score_cpwer(self, predictions: Texts | Sequence[Sequence[str]], references: References) -> Scores:
        """``cp_word_error_rate`` of each session, and their sum. The references must have a word."""
        from meeteval.wer import combine_error_rates, cp_word_error_rate

        spoken = [[own] if isinstance(own, str) else [*own] for own in predictions]
        found = combine_error_rates(*map(cp_word_error_rate, references, spoken))
        if not found.length:
            raise LibraryError("meeteval: no word in the references, and so no error rate")
        return {
            "cpwer": found.error_rate,
            "substitutions": found.substitutions,
            "deletions": found.deletions,
            "insertions": found.insertions,
            "reference_length": found.length,
            "missed_speakers": found.missed_speaker,
            "false_alarm_speakers": found.falarm_speaker,
            "speakers": found.scored_speaker,
        }
