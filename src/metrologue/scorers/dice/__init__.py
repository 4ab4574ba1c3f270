"""Dice coefficient of two texts or sets: twice what they share, divided by the sum of their sizes (Dice 1945)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import common_counts, of_texts
from metrologue.scorers.core.inputs import Input, sets
from metrologue.scorers.core.kernels.ngrams import distinct_counts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue.text.reading.view import View

__all__ = ["Dice", "dice"]


def dice(match_count: Floats, hypothesis_count: Floats, reference_count: Floats) -> Floats:
    """Dice coefficient: twice the shared units, divided by the units of both texts; the F1 of precision and recall.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1; 1 where both counts are 0.

    Examples
    --------
    {a, b, c} and {b, c, d} share two of three.

    >>> float(dice(np.array(2.0), np.array(3.0), np.array(3.0)).round(4))
    0.6667
    """
    total = hypothesis_count + reference_count
    return ratio(2 * match_count, total, 1.0)


@dataclass(frozen=True, kw_only=True)
class Dice(Tokenized, PairScorer):
    """Twice the n-grams that two texts share, divided by the n-grams of both; higher is better, 0-1.

    The units are the n-grams of a text's tokens. Instead of texts, there may be sets or lists of labels, such as the
    attributes of a referring expression; a label is any hashable value, and is compared as a whole. Two texts without
    units have a Dice of 1. If only one text has no units, the Dice is 0. ``accuracy`` is the share of texts that have
    the same units as a reference.

    With several references, the one with the best score counts; if several are equally good, the first of them.

    References
    ----------
    Dice 1945, https://doi.org/10.2307/1932409. The TUNA challenges on referring expressions report the Dice of sets of
    attributes, and the accuracy.

    Examples
    --------
    >>> round(Dice().corpus(["a b c"], ["b c d"]).value, 4)
    0.6667
    >>> Dice().corpus([{"type:desk", "colour:red"}], [{"type:desk", "colour:red", "size:large"}]).value
    0.8
    """

    name: ClassVar[str] = "dice"
    about: ClassVar = About(papers=("dice-1945-measures",))
    inputs: ClassVar[tuple[Input, ...]] = (
        sets("predictions"),
        sets("references", many=True, about="the metric compares sets with them"),
    )

    # fmt: off
    tokenizer: str = with_default(
        "whitespace", about="How a text is cut, as `metrologue list tokenizers` shows. It does not apply to labels."
    )
    lowercase: bool = with_default(
        False, about="Whether to apply ``str.lower()`` to texts first. It does not apply to labels."
    )
    order: int = option(
        1, stage="pairs", choice="order", least=1, greatest=LONGEST_NGRAM,
        about="The n of the n-grams. It does not apply to labels, which may have no order.",
    )
    binary: bool = option(
        True, stage="pairs", choice="bag or set",
        about="Whether each distinct unit counts once: texts are sets, not bags.",
    )
    aggregation: str = "mean"
    # fmt: on

    _columns = ("match_count", "hypothesis_count", "reference_count", "exact_count", "text_count")

    numbers: ClassVar = (
        number(
            "dice", 0, "scale", better="higher", title="Dice",
            about="twice the units that both texts have, divided by the units of both texts",
        ),
        number("accuracy", 0, "scale", better="higher", about="share of texts that have the same units as a reference"),
        counted("match_count", "units", about="units that both texts have"),
        counted("hypothesis_count", "units", about="units of the hypotheses"),
        counted("reference_count", "units", about="units of the references"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key in ("dice", "accuracy")

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: shared units, hypothesis units, reference units, 1 if all are shared, and a 1."""
        view = segments.units(self._words)
        order = 1 if segments.holds_items else self.order
        hypotheses, references = view.pairs
        matches = common_counts(view, order, self.binary)[:, -1]
        counts = of_texts(segments, ("sizes", *self._key("pairs")), lambda: self._counts(view, order))
        ours, theirs = counts[hypotheses], counts[references]
        return np.column_stack([matches, ours, theirs, (matches == ours) & (matches == theirs), np.ones(len(ours))])

    def _counts(self, view: View, order: int) -> Floats:
        """The number of n-grams in each text, (n_texts,)."""
        if self.binary:
            return distinct_counts(view.ids, view.offsets, order)[:, -1]
        counts: Floats = np.maximum(np.diff(view.offsets) - order + 1.0, 0.0)
        return counts

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *counts, exact, texts = columns_of(statistics)
        shares = {"dice": self.scale * dice(*counts), "accuracy": self.scale * exact / texts}
        return shares | dict(zip(self._columns, counts, strict=False))

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "sets of words from str.split(); the mean over the texts"),
        "bigrams": Variant(
            "metrologue", "sets of pairs of neighbouring characters", {"tokenizer": "characters", "order": 2}
        ),
    }
