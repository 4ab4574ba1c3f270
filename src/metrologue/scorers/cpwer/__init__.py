"""The concatenated minimum-permutation word error rate of transcripts with several speakers (Watanabe et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.data.columns import Column
from metrologue.errors import InputError, number_of
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.about import Growth
from metrologue.scorers.core.inputs import Input, groups, texts
from metrologue.scorers.core.numbers import counted
from metrologue.scorers.core.options import with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.cpwer.kernels import assignments
from metrologue.scorers.families.error_rates import HITS, RATES, AlignedRates
from metrologue.scorers.families.kernels.edit import distances
from metrologue.segments import Segments
from metrologue.text.reading.text import Groups

__all__ = ["Assignment", "Cpwer"]


class Assignment(NamedTuple):
    """Which hypothesis speaker is compared with which reference speaker.

    Attributes
    ----------
    pairs : Pairs
        The texts of all pairs, one session after another. A speaker without a partner has the empty text.
    sizes : int64 (n,)
        The number of pairs of each session.
    counts : float64 (n_pairs, 6)
        H, S, D, I, M and N of each pair.
    """

    pairs: Pairs
    sizes: Integers
    counts: Floats


@dataclass(frozen=True, kw_only=True)
class Cpwer(AlignedRates):
    """Word errors per word of the reference, over all speakers of a session; lower is better, 0 or more.

    A segment is a session, such as a meeting: `predictions` and `references` have a text for each speaker. Nobody has
    to know which speaker of the hypothesis is which of the reference: the assignment with the fewest errors counts. All
    words of a speaker without a partner are errors. With `speakers` and `reference_speakers`, the texts are utterances:
    those of a speaker are joined by spaces, in their order. A text in place of a list is one speaker's.

    Raises
    ------
    InputError
        If a value is out of range, a session has another number of names than of texts, or no reference has a word.

    References
    ----------
    Watanabe et al. 2020, https://doi.org/10.21437/CHiME.2020-1.

    Examples
    --------
    >>> result = Cpwer().corpus([["c d", "a x", "e"]], [["a b", "c d"]])
    >>> result.value, result.scores["substitutions"], result.scores["false_alarm_speakers"]
    (0.5, 1, 1)
    >>> utterances = {"predictions": [["a b", "c d", "e"]], "speakers": [["1", "2", "1"]]}
    >>> Cpwer().corpus(**utterances, references=[["c d", "a b e"]]).value
    0.0
    """

    name: ClassVar[str] = "cpwer"
    _rate: ClassVar[str] = "cpwer"
    about: ClassVar = replace(
        AlignedRates.about,
        papers=("watanabe-etal-2020-chime", "morris-etal-2004-wer"),
        growth=Growth("words", 2, 60_000, most=1_000),
        two_texts=False,
    )
    inputs: ClassVar[tuple[Input, ...]] = (
        groups("predictions"),
        texts("references", many=True, about="what each speaker has said"),
        texts("speakers", many=True, required=False, about="the speaker of each text of a prediction"),
        texts("reference_speakers", many=True, required=False, about="the speaker of each reference"),
    )
    _variants: ClassVar = {
        "meeteval": Variant(
            "meeteval", "cp_word_error_rate over str.split(), with Kaldi's S, D and I", live="meeteval.cpwer"
        )
    }

    tokenizer: str = "whitespace"
    hits: str = "kaldi"
    empty: str = with_default("error")

    _columns = (*AlignedRates._columns, "missed_speakers", "false_alarm_speakers", "speakers")

    numbers: ClassVar = (
        replace(RATES[0], name="cpwer", title="cpWER"),
        *RATES[1:],
        counted("missed_speakers", "speakers", about="by how many more the reference has"),
        counted("false_alarm_speakers", "speakers", about="by how many more the hypothesis has"),
        counted("speakers", "speakers", about="speakers of the references"),
    )  # fmt: skip

    def _statistics(self, segments: Segments) -> Floats:
        found, (ours, theirs) = self._assigned(segments), self._speakers(segments)
        sums = np.add.reduceat(found.counts, np.cumsum(found.sizes) - found.sizes)
        return np.column_stack([sums, np.maximum(theirs - ours, 0), np.maximum(ours - theirs, 0), theirs])

    def _assigned(self, segments: Segments) -> Assignment:
        """The pairs of speakers of each session whose errors are the fewest."""
        view = self._view(self._sessions(segments))
        ours, theirs = self._speakers(segments)
        sizes = np.maximum(ours, theirs)
        # All pairs of a session, as the rows and columns of a square; the empty text stands for a missing speaker.
        session = np.arange(len(sizes)).repeat(sizes**2)
        place = np.arange(len(session)) - (np.cumsum(sizes**2) - sizes**2)[session]
        empty = len(view.offsets) - 1
        row, column = np.divmod(place, sizes[session])
        first, its_first = np.cumsum(ours) - ours, ours.sum() + np.cumsum(theirs) - theirs
        hypotheses = np.where(column < ours[session], first[session] + column, empty)
        references = np.where(row < theirs[session], its_first[session] + row, empty)
        offsets = np.append(view.offsets, view.offsets[-1])
        costs = distances(Pairs(view.ids, offsets, hypotheses, references), view.type_count)
        rows = np.flatnonzero(column == 0)
        chosen = rows + assignments(np.asarray(costs, np.int64), sizes)
        pairs = Pairs(view.ids, offsets, hypotheses[chosen], references[chosen])
        return Assignment(pairs, sizes, HITS[self.hits](pairs, view.type_count))

    def _speakers(self, segments: Segments) -> tuple[Integers, Integers]:
        """The number of speakers of each session: of the hypothesis, of the reference."""
        sessions = self._sessions(segments)
        return np.diff(sessions.predictions.offsets), np.diff(sessions.reference_offsets)

    def _sessions(self, segments: Segments) -> Segments:
        """The segments with one text for each speaker."""
        if not segments.has("speakers") and not segments.has("reference_speakers"):
            return segments

        def joined() -> Segments:
            columns = {
                name: self._joined(segments, name, names)
                for name, names in (("predictions", "speakers"), ("references", "reference_speakers"))
            }
            return Segments.of_columns(columns, first=segments.first)

        return segments.memoize(("cpwer", "sessions"), joined)

    def _joined(self, segments: Segments, name: str, names: str) -> Column:
        column, speakers = segments.columns[name], segments.columns.get(names)
        if speakers is None:
            return column
        rows = []
        for session in range(len(segments)):
            said, who = column.entries(session), speakers.entries(session)
            if len(said) != len(who):
                counts = f"{number_of(len(who), 'name')} for {number_of(len(said), 'text')} of `{name}`"
                raise InputError.at(self._label, names, segments.first + session, f" has {counts}; each needs one.")
            rows.append(_by_speaker(said, who))
        return Groups.others(rows, self._label)


def _by_speaker(said: Iterable[str], who: Iterable[str]) -> list[str]:
    """The texts of each speaker joined by spaces, in the order in which speakers come first."""
    found: dict[str, list[str]] = {}
    for text, speaker in zip(said, who, strict=True):
        found.setdefault(speaker, []).append(text)
    return [" ".join(own) for own in found.values()]
