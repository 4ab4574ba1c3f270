"""Precision, recall and F1 of labels as one scorer: which labels are scored, and how their scores are averaged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.confusion import NONE, Confusion, codes_of
from metrologue.data.labels import Label
from metrologue.errors import InputError, shown
from metrologue.inference.metric import Metric, OfRows
from metrologue.scorers.core.numbers import chosen, counted, number
from metrologue.scorers.core.options import LabelText, option
from metrologue.scorers.core.rows import by_name, columns_of, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.base import OfChosenLabels, Pairs
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.inference.metric import Metric


def precision(both: Floats, predicted: Floats, zero_division: float = 0.0) -> Floats:
    """Precision: of the segments that were given a label, the share that have it.

    Parameters
    ----------
    both, predicted : float64 (...)
        How many segments have the label in prediction and reference, and how many have it in the prediction.
    zero_division : float
        The value of 0 divided by 0.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> precision(np.array([2.0, 0.0]), np.array([3.0, 0.0])).round(4)
    array([0.6667, 0.    ])
    """
    return ratio(both, predicted, zero_division)


def recall(both: Floats, actual: Floats, zero_division: float = 0.0) -> Floats:
    """Recall: of the segments that have a label, the share that were given it.

    Parameters
    ----------
    both, actual : float64 (...)
        How many segments have the label in prediction and reference, and how many have it in the reference.
    zero_division : float
        The value of 0 divided by 0.

    Returns
    -------
    float64 (...)
    """
    return precision(both, actual, zero_division)


def f1(both: Floats, predicted: Floats, actual: Floats, zero_division: float = 0.0, beta: float = 1.0) -> Floats:
    """F of precision and recall, from counts: (1 + beta^2)·both/(predicted + beta^2·actual).

    Parameters
    ----------
    both, predicted, actual : float64 (...)
        As for ``precision`` and ``recall``.
    zero_division : float
        The value of 0 divided by 0: a label that is neither predicted nor right anywhere.
    beta : float
        How many times as much recall counts as precision. 1: the harmonic mean of both.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> float(f1(np.array(2.0), np.array(3.0), np.array(5.0)))
    0.5
    >>> float(f1(np.array(2.0), np.array(3.0), np.array(5.0), beta=0.0))  # the precision
    0.6666666666666666
    """
    square = beta * beta
    return precision((1 + square) * both, predicted + square * actual, zero_division)


def label_scores(counts: Floats, zero_division: float = 0.0, beta: float = 1.0) -> Floats:
    """Precision, recall and F of each label, (..., 3).

    Parameters
    ----------
    counts : float64 (..., 3)
        Segments with the label in both, in the prediction, in the reference.
    zero_division, beta : float
        As for ``f1``.
    """
    both, predicted, actual = columns_of(counts)
    return np.stack(
        [
            precision(both, predicted, zero_division),
            recall(both, actual, zero_division),
            f1(both, predicted, actual, zero_division, beta),
        ],
        axis=-1,
    )


def average_scores(
    counts: Floats, average: str, zero_division: float = 0.0, skip_absent: bool = False, beta: float = 1.0
) -> Floats:
    """Precision, recall and F over labels, (..., 3). Raises an InputError if there is no label.

    Parameters
    ----------
    counts : float64 (..., L, 3)
        For each of L labels: segments with the label in both, in the prediction, in the reference.
    average : str
        "micro": the scores of the summed counts. "macro": the mean over labels. "weighted": the mean over labels,
        weighted by how often references have them. "binary": the score of the only label.
    zero_division : float
        The value of 0 divided by 0. If it is NaN, a mean is over the other labels.
    skip_absent : bool
        Whether a macro mean leaves out labels that neither predictions nor references have.
    beta : float
        As for ``f1``.

    Returns
    -------
    float64 (..., 3)

    Examples
    --------
    >>> counts = np.array([[2.0, 4.0, 2.0], [0.0, 0.0, 2.0]])
    >>> average_scores(counts, "macro").round(4), average_scores(counts, "micro")
    (array([0.25  , 0.5   , 0.3333]), array([0.5, 0.5, 0.5]))
    """
    if not counts.shape[-2]:
        raise InputError("a score over labels needs at least one label.")
    if average in ("micro", "binary"):
        return label_scores(counts.sum(axis=-2), zero_division, beta)
    scores = label_scores(counts, zero_division, beta)
    weights = np.ones(scores.shape)
    if average == "weighted":
        weights *= counts[..., 2:]
    elif skip_absent:
        weights *= counts[..., 1:].any(axis=-1, keepdims=True)
    defined = ~np.isnan(scores)
    weights = np.where(defined, weights, 0.0)
    # Without any weight, labels count alike.
    weights = np.where(weights.any(axis=-2, keepdims=True), weights, defined)
    with np.errstate(invalid="ignore"):
        found: Floats = (np.where(defined, scores, 0.0) * weights).sum(axis=-2) / weights.sum(axis=-2)
    return found


_NUMBERS = ("precision", "recall", "f1")
# Rows of counts have no more cells than this, 512 MB.
_MOST_CELLS = 1 << 26
_BLOCK_CELLS = 1 << 22  # counts of labels that are made at once for the scores of segments


def zero_division_name(value: Any) -> Any:
    """The field's value for what scikit-learn takes as `zero_division`: 0, 1 or NaN. Any other value stays as it is.

    Examples
    --------
    >>> [zero_division_name(value) for value in (0.0, 1, math.nan, "warn", "nan")]
    ['0', '1', 'nan', 'warn', 'nan']
    """
    if not isinstance(value, Real):
        return value
    return "nan" if value != value else str(int(float(value))) if value in (0, 1) else value


@dataclass(frozen=True, kw_only=True)
class LabelScorer(OfChosenLabels):
    """Base of precision, recall and F1. Each of these scorers reports all three.

    Raises
    ------
    InputError
        If a value is out of range. When scoring, if there are more than two labels for "binary", `pos_label` is not one
        of two labels, or a segment does not have one label; if a number is NaN.
    """

    # fmt: off
    average: str = option(
        "binary", stage="pairs", choice="average",
        about="Which labels are scored.",
        one_of={
            "binary": "the label `pos_label`",
            "micro": "the summed counts of all labels",
            "macro": "the mean over labels",
            "weighted": "the mean over labels, weighted by how often references have them",
            "samples": "the mean over segments, for sets of labels",
        },
    )
    pos_label: LabelText = option(
        "1", stage="pairs", choice="positive label", about='The label that "binary" scores.'
    )
    zero_division: LabelText = option(
        "warn", stage="pairs", choice="zero division",
        about="The value of 0 divided by 0.",
        one_of={
            "warn": "0, with a warning",
            "0": "0",
            "1": "1",
            "nan": "NaN, which leaves a label out of a mean; the result then has no number but its own",
        },
    )
    absent_labels: str = option(
        "count", stage="pairs", choice="absent labels",
        about="Those of `labels` that neither predictions nor references have.",
        one_of={"count": "they count in a macro mean", "skip": "they are left out (torchmetrics)"},
    )

    beta: float = option(
        1.0, stage="pairs", choice="beta",
        about="How many times as much recall counts as precision in F. 1: F1, their harmonic mean.",
    )

    aggregation: str = option(
        "corpus", stage="score", choice="aggregation",
        about="How the segments of a corpus make one score.",
        one_of={
            "corpus": "the score of all labels",
            "mean": "the mean of the segments' own scores (of torchmetrics' multidim_average=\"samplewise\")",
        },
    )
    # fmt: on

    def __post_init__(self) -> None:
        self._set_field(zero_division=zero_division_name(self.zero_division))
        super().__post_init__()

    @property
    def _of_samples(self) -> bool:
        """Whether the score is scikit-learn's mean over segments, which have sets of labels."""
        return self.average == "samples"

    @property
    def _additive(self) -> bool:
        """Whether the score is a mean over segments."""
        return self._of_samples or self.aggregation == "mean"

    @property
    def _columns(self) -> tuple[str, ...]:
        if self._of_samples:
            return (*(f"{name}_sum" for name in _NUMBERS), *(f"{name}_weight" for name in _NUMBERS), "count")
        return (*(f"corpus_{name}" for name in _NUMBERS), "count")

    numbers: ClassVar = (
        chosen(
            "_named",
            number(
                "precision", 0, "scale", better="higher",
                about="of the segments that were given a label, the share that have it; averaged as `average` says",
            ),
            number(
                "recall", 0, "scale", better="higher",
                about="of the segments that have a label, the share that were given it; averaged as `average` says",
            ),
            number(
                "f1", 0, "scale", better="higher", title="F1",
                about="F of the precision and the recall of a label, with `beta`; averaged as `average` says",
            ),
        ),
        counted("count", "segments", about="all segments, or the sum of their weights"),
    )  # fmt: skip

    @property
    def _named(self) -> list[str]:
        """The number that the scorer is named after, and the two others. They could be NaN if a 0/0 may be."""
        names = [self.name] if self.zero_division == "nan" else _NUMBERS
        return sorted(names, key=lambda name: name != self.name)

    @property
    def _zero(self) -> float:
        return 0.0 if self.zero_division == "warn" else float(self.zero_division)

    @property
    def _scored_labels(self) -> tuple[LabelText, ...] | None:
        return (self.pos_label,) if self.average == "binary" else self.labels

    def _check_labels(self, confusion: Confusion) -> None:
        if self.average != "binary":
            return
        found, names = confusion.labels, _listed(confusion.labels)
        if len(found) > 2:
            raise InputError(
                f"{self._label}: there are {len(found)} labels ({names}), but average='binary' is for two; "
                "choose micro, macro or weighted."
            )
        if len(found) == 2 and confusion.chosen((self.pos_label,))[0] == NONE:
            raise InputError(f"{self._label}: `pos_label` is {shown(self.pos_label)}, but the labels are {names}.")

    def _pairs_of(self, segments: Segments) -> Pairs:
        pairs = super()._pairs_of(segments)
        sets = pairs.segments is not None and self.lists == "sets"
        if not sets and self.average == "samples":
            raise InputError(f"{self._label}: average='samples' is for sets of labels; choose another average.")
        if sets and self.average == "binary":
            raise InputError(f"{self._label}: average='binary' is not for sets of labels; choose another average.")
        return pairs

    def of_each_label(self, confusion: Confusion) -> Floats:
        """Precision, recall and F1 of each label, float64 (L, 3): of `labels`, or of all labels in ascending order.

        Examples
        --------
        >>> from metrologue.scorers import F1
        >>> scorer = F1(average="macro")
        >>> scorer.of_each_label(scorer.corpus(["a", "b", "b"], ["a", "b", "a"]).confusion).round(3)
        array([[1.   , 0.5  , 0.667],
               [0.5  , 1.   , 0.667]])
        """
        return self.scale * label_scores(confusion.of_labels(self.labels), self._zero, self.beta)

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        counts = self._found(tables["confusion"]).of_labels(self._scored_labels)
        scores = self._average(counts).tolist()
        return {f"corpus_{name}": score for name, score in zip(_NUMBERS, scores, strict=True)}

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        """The metric with a row of counts for each segment; None if the rows are too large, or have no weight."""
        return self if self._additive else label_rows(self, samples, self._scored_labels)

    def _numbers_of(self, counts: Floats, count: Floats) -> dict[str, Floats]:
        """Every number, each (...), from the counts of labels, (..., L, 3), and the number of segments, (...).

        If `labels` is None, a label without any count is none of the labels.
        """
        skip_absent = self.labels is None or self.absent_labels == "skip"
        scores = average_scores(counts, self.average, self._zero, skip_absent, self.beta)
        found = dict(zip(_NUMBERS, columns_of(self.scale * scores), strict=True))
        return {name: found.get(name, count) for name in self.range}

    def _average(self, counts: Floats) -> Floats:
        return average_scores(counts, self.average, self._zero, self.absent_labels == "skip", self.beta)

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """As for every scorer. For a mean of segments, their labels are checked together first."""
        if self.aggregation == "mean" and len(segments):
            self._pairs_of(segments)
            self._found(self._confusion(segments))
        return super().statistics(segments, threads)

    def _statistics(self, segments: Segments) -> Floats:
        pairs = self._pairs_of(segments)
        weights = np.ones(len(segments)) if pairs.weights is None else pairs.weights
        if pairs.segments is not None and self.lists == "sequences":
            return np.column_stack([self._of_sequences(segments, pairs), weights])
        if pairs.segments is not None:
            scores = label_scores(self._counts_of_sets(pairs, len(segments)), self._zero, self.beta)
            if not self._of_samples:
                return np.column_stack([scores, weights])
            own = np.where(np.isnan(scores), 0.0, weights[:, None])
            return np.column_stack([np.nan_to_num(scores) * own, own, weights])
        # A segment's numbers depend on its pair of labels only.
        size = max(1, len(pairs.labels))
        distinct, places = np.unique(pairs.actual.astype(np.int64) * size + pairs.predicted, return_inverse=True)
        actual, predicted = (codes[:, None] for codes in np.divmod(distinct, size))
        wanted = self._scored_labels
        chosen = codes_of(wanted, pairs.labels)
        step = max(1, _BLOCK_CELLS // (3 * max(1, len(chosen))))
        found = [np.empty((0, len(_NUMBERS)))]
        for start in range(0, len(distinct), step):
            right, given = actual[start : start + step], predicted[start : start + step]
            codes = np.hstack([right, given]) if wanted is None else np.tile(chosen, (len(right), 1))
            counts = np.stack([(codes == right) & (codes == given), codes == given, codes == right], axis=-1)
            found.append(self._average(counts.astype(np.float64)))
        return np.column_stack([np.concatenate(found)[places], weights])

    def _of_sequences(self, segments: Segments, pairs: Pairs) -> Floats:
        """Precision, recall and F of each segment, (n, 3). Without `labels`, they are over the labels that it has."""
        labels: tuple[str, ...] = self._scored_labels or tuple(str(label) for label in pairs.labels)
        rows, skip = LabelRows(self, labels), self.labels is None or self.absent_labels == "skip"
        step = max(1, _BLOCK_CELLS // len(rows.columns))
        found = [np.empty((0, len(_NUMBERS)))]
        for start in range(0, len(segments), step):
            counts = rows.counts(segments.slice(start, start + step))
            found.append(average_scores(counts, self.average, self._zero, skip, self.beta))
        return np.concatenate(found)

    def _counts_of_sets(self, pairs: Pairs, count: int) -> Floats:
        """For each segment, (count, 3): the labels in both of its sets, in the prediction and in the reference."""
        assert pairs.segments is not None
        codes = np.maximum(pairs.actual, pairs.predicted)
        inside = np.isin(codes, codes_of(self.labels, pairs.labels))
        masks = (
            (pairs.actual == pairs.predicted) & inside,
            (pairs.predicted != NONE) & inside,
            (pairs.actual != NONE) & inside,
        )
        return np.column_stack([np.bincount(pairs.segments, mask, count) for mask in masks])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        columns = by_name(self._columns, statistics)
        if self._of_samples:
            with np.errstate(invalid="ignore"):
                found = {name: columns[f"{name}_sum"] / columns[f"{name}_weight"] for name in _NUMBERS}
        else:
            found = {name: columns[f"corpus_{name}"] for name in _NUMBERS}
        return {name: self.scale * found[name] if name in found else columns[name] for name in self.range}

    def _value_of(self, segments: Segments) -> float:
        """The number that the scorer is named after; NaN if it is 0/0 and `zero_division` is "nan"."""
        return float(self.score(self._total(segments, None))[self.name])

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings about labels that are not there, a field without effect, and a 0 that is 0 divided by 0."""
        if of_each:
            return []
        found, confusion = super()._hints(segments), self._confusion(segments)
        self._check_labels(confusion)
        if self.average != "binary":
            if self.pos_label != "1":
                found.append(f"{self._label}: `pos_label` has no effect; it is for average='binary'.")
            if self.labels and (confusion.chosen(self.labels) == NONE).all():
                found.append(f"{self._label}: none of `labels` occurs; the labels are {_listed(confusion.labels)}.")
        if self.zero_division == "warn" and (undefined := self._undefined(segments, confusion)):
            found.append(f"{self._label}: {self.name} is 0/0 for {undefined} and counts as 0; see zero_division.")
        return found

    def _undefined(self, segments: Segments, confusion: Confusion) -> str:
        """What has a score of 0 divided by 0, in words; "" if nothing has."""
        if self.aggregation == "mean" and not self._of_samples:
            alone = replace(self, zero_division=LabelText("nan"))._statistics(segments)[:, _NUMBERS.index(self.name)]
            count = np.count_nonzero(np.isnan(alone))
            return f"{count} of {len(alone)} segments" if count else ""
        if self._of_samples:
            counts = self._counts_of_sets(self._pairs_of(segments), len(segments))
        else:
            counts = confusion.of_labels(self._scored_labels)
            counts = counts.sum(axis=0, keepdims=True) if self.average == "micro" else counts
        wrong = np.flatnonzero(np.isnan(label_scores(counts, math.nan)[:, _NUMBERS.index(self.name)]))
        if not len(wrong) or self.average == "micro":
            return "all labels together" if len(wrong) else ""
        if self._of_samples:
            return f"{len(wrong)} of {len(counts)} segments"
        labels = self._scored_labels or confusion.labels
        return f"the labels {', '.join(f'{labels[i]!s:.60}' for i in wrong[:5])}" + ", …" * (len(wrong) > 5)


def _listed(labels: Sequence[Label]) -> str:
    """The first labels, for a message."""
    return ", ".join(map(shown, labels[:5])) + ", …" * (len(labels) > 5)


@dataclass(frozen=True)
class LabelRows(OfRows):
    """A metric of labels that are known beforehand, so that the counts of segments add up.

    The counts of a corpus are sparse, and their labels are those of the corpus. Resampling adds up the counts of
    segments many thousands of times. It needs them as rows of one length.

    Examples
    --------
    >>> from metrologue.scorers import F1
    >>> segments = F1._to_segments(["a", "b", "b"], ["a", "b", "a"])
    >>> metric = LabelRows(F1(average="macro"), ("a", "b"))
    >>> rows = metric.statistics(segments)
    >>> rows.sum(axis=0)
    array([1., 1., 2., 1., 2., 1., 3.])
    >>> round(float(metric.score(metric.aggregate(rows))["f1"]), 4)
    0.6667
    """

    scorer: Any  # whose numbers `_numbers_of` makes from the counts of labels
    labels: tuple[str, ...]  # to score, as text

    @property
    def columns(self) -> tuple[str, ...]:
        """For each label: segments with it in both, in the prediction, in the reference. Then the segments."""
        kinds = ("both", "predicted", "actual")
        return (*(f"{kind}_{i}" for i in range(len(self.labels)) for kind in kinds), "count")

    def counts(self, segments: Segments) -> Floats:
        """The counts of each label in each segment, float64 (n, L, 3)."""
        return self.statistics(segments)[:, :-1].reshape(len(segments), len(self.labels), 3)

    def statistics(self, segments: Segments) -> Floats:
        """The counts of each segment, float64 (n, 3 L + 1)."""
        pairs = self.scorer._paired(segments)
        n, width = len(segments), len(self.columns)
        segment = np.arange(n) if pairs.segments is None else pairs.segments
        weights = np.ones(n) if pairs.weights is None else pairs.weights
        codes = codes_of(self.labels, pairs.labels)
        # Where each label stands; the last place is that of no label.
        place = np.full(len(pairs.labels) + 1, NONE)
        place[codes[codes != NONE]] = np.flatnonzero(codes != NONE)
        rows = np.zeros((n, width))
        both = np.where(pairs.actual == pairs.predicted, place[pairs.actual], NONE)
        for kind, places in enumerate((both, place[pairs.predicted], place[pairs.actual])):
            held = places != NONE
            # A sequence may have a label at several places.
            np.add.at(rows, (segment[held], 3 * places[held] + kind), weights[segment[held]])
        rows[:, -1] = weights
        return rows

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number of the scorer, each (...), from totals (..., 3 L + 1)."""
        counts = totals[..., :-1].reshape(*totals.shape[:-1], len(self.labels), 3)
        numbers: dict[str, Floats] = self.scorer._numbers_of(counts, totals[..., -1])
        return numbers


def label_rows(scorer: Any, samples: Sequence[Segments], chosen: Sequence[str] | None = None) -> LabelRows | None:
    """The metric with a row of counts for each segment; None if the rows are too large, or have no weight.

    `scorer` is as for ``LabelRows``, `chosen` its labels; None: all that the samples have.
    """
    pairs = [scorer._pairs_of(each) for each in samples]
    for each in samples:
        scorer._check_labels(scorer._confusion(each))
    labels = tuple(chosen or map(str, sorted(set().union(*(each.labels for each in pairs)))))
    too_large = 3 * len(labels) * sum(map(len, samples)) > _MOST_CELLS
    # A label that has no weight is there all the same.
    weightless = any(each.weights is not None and not each.weights.all() for each in pairs)
    return None if too_large or weightless else LabelRows(scorer, labels)


def averaged(name: str) -> Mapping[str, Variant]:
    """The variants of precision, recall or F1."""
    multiclass = {"average": "macro", "zero_division": "0", "absent_labels": "skip"}
    return {
        "scikit-learn": Variant(
            "scikit-learn", f"{name}_score: of the label 1, unless `average` is given", live=f"scikit-learn.{name}"
        ),
        "evaluate": Variant("evaluate", f"the Hub's `{name}`, which calls scikit-learn", live=f"evaluate.{name}"),
        "torchmetrics": Variant(
            "torchmetrics", f"multiclass_{name.replace('f1', 'f1_score')}: the mean over labels that occur", multiclass,
            live=f"torchmetrics.{name}",
        ),
    }  # fmt: skip
