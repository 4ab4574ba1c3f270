"""Error rates of words and characters: how many edits a text needs to be its reference (Morris et al. 2004)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels.edit import alignments, distances
from metrologue.kernels.weighted import NONE, weighted_distances
from metrologue.reading import words
from metrologue.scorers.core.options import option
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.edit_distance import EditDistance, shortest
from metrologue.scorers.edit_operations import Edits
from metrologue.segments import Segments, View

__all__ = [
    "CharacterErrorRate",
    "ErrorRate",
    "MatchErrorRate",
    "WordErrorRate",
    "WordInformationLost",
    "WordInformationPreserved",
    "error_rates",
]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def error_rates(
    hits: Floats, substitutions: Floats, deletions: Floats, insertions: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """WER (S + D + I) / N, MER (S + D + I) / (H + S + D + I), WIL 1 - WIP, and WIP (H / N) (H / M).

    There are N = H + S + D units in the reference and M = H + S + I in the hypothesis.

    Parameters
    ----------
    hits, substitutions, deletions, insertions : float64 (...)
        H, S, D and I of an alignment.

    Returns
    -------
    four float64 (...)
        WER is from 0 without a limit, and I where N is 0. The others are from 0 to 1. Of two empty texts MER and WIL
        are 0 and WIP is 1; WIP is 0 if one text is empty.

    References
    ----------
    Morris, Maier and Green 2004, "From WER and RIL to MER and WIL"; where it divides by zero, as jiwer has it.

    Examples
    --------
    "a b c d" for "a x c" has two hits, a substitution and an insertion.

    >>> [float(rate.round(3)) for rate in error_rates(*np.array([2.0, 1.0, 0.0, 1.0]))]
    [0.667, 0.5, 0.667, 0.333]
    """
    edits, paired = substitutions + deletions + insertions, hits + substitutions
    reference, hypothesis = paired + deletions, paired + insertions
    with np.errstate(divide="ignore", invalid="ignore"):
        wer = np.where(reference > 0, edits / reference, insertions)
        mer = np.where(edits + hits > 0, edits / (edits + hits), 0.0)
        wip = np.where(
            (reference > 0) & (hypothesis > 0),
            (hits / reference) * (hits / hypothesis),
            np.where(reference + hypothesis > 0, 0.0, 1.0),
        )
    return wer, mer, 1 - wip, wip


# Of equally few edits those with the fewest substitutions cost the least: even a million of them add up to less than an
# edit, and a power of two leaves no rounding.
_DEARER_SUBSTITUTION = 1 + 2.0**-30

# Edits and hits of pairs of texts by each rule for hits, (pairs,) each; all other counts follow from the lengths.


def _aligned(view: View, hypotheses: Indices, references: Indices) -> tuple[Floats, Floats]:
    counts = alignments(view.ids, view.offsets, hypotheses, references, view.type_count)[0].astype(float)
    return counts[:, 1:].sum(axis=1), counts[:, 0]


def _most(view: View, hypotheses: Indices, references: Indices) -> tuple[Floats, Floats]:
    costs = weighted_distances(
        view.ids, view.offsets, hypotheses, references, 1.0, 1.0, _DEARER_SUBSTITUTION, NONE, 0, view.type_count
    )
    lengths = np.diff(view.offsets)
    edits = np.floor(costs)
    substitutions = (costs - edits) / (_DEARER_SUBSTITUTION - 1)
    return edits, (lengths[hypotheses] + lengths[references] - edits - substitutions) / 2


def _fewest(view: View, hypotheses: Indices, references: Indices) -> tuple[Floats, Floats]:
    lengths = np.diff(view.offsets)
    edits = distances(view.ids, view.offsets, hypotheses, references, view.type_count).astype(float)
    return edits, np.maximum(lengths[hypotheses], lengths[references]) - edits


_HITS: dict[str, Callable[[View, Indices, Indices], tuple[Floats, Floats]]] = {
    "aligned": _aligned, "most": _most, "fewest": _fewest,
}  # fmt: skip

_COLUMNS = ("hits", "substitutions", "deletions", "insertions", "hypothesis_length", "reference_length")

# How jiwer and torchmetrics cut texts.
_WORDS = (
    "words between U+0020 or two whitespace characters of any kind; a number for an empty reference",
    "str.split(), in float32; hits are the longer text less the edits",
    "whitespace",
)
_CHARACTERS = (
    "code points after str.strip(); a number for an empty reference",
    "code points, in float32; whitespace at both ends counts too",
    "characters",
)


def _variants_of(rate: str, jiwer: str, torchmetrics: str, tokenizer: str) -> dict[str, Variant]:
    fields = {"tokenizer": tokenizer, "hits": "fewest", "empty": "error"}
    return {
        "jiwer": Variant("jiwer", jiwer, live=f"jiwer.{rate}"),
        "torchmetrics": Variant("torchmetrics", torchmetrics, fields, live=f"torchmetrics.{rate}"),
    }


def _hub(rate: str) -> Variant:
    about = "the Hub's module on jiwer 4: as jiwer, but fails if the references are empty"
    return Variant("evaluate", about, {"empty": "error"}, live=f"evaluate.{rate}")


@dataclass(frozen=True, kw_only=True)
class ErrorRate(PairScorer):
    """What all error rates share: hits H, substitutions S, deletions D and insertions I of a shortest alignment.

    With N = H + S + D units in the reference and M = H + S + I in the hypothesis, ``wer`` (of characters: ``cer``) is
    (S + D + I) / N, ``mer`` (S + D + I) / (H + S + D + I), ``wip`` (H / N) (H / M), ``wil`` 1 - ``wip``. A corpus has
    the sums of its segments' counts. Every one of the scorers reports them all; its own is its `value`.

    Parameters
    ----------
    tokenizer : str
        What the units are: "jiwer" (jiwer's words), "whitespace" (``str.split()``), "characters-stripped" (jiwer's
        characters), "characters", "graphemes", or any other tokenizer.
    lowercase : bool
        Whether to apply ``str.lower()`` first.
    hits : str
        The least number of edits is one, but not how many of them are substitutions. "aligned": as in the alignment
        that rapidfuzz picks (jiwer); "most": as many hits as any shortest alignment has; "fewest": max(N, M) less the
        edits, as if the alignment were no longer than the longer text (torchmetrics).
    multi_reference : str
        Of several references the one with the "best" rate counts, with its own N (mWER), or the one with the
        "fewest-errors"; the first of several.
    empty : str
        What a rate is where it would divide by zero. "insertions" (jiwer): the number of insertions for ``wer``; 0 for
        ``mer``; for ``wip`` 1 if both sides are empty, otherwise 0. "error": an InputError, if it is the scorer's own
        rate.
    aggregation : str
        "corpus", or "mean" of the segments' rates.
    scale : float
        What an error in every unit is.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Morris, Maier and Green 2004, "From WER and RIL to MER and WIL".
    """

    rate: ClassVar[str] = "wer"
    papers: ClassVar[tuple[str, ...]] = ("morris-etal-2004-wer",)
    _tracer: ClassVar[str] = "metrologue.scorers.error_rates.trace"

    tokenizer: str = option("jiwer", stage="read", choice="tokenizer", kind="tokenizer")
    lowercase: bool = option(False, stage="read", choice="case")
    hits: str = option("aligned", stage="pairs", choice="alignment", one_of=tuple(_HITS))
    multi_reference: str = option(
        "best", stage="join", choice="several references", one_of=("best", "fewest-errors"),
        formerly="references", old_values={"best-rate": "best"},
    )  # fmt: skip
    empty: str = option("insertions", stage="score", choice="empty text", one_of=("insertions", "error"))

    _columns = _COLUMNS

    @property
    def primary(self) -> str:
        """The rate that the scorer is named after."""
        return self.name

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Insertions have no limit, and so have ``wer`` and ``cer``; the other rates are from 0 to the scale."""
        limits = dict.fromkeys((self.rate, "mer", "wil", "wip"), (0.0, self.scale))
        return {**limits, **dict.fromkeys((self.rate, *_COLUMNS), (0.0, math.inf))}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Only information preserved is better the more there is."""
        return {self.rate: False, "mer": False, "wil": False, "wip": True}

    def pair_statistics(self, segments: Segments) -> Floats:
        """H, S, D, I, M and N of each hypothesis with each of its references, (n_pairs, 6)."""
        view = segments.read(words(self.tokenizer, self.lowercase))
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets).astype(float)
        hypothesis, reference = lengths[hypotheses], lengths[references]
        edits, hits = _HITS[self.hits](view, hypotheses, references)
        deletions, insertions = edits + hits - hypothesis, edits + hits - reference
        return np.column_stack([hits, edits - deletions - insertions, deletions, insertions, hypothesis, reference])

    def _key(self, stage: str) -> tuple[object, ...]:
        key = super()._key(stage)
        # Up to the join all error rates count the same, so that several of them on one text align it once.
        return (ErrorRate, *key[1:]) if stage == "pairs" else key

    def _quality(self, rows: Floats) -> Floats:
        if self.multi_reference == "fewest-errors":
            errors: Floats = rows[:, 1:4].sum(axis=1)
            return -errors
        # Not by way of `_score`, which may refuse a reference that would not count.
        rate = self._rates(rows)[self.name]
        return rate if self.higher_is_better[self.name] else -rate

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        if self.empty == "error":
            self._refuse_undefined(statistics)
        return {
            **{name: self.scale * rate for name, rate in self._rates(statistics).items()},
            **dict(zip(_COLUMNS, np.moveaxis(statistics, -1, 0), strict=True)),
        }

    def _rates(self, statistics: Floats) -> dict[str, Floats]:
        rates = error_rates(*np.moveaxis(statistics[..., :4], -1, 0))
        return dict(zip((self.rate, "mer", "wil", "wip"), rates, strict=True))

    def _refuse_undefined(self, counts: Floats) -> None:
        """An InputError where the scorer's own rate divides by zero."""
        without_hypothesis, without_reference = np.moveaxis(counts, -1, 0)[4:] == 0
        wrong, side = {
            "mer": (without_reference & without_hypothesis, "predictions and references"),
            "wil": (without_reference | without_hypothesis, "predictions or references"),
            "wip": (without_reference | without_hypothesis, "predictions or references"),
        }.get(self.name, (without_reference, "references"))
        if wrong.any():
            what = f"segment {np.flatnonzero(wrong)[0]}" if wrong.ndim else "the corpus"
            raise InputError(
                f"{self._label}: {what} has no unit in its {side}, and nothing can be divided by their number; drop "
                "it, or choose another variant or `empty`."
            )

    def edits(self, prediction: str, reference: str) -> Edits:
        """The alignment that has the "aligned" or the "most" hits; there need be none that has the "fewest".

        Examples
        --------
        >>> [step.kind for step in WordErrorRate().edits("the cat sat", "a cat sat down").operations]
        ['S', 'H', 'H', 'D']
        """
        if self.hits == "most":
            scorer = EditDistance(
                tokenizer=self.tokenizer, lowercase=self.lowercase, substitution_cost=_DEARER_SUBSTITUTION
            )
            return scorer.edits(prediction, reference)
        return shortest(
            Segments([prediction], [reference], owner=self._label).read(words(self.tokenizer, self.lowercase))
        )


class WordErrorRate(ErrorRate):
    """Words to insert, delete and substitute, by the words of the reference; lower is better, from 0 without a limit.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> result = WordErrorRate().corpus(["the cat sit on mat today"], ["the cat sat on the mat"])
    >>> result.value, result.scores["hits"], result.scores["substitutions"]
    (0.5, 3, 3)
    >>> WordErrorRate(hits="most").corpus(["the cat sit on mat today"], ["the cat sat on the mat"]).scores["hits"]
    4
    """

    name: ClassVar[str] = "wer"
    _variants: ClassVar = {**_variants_of("wer", *_WORDS), "evaluate": _hub("wer")}


@dataclass(frozen=True, kw_only=True)
class CharacterErrorRate(ErrorRate):
    """``WordErrorRate`` of characters, whitespace between words included; the rate is called ``cer``.

    Examples
    --------
    >>> CharacterErrorRate().corpus(["abc"], ["adc"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "cer"
    rate: ClassVar[str] = "cer"
    _variants: ClassVar = {**_variants_of("cer", *_CHARACTERS), "evaluate": _hub("cer")}

    tokenizer: str = "characters-stripped"


class MatchErrorRate(ErrorRate):
    """Edits by all steps of the alignment: which share of them is wrong; lower is better, 0-1.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> MatchErrorRate().corpus(["a b c d"], ["a x c"]).value
    0.5
    """

    name: ClassVar[str] = "mer"
    _variants: ClassVar = _variants_of("mer", *_WORDS)


class WordInformationPreserved(ErrorRate):
    """The share of the reference that was hit, times the share of the hypothesis that hits; higher is better, 0-1.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> WordInformationPreserved().corpus(["a b c d"], ["a x c"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "wip"
    _variants: ClassVar = _variants_of("wip", *_WORDS)


class WordInformationLost(ErrorRate):
    """1 less ``WordInformationPreserved``; lower is better, 0-1.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> WordInformationLost().corpus(["a b c d"], ["a x c"]).value
    0.6666666666666667
    """

    name: ClassVar[str] = "wil"
    _variants: ClassVar = _variants_of("wil", *_WORDS)
