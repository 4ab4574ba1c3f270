"""Edit distance (Levenshtein 1966) over characters, grapheme clusters or any other tokens."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels import edit
from metrologue.kernels.edit import alignments
from metrologue.kernels.weighted import weighted_distances, weighted_table
from metrologue.scorers.base import Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.edit_operations import Edits, Operation
from metrologue.scorers.references import first_best
from metrologue.segments import Segments, View
from metrologue.tokenizers import canonical_name

__all__ = ["EditDistance", "shortest"]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_COLUMNS = ("edit_distance", "divisor", "hypothesis_length", "reference_length")
_TRANSPOSITIONS = ("none", "adjacent", "any")  # in the order of the numbers that kernels.weighted has for them


@dataclass(frozen=True, kw_only=True)
class EditDistance(Scorer):
    """The least cost of edits that make a text its reference; 0 is equal, and there is no upper limit.

    ``edit_distance`` is the cost itself. With a `normalization` there are also ``normalized_distance``, which then is
    the `value`, and ``normalized_similarity``, 1 less that. The defaults are those of rapidfuzz's
    ``Levenshtein.distance``, averaged over the segments.

    Parameters
    ----------
    tokenizer : str
        What is edited: "characters" (code points), "graphemes" (what a reader takes for one character), "whitespace"
        for words, or any other tokenizer.
    lowercase : bool
        Whether to apply ``str.lower()`` first.
    insertion_cost, deletion_cost, substitution_cost : float
        Of a unit that only the hypothesis has, that only the reference has, and of one in place of another; from 0 to
        2^31 - 1, and a substitution that never happens costs ``math.inf``.
    transpositions : str
        Whether two neighbours may change places at the cost of 1: "none", "adjacent" if no other edit touches them
        (optimal string alignment), or "any", edits between the two allowed (Damerau's distance).
    beam : int or None
        Look only so far from the diagonal of the table, 1 to 2^31 - 1; distances of long texts then are too large
        (torchmetrics: 25).
    max_length : int or None
        Refuse longer texts, as nltk does from 3.10 on, whose table has a cell for each pair of characters; from 1 to
        2^31 - 1.
    normalization : str
        What the distance is divided by: "none"; the "maximum" for texts of these lengths (rapidfuzz); the length of the
        "longer" text, of the "reference", or the "sum" of both. Two empty texts have the distance 0.
    references : str
        Of several references the "nearest" counts, the first of several, or their "mean".
    aggregation : str
        "mean" of the segments, or "corpus": the sum of their distances, by the sum of what each is divided by.
    scale : float
        What ``normalized_distance`` is multiplied by.

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

    tokenizer: str = "characters"
    lowercase: bool = False
    insertion_cost: float = 1.0
    deletion_cost: float = 1.0
    substitution_cost: float = 1.0
    transpositions: str = "none"
    beam: int | None = None
    max_length: int | None = None
    normalization: str = "none"
    references: str = "nearest"
    aggregation: str = "mean"

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("tokenizer", ("tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice("costs", ("insertion_cost", "deletion_cost", "substitution_cost"), "statistics"),
        Choice("transpositions", ("transpositions",), "statistics"),
        Choice("beam", ("beam",), "statistics"),
        Choice("length limit", ("max_length",), "statistics"),
        Choice("normalization", ("normalization",), "statistics"),
        Choice("several references", ("references",), "statistics"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(transpositions=_TRANSPOSITIONS, normalization=_NORMALIZATIONS, references=("nearest", "mean"))
        self._check_numbers("insertion_cost", "deletion_cost")
        if not (isinstance(self.substitution_cost, float) and self.substitution_cost == math.inf):
            self._check_numbers("substitution_cost")
        self._check_numbers("beam", "max_length", least=1)
        self._set_field(tokenizer=canonical_name(self.tokenizer))

    @property
    def primary(self) -> str:
        """``edit_distance``, or ``normalized_distance`` with a normalization."""
        return "edit_distance" if self.normalization == "none" else "normalized_distance"

    @property
    def perfect_score(self) -> float | None:
        """The scale, of a normalized distance."""
        return None if self.normalization == "none" else self.scale

    @property
    def count_columns(self) -> tuple[str, ...]:
        """The distance, what it is divided by, and the lengths of hypothesis and reference."""
        return _COLUMNS

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Distances have no limit; normalized by the maximum they are between 0 and the scale."""
        limits = {"edit_distance": (0.0, math.inf)}
        if self.normalization != "none":
            most = self.scale if self.normalization == "maximum" else math.inf
            limits["normalized_distance"] = 0.0, most
            limits["normalized_similarity"] = self.scale - most, self.scale
        return {**limits, **dict.fromkeys(_COLUMNS[2:], (0.0, math.inf))}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """A distance is the better the smaller it is, a similarity the greater."""
        directions = {"edit_distance": False, "normalized_distance": False, "normalized_similarity": True}
        return {name: direction for name, direction in directions.items() if name in self.range}

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """The distance, normalized too where that is wanted, and the lengths."""
        distance, divisor, hypothesis_length, reference_length = np.moveaxis(counts, -1, 0)
        numbers = {"edit_distance": distance}
        if self.normalization != "none":
            if (undefined := (divisor == 0) & (distance > 0)).any():
                what = f"segment {np.flatnonzero(undefined)[0]}" if undefined.ndim else "the corpus"
                raise InputError(
                    f"EditDistance: {what} has a distance but nothing to divide it by, as its reference is empty; drop "
                    "it, or choose another `normalization`."
                )
            with np.errstate(invalid="ignore"):
                share = np.where(divisor > 0, distance / divisor, 0.0)
            numbers["normalized_distance"] = self.scale * share
            numbers["normalized_similarity"] = self.scale * (1 - share)
        return {**numbers, "hypothesis_length": hypothesis_length, "reference_length": reference_length}

    # The counts.

    def _view(self, segments: Segments) -> View:
        """The units that are compared; an InputError if a text has too many."""
        view = segments.view(self.tokenizer, self.lowercase)
        longest = np.diff(view.offsets).max(initial=0)
        if self.max_length is not None and longest > self.max_length:
            raise InputError(
                f"EditDistance: a text has {longest} units, over the {self.max_length} of `max_length`; "
                "drop the segment, or choose another variant or max_length=None."
            )
        return view

    def counts(self, segments: Segments) -> Floats:
        """Distance, divisor and lengths of each segment, several references joined."""
        view = self._view(segments)
        n, offsets = len(view), view.reference_offsets
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets).astype(float)
        key = ("edit_distance", view.key, *self._costs)
        distances = segments.memoize(key, lambda: self._of_pairs(view, hypotheses, references))
        hypothesis, reference = lengths[hypotheses], lengths[references]
        divisor = _NORMALIZATIONS[self.normalization](self, hypothesis, reference)
        pairs: Floats = np.column_stack([distances, divisor, hypothesis, reference])
        if len(pairs) == n:
            return pairs
        if self.references == "mean":
            means: Floats = np.add.reduceat(pairs, offsets[:-1]) / np.diff(offsets)[:, None]
            return means
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(distances > 0, distances / divisor, 0.0)
        return pairs[first_best(-value, offsets)]

    @property
    def _costs(self) -> tuple[float, float, float, int, int]:
        costs = self.insertion_cost, self.deletion_cost, self.substitution_cost
        return (*costs, _TRANSPOSITIONS.index(self.transpositions), self.beam or 0)

    @property
    def _uniform(self) -> bool:
        """Whether all edits cost the same and any cell counts: then bits do the work."""
        insertion, deletion, substitution, *rest = self._costs
        return insertion == deletion == substitution > 0 and not any(rest)

    def _of_pairs(self, view: View, hypotheses: Indices, references: Indices) -> Floats:
        distances: Floats
        if self._uniform:
            edits = edit.distances(view.ids, view.offsets, hypotheses, references, view.type_count)
            distances = self.substitution_cost * edits.astype(np.float64)
        else:
            distances = weighted_distances(
                view.ids, view.offsets, hypotheses, references, *self._costs, view.type_count
            )
        return distances

    def edits(self, prediction: str, reference: str) -> Edits:
        """One alignment of the least cost, with memory for every pair of units unless all edits cost the same.

        Of a transposition with edits between the two, the units between them follow it.

        Raises
        ------
        InputError
            As for ``corpus``.

        Examples
        --------
        >>> found = EditDistance(transpositions="adjacent").edits("acbd", "abcd")
        >>> [step.kind for step in found.operations]
        ['H', 'T', 'H']
        """
        view = self._view(Segments([prediction], [reference], owner="EditDistance"))
        return shortest(view) if self._uniform else self._cheapest(view)

    def _cheapest(self, view: View) -> Edits:
        """Walk back through the whole table: pairs before insertions before deletions before transpositions."""
        insertion, deletion, substitution, *_ = self._costs
        ours, theirs = view.tokens_of(0), view.tokens_of(1)
        table = weighted_table(view.ids, len(ours), *self._costs, view.type_count)
        i, j = len(ours), len(theirs)
        steps: list[Operation] = []
        while i or j:
            here = table[i, j]
            equal = i > 0 and j > 0 and ours[i - 1] == theirs[j - 1]
            if i and j and here == table[i - 1, j - 1] + (0.0 if equal else substitution):
                i, j = i - 1, j - 1
                steps.append(Operation("H" if equal else "S", i, j))
            elif i and here == table[i - 1, j] + insertion:
                i -= 1
                steps.append(Operation("I", i, j))
            elif j and here == table[i, j - 1] + deletion:
                j -= 1
                steps.append(Operation("D", i, j))
            else:
                k = max(k for k in range(i - 1) if ours[k] == theirs[j - 1])
                m = max(m for m in range(j - 1) if theirs[m] == ours[i - 1])
                steps += [Operation("D", i, between) for between in range(j - 2, m, -1)]
                steps += [Operation("I", between, m + 2) for between in range(i - 2, k, -1)]
                steps.append(Operation("T", k, m))
                i, j = k, m
        return Edits(tuple(ours), tuple(theirs), tuple(reversed(steps)))

    _variants: ClassVar[dict[str, Variant]] = {}


def shortest(view: View) -> Edits:
    """The alignment that rapidfuzz picks for the first hypothesis of a view and its first reference."""
    first, second = np.array([0]), np.array([len(view)])
    _, partners = alignments(view.ids, view.offsets, first, second, view.type_count)
    ours, theirs = view.tokens_of(0), view.tokens_of(len(view))
    steps: list[Operation] = []
    i = 0
    for j, partner in enumerate(partners.tolist()):
        while i < partner:
            steps.append(Operation("I", i, j))
            i += 1
        if partner < 0:
            steps.append(Operation("D", i, j))
        else:
            steps.append(Operation("H" if ours[i] == theirs[j] else "S", i, j))
            i += 1
    steps += [Operation("I", rest, len(theirs)) for rest in range(i, len(ours))]
    return Edits(tuple(ours), tuple(theirs), tuple(steps))


# What a distance is divided by, (pairs,), from the lengths of hypothesis and reference.


def _maximum(scorer: EditDistance, hypothesis: Floats, reference: Floats) -> Floats:
    pair = min(scorer.substitution_cost, scorer.insertion_cost + scorer.deletion_cost)
    rest = np.maximum(hypothesis - reference, 0) * scorer.insertion_cost
    rest = rest + np.maximum(reference - hypothesis, 0) * scorer.deletion_cost
    return np.minimum(hypothesis, reference) * pair + rest


_NORMALIZATIONS: dict[str, Callable[[EditDistance, Floats, Floats], Floats]] = {
    "none": lambda scorer, hypothesis, reference: np.ones_like(reference),
    "maximum": _maximum,
    "longer": lambda scorer, hypothesis, reference: np.maximum(hypothesis, reference),
    "reference": lambda scorer, hypothesis, reference: reference,
    "sum": lambda scorer, hypothesis, reference: hypothesis + reference,
}

EditDistance._variants.update(
    {
        "rapidfuzz": Variant(
            "rapidfuzz",
            "Levenshtein.distance of code points; the mean of the pairs",
            live="rapidfuzz.edit_distance",
        ),
        "rapidfuzz-normalized": Variant(
            "rapidfuzz",
            "Levenshtein.normalized_distance: by the greatest distance of texts so long",
            {"normalization": "maximum"},
            live="rapidfuzz.normalized_distance",
        ),
        "rapidfuzz-osa": Variant(
            "rapidfuzz",
            "OSA.distance: neighbours change places at the cost of 1",
            {"transpositions": "adjacent"},
            live="rapidfuzz.edit_distance",
            options={"kind": "OSA"},
        ),
        "rapidfuzz-damerau": Variant(
            "rapidfuzz",
            "DamerauLevenshtein.distance: the same, with edits between them",
            {"transpositions": "any"},
            live="rapidfuzz.edit_distance",
            options={"kind": "DamerauLevenshtein"},
        ),
        "nltk": Variant(
            "nltk",
            "edit_distance, which refuses texts of over 2000 characters",
            {"max_length": 2000},
            live="nltk.edit_distance",
        ),
        "torchmetrics": Variant(
            "torchmetrics",
            "edit_distance: sacrebleu's beam, so that long texts may be further apart",
            {"beam": 25},
            live="torchmetrics.edit_distance",
        ),
    }
)
