"""What the modules of classification share: labels in place of texts, weights, and scores of each label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.labels import Labels
from metrologue.errors import InputError, shown
from metrologue.evaluate_module import MetricModule
from metrologue.scorers import Scorer
from metrologue.scorers.classification import ConfusionMatrix, LabelScorer
from metrologue.scorers.classification.pairs import confusion_of, sample_weights
from metrologue.scorers.core.hints import warn
from metrologue.segments import Segments

__all__ = ["LabelModule", "label_features"]

_MULTILABEL = "multilabel"
_HUB_DEFAULTS = {"pos_label": 1, "average": "binary", "zero_division": "warn"}


class LabelModule(MetricModule):
    """Mix-in for a module of classification, in place of ``MetricModule``.

    The config "multilabel" is the Hub's: each prediction and each reference is a row of 0 and 1, one for each label.
    Strings that are ints, such as "1", are read as ints, as the Hub's modules do.
    """

    @property
    def _forms(self) -> dict[int, str]:
        return {0: "ints", 1: "strings", 2: "rows of 0 and 1"}

    def _check_config(self, config_name: str) -> None:
        if config_name != _MULTILABEL:
            super()._check_config(config_name)

    def _variant(self, **arguments: Any) -> Scorer:
        """The chosen variant with these field values. For an argument that is None, the variant's own value stays."""
        given = {name: value for name, value in arguments.items() if value is not None}
        chosen = self.default_variant if self.config_name == _MULTILABEL else self.config_name
        return self._scorer.variant(chosen, **given)

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        name = type(self).__name__
        if self.config_name == _MULTILABEL:
            return _of_rows({"predictions": predictions, "references": references}, name)
        segments = super()._segments(predictions, references, **inputs)
        if segments.holds_items:
            raise InputError(f'{name}: `predictions` are lists; load the module with the config "{_MULTILABEL}".')
        return _as_ints(segments)

    def _form(self, segments: Segments) -> int:
        if self.config_name == _MULTILABEL:
            return 2
        return int(any(isinstance(type_, str) for column in segments.columns.values() for type_ in _types(column)[:1]))

    def _columns(self, part: Segments) -> dict[str, pa.Array]:
        """The columns of a batch as Arrow arrays."""
        if self.config_name == _MULTILABEL:
            return {name: _as_rows(column) for name, column in part.columns.items()}
        return {name: _as_arrow(column) for name, column in part.columns.items()}

    def _labelled(
        self,
        scorer: Scorer,
        predictions: Any,
        references: Any,
        sample_weight: Any,
        signature: bool,
        per_segment: bool,
        each_label: bool = False,
    ) -> tuple[Any, dict[str, Any], Segments]:
        """The primary number, or with `each_label` that of each label; the extras that were asked for; the segments."""
        segments = self._segments(predictions, references)
        if sample_weight is not None:
            weights = sample_weights(sample_weight, type(self).__name__)
            columns = {**segments.columns, "sample_weight": weights}
            segments = Segments.of_columns(columns, type(self).__name__)
        if each_label and self._confidence is not None:
            raise InputError(f"{type(self).__name__}: `confidence` needs an average; without one there is no interval.")
        # A list has numbers of labels that do not occur, too.
        lenient = scorer.for_resampling() if each_label else scorer
        scores, extras = self._score_segments(lenient, segments, signature, per_segment)
        warn(scorer.hints(segments))
        if not each_label or not isinstance(scorer, LabelScorer):
            return scores[scorer.primary], extras, segments
        found = scorer.of_each_label(confusion_of(segments, type(self).__name__))
        column = found[:, ("precision", "recall", "f1").index(scorer.primary)]
        return (column if len(column) > 1 else float(column[0])), extras, segments

    def _matrix(
        self,
        scorer: ConfusionMatrix,
        predictions: Any,
        references: Any,
        sample_weight: Any,
        signature: bool,
        per_segment: bool,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """The matrix, of ints if it has sums of ints, and the extras that were asked for."""
        _, extras, segments = self._labelled(scorer, predictions, references, sample_weight, signature, per_segment)
        matrix = scorer.matrix(confusion_of(segments, type(self).__name__))
        whole = sample_weight is None or np.asarray(sample_weight).dtype.kind in "iub"
        return (matrix.astype(np.int64) if whole and scorer.normalize == "none" else matrix), extras

    def _averaged(
        self, predictions: Any, references: Any, sample_weight: Any, signature: bool, per_segment: bool, **options: Any
    ) -> dict[str, Any]:
        """The result of precision, recall or F1: a number, or without an average an array with that of each label."""
        each_label = options["average"] is None
        fields = {
            "labels": as_labels(options["labels"], type(self).__name__),
            "pos_label": options["pos_label"],
            "average": "macro" if each_label else options["average"],
            "zero_division": _zero(options.get("zero_division", "warn"), type(self).__name__),
        }
        if fields["average"] == "binary" and fields["pos_label"] is None:
            raise InputError(f"{type(self).__name__}: `pos_label` is None; a label is expected for average='binary'.")
        # The Hub's defaults stand for an argument that is left out: the variant has its own.
        fields = {name: value for name, value in fields.items() if value != _HUB_DEFAULTS.get(name)}
        scorer = self._variant(**fields)
        value, extras, _ = self._labelled(
            scorer, predictions, references, sample_weight, signature, per_segment, each_label
        )
        return {scorer.primary: value, **extras}


def as_labels(labels: Any, owner: str) -> list[Any] | None:
    """The argument `labels` as a list. Raises an InputError for anything else but None."""
    found = labels.tolist() if isinstance(labels, np.ndarray) else labels
    if found is None or isinstance(found, (list, tuple)):
        return None if found is None else list(found)
    raise InputError(f"{owner}: `labels` is {shown(labels)}; a list of labels is expected.")


def _zero(given: Any, owner: str) -> str:
    """The field's value for the argument `zero_division`."""
    if isinstance(given, float) and math.isnan(given):
        return "nan"
    if isinstance(given, str) or given not in (0, 1):
        if given != "warn":
            raise InputError(f"{owner}: `zero_division` is {shown(given)}; 0, 1, NaN or 'warn' is expected.")
        return "warn"
    return str(int(given))


def _types(column: Column) -> list[Any]:
    return list(column.types) if isinstance(column, Labels) else []


def _as_ints(segments: Segments) -> Segments:
    """The segments with ints for labels that are texts of ints."""
    try:
        columns = {name: _parsed(column) for name, column in segments.columns.items()}
    except ValueError:
        return segments
    return Segments.of_columns(columns)


def _parsed(column: Column) -> Column:
    if not isinstance(column, Labels) or not column.types or not isinstance(column.types[0], str):
        return column
    found = [int(text) for text in column.types]
    labels = sorted(set(found))
    ranks = np.array([labels.index(number) for number in found], np.int32)
    return Labels(ranks[column.codes], labels)


def _as_arrow(column: Column) -> pa.Array:
    """Labels as an Arrow array of ints or of texts."""
    assert isinstance(column, Labels)
    texts = bool(column.types) and isinstance(column.types[0], str)
    if texts:
        return pa.array(column.types, pa.string()).take(pa.array(column.codes))
    return pa.array(np.array([int(label) for label in column.types], np.int64)[column.codes])


def _of_rows(given: Mapping[str, Any], owner: str) -> Segments:
    """Segments of sets from rows of 0 and 1: the indices of the ones. A row of one number is a label, 0 or 1."""
    tables = {}
    for name, values in given.items():
        if values is None:
            raise InputError(f"{owner}: `{name}` is a NoneType; a list of rows of 0 and 1 is expected.")
        tables[name] = _table(Numbers(values, name, owner), name, owner)
    widths = {name: table.shape[1] for name, table in tables.items() if len(table)}
    if len(set(widths.values())) > 1:
        raise InputError(f"{owner}: rows have {' and '.join(map(str, widths.values()))} numbers; as many are expected.")
    columns: dict[str, Column] = {name: _sets(table) for name, table in tables.items()}
    return Segments.of_columns(columns, owner)


def _table(rows: Numbers, name: str, owner: str) -> NDArray[np.float64]:
    lengths = np.diff(rows.offsets)
    if len(lengths) and (uneven := lengths != lengths[0]).any():
        at = int(np.argmax(uneven))
        raise InputError(f"{owner}: `{name}[{at}]` has {lengths[at]} numbers, but the first row has {lengths[0]}.")
    table = rows.values.reshape(len(lengths), int(lengths[0]) if len(lengths) else 0)
    wrong = (table != 0) & (table != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise InputError(f"{owner}: `{name}[{row}][{column}]` is {table[row, column]:g}; 0 or 1 is expected.")
    return table


def _sets(table: NDArray[np.float64]) -> Column:
    count, width = table.shape
    if width == 1:
        return Labels.of(table[:, 0])
    rows, ids = np.nonzero(table)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)
    return Items(ids.astype(np.int32), offsets, [*range(width)], np.arange(count + 1))


def _as_rows(column: Column) -> pa.ListArray:
    """Rows of 0 and 1."""
    if isinstance(column, Labels):
        table = np.array(column.types, np.int64)[column.codes][:, None]
    else:
        assert isinstance(column, Items)
        table = np.zeros((len(column), len(column.types)), np.int64)
        table[np.repeat(np.arange(len(column)), np.diff(column.item_offsets)), column.ids] = 1
    offsets = np.arange(len(table) + 1) * table.shape[1]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(table.ravel()))


def label_features() -> list[Any]:
    """The forms of predictions and references for `evaluate`: ints, strings, or rows of 0 and 1."""
    from datasets import Features, Sequence, Value

    return [
        Features({"predictions": value, "references": value})
        for value in (Value("int64"), Value("string"), Sequence(Value("int64")))
    ]
