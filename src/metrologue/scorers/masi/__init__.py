"""MASI, Measuring Agreement on Set-valued Items (Passonneau 2006): how alike two sets are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import set_sizes
from metrologue.scorers.core.hints import refuse_empty
from metrologue.scorers.core.inputs import Input, sets
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import columns_of, ratio, rows_of
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["CASES", "Masi", "jaccard", "masi", "monotonicity_case"]


# How two sets lie to each other: the four cases of monotonicity.
CASES = ("equal", "subset", "overlap", "disjoint")
_COUNTS = ("match_count", "hypothesis_count", "reference_count")


def jaccard(match_count: Floats, hypothesis_count: Floats, reference_count: Floats) -> Floats:
    """Jaccard index: the size of the intersection, divided by the size of the union. Two empty sets have 1.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1.
    """
    union = hypothesis_count + reference_count - match_count
    return ratio(match_count, union, 1.0)


def monotonicity_case(match_count: Floats, hypothesis_count: Floats, reference_count: Floats) -> NDArray[np.int64]:
    """The case of each pair of sets, as an index of ``CASES``. The empty set is a subset of every other set.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)

    Returns
    -------
    int64 (...)
    """
    equal = (match_count == hypothesis_count) & (match_count == reference_count)
    subset = match_count == np.minimum(hypothesis_count, reference_count)
    cases: NDArray[np.int64] = np.select([equal, subset, match_count > 0], [0, 1, 2], 3)
    return cases


def masi(match_count: Floats, hypothesis_count: Floats, reference_count: Floats, weights: Floats) -> Floats:
    """MASI similarity: the Jaccard index, times the weight of the case of monotonicity.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)
    weights : float64 (4,)
        The weights of ``CASES``.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    {1, 2} is a subset of {1, 2, 3, 4}, and half of it.

    >>> float(masi(np.array(2.0), np.array(2.0), np.array(4.0), np.array([1, 2 / 3, 1 / 3, 0])).round(4))
    0.3333
    """
    counts = match_count, hypothesis_count, reference_count
    similarity: Floats = jaccard(*counts) * weights[monotonicity_case(*counts)]
    return similarity


@dataclass(frozen=True, kw_only=True)
class Masi(Tokenized, PairScorer):
    """The Jaccard index of two sets, times a weight that is 1 only if the sets are equal; higher is better, 0-1.

    The sets are the distinct tokens of a text. Instead of texts, there may be sets or lists of labels; a label is any
    hashable value. The weight depends on how the sets lie to each other: equal sets have 1, a set and its proper subset
    have `subset_weight`, sets that overlap have `overlap_weight`, and disjoint sets have 0. The distance is 1 minus
    MASI.

    The score of a corpus is the mean over its texts. ``equal_count``, ``subset_count``, ``overlap_count`` and
    ``disjoint_count`` count the texts of each case. The empty set is a subset of every other set; their MASI is 0,
    because they share nothing. With several references, the one with the best score counts; if several are equally
    good, the first of them.

    Raises
    ------
    InputError
        If a value is out of range; when scoring, if two empty sets are an error.

    References
    ----------
    Passonneau 2006, https://aclanthology.org/L06-1392; nltk's ``masi_distance``.

    Examples
    --------
    >>> round(Masi().corpus([{1, 2}], [{1, 2, 3, 4}]).value, 4)
    0.3333
    >>> round(Masi().corpus(["a b c"], ["b c d"]).scores["masi_distance"], 4)
    0.8333
    """

    name: ClassVar[str] = "masi"
    about: ClassVar = About(papers=("passonneau-2006-measuring",))
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
    subset_weight: float = option(
        2 / 3, stage="pairs", choice="monotonicity", greatest=1,
        about="The weight of a set and its proper subset. nltk up to 3.10.0 has 0.67.",
    )
    overlap_weight: float = option(
        1 / 3, stage="pairs", choice="monotonicity", greatest=1,
        about="The weight of sets that overlap. nltk up to 3.10.0 has 0.33.",
    )
    empty: str = option(
        "equal", stage="pairs", choice="empty sets",
        about="Two empty sets.",
        one_of={"equal": "they are equal, with a MASI of 1", "error": "they are refused (nltk divides by zero)"},
    )
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        one_of={"best": "the one with the best score; ties: the first", "mean": "the mean of all"},
    )
    # The rows are scores already; their sums are those of the corpus.
    aggregation: str = of_means("the mean of the texts' own scores")
    # fmt: on

    _columns = ("similarity", "jaccard_sum", *_COUNTS, *(f"{case}_count" for case in CASES), "text_count")

    numbers: ClassVar = (
        number(
            "masi", 0, "scale", better="higher", title="MASI",
            about="Jaccard index of the two sets, times the weight of their case",
        ),
        number("masi_distance", 0, "scale", better="lower", title="MASI distance", about="1 minus MASI"),
        number(
            "jaccard", 0, "scale", better="higher", title="Jaccard index",
            about="units that both sets have, divided by those that either has",
        ),
        counted("match_count", "units", about="units that both sets have"),
        counted("hypothesis_count", "units", about="units of the hypotheses"),
        counted("reference_count", "units", about="units of the references"),
        counted("equal_count", "texts", about="texts whose sets are equal"),
        counted("subset_count", "texts", about="texts where one set is a proper subset of the other"),
        counted("overlap_count", "texts", about="texts whose sets overlap, and neither is a subset"),
        counted("disjoint_count", "texts", about="texts whose sets have no unit in common"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key in ("masi", "masi_distance", "jaccard")

    @property
    def _weights(self) -> Floats:
        """The weights of ``CASES``, (4,)."""
        return np.array([1.0, self.subset_weight, self.overlap_weight, 0.0])

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Similarity and Jaccard index of each pair, the sizes of the sets, a 1 for its case, and a 1."""
        view = segments.units(self._words)
        counts = set_sizes(segments, view, self._key("read"))
        if self.empty == "error":
            reason = "is empty, and so is a reference of it; choose empty='equal'"
            both = counts[1] + counts[2] == 0
            refuse_empty(self._label, "predictions", both, reason, segments.first, view.reference_offsets)
        cases = np.eye(len(CASES))[monotonicity_case(*counts)]
        similarity = masi(*counts, self._weights)
        return rows_of(similarity, jaccard(*counts), *counts, *cases.T, np.ones(len(cases)))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        similarity, index, *counts, texts = columns_of(statistics)
        mean, mean_index = self.scale * similarity / texts, self.scale * index / texts
        return {"masi": mean, "masi_distance": self.scale - mean, "jaccard": mean_index} | dict(
            zip(self._columns[2:-1], counts, strict=True)
        )

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "the paper, on sets of words from str.split(); two empty sets are equal"),
        "nltk": Variant("nltk", "1 - masi_distance, of sets of str.split()", {"empty": "error"}, live="nltk.masi"),
        "nltk-3.8.1": Variant(
            "nltk", "masi_distance up to 3.10.0, whose weights have two decimals",
            {"subset_weight": 0.67, "overlap_weight": 0.33, "empty": "error"}, version="3.8.1",
        ),
    }  # fmt: skip
