"""TER, translation edit rate (Snover et al. 2006), as sacrebleu and torchmetrics compute it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.kernels.shifts import shift_edits
from metrologue.scorers.base import Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.edit_operations import Edits, Operation, Shift
from metrologue.scorers.references import first_best
from metrologue.segments import Segments, View
from metrologue.tokenizers import get_tokenizer
from metrologue.tokenizers.functions import from_lists

__all__ = ["Ter"]

Floats = NDArray[np.float64]

_SIDES = ("hypothesis", "reference")


@dataclass(frozen=True, kw_only=True)
class Ter(Scorer):
    """Edits and block shifts that make a text its reference, per word of the reference; lower is better.

    0 is perfect, and `scale` is one edit a word; there may be more. Of several references the one with the fewest edits
    counts, with their mean length. No words in the references give `scale`, or 0 if there are none in the hypothesis
    either. The defaults are sacrebleu's, which follows tercom but for its beam and its limit of candidates, and but for
    `references_twice`: with `normalized`, "5 .,5" is not equal to itself there.

    Parameters
    ----------
    normalized : bool
        Whether to split off punctuation (tercom's -N); also ``'s``, and a dash behind a digit.
    no_punct : bool
        Whether to drop ``. , ? : ; ! " ( )``.
    asian_support : bool
        Whether `normalized` also splits Chinese and Japanese into characters, and `no_punct` drops their punctuation;
        without either of them it changes nothing.
    case_sensitive : bool
        Whether case counts; else ``str.lower()`` comes first.
    references_twice : bool
        Whether the words of references are cut once more, and those of hypotheses are not, as sacrebleu has it. Under
        `normalized`, ``PLC's,`` comes to ``plc's ,`` the first time and to ``plc 's ,`` the second; without it this
        changes nothing.
    shifted : str
        Which text the words are shifted in: the "hypothesis", or the "reference" (torchmetrics turns the two round).
    max_shift_length, max_shift_distance : int
        How many words move together at most, and how many places apart equal words may stand; 1 to 2^31 - 1.
    beam : int
        How far from the diagonal the edit distance looks: from so many columns on one side to one less on the other, 1
        to 2^31 - 1.
    max_candidates : int
        At so many shifts tried, 1 to 2^31 - 1, the search ends, without the best one of its last round.
    empty_hypothesis : str
        Whether the words that an empty hypothesis lacks are "counted" as edits, or "free" (torchmetrics).
    aggregation : str
        "corpus": all edits by all reference words; "mean" of the segments' rates.
    scale : float
        What one edit a word is.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Snover et al. 2006, https://aclanthology.org/2006.amta-papers.25; tercom, https://github.com/jhclark/tercom.

    Examples
    --------
    >>> result = Ter().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> result.scores["shifts"], result.scores["edits"], round(result.value, 2)
    (1, 1, 16.67)
    """

    name: ClassVar[str] = "ter"

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    references_twice: bool = True
    shifted: str = "hypothesis"
    max_shift_length: int = 10
    max_shift_distance: int = 50
    beam: int = 25
    max_candidates: int = 1000
    empty_hypothesis: str = "counted"
    scale: float = 100.0

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("normalization", ("normalized",), "view"),
        Choice("punctuation", ("no_punct",), "view"),
        Choice("Asian characters", ("asian_support",), "view"),
        Choice("case", ("case_sensitive",), "view"),
        Choice("second cut of references", ("references_twice",), "view"),
        Choice("shifted text", ("shifted",), "statistics"),
        Choice("limits of shifts", ("max_shift_length", "max_shift_distance", "max_candidates"), "statistics"),
        Choice("beam", ("beam",), "statistics"),
        Choice("empty hypothesis", ("empty_hypothesis",), "statistics"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(shifted=_SIDES, empty_hypothesis=("counted", "free"))
        self._check_numbers("max_shift_length", "max_shift_distance", "beam", "max_candidates", least=1)

    @property
    def tokenizer(self) -> str:
        """The tokenizer that the options come to."""
        if not (self.normalized or self.no_punct):
            return "whitespace"
        letters = zip("NPA", (self.normalized, self.no_punct, self.asian_support), strict=True)
        return "tercom-" + "".join(letter for letter, chosen in letters if chosen)

    @property
    def primary(self) -> str:
        """Always "ter"."""
        return "ter"

    @property
    def count_columns(self) -> tuple[str, ...]:
        """All edits; words that match and edits by kind; the mean length of the references."""
        return ("edits", "hits", "substitutions", "insertions", "deletions", "shifts", "reference_length")

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """From 0 on."""
        return dict.fromkeys((self.primary, *self.count_columns), (0.0, math.inf))

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """False, as for all edits."""
        return {key: key == "hits" for key in self.range if key != "reference_length"}

    @property
    def _limits(self) -> tuple[int, int, int, int]:
        return self.beam, self.max_shift_length, self.max_shift_distance, self.max_candidates

    def _view(self, segments: Segments) -> View:
        """The words that are compared."""
        view = segments.view(self.tokenizer, lowercase=not self.case_sensitive)
        if not (self.normalized and self.references_twice):
            return view
        return segments.memoize((*view.key, "references twice"), lambda: _references_again(view, self.tokenizer))

    def counts(self, segments: Segments) -> Floats:
        """Rows of `count_columns`; the kinds of edits are those of the reference that has the fewest."""
        view = self._view(segments)
        key = ("ter", view.key, self.shifted, self._limits)
        counts: NDArray[np.int64] = segments.memoize(key, lambda: self._counts_of_pairs(segments))
        edits = counts[:, 1:].sum(axis=1)
        offsets = view.reference_offsets
        if self.empty_hypothesis == "free":
            lacking = np.repeat(view.lengths == 0, np.diff(offsets))
            counts, edits = np.where(lacking[:, None], 0, counts), np.where(lacking, 0, edits)
        best = first_best(-edits, offsets)
        lengths = np.add.reduceat(view.reference_lengths, offsets[:-1]) / np.diff(offsets)
        return np.column_stack([edits[best], counts[best], lengths])

    def _counts_of_pairs(self, segments: Segments) -> NDArray[np.int64]:
        """Hits, substitutions, insertions, deletions and shifts of each hypothesis with each of its references."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        if self.shifted == "hypothesis":
            counts: NDArray[np.int64] = shift_edits(view.ids, view.offsets, hypotheses, references, *self._limits)[0]
            return counts
        counts = shift_edits(view.ids, view.offsets, references, hypotheses, *self._limits)[0]
        return counts[:, [0, 1, 3, 2, 4]]

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """The rate and the counts."""
        edits, length = counts[..., 0], counts[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(length > 0, edits / length, np.where(edits > 0, 1.0, 0.0))
        return {
            self.primary: self.scale * rate,
            **{column: counts[..., i] for i, column in enumerate(self.count_columns)},
        }

    def edits(self, prediction: str, reference: str) -> Edits:
        """The shifts of one pair, and what is left to edit after them; an empty prediction's are never free.

        Examples
        --------
        >>> found = Ter().edits("on the mat the cat sat", "the cat sat on a mat")
        >>> found.shifts
        (Shift(start=3, length=3, target=0),)
        >>> "".join(operation.kind for operation in found.operations)
        'HHHHSH'
        """
        view = self._view(Segments([prediction], [reference], owner="Ter"))
        first, second = (0, 1) if self.shifted == "hypothesis" else (1, 0)
        _, shifts, steps = shift_edits(view.ids, view.offsets, np.array([first]), np.array([second]), *self._limits)
        return Edits(
            tuple(view.tokens_of(0)),
            tuple(view.tokens_of(1)),
            tuple(_operations(steps.tolist(), "HSID" if self.shifted == "hypothesis" else "HSDI")),
            tuple(Shift(*shift) for shift in shifts.tolist()),
            self.shifted,
        )

    _variants: ClassVar[dict[str, Variant]] = {}


def _references_again(view: View, tokenizer: str) -> View:
    """The view with each word of a reference cut once more; no rule of tercom looks across the space between words."""
    words = view.spellings()
    again = get_tokenizer(tokenizer)(pa.array(words, pa.large_string()))
    cut = [[word] for word in words] + [again.of_text(number) for number in range(len(words))]
    in_reference = np.arange(len(view.ids)) >= view.offsets[len(view)]
    tokens = from_lists(cut, view.ids + len(words) * in_reference)
    offsets = tokens.offsets[view.offsets]
    key = (*view.key, "references twice")
    return replace(view, key=key, ids=tokens.ids, offsets=offsets, sentence_offsets=offsets, _tokens=tokens)


def _operations(steps: list[int], letters: str) -> Iterator[Operation]:
    """The steps of a script with their places in both texts."""
    hypothesis = reference = 0
    for step in steps:
        kind = letters[step]
        yield Operation(kind, hypothesis, reference)
        hypothesis += kind != "D"
        reference += kind != "I"


Ter._variants.update(
    sacrebleu=Variant(
        "sacrebleu", "TER(): words between blanks, lower-cased; the Hub's `ter` is this too", live="sacrebleu.ter"
    ),
    torchmetrics=Variant(
        "torchmetrics",
        "translation_edit_rate, in float32 there: shifts words of the reference, at most nine; nothing to edit in an "
        "empty text",
        {
            "references_twice": False, "shifted": "reference", "max_shift_length": 9, "empty_hypothesis": "free",
            "scale": 1.0,
        },
        live="torchmetrics.ter",
    ),
)  # fmt: skip
