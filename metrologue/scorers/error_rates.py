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
from metrologue.scorers.base import Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.edit_distance import EditDistance, shortest
from metrologue.scorers.edit_operations import Edits
from metrologue.scorers.references import first_best
from metrologue.segments import Segments, View
from metrologue.tokenizers import canonical_name

__all__ = [
    "CharacterErrorRate",
    "ErrorRate",
    "MatchErrorRate",
    "WordErrorRate",
    "WordInformationLost",
    "WordInformationPreserved",
]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# Of equally few edits those with the fewest substitutions cost the least: even a million of them add up to less than an
# edit, and a power of two leaves no rounding.
_DEARER_SUBSTITUTION = 1 + 2.0**-30
_COLUMNS = ("hits", "substitutions", "deletions", "insertions", "hypothesis_length", "reference_length")


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Scorer):
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
    references : str
        Of several references, the one with the "best-rate" counts, with its own N (mWER), or the one with the
        "fewest-errors"; the first of several.
    empty : str
        What a rate is where it would divide by zero. "insertions" (jiwer): the number of insertions for ``wer``; 0 for
        ``mer``; for ``wip`` 1 if both sides are empty, else 0. "error": an InputError, if it is the scorer's own rate.
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

    tokenizer: str = "jiwer"
    lowercase: bool = False
    hits: str = "aligned"
    references: str = "best-rate"
    empty: str = "insertions"

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("tokenizer", ("tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice("alignment", ("hits",), "statistics"),
        Choice("several references", ("references",), "statistics"),
        Choice("empty text", ("empty",), "score"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(hits=_HITS, references=("best-rate", "fewest-errors"), empty=("insertions", "error"))
        self._set_field(tokenizer=canonical_name(self.tokenizer))

    @property
    def primary(self) -> str:
        """The rate that the scorer is named after."""
        return self.name

    @property
    def count_columns(self) -> tuple[str, ...]:
        """Hits, substitutions, deletions, insertions, and units of the hypothesis and of the reference."""
        return _COLUMNS

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Insertions have no limit, and so have ``wer`` and ``cer``; the other rates are from 0 to the scale."""
        limits = dict.fromkeys((self.rate, "mer", "wil", "wip"), (0.0, self.scale))
        return {**limits, **dict.fromkeys((self.rate, *_COLUMNS), (0.0, math.inf))}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Only information preserved is better the more there is."""
        return {self.rate: False, "mer": False, "wil": False, "wip": True}

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """The rates, on the scorer's scale, then the counts and the lengths."""
        if self.empty == "error":
            self._refuse_undefined(counts)
        return {
            **{name: self.scale * rate for name, rate in self._rates(counts).items()},
            **dict(zip(_COLUMNS, np.moveaxis(counts, -1, 0), strict=True)),
        }

    def _rates(self, counts: Floats) -> dict[str, Floats]:
        hits, substitutions, deletions, insertions, hypothesis, reference = np.moveaxis(counts, -1, 0)
        edits = substitutions + deletions + insertions
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(reference > 0, edits / reference, insertions)
            match = np.where(edits + hits > 0, edits / (edits + hits), 0.0)
            preserved = np.where(
                (reference > 0) & (hypothesis > 0),
                (hits / reference) * (hits / hypothesis),
                np.where(reference + hypothesis > 0, 0.0, 1.0),
            )
        return {self.rate: rate, "mer": match, "wil": 1 - preserved, "wip": preserved}

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

    # The counts.

    def counts(self, segments: Segments) -> Floats:
        """Edits and lengths of each segment, by the reference that counts."""
        view = segments.view(self.tokenizer, self.lowercase)
        offsets = view.reference_offsets
        pairs: Floats = segments.memoize(("edits", view.key, self.hits), lambda: self._of_pairs(view))
        if offsets[-1] == len(view):
            return pairs
        if self.references == "fewest-errors":
            badness = pairs[:, 1:4].sum(axis=1)
        else:
            badness = self._rates(pairs)[self.name] * (-1 if self.higher_is_better[self.name] else 1)
        return pairs[first_best(-badness, offsets)]

    def _of_pairs(self, view: View) -> Floats:
        """The counts of each hypothesis with each of its references, (pairs, 6)."""
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets).astype(float)
        hypothesis, reference = lengths[hypotheses], lengths[references]
        edits, hits = _HITS[self.hits](view, hypotheses, references)
        deletions, insertions = edits + hits - hypothesis, edits + hits - reference
        return np.column_stack([hits, edits - deletions - insertions, deletions, insertions, hypothesis, reference])

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
        return shortest(Segments([prediction], [reference], owner=self._label).view(self.tokenizer, self.lowercase))

    _variants: ClassVar[dict[str, Variant]] = {}


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
    _variants: ClassVar[dict[str, Variant]] = {}


@dataclass(frozen=True, kw_only=True)
class CharacterErrorRate(ErrorRate):
    """``WordErrorRate`` of characters, blanks between words included; the rate is called ``cer``.

    Examples
    --------
    >>> CharacterErrorRate().corpus(["abc"], ["adc"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "cer"
    rate: ClassVar[str] = "cer"
    _variants: ClassVar[dict[str, Variant]] = {}

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
    _variants: ClassVar[dict[str, Variant]] = {}


class WordInformationPreserved(ErrorRate):
    """The share of the reference that was hit, times the share of the hypothesis that hits; higher is better, 0-1.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> WordInformationPreserved().corpus(["a b c d"], ["a x c"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "wip"
    _variants: ClassVar[dict[str, Variant]] = {}


class WordInformationLost(ErrorRate):
    """1 less ``WordInformationPreserved``; lower is better, 0-1.

    See ``ErrorRate`` for the fields and all numbers that are reported.

    Examples
    --------
    >>> WordInformationLost().corpus(["a b c d"], ["a x c"]).value
    0.6666666666666667
    """

    name: ClassVar[str] = "wil"
    _variants: ClassVar[dict[str, Variant]] = {}


# By what is counted: how jiwer and torchmetrics cut texts into it, and the tokenizer that cuts as torchmetrics does.
_WORDS = (
    "words between U+0020 or two blanks of any kind; a number for an empty reference",
    "str.split(), in float32; hits are the longer text less the edits",
    "whitespace",
)
_CHARACTERS = (
    "code points after str.strip(); a number for an empty reference",
    "code points, in float32; blanks at both ends count too",
    "characters",
)
_scorer: type[ErrorRate]
for _scorer in (WordErrorRate, CharacterErrorRate, MatchErrorRate, WordInformationLost, WordInformationPreserved):
    _by_jiwer, _by_torchmetrics, _tokenizer = _CHARACTERS if _scorer is CharacterErrorRate else _WORDS
    _scorer._variants.update(
        jiwer=Variant("jiwer", _by_jiwer, live=f"jiwer.{_scorer.name}"),
        torchmetrics=Variant(
            "torchmetrics",
            _by_torchmetrics,
            {"tokenizer": _tokenizer, "hits": "fewest", "empty": "error"},
            live=f"torchmetrics.{_scorer.name}",
        ),
    )
for _scorer in (WordErrorRate, CharacterErrorRate):
    _scorer._variants["evaluate"] = Variant(
        "evaluate",
        "the Hub's module on jiwer 4: as jiwer, but fails if the references are empty",
        {"empty": "error"},
        live=f"evaluate.{_scorer.name}",
    )
