"""What all metrics of classification share: labels in place of texts, and totals that are confusion counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Ids, Integers
from metrologue.data.arrow import is_arrow, pa
from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.confusion import NONE, Confusion, common_labels, count_pairs
from metrologue.data.intake import as_text, holds_lists, is_list, listed, with_type
from metrologue.data.labels import Label, Labels, encoded, refuse_logits
from metrologue.errors import InputError, number_of, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Columns, Input, Kind
from metrologue.scorers.core.options import LabelText, option
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import SetScorer
from metrologue.scorers.core.totals import Totals
from metrologue.segments import Segments
from metrologue.text.reading.text import Text

if TYPE_CHECKING:
    from metrologue.tracing.notebook import Markup

# What the labels of a segment are, if it has several.
LISTS = {
    "sets": "a set: it does not matter in which order they are",
    "sequences": "a sequence with as many labels as its reference, each compared with the one at its place; a text is "
    "cut at whitespace (torchmetrics' inputs of more than one dimension)",
}


class Pairs(NamedTuple):
    """The labels of segments."""

    labels: tuple[Label, ...]  # each label once, in ascending order
    # (m,): The codes of references and predictions, for each segment or each place; for sets, those of ``Confusion``.
    actual: NDArray[Any]
    predicted: NDArray[Any]
    weights: Floats | None  # (n,): the weight of each segment; None if all have 1
    segments: Integers | None  # (m,): the segment of each pair, if the segments are sets or sequences of labels


def _labels(values: Any, argument: str, owner: str, columns: Columns) -> Column:
    refuse_logits(values, argument, owner)
    if not _has_lists(values):
        return Labels.of(values, argument, owner)
    return Items.of(values, argument, owner)


def _right_labels(values: Any, argument: str, owner: str, columns: Columns) -> Column:
    single = isinstance(columns["predictions"], Labels)
    right = _single(values, owner) if single and _has_lists(values) else values
    column = _labels(right, argument, owner, columns)
    if single != isinstance(column, Labels):
        raise InputError(
            f"{owner}: `references` are labels, but `predictions` are sets of labels; of one-hot rows or logits, take "
            "`.argmax(-1)`."
        )
    return column


def _has_lists(values: Any) -> bool:
    """Whether the first value is a list or a set."""
    if is_arrow(values):
        return bool(pa.types.is_list(values.type) or pa.types.is_large_list(values.type))
    if isinstance(values, np.ndarray):
        return values.ndim > 1
    return isinstance(values, Sequence) and not isinstance(values, str) and len(values) > 0 and holds_lists([values[0]])


def _single(references: Any, owner: str) -> list[Label]:
    """References that are lists with one label each, as metrics of texts have them."""
    rows = listed(references, "references", owner, of="labels")
    found = rows if isinstance(rows, list) else rows.to_pylist()
    for index, row in enumerate(found):
        if not is_list(row) or len(row) != 1:
            raise InputError(f"{owner}: `references[{index}]` is {with_type(row)}; one label is expected.")
    return [row[0] for row in found]


def sample_weights(given: Any, owner: str, argument: str = "sample_weight") -> Numbers:
    """A column of weights, those of segments by default. Raises an InputError if one is not a number from 0 up."""
    try:
        weights = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{owner}: `{argument}` is {shown(given)}; a list of numbers is expected.") from None
    if weights.ndim != 1:
        raise InputError(f"{owner}: `{argument}` has {weights.ndim} dimensions; a list of numbers is expected.")
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"{owner}: `{argument}[{at}]` is {weights[at]}; a finite number of 0 or more is expected.")
    if len(weights) and not weights.any():
        raise InputError(f"{owner}: `{argument}` has zeros only; at least one weight must be above 0.")
    return Numbers(weights[:, None], argument, owner)


INPUTS = (
    Input("predictions", Kind("labels", _labels), about="labels: ints, strings or bools, or lists or sets of these"),
    Input("references", Kind("labels", _right_labels), about="the right labels, in the same form"),
    Input(
        "sample_weight",
        Kind("weights", lambda given, argument, owner, columns: sample_weights(given, owner)),
        required=False,
        about="the weight of each segment, a number of 0 or more",
    ),
)


# PyTorch's losses leave out what has this label.
_LEFT_OUT: tuple[Label, ...] = (-100, "-100")


def left_out_by_a_loss(segments: Segments) -> Iterator[str]:
    """What is said of the label -100 among labels or tags, which all programs count as any other one."""
    for name, column in segments.columns.items():
        if isinstance(column, Labels):
            count = sum(column.count(label) for label in _LEFT_OUT)
        elif isinstance(column, Items):
            places = [place for place, each in enumerate(column.types) if each in _LEFT_OUT]
            count = int(np.isin(column.ids, places).sum())
        else:
            continue
        if count:
            yield (
                f"-100 stands {number_of(count, 'time')} among `{name}`. A loss leaves it out, and here it counts as a "
                "label; take away its places, on both sides."
            )


def label_pairs(segments: Segments, owner: str, lists: str = "sets") -> Pairs:
    """The labels of segments, as codes of common types. Texts are labels, too. `lists` is one of ``LISTS``.

    Raises an InputError if a segment does not have exactly one reference, or references are texts and predictions
    numbers; if a set has a label twice, or a sequence is not as long as its reference.
    """
    return segments.memoize(("label pairs", lists), lambda: _paired(segments, owner, lists == "sequences"))


def confusion_of(segments: Segments, owner: str, lists: str = "sets") -> Confusion:
    """The confusion counts of segments; arguments and errors as for ``label_pairs``."""

    def count() -> Confusion:
        pairs = label_pairs(segments, owner, lists)
        weights = pairs.weights
        if weights is not None and pairs.segments is not None:
            weights = weights[pairs.segments]
        return count_pairs(pairs.labels, pairs.actual, pairs.predicted, weights)

    return segments.memoize(("confusion counts", lists), count)


def _paired(segments: Segments, owner: str, sequences: bool) -> Pairs:
    references = segments.columns["references"]
    counts = np.ones(1) if isinstance(references, Labels) else np.diff(references.offsets)
    if (counts != 1).any():
        at = int(np.argmax(counts != 1))
        what = f" has {counts[at]} references; one label is expected."
        raise InputError.at(owner, "references", segments.first + at, what)
    columns = [references, segments.predictions]
    if sequences:
        columns = [_cut(column) for column in columns]
    sides = [_coded(column) for column in columns]
    kinds = [isinstance(types[0], str) for _, types in sides if types]
    if len(set(kinds)) > 1:
        names = [shown(types[0]) for _, types in sides]
        raise InputError(
            f"{owner}: references have labels such as {names[0]}, predictions such as {names[1]}; "
            "all labels must be numbers, or all must be str."
        )
    labels, (actual, predicted) = _in_common(sides)
    weights = segments.columns.get("sample_weight")
    values = weights.values if isinstance(weights, Numbers) else None
    items = [column for column in columns if isinstance(column, Items)]
    if len(items) < len(columns):
        return Pairs(labels, actual, predicted, values, None)
    if sequences:
        return Pairs(labels, actual, predicted, values, _places(segments, items, owner))
    for argument, column in zip(("references", "predictions"), items, strict=True):
        _check_sets(segments, column, argument, owner)
    return _of_sets(labels, items, [actual, predicted], values)


def _cut(column: Column) -> Column:
    """Sequences of labels. Those of a text are its words."""
    if isinstance(column, Items):
        return column
    codes, types = _coded(column)
    rows = [each.split() if isinstance(each, str) else [each] for each in types]
    return Items.of([rows[code] for code in codes])


def _places(segments: Segments, sides: Sequence[Items], owner: str) -> Integers:
    """The segment of each place. Raises an InputError if a sequence is not as long as its reference."""
    right, own = (np.diff(side.item_offsets) for side in sides)
    if (right != own).any():
        at = int(np.argmax(right != own))
        what = f" has {own[at]} labels, but its reference has {right[at]}; as many are expected."
        raise InputError.at(owner, "predictions", segments.first + at, what)
    return np.repeat(np.arange(len(own)), own)


def _check_sets(segments: Segments, sets: Items, argument: str, owner: str) -> None:
    """Raise an InputError if a set has a label twice."""
    segment = np.repeat(np.arange(len(sets)), np.diff(sets.item_offsets))
    order = np.lexsort((sets.ids, segment))
    repeated = (np.diff(segment[order]) == 0) & (np.diff(sets.ids[order]) == 0)
    if repeated.any():
        # Rows of 0 and 1 would be taken for sets of the labels 0 and 1.
        at = order[int(np.argmax(repeated))]
        what = (
            f" has the label {shown(sets.types[sets.ids[at]])} twice; a set of labels is expected. For sequences of "
            "labels, choose lists='sequences'. Rows of 0 and 1 are read by the modules for `evaluate`, with the config "
            '"multilabel".'
        )
        raise InputError.at(owner, argument, segments.first + int(segment[at]), what)


def _coded(column: Column) -> tuple[Ids, Sequence[Label]]:
    """The codes of a column's labels, and the labels in ascending order."""
    if isinstance(column, Labels):
        return column.codes, column.types
    if isinstance(column, Text):
        texts = column.texts
        return column.memoize("labels", lambda: encoded(as_text(texts, "predictions", "Labels")))
    if not isinstance(column, Items):
        raise InputError(f"labels are expected, not {type(column).__name__}.")
    for label in column.types:
        if not isinstance(label, (int, str, np.integer, np.bool_)):
            raise InputError(f"a set has the label {with_type(label)}; a label must be an int, a str or a bool.")
    found: list[Any] = [label.item() if isinstance(label, np.generic) else label for label in column.types]
    if len({isinstance(label, str) for label in found}) > 1:
        raise InputError("the sets have both strings and numbers as labels; all must be numbers, or all must be str.")
    order = sorted(range(len(found)), key=found.__getitem__)
    ranks = np.empty(len(found), np.int32)
    ranks[order] = np.arange(len(found), dtype=np.int32)
    return ranks[column.ids], [found[i] for i in order]


def _in_common(sides: Sequence[tuple[Ids, Sequence[Label]]]) -> tuple[tuple[Label, ...], list[Ids]]:
    """The labels of all sides in ascending order, and each side's codes of these."""
    labels = common_labels(types for _, types in sides)
    place = {label: code for code, label in enumerate(labels)}
    found = []
    for codes, types in sides:
        ranks = np.array([place[label] for label in types], np.int32)
        found.append(codes if len(types) == len(labels) or not len(codes) else ranks[codes])
    return labels, found


def _of_sets(
    labels: tuple[Label, ...], columns: Sequence[Items], codes: Sequence[Ids], weights: Floats | None
) -> Pairs:
    """The pairs of sets: labels that are in both, in the reference only and in the prediction only."""
    size = max(1, len(labels))
    actual, predicted = (
        np.unique(np.repeat(np.arange(len(column)), np.diff(column.item_offsets)) * size + own)
        for column, own in zip(columns, codes, strict=True)
    )
    keys = np.union1d(actual, predicted)
    number = keys % size
    sides = [np.where(np.isin(keys, own, assume_unique=True), number, NONE) for own in (actual, predicted)]
    return Pairs(labels, sides[0], sides[1], weights, keys // size)


# A notebook shows a confusion matrix of up to this many labels.
_MOST_LABELS = 30


@dataclass(frozen=True, repr=False)
class LabelResult(Result):
    """A corpus score of labels.

    Attributes
    ----------
    confusion : Confusion
        How often each label met each other one.
    """

    confusion: Confusion = field(kw_only=True, compare=False)

    @classmethod
    def of(cls, result: Result, confusion: Confusion) -> LabelResult:
        """The result with these confusion counts."""
        return cls(**vars(result), confusion=confusion)

    def more_json(self) -> dict[str, Any]:
        return {"confusion": self.confusion.to_json()}

    def _more_html(self) -> list[Markup]:
        from metrologue.tracing import notebook

        if not self.confusion.is_square or len(self.confusion.labels) > _MOST_LABELS:
            return []
        labels = [*map(str, self.confusion.labels)]
        counts = zip(labels, self.confusion.matrix(), strict=True)
        matrix = [[label, *(f"{n:g}" for n in row)] for label, row in counts]
        return [notebook.table("rows: actual, columns: predicted", ["", *labels], matrix)]


@dataclass(frozen=True, kw_only=True)
class OfLabels(Scorer):
    """Base of the metrics that compare a predicted label with the right one."""

    inputs: ClassVar[tuple[Input, ...]] = INPUTS
    about: ClassVar = About(whole_trace=True, papers=("pedregosa-etal-2011-scikit",), two_texts=False)

    aggregation: str = option("corpus", stage="score", choice=None, one_of=("corpus",))
    # fmt: off
    lists: str = option(
        "sets", stage="read", choice="lists of labels",
        about="What the labels of a segment are, if it has several.",
        one_of=LISTS,
    )
    # fmt: on

    def _paired(self, segments: Segments) -> Pairs:
        """The labels of the segments. A mean over segments has no weights."""
        pairs = label_pairs(segments, self._label, self.lists)
        if pairs.weights is not None and self.aggregation == "mean":
            raise InputError(f"{self._label}: `sample_weight` has no place in a mean of segments; leave it out.")
        return pairs

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning about labels that a loss leaves out."""
        return [] if of_each else [f"{self._label}: {told}" for told in left_out_by_a_loss(segments)]

    def _confusion(self, segments: Segments) -> Confusion:
        """The confusion counts of the segments."""
        return confusion_of(segments, self._label, self.lists)


@dataclass(frozen=True, kw_only=True)
class OfConfusion(OfLabels, SetScorer):
    """Base of the metrics whose totals are confusion counts."""

    # Whether labels of the configuration may be missing, as they are in some resamples.
    _lenient: ClassVar[bool] = False
    _takes_sets: ClassVar[bool] = True  # whether a segment may have a set of labels

    _added = ("count",)

    def _check_labels(self, confusion: Confusion) -> None:
        """Raise an InputError if the labels that were found do not suit the configuration."""

    def _found(self, confusion: Confusion) -> Confusion:
        """The counts, checked."""
        if not self._lenient:
            self._check_labels(confusion)
        return confusion

    def _for_resampling(self) -> Self:
        """The scorer without the check that all labels are there: a resample may lack some."""
        found = copy(self)
        object.__setattr__(found, "_lenient", True)
        return found

    def _pairs_of(self, segments: Segments) -> Pairs:
        self._check_inputs(segments)
        pairs = self._paired(segments)
        if pairs.segments is not None and self.lists == "sets" and not self._takes_sets:
            raise InputError(f"{self._label}: sets of labels have no {self.title}; give one label for each segment.")
        return pairs

    def _tables(self, segments: Segments) -> dict[str, Confusion]:
        if not len(segments):
            return {"confusion": count_pairs((), np.zeros(0, np.int32), np.zeros(0, np.int32))}
        self._pairs_of(segments)
        return {"confusion": self._confusion(segments)}

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        if self._additive:
            return super()._totals(segments, threads)
        # Rows of segments are not needed for the totals.
        tables = self._tables(segments)
        weights = self._paired(segments).weights if len(segments) else None
        counts = np.array([[float(len(segments))]]) if weights is None else weights[:, None]
        return Totals.of_sums(self.signature, self._added, counts, len(segments), tables)

    def _scored(self, segments: Segments, threads: int | None) -> Result:
        return LabelResult.of(super()._scored(segments, threads), self._tables(segments)["confusion"])

    def score_totals(self, totals: Totals) -> Result:
        """As for every scorer. The result has the confusion counts."""
        result, confusion = super().score_totals(totals), totals.tables.get("confusion")
        return LabelResult.of(result, confusion) if isinstance(confusion, Confusion) else result


@dataclass(frozen=True, kw_only=True)
class OfChosenLabels(OfConfusion):
    """Base of the metrics of confusion counts that can be of some labels only."""

    # fmt: off
    labels: tuple[LabelText, ...] | None = option(
        None, stage="pairs", choice="labels",
        about="The labels to score; None: all that predictions or references have.",
    )
    # fmt: on

    def _check_together(self) -> None:
        labels = self.labels
        holds = labels is None or 0 < len(set(labels)) == len(labels)
        self._check("labels", holds, "None or a list of labels, each once,")

    @abstractmethod
    def _check_labels(self, confusion: Confusion) -> None: ...
