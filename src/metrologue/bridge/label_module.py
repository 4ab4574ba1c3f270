"""What the modules of classification share: labels in place of texts, weights, and scores of each label."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.bridge.inputs import label_features
from metrologue.bridge.metric_module import Call, MetricModule
from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.labels import Labels
from metrologue.errors import InputError, shown
from metrologue.scorers.confusion_matrix import ConfusionMatrix
from metrologue.scorers.core.engine import hints_of, value_of_average
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.registry import scorer_of
from metrologue.scorers.families.classification.averages import LabelScorer, zero_division_name
from metrologue.scorers.families.classification.base import confusion_of, sample_weights
from metrologue.segments import Segments

_MULTILABEL = "multilabel"
_HUB_DEFAULTS = {"pos_label": 1, "average": "binary", "zero_division": "warn"}


class LabelModule(MetricModule):
    """Mix-in for a module of classification, in place of ``MetricModule``.

    The config "multilabel" is the Hub's: each prediction and each reference is a row of 0 and 1, one for each label.
    Strings that are ints, such as "1", are read as ints, as the Hub's modules do.
    """

    def _features(self) -> list[Any]:
        return label_features()

    @property
    def _forms(self) -> dict[int, str]:
        return {0: "ints", 1: "strings", 2: "rows of 0 and 1"}

    def _check_config(self, config_name: str) -> None:
        if config_name != _MULTILABEL:
            super()._check_config(config_name)

    def _variant(self, fields: Mapping[str, Any]) -> Any:
        if self.config_name == _MULTILABEL:
            return scorer_of(self._scorer, self.default_variant, fields)
        return super()._variant(fields)

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        name = self._owner
        if self.config_name == _MULTILABEL:
            segments = _of_rows({"predictions": predictions, "references": references}, name)
        else:
            segments = super()._segments(predictions, references)
            if segments.holds_items:
                raise InputError(
                    f'{name}: `predictions` are lists; load the module with the config "{_MULTILABEL}". Of one-hot '
                    "rows or logits, take `.argmax(-1)`."
                )
            segments = _as_ints(segments)
        if not inputs:
            return segments
        weights = sample_weights(inputs["sample_weight"], name)
        return Segments.of_columns({**segments.columns, "sample_weight": weights}, name)

    def _form(self, segments: Segments) -> int:
        if self.config_name == _MULTILABEL:
            return 2
        return int(
            any(isinstance(type_, str) for column in segments.columns.values() for type_ in _types_of(column)[:1])
        )

    def _rows(self, part: Segments) -> dict[str, pa.Array]:
        if self.config_name == _MULTILABEL:
            return {name: _as_rows(column) for name, column in part.columns.items()}
        return {name: _as_arrow(column) for name, column in part.columns.items()}

    def _matrix(self, scorer: ConfusionMatrix, segments: Segments, call: Call) -> NDArray[Any]:
        """The matrix, of ints if it has sums of ints: an array, as the Hub's module gives it."""
        matrix = scorer.matrix(confusion_of(segments, self._owner))
        weights = call.inputs.get("sample_weight")
        whole = weights is None or np.asarray(weights).dtype.kind in "iub"
        return matrix.astype(np.int64) if whole and scorer.normalize == "none" else matrix

    def _of_each_label(self, segments: Segments) -> Iterator[Segments]:
        """Segments with a 0 or a 1 in place of a row of them, for each place of a row."""
        sides = [_rows_of(segments.columns[name]).T for name in ("predictions", "references")]
        others = {name: column for name, column in segments.columns.items() if name == "sample_weight"}
        for predictions, references in zip(*sides, strict=True):
            labels = {"predictions": Labels.of(predictions), "references": Labels.of(references)}
            yield Segments.of_columns({**labels, **others})

    @staticmethod
    def _value(scorer: Any, segments: Segments) -> float:
        """The primary number of these segments, with the warnings about them."""
        warn(hints_of(scorer, segments))
        return float(scorer.corpus(segments).value)

    def _values(self, call: Call, segments: Segments) -> dict[str, Any]:
        fields = super()._values(call, segments)
        if "labels" in fields:
            fields["labels"] = _as_labels(fields["labels"], self._owner)
        return fields


class AveragedModule(LabelModule):
    """Mix-in for precision, recall and F1: a number, or without an average an array with that of each label.

    Args:
        pos_label: the label whose score is that of average="binary"; 1 by default.
        average: "binary", "micro", "macro", "weighted", "samples" (config "multilabel" only), or None for each label.
        zero_division: the value of 0 divided by 0: 0, 1, NaN (leaves a label out of a mean) or "warn" (0, and a
            warning).
    """

    def _fields(self, pos_label: Any = 1, average: Any = "binary", zero_division: Any = "warn") -> Mapping[str, Any]:
        """The Hub's defaults stand for an argument that is left out: the variant has its own."""
        name = self._owner
        if average == "binary" and pos_label is None:
            raise InputError(f"{name}: `pos_label` is None; a label is expected for average='binary'.")
        fields = {
            "pos_label": pos_label,
            "average": "macro" if average is None else average,
            "zero_division": _zero_of(zero_division, name),
        }
        return {key: value for key, value in fields.items() if value != _HUB_DEFAULTS[key]}

    def _values(self, call: Call, segments: Segments) -> dict[str, Any]:
        fields = super()._values(call, segments)
        return {**fields, "labels": self._scored_labels(fields.get("labels"), segments)}

    def _answer(self, scorer: Any, segments: Segments, call: Call) -> Any:
        name, of_each = self._owner, call.hub.get("average", "binary") is None
        if not of_each and not math.isnan(value_of_average(scorer, segments)):
            return super()._answer(scorer, segments, call)
        if call.confidence is not None:
            needed = "an average" if of_each else "a number, and this one is 0/0"
            raise InputError(f"{name}: `confidence` needs {needed}; without it there is no interval.")
        warn(hints_of(scorer, segments))
        column = ("precision", "recall", "f1").index(scorer.name)
        of_labels = scorer.of_each_label(confusion_of(segments, name))[:, column]
        several = np.array(of_labels) if len(of_labels) > 1 else float(of_labels[0])
        return {scorer.primary: several if of_each else math.nan, **self._extras(scorer, segments, call)}

    def _scored_labels(self, labels: list[Any] | None, segments: Segments) -> list[Any] | None:
        """The labels to score. Those of rows of 0 and 1 are the columns, also a column without a 1."""
        if not segments.holds_items:
            return labels
        assert isinstance(segments.predictions, Items)
        columns = segments.predictions.types
        for at, label in enumerate(labels or ()):
            if label not in columns:
                raise self._error(
                    f"`labels[{at}]` is {shown(label)}; a column, an int from 0 to {len(columns) - 1}, is expected."
                )
        return [*columns] if labels is None else labels


# Labels on their way from the arguments of a module to segments, and from segments to `evaluate`.


def _as_labels(labels: Any, owner: str) -> list[Any] | None:
    """The argument `labels` as a list; True is 1, as among predictions. Raises an InputError for anything but None."""
    listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
    if listed is None:
        return None
    if not isinstance(listed, (list, tuple)):
        raise InputError(f"{owner}: `labels` is {shown(labels)}; a list of labels is expected.")
    if len({isinstance(label, str) for label in listed}) > 1:
        raise InputError(f"{owner}: `labels` has strings and numbers; all must be ints, or all must be str.")
    return [int(label) if isinstance(label, (bool, np.bool_)) else label for label in listed]


def _zero_of(given: Any, owner: str) -> str:
    """The field's value for the argument `zero_division`, by the scorer's own rule."""
    name = zero_division_name(given)
    if not isinstance(name, str) or name not in (options_of(LabelScorer)["zero_division"].one_of or ()):
        raise InputError(f"{owner}: `zero_division` is {shown(given)}; 0, 1, NaN or 'warn' is expected.")
    return name


def _types_of(column: Column) -> list[Any]:
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
    numbers = [int(text) for text in column.types]
    labels = sorted(set(numbers))
    ranks = {number: rank for rank, number in enumerate(labels)}
    return Labels(np.array([ranks[number] for number in numbers], np.int32)[column.codes], labels)


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
        cure = f"; of logits, take `({name} > 0).astype(int)`" if (table != np.floor(table)).any() else ""
        raise InputError(f"{owner}: `{name}[{row}][{column}]` is {table[row, column]:g}; 0 or 1 is expected{cure}.")
    return table


def _sets(table: NDArray[np.float64]) -> Column:
    count, width = table.shape
    if width == 1:
        return Labels.of(table[:, 0])
    rows, ids = np.nonzero(table)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)
    return Items(ids.astype(np.int32), offsets, [*range(width)], np.arange(count + 1))


def _rows_of(column: Column) -> NDArray[np.int64]:
    """Rows of 0 and 1, (n, width)."""
    if isinstance(column, Labels):
        return np.array(column.types, np.int64)[column.codes][:, None]
    assert isinstance(column, Items)
    table = np.zeros((len(column), len(column.types)), np.int64)
    table[np.repeat(np.arange(len(column)), np.diff(column.item_offsets)), column.ids] = 1
    return table


def _as_rows(column: Column) -> pa.ListArray:
    """Rows of 0 and 1, for Arrow."""
    table = _rows_of(column)
    offsets = np.arange(len(table) + 1) * table.shape[1]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(table.ravel()))
