"""TER, translation edit rate (Snover et al. 2006), as sacrebleu and torchmetrics compute it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.kernels.arrays import row_lengths
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.about import About
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.edits import Edits, Operation, Shift
from metrologue.scorers.ter.kernels import Limits, shift_edits
from metrologue.segments import Segments, View
from metrologue.text.reading import Retokenize, words
from metrologue.text.scripts import Language
from metrologue.text.tokenizers import canonical_name

__all__ = ["Ter", "translation_edit_rate"]


def translation_edit_rate(edits: Floats, reference_length: Floats) -> Floats:
    """TER: insertions, deletions, substitutions and shifts, divided by the words of the reference.

    Parameters
    ----------
    edits, reference_length : float64 (...)
        With several references: the edits to the closest one, and the mean length of all.

    Returns
    -------
    float64 (...)
        0 or more, without an upper limit. Where `reference_length` is 0: 1 if there are edits, otherwise 0.

    References
    ----------
    Snover et al. 2006, https://aclanthology.org/2006.amta-papers.25. References without a word: sacrebleu's values.

    Examples
    --------
    "on the mat the cat sat" is one shift away from "the cat sat on the mat".

    >>> float(translation_edit_rate(np.array(1.0), np.array(6.0)).round(4))
    0.1667
    """
    return ratio(edits, reference_length, np.sign(edits))


@dataclass(frozen=True, kw_only=True)
class Ter(PairScorer):
    """Edits and block shifts that turn a text into its reference, per word of the reference; lower is better.

    0 is perfect. One edit per word gives `scale`, and there is no upper limit. With several references, the one with
    the fewest edits counts, and the edits are divided by the mean length of all. If the references have no words, the
    score is `scale`, or 0 if the hypothesis has no words either. The defaults are sacrebleu's. sacrebleu follows
    tercom, with three exceptions: the beam, the limit of candidates, and `references_twice`. Because of the last one,
    with `normalized` the text "5 .,5" does not equal itself in sacrebleu.

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
    about: ClassVar = About(papers=("snover-etal-2006-study",))

    # fmt: off
    normalized: bool = option(
        False, stage="read", choice="normalization",
        about="Whether to split off punctuation (tercom's -N), ``'s``, and a dash after a digit.",
    )
    no_punct: bool = option(False, stage="read", choice="punctuation", about='Whether to drop ``. , ? : ; ! " ( )``.')
    asian_support: bool = option(
        False, stage="read", choice="Asian characters",
        about="Whether `normalized` also splits Chinese and Japanese into characters, and whether `no_punct` also "
        "drops their punctuation. Without both of these it has no effect.",
    )
    case_sensitive: bool = option(
        False, stage="read", choice="case", about="Whether case counts. Otherwise ``str.lower()`` is applied first."
    )
    references_twice: bool = option(
        True, stage="read", choice="second cut of references",
        about="Whether the words of references are tokenized a second time, and those of hypotheses are not "
        "(sacrebleu). With `normalized`, ``PLC's,`` becomes ``plc's ,`` the first time and ``plc 's ,`` the second "
        "time. Without `normalized` it has no effect.",
    )
    shifted: str = option(
        "hypothesis", stage="pairs", choice="shifted text",
        about="The text that is shifted.",
        one_of={"hypothesis": "the hypothesis", "reference": "the reference (torchmetrics, which swaps the two texts)"},
    )
    max_shift_length: int = option(
        10, stage="pairs", choice="limits of shifts", least=1, about="The most words that move together."
    )
    max_shift_distance: int = option(
        50, stage="pairs", choice="limits of shifts", least=1, about="The longest distance between equal words."
    )
    beam: int = option(
        25, stage="pairs", choice="beam", least=1,
        about="How far from the diagonal the edit distance looks: `beam` columns on one side and `beam` - 1 on the "
        "other.",
    )
    max_candidates: int = option(
        1000, stage="pairs", choice="limits of shifts", least=1,
        about="The search ends when it has tried this many shifts. The best shift of its last round is then not made.",
    )
    # If "free", an empty hypothesis has no edits with any reference. So it is enough to drop the edits of the best one.
    empty_hypothesis: str = option(
        "counted", stage="join", choice="empty hypothesis",
        about="The words that an empty hypothesis lacks.",
        one_of={"counted": "they are edits", "free": "they are not (torchmetrics)"},
    )
    scale: float = with_default(100.0, about="The value of one edit per word.")
    multi_reference: str = with_default(
        "best",
        about="How several references join. The reference length is the mean of all.",
        one_of={"best": "the reference with the fewest edits counts; ties: the first"},
    )
    aggregation: str = with_default(
        "corpus",
        one_of={"corpus": "all edits, divided by all reference words", "mean": "the mean of the segments' rates"},
    )
    # fmt: on

    _columns = ("edits", "hits", "substitutions", "insertions", "deletions", "shifts", "reference_length")

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        return {"normalized": True, "asian_support": True} if language.code in ("zh", "ja") else {}

    @property
    def _cut_by(self) -> str:
        """The name of the tokenizer that follows from the options."""
        if not (self.normalized or self.no_punct):
            return "whitespace"
        return canonical_name(
            "tercom", normalized=self.normalized, no_punct=self.no_punct, asian_support=self.asian_support
        )

    numbers: ClassVar = (
        number(
            "ter", 0, math.inf, better="lower", title="TER", unit="points",
            about="edits, divided by the words of the reference",
        ),
        counted("edits", "edits", better="lower", about="substitutions, insertions, deletions and shifts"),
        counted("hits", "words", better="higher", about="words that are equal"),
        counted("substitutions", "edits", better="lower", about="substituted words"),
        counted("insertions", "edits", better="lower", about="words that only the hypothesis has"),
        counted("deletions", "edits", better="lower", about="words that only the reference has"),
        counted("shifts", "edits", better="lower", about="runs of words that were moved"),
        number("reference_length", 0, math.inf, unit="words", about="words of the references; of several, their mean"),
    )  # fmt: skip

    @property
    def _limits(self) -> Limits:
        return Limits(self.beam, self.max_shift_length, self.max_shift_distance, self.max_candidates)

    def _view(self, segments: Segments) -> View:
        """The words that are compared."""
        reading = words(self._cut_by, not self.case_sensitive)
        # Words can be tokenized again one by one: no rule of tercom looks across the space between two words.
        again = (Retokenize(self._cut_by),) if self.normalized and self.references_twice else ()
        return segments.read(reading, (*reading, *again))

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair, (n_pairs, 7): all edits, hits, edits of each kind, and words of the reference."""
        view = self._view(segments)
        if self.shifted == "hypothesis":
            counts = shift_edits(view.paired, self._limits)[0]
        else:
            # An insertion into one text is a deletion from the other.
            swapped = Pairs(view.ids, view.offsets, *view.pairs[::-1])
            counts = shift_edits(swapped, self._limits)[0][:, [0, 1, 3, 2, 4]]
        rows = np.empty((len(counts), len(self._columns)))
        rows[:, 1:-1], rows[:, -1] = counts, view.reference_lengths
        np.add.reduce(counts[:, 1:], axis=1, out=rows[:, 0])
        return rows

    def _quality(self, rows: Floats) -> Floats:
        return -rows[:, 0]

    def _statistics(self, segments: Segments) -> Floats:
        """Counts of each segment: those of the best reference, and the mean length of all references."""
        rows = super()._statistics(segments).copy()  # others may join the same pairs in another way
        view, offsets = self._view(segments), segments.reference_offsets
        if self.empty_hypothesis == "free":
            rows[view.lengths == 0] = 0.0
        rows[:, -1] = np.add.reduceat(view.reference_lengths, offsets[:-1]) / row_lengths(offsets)
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        return {"ter": self.scale * translation_edit_rate(counts["edits"], counts["reference_length"]), **counts}

    def edits(self, prediction: str, reference: str) -> Edits:
        """The shifts of one pair, and the edits that remain after them. `empty_hypothesis` does not apply here.

        Examples
        --------
        >>> edits = Ter().edits("on the mat the cat sat", "the cat sat on a mat")
        >>> edits.shifts
        (Shift(start=3, length=3, target=0),)
        >>> "".join(operation.kind for operation in edits.operations)
        'HHHHSH'
        """
        view = self._view(Segments([prediction], [reference], owner="Ter"))
        first, second = (0, 1) if self.shifted == "hypothesis" else (1, 0)
        pair = Pairs(view.ids, view.offsets, np.array([first]), np.array([second]))
        _, shifts, steps = shift_edits(pair, self._limits)
        return Edits(
            tuple(view.tokens_of(0)),
            tuple(view.tokens_of(1)),
            tuple(_operations(steps.tolist(), "HSID" if self.shifted == "hypothesis" else "HSDI")),
            tuple(Shift(*shift) for shift in shifts.tolist()),
            self.shifted,
        )

    _variants: ClassVar = {
        "sacrebleu": Variant(
            "sacrebleu", "TER() and the Hub's `ter`: words between whitespace, in lower case", live="sacrebleu.ter",
            recommended=Recommended("it follows the definition and its program tercom", "snover-etal-2006-study"),
        ),
        "torchmetrics": Variant(
            "torchmetrics",
            "translation_edit_rate, in float32 there: shifts words of the reference, at most nine; an empty prediction "
            "has no edits",
            {
                "references_twice": False, "shifted": "reference", "max_shift_length": 9, "empty_hypothesis": "free",
                "scale": 1.0,
            },
            live="torchmetrics.ter",
        ),
    }  # fmt: skip


def _operations(steps: list[int], letters: str) -> Iterator[Operation]:
    """The steps of an alignment, with their indices in both texts."""
    hypothesis = reference = 0
    for step in steps:
        kind = letters[step]
        yield Operation(kind, hypothesis, reference)
        hypothesis += kind != "D"
        reference += kind != "I"
