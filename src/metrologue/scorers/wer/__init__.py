"""The word error rate, of all words and of the words that matter."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.inputs import AS_GIVEN
from metrologue.scorers.core.numbers import Number, Numbers, counted, each, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.error_rates import (
    HITS,
    RATES,
    WORDS,
    AlignedRates,
    ErrorRate,
    alignments_by,
    geval,
    hub,
    variants_of,
)
from metrologue.scorers.wer.focus import COUNTS, NamedFocus, counts_of_phrases
from metrologue.segments import Segments

__all__ = ["WordErrorRate"]

# The rates of a list of phrases, each with its heading in tables; those with "lower" are error rates.
_FOCUSED: tuple[tuple[str, Literal["higher", "lower"], str, str], ...] = (
    ("focus_recall", "higher", "recall", "phrases of the list that the reference has, and the hypothesis in its place"),
    ("focus_precision", "higher", "precision", "phrases that the hypothesis has, and the reference in its place"),
    ("focus_f1", "higher", "F1", "harmonic mean of focus_precision and focus_recall"),
    ("focus_error_rate", "lower", "KER", "phrases that are missed or said falsely, per phrase of the references"),
    ("b_wer", "lower", "B-WER", "edits of words of phrases, per such word of the references"),
    ("u_wer", "lower", "U-WER", "edits of all other words, per other word of the references"),
)
_COUNTED = (
    ("focus_hits", "phrases", "phrases of the list that both texts have at the same place"),
    ("focus_in_references", "phrases", "phrases of the list in the references"),
    ("focus_in_hypotheses", "phrases", "phrases of the list in the hypotheses"),
    ("b_substitutions", "units", "substituted units of phrases of the references"),
    ("b_deletions", "units", "units of phrases that only the reference has"),
    ("b_insertions", "units", "units of phrases that only the hypothesis has"),
    ("b_reference_length", "units", "units of phrases of the references"),
)  # fmt: skip
_IN_REFERENCES = 6 + COUNTS.index("focus_in_references")
_OF_ALL_WORDS = frozenset(one.name for one in RATES)


def _focused(end: str = "", of: str = "") -> Iterator[Number]:
    """The numbers of all phrases, or of those of a class."""
    for name, better, title, about in _FOCUSED[: -1 if end else None]:
        greatest, called = "scale" if better == "higher" else math.inf, title + end.replace("_", " ")
        yield number(
            name + end, 0, greatest, better=better, title=called, unit="points", about=about + of,
            heading=None if end and title in ("F1", "KER") else called,
        )  # fmt: skip
    for name, unit, about in _COUNTED:
        yield counted(name + end, unit, about=about + of)


@dataclass(frozen=True, kw_only=True)
class WordErrorRate(ErrorRate):
    """Insertions, deletions and substitutions of words per word of the reference; lower is better, 0 or more.

    See ``ErrorRate`` for the fields and for all reported numbers.

    With `focus`, a list of words and phrases such as names, more numbers are reported. Phrases are read as the texts
    are, with the same normalizer, case and tokenizer. From left to right, the longest phrase of the list counts, and
    phrases do not overlap. A phrase is a hit if all its words are hits of the alignment and follow each other in the
    hypothesis, where the same phrase begins and ends. ``focus_recall`` is hits per phrase of the references,
    ``focus_precision`` hits per phrase of the hypotheses, ``focus_f1`` their harmonic mean. The keyword error rate
    ``focus_error_rate`` is (missed + false) per phrase of the references (Park et al. 2008). ``b_wer`` is the rate of
    the words that stand in phrases: substitutions and deletions of such words of the reference, and insertions of such
    words of the hypothesis, per such word of the reference; ``u_wer`` is that of all other words (Le et al. 2021).
    Without such a phrase or word in the references, an error rate is the number of errors; recall, precision and F are
    1 if the hypothesis has none either, otherwise 0. If phrases have classes, such as person and place, the numbers of
    each class are reported too, as ``focus_recall_person``.

    Raises
    ------
    InputError
        If a value is out of range; if an item of `focus` is no phrase, or nothing is left of it when it is read.

    References
    ----------
    Park et al. 2008, "An empirical analysis of word error rate and keyword error rate", for the keyword error rate; Le
    et al. 2021, https://arxiv.org/abs/2104.02194, for B-WER and U-WER.

    Examples
    --------
    >>> result = WordErrorRate().corpus(["the cat sit on mat today"], ["the cat sat on the mat"])
    >>> result.value, result.scores["hits"], result.scores["substitutions"]
    (0.5, 3, 3)
    >>> WordErrorRate(hits="most").corpus(["the cat sit on mat today"], ["the cat sat on the mat"]).scores["hits"]
    4
    >>> names = WordErrorRate(focus=["Ana", "New York"])
    >>> found = names.corpus(["Anna lives in New York"], ["Ana lives in New York"]).scores
    >>> found["focus_recall"], found["focus_precision"], round(found["b_wer"], 4), found["u_wer"]
    (0.5, 1.0, 0.3333, 0.0)
    """

    name: ClassVar[str] = "wer"
    _variants: ClassVar = {
        **variants_of(
            "wer", *WORDS,
            Recommended("it follows the definition; say how both texts were normalized", "morris-etal-2004-wer"),
        ),
        "evaluate": hub("wer"), "geval": geval("whitespace"),
        "is21_deep_bias": Variant(
            "is21_deep_bias", "score.py of Le et al. 2021 over str.split(), in per cent, by the alignment with NIST's "
            "costs; with `focus`, its B-WER and U-WER",
            {"tokenizer": "whitespace", "hits": "nist", "focus_insertions": "reference", "scale": 100.0},
        ),
    }  # fmt: skip

    focus: NamedFocus | None = option(
        None, stage="pairs", choice="focus", kind="phrases",
        about="The words that matter: a list of words and phrases, or of pairs (phrase, class); or a file with one on "
        "each line, perhaps with a tab and its class. They are read as the texts are. None: no numbers of them.",
    )  # fmt: skip

    focus_insertions: str = option(
        "list", stage="pairs", choice="focus",
        about="Which inserted words count in `b_wer`; all others count in `u_wer`.",
        one_of={
            "list": "those that stand in a phrase of the list",
            "reference": "those that stand in a phrase that the reference has too, as in the data of Le et al. 2021, "
            "where the words of each text are those of its reference",
        },
    )  # fmt: skip

    numbers: ClassVar[Numbers] = (
        *RATES,
        each("_focused", *_focused()),
        each("_classes", *_focused("_{of}", " of the class {of}")),
    )

    @property
    def _focused(self) -> tuple[tuple[()], ...]:
        """Once, if there are phrases."""
        return ((),) if self.focus else ()

    @property
    def _classes(self) -> tuple[str, ...]:
        return self.focus.focus.classes if self.focus else ()

    @property
    def _columns(self) -> tuple[str, ...]:  # type: ignore[override]  # they depend on the phrases
        return (*AlignedRates._columns, *(f"{name}{end}" for end in self._ends for name in COUNTS))

    @property
    def _ends(self) -> tuple[str, ...]:
        """What the names of numbers end with: those of all phrases, and of each class."""
        return ("", *(f"_{name}" for name in self._classes)) if self.focus else ()

    def _narrowed(self) -> Self:
        """Without the phrases, if the number is of all words."""
        return self if self.primary not in _OF_ALL_WORDS else replace(self, focus=None)

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        hints = super()._hints(segments, of_each)
        if self.focus and not of_each and not self._pairs(segments)[:, _IN_REFERENCES].any():
            told = f"no reference has a phrase of `focus` ({self.focus})"
            hints.append(f"{self._label}: {told}; both are read alike, with the same case and normalizer.")
        return hints

    def _key(self, stage: str) -> tuple[object, ...]:
        key = super()._key(stage)
        # Without phrases, of which the last two fields are, all error rates count the same.
        return key[:-2] if stage == "pairs" and self.focus is None else key

    @cached_property
    def _phrases(self) -> list[tuple[tuple[str, ...], list[int]]]:
        """The units of each phrase, and the numbers of its groups of columns: 0 is that of all phrases."""
        if self.focus is None:
            return []
        numbers = {name: number for number, name in enumerate(self._classes, 1)}

        def formed(text: str) -> str:
            return text if self.unicode == AS_GIVEN else unicodedata.normalize(self.unicode, text)  # type: ignore[arg-type]

        return [(units, [0, *map(numbers.__getitem__, own)]) for units, own in self.focus.cut(self._words, formed)]

    def _pair_statistics(self, segments: Segments) -> Floats:
        """H, S, D, I, M and N of each hypothesis with each of its references, and the counts of phrases."""
        if self.focus is None:
            return super()._pair_statistics(segments)
        return self._with_phrases(segments, self._phrases, 1 + len(self._classes))

    def _with_phrases(self, segments: Segments, phrases: Sequence[Any], size: int) -> Floats:
        view = self._view(segments)
        counts, partners = alignments_by(self.hits, view.paired, view.type_count)
        if self.hits == "fewest":
            counts = HITS[self.hits](view.paired, view.type_count)
        return np.hstack(
            [
                counts,
                counts_of_phrases(phrases, size, view, view.paired, partners, self.focus_insertions == "reference"),
            ]
        )

    def counts_by_phrase(self, segment: Segments) -> list[tuple[str, tuple[str, ...], Floats]]:
        """The phrases that a segment has, each with its classes and its seven counts beside the reference that counts.

        Examples
        --------
        >>> scorer = WordErrorRate(focus=["tea", "cup"])
        >>> for phrase, _, counts in scorer.counts_by_phrase(Segments(["a cup of tea"], ["cups of tea"])):
        ...     print(phrase, counts[:3].tolist())
        tea [1.0, 1.0, 1.0]
        cup [0.0, 0.0, 1.0]
        """
        if self.focus is None:
            return []
        phrases = [(units, (number,)) for number, (units, _) in enumerate(self._phrases)]
        rows = self._with_phrases(segment, phrases, len(phrases))
        counts = rows[int(np.argmax(self._quality(self._pairs(segment))[: len(rows)])), 6:].reshape(-1, 7)
        classes = ("", *self._classes)
        gap = "" if self.tokenizer.startswith(("char", "graphemes")) else " "
        return [
            (gap.join(units), tuple(classes[group] for group in groups[1:]), own)
            for (units, groups), own in zip(self._phrases, counts, strict=True)
            if own.any()
        ]

    def _numbers(self, statistics: Floats, scale: float) -> dict[str, Floats]:
        found = super()._numbers(statistics[..., :6], scale)
        if self.focus is None:
            return found
        named = dict(zip(self._columns, columns_of(statistics), strict=True))
        for end in self._ends:
            found |= _of_phrases(named, end, scale)
        return found


def _of_phrases(columns: dict[str, Floats], end: str, scale: float) -> dict[str, Floats]:
    """The numbers of all phrases, or of a class, in the order in which they are declared."""
    counts = {name: columns[name + end] for name in COUNTS}
    hits, theirs, ours, substituted, deleted, inserted, words = counts.values()
    errors = substituted + deleted + inserted
    f1 = ratio(2 * hits, theirs + ours, 1.0)
    found = {
        "focus_recall": ratio(hits, theirs, (ours == 0).astype(float)),
        "focus_precision": ratio(hits, ours, (theirs == 0).astype(float)),
        "focus_f1": f1,
        "focus_error_rate": ratio(theirs + ours - 2 * hits, theirs, ours),
        "b_wer": ratio(errors, words, errors),
    }
    if not end:
        all_errors = columns["substitutions"] + columns["deletions"] + columns["insertions"]
        found["u_wer"] = ratio(all_errors - errors, columns["reference_length"] - words, all_errors - errors)
    return {f"{name}{end}": scale * rate for name, rate in found.items()} | {
        f"{name}{end}": count for name, count in counts.items()
    }
