"""Edit distance (Levenshtein 1966) over characters, grapheme clusters or any other tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.hints import refuse_undefined
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import Rule, option, with_default
from metrologue.scorers.core.rows import columns_of, join, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.edit_distance.kernels import distance_rows
from metrologue.scorers.families.edits import Edits, cheapest, shortest
from metrologue.scorers.families.kernels import edit
from metrologue.scorers.families.kernels.weighted import EditCosts, weighted_distances
from metrologue.segments import Segments, View

__all__ = ["EditDistance", "greatest_distance", "normalized_distance"]

Costs = tuple[float, float, float]  # of an insertion, a deletion and a substitution

_TRANSPOSITIONS = ("none", "adjacent", "any")  # in the order of their numbers in kernels.weighted


def normalized_distance(edit_distance: Floats, divisor: Floats) -> Floats:
    """The distance, divided by the greatest possible distance or by another divisor.

    Parameters
    ----------
    edit_distance, divisor : float64 (...)

    Returns
    -------
    float64 (...)
        0 where the distance is 0, whatever the divisor; infinite where only the divisor is 0.

    Examples
    --------
    "horse" and "ros" have a distance of 3. Texts of five and three characters have a distance of 5 at most.

    >>> normalized_distance(np.array(3.0), np.array(5.0))
    array(0.6)
    """
    return ratio(edit_distance, divisor, np.where(edit_distance > 0, np.inf, 0.0))


def greatest_distance(
    hypothesis_length: Floats,
    reference_length: Floats,
    insertion_cost: float = 1.0,
    deletion_cost: float = 1.0,
    substitution_cost: float = 1.0,
) -> Floats:
    """The greatest distance of two texts of these lengths, as rapidfuzz computes it.

    Parameters
    ----------
    hypothesis_length, reference_length : float64 (...)
    insertion_cost, deletion_cost, substitution_cost : float

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> greatest_distance(np.array(5.0), np.array(3.0)), greatest_distance(np.array(5.0), np.array(3.0), 2, 1, 9)
    (array(5.), array(13.))
    """
    pair = min(substitution_cost, insertion_cost + deletion_cost)
    rest = np.maximum(hypothesis_length - reference_length, 0) * insertion_cost
    rest = rest + np.maximum(reference_length - hypothesis_length, 0) * deletion_cost
    return np.asarray(np.minimum(hypothesis_length, reference_length) * pair + rest)


# Each gives what a distance is divided by, (pairs,), from the lengths of hypotheses and references and the costs.
_DIVIDED: dict[str, Rule[[Floats, Floats, Costs], Floats]] = {
    "maximum": Rule(
        lambda hypothesis, reference, costs: greatest_distance(hypothesis, reference, *costs),
        "the greatest distance of texts of these lengths (rapidfuzz)",
    ),
    "longer": Rule(
        lambda hypothesis, reference, costs: np.maximum(hypothesis, reference), "the length of the longer text"
    ),
    "reference": Rule(lambda hypothesis, reference, costs: reference, "the length of the reference"),
    "sum": Rule(lambda hypothesis, reference, costs: hypothesis + reference, "the sum of both lengths"),
}

_DIVISORS: dict[str, str | Rule[[Floats, Floats, Costs], Floats]] = {"none": "nothing", **_DIVIDED}

# With these there are numbers of normalized distances.
_NORMALIZED = {"normalization": tuple(_DIVIDED)}


def _longest(view: View) -> int:
    """The units of the longest of the texts that are compared; a block of pairs has others too."""
    return int(max(view.lengths.max(initial=0), view.reference_lengths.max(initial=0)))


@dataclass(frozen=True, kw_only=True)
class EditDistance(Tokenized, PairScorer):
    """The least cost of the edits that turn a text into its reference; lower is better, 0 or more.

    ``edit_distance`` is the cost itself. With a `normalization`, two more numbers are reported:
    ``normalized_distance``, which is then the `value`, and ``normalized_similarity``, which is 1 minus it. The defaults
    are those of rapidfuzz's ``Levenshtein.distance``, averaged over the segments.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Levenshtein 1966; Damerau 1964; bit vectors: Myers 1999 and Hyyrö 2003.

    Examples
    --------
    >>> EditDistance().segments(["horse", "abc"], ["ros", "adc"])
    array([3., 1.])
    >>> EditDistance(transpositions="adjacent").corpus(["acb"], ["abc"]).value
    1.0
    >>> EditDistance(normalization="maximum").corpus(["horse"], ["ros"]).scores["normalized_similarity"]
    0.4
    """

    name: ClassVar[str] = "edit_distance"
    about: ClassVar = About(papers=("levenshtein-1966-binary",), growth=Growth("characters", 2, 30_000))

    # fmt: off
    tokenizer: str = with_default(
        "characters",
        about='What the units are: "characters" (code points), "graphemes" (what a reader sees as one character), '
        '"whitespace" (words), or any other tokenizer.',
    )
    insertion_cost: float = option(
        1.0, stage="pairs", choice="costs", about="Cost of a unit that only the hypothesis has."
    )
    deletion_cost: float = option(
        1.0, stage="pairs", choice="costs", about="Cost of a unit that only the reference has."
    )
    substitution_cost: float = option(
        1.0, stage="pairs", choice="costs", infinite=True,
        about="Cost of one unit in place of another. With ``math.inf`` there are no substitutions.",
    )
    transpositions: str = option(
        "none", stage="pairs", choice="transpositions",
        about="Whether two adjacent units may be swapped at a cost of 1.",
        one_of={
            "none": "never", "adjacent": "if no other edit touches them (optimal string alignment)",
            "any": "also with edits between the two (Damerau's distance)",
        },
    )
    beam: int | None = option(
        None, stage="pairs", choice="beam", least=1,
        about="How far from the diagonal of the table the search looks; None for the whole table. With a beam, "
        "distances of long texts may be too large (torchmetrics: 25).",
    )
    max_length: int | None = option(
        None, stage="pairs", choice="length limit", least=1,
        about="Refuse texts with more units than this. nltk does so from version 3.10 on, because its table has a cell "
        "for each pair of characters.",
    )
    # A divisor needs only lengths and costs. So pairs are counted once for all normalizations.
    normalization: str = option(
        "none", stage="join", choice="normalization",
        about="What the distance is divided by. Two empty texts have the distance 0.", one_of=_DIVISORS,
    )
    rounding: bool = option(
        False, stage="score", choice="rounding",
        about="Whether normalized numbers are rounded to whole per cent for each pair, as fuzzywuzzy and thefuzz "
        "do in ``fuzz.ratio``. Half a per cent is rounded to the even number.",
    )
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        about="How several references join.",
        one_of={
            "best": "the reference with the least distance counts; ties: the first",
            "mean": "the mean over all references",
        },
    )
    aggregation: str = with_default(
        "mean",
        one_of={
            "corpus": "the sum of the distances, divided by the sum of the divisors",
            "mean": "the mean of the segments",
        },
    )
    scale: float = with_default(1.0, about="The factor of ``normalized_distance`` and ``normalized_similarity``.")
    # fmt: on

    _columns = ("edit_distance", "divisor", "hypothesis_length", "reference_length")

    @property
    def _usual(self) -> str:
        """``edit_distance``, or ``normalized_distance`` with a normalization."""
        return "edit_distance" if self.normalization == "none" else "normalized_distance"

    numbers: ClassVar = (
        number(
            "edit_distance", 0, math.inf, better="lower", unit="edits",
            about="least cost of the edits that turn a text into its reference",
        ),
        number(
            "normalized_distance", 0, "_most", better="lower", unit="points", when=_NORMALIZED,
            about="edit distance, divided as `normalization` says",
        ),
        number(
            "normalized_similarity", "_least", "scale", better="higher", when=_NORMALIZED,
            about="1 minus the normalized distance",
        ),
        counted("hypothesis_length", "units", about="units of the hypotheses"),
        counted("reference_length", "units", about="units of the references"),
    )  # fmt: skip

    @property
    def _most(self) -> float:
        """The greatest normalized distance. Only distances that the maximum divides have an upper limit."""
        return self.scale if self.normalization == "maximum" else math.inf

    @property
    def _least(self) -> float:
        """The least normalized similarity."""
        return self.scale - self._most

    def _symmetric(self, key: str) -> bool:
        # Sums of costs that are not whole could depend on the order of the edits.
        alike = self.insertion_cost == self.deletion_cost and not self.beam
        whole = all(cost.is_integer() for cost in self._costs[:3])
        return key in self.higher_is_better and alike and whole and self.normalization != "reference"

    def _view(self, segments: Segments) -> View:
        """The units that are compared. Raises an InputError if a text has more than `max_length`."""
        view = super()._view(segments)
        if self.max_length is not None and (longest := _longest(view)) > self.max_length:
            raise InputError(
                f"EditDistance: a text has {longest} units, and `max_length` is {self.max_length}; "
                "drop the segment, or choose another variant or max_length=None."
            )
        return view

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Distance, divisor 1, hypothesis length and reference length of each pair, (n_pairs, 4)."""
        view = self._view(segments)
        return distance_rows(self._distances(view.paired, view.type_count), view.paired)

    def _statistics(self, segments: Segments) -> Floats:
        rows = self._pairs(segments)
        if divisors := _DIVIDED.get(self.normalization):
            rows = rows.copy()  # other scorers may divide the same distances by something else
            rows[:, 1] = divisors(rows[:, 2], rows[:, 3], self._costs[:3])
        return join(self.multi_reference, rows, segments.reference_offsets, self._quality)

    def _quality(self, rows: Floats) -> Floats:
        distance, divisor, *_ = columns_of(rows)
        return -normalized_distance(distance, divisor)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        distance, divisor, hypothesis_length, reference_length = columns_of(statistics)
        numbers = {"edit_distance": distance}
        if self.normalization != "none":
            refuse_undefined(
                self._label,
                (divisor == 0) & (distance > 0),
                "has a distance above 0, but its divisor is 0, as its reference is empty; drop it, or choose another "
                "`normalization`",
            )
            share = normalized_distance(distance, divisor)
            if self.rounding:
                share = 1 - np.rint(100 * (1 - share)) / 100
            numbers["normalized_distance"] = self.scale * share
            numbers["normalized_similarity"] = self.scale * (1 - share)
        return {**numbers, "hypothesis_length": hypothesis_length, "reference_length": reference_length}

    @cached_property
    def _costs(self) -> EditCosts:
        costs = self.insertion_cost, self.deletion_cost, self.substitution_cost
        return EditCosts(*costs, _TRANSPOSITIONS.index(self.transpositions), self.beam or 0)

    @cached_property
    def _uniform(self) -> bool:
        """Whether the bit-parallel kernel applies: all edits cost the same, without transpositions and beam."""
        insertion, deletion, substitution, *rest = self._costs
        return insertion == deletion == substitution > 0 and not any(rest)

    def _distances(self, texts: Pairs, vocabulary: int) -> Floats:
        if self._uniform:
            return edit.distances(texts, vocabulary).astype(np.float64) * self.substitution_cost
        return weighted_distances(texts, self._costs, vocabulary)

    def edits(self, prediction: str, reference: str) -> Edits:
        """The edits of one pair: one alignment of the least cost.

        It needs memory for every pair of units, unless all edits cost the same. If there are edits between two
        transposed units, they come after the transposition.

        Raises
        ------
        InputError
            As for ``corpus``.

        Examples
        --------
        >>> edits = EditDistance(transpositions="adjacent").edits("acbd", "abcd")
        >>> [step.kind for step in edits.operations]
        ['H', 'T', 'H']
        """
        view = self._view(Segments([prediction], [reference], owner="EditDistance"))
        return shortest(view) if self._uniform else cheapest(view, self._costs)

    _variants: ClassVar = {
        "rapidfuzz": Variant(
            "rapidfuzz", "Levenshtein.distance over code points; the mean over the pairs",
            live="rapidfuzz.edit_distance",
        ),
        "rapidfuzz-normalized": Variant(
            "rapidfuzz", "Levenshtein.normalized_distance: divided by the greatest distance of texts of these lengths",
            {"normalization": "maximum"}, live="rapidfuzz.normalized_distance",
        ),
        "rapidfuzz-osa": Variant(
            "rapidfuzz", "OSA.distance: adjacent characters may be swapped at a cost of 1",
            {"transpositions": "adjacent"},
            live="rapidfuzz.edit_distance", options={"kind": "OSA"},
        ),
        "rapidfuzz-damerau": Variant(
            "rapidfuzz",
            "DamerauLevenshtein.distance: adjacent characters may be swapped, also with edits between them",
            {"transpositions": "any"}, live="rapidfuzz.edit_distance", options={"kind": "DamerauLevenshtein"},
        ),
        "repobench": Variant(
            "rapidfuzz",
            "edit similarity of code in RepoBench, and in CrossCodeEval after str.strip(): fuzz.ratio in whole per "
            "cent, which is the number normalized_similarity",
            {"substitution_cost": 2.0, "normalization": "sum", "rounding": True}, live="rapidfuzz.ratio",
        ),
        "nltk": Variant(
            "nltk", "edit_distance, which refuses texts of more than 2000 characters", {"max_length": 2000},
            live="nltk.edit_distance",
        ),
        "torchmetrics": Variant(
            "torchmetrics", "edit_distance: with sacrebleu's beam, so that distances of long texts may be too large",
            {"beam": 25}, live="torchmetrics.edit_distance",
        ),
    }  # fmt: skip
