"""What the modules of classification share: labels in place of texts, weights, and scores of each label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.bridge.evaluate_module import MetricModule
from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.labels import Labels
from metrologue.errors import InputError, shown
from metrologue.scorers import Accuracy, Scorer
from metrologue.scorers.classification import ConfusionMatrix, LabelScorer
from metrologue.scorers.classification.averages import zero_division_name
from metrologue.scorers.classification.pairs import confusion_of, sample_weights
from metrologue.scorers.core.citing import bibtex
from metrologue.scorers.core.hints import warn
from metrologue.segments import Segments

if TYPE_CHECKING:
    from evaluate import MetricInfo

__all__ = ["AVERAGED_INPUTS", "AveragedModule", "LabelModule", "as_labels", "label_info"]

# The arguments of precision, recall and F1, for `evaluate`.
AVERAGED_INPUTS = """
Args:
    predictions: list of labels: ints, strings or bools. With the config "multilabel", list of rows of 0 and 1.
    references: list of the right labels, in the same form.
    labels: list of the labels to score; by default all that occur, or all columns of the rows.
    pos_label: the label whose score is that of average="binary".
    average: "binary", "micro", "macro", "weighted", "samples" (config "multilabel" only), or None for each label.
    sample_weight: list of numbers, the weight of each prediction.
    zero_division: the value of 0 divided by 0: 0, 1, NaN (leaves a label out of a mean) or "warn" (0 and a warning).
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value."""

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

    def _weighted(self, predictions: Any, references: Any, sample_weight: Any) -> Segments:
        """The segments, with their weights if there are any."""
        segments, name = self._segments(predictions, references), type(self).__name__
        if sample_weight is None:
            return segments
        return Segments.of_columns({**segments.columns, "sample_weight": sample_weights(sample_weight, name)}, name)

    def _labelled(
        self, scorer: Scorer, segments: Segments, signature: bool, per_segment: bool
    ) -> tuple[Any, dict[str, Any]]:
        """The primary number, and the extras that were asked for."""
        scores, extras = self._score_segments(scorer, segments, signature, per_segment)
        warn(scorer._hints(segments))
        return scores[scorer.primary], extras

    def _matrix(self, scorer: ConfusionMatrix, segments: Segments, sample_weight: Any) -> NDArray[Any]:
        """The matrix, of ints if it has sums of ints."""
        matrix = scorer.matrix(confusion_of(segments, type(self).__name__))
        whole = sample_weight is None or np.asarray(sample_weight).dtype.kind in "iub"
        return matrix.astype(np.int64) if whole and scorer.normalize == "none" else matrix


class AveragedModule(LabelModule):
    """Mix-in for precision, recall and F1: a number, or without an average an array with that of each label."""

    def _averaged(
        self, predictions: Any, references: Any, labels: Any, pos_label: Any, average: Any, sample_weight: Any,
        zero_division: Any, signature: bool, per_segment: bool,
    ) -> dict[str, Any]:  # fmt: skip
        """The module's result. The arguments are those of ``_compute``, in the same order."""
        name = type(self).__name__
        segments = self._weighted(predictions, references, sample_weight)
        fields = {
            "labels": self._scored(as_labels(labels, name), segments),
            "pos_label": pos_label,
            "average": "macro" if average is None else average,
            "zero_division": _zero(zero_division, name),
        }
        if average == "binary" and pos_label is None:
            raise InputError(f"{name}: `pos_label` is None; a label is expected for average='binary'.")
        # The Hub's defaults stand for an argument that is left out: the variant has its own.
        scorer = self._variant(**{key: value for key, value in fields.items() if value != _HUB_DEFAULTS.get(key)})
        assert isinstance(scorer, LabelScorer)
        if average is not None and not math.isnan(scorer.value_of(segments)):
            value, extras = self._labelled(scorer, segments, signature, per_segment)
            return {scorer.primary: value, **extras}
        if self._confidence is not None:
            needed = "an average" if average is None else "a number, and this one is 0/0"
            raise InputError(f"{name}: `confidence` needs {needed}; without it there is no interval.")
        warn(scorer._hints(segments))
        found = scorer.of_each_label(confusion_of(segments, name))[:, ("precision", "recall", "f1").index(scorer.name)]
        several = found if len(found) > 1 else float(found[0])
        extras = self._extras(scorer, segments, signature, per_segment)
        return {scorer.primary: several if average is None else math.nan, **extras}

    def _scored(self, labels: list[Any] | None, segments: Segments) -> list[Any] | None:
        """The labels to score. Those of rows of 0 and 1 are the columns, also a column without a 1."""
        if not segments.holds_items:
            return labels
        assert isinstance(segments.predictions, Items)
        columns = segments.predictions.types
        for at, label in enumerate(labels or ()):
            if label not in columns:
                raise InputError(
                    f"{type(self).__name__}: `labels[{at}]` is {shown(label)}; "
                    f"a column, an int from 0 to {len(columns) - 1}, is expected."
                )
        return [*columns] if labels is None else labels


def as_labels(labels: Any, owner: str) -> list[Any] | None:
    """The argument `labels` as a list; True is 1, as among predictions. Raises an InputError for anything but None."""
    found = labels.tolist() if isinstance(labels, np.ndarray) else labels
    if found is None:
        return None
    if not isinstance(found, (list, tuple)):
        raise InputError(f"{owner}: `labels` is {shown(labels)}; a list of labels is expected.")
    if len({isinstance(label, str) for label in found}) > 1:
        raise InputError(f"{owner}: `labels` has strings and numbers; all must be ints, or all must be str.")
    return [int(label) if isinstance(label, (bool, np.bool_)) else label for label in found]


def _zero(given: Any, owner: str) -> str:
    """The field's value for the argument `zero_division`, by the scorer's own rule."""
    name = zero_division_name(given)
    if not isinstance(name, str) or name not in (LabelScorer._options()["zero_division"].one_of or ()):
        raise InputError(f"{owner}: `zero_division` is {shown(given)}; 0, 1, NaN or 'warn' is expected.")
    return name


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
    ranks = {number: rank for rank, number in enumerate(labels)}
    return Labels(np.array([ranks[number] for number in found], np.int32)[column.codes], labels)


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


def _features() -> list[Any]:
    """The forms of predictions and references for `evaluate`: ints, strings, or rows of 0 and 1."""
    from datasets import Features, Sequence, Value

    return [
        Features({"predictions": value, "references": value})
        for value in (Value("int64"), Value("string"), Sequence(Value("int64")))
    ]


def label_info(description: str, inputs: str, function: str) -> MetricInfo:
    """What `evaluate` asks of a module: the texts, and the function of scikit-learn whose numbers the Hub's gives."""
    from evaluate import MetricInfo

    return MetricInfo(
        description=description,
        citation=bibtex([Accuracy()])[0],
        inputs_description=inputs,
        features=_features(),
        reference_urls=[f"https://scikit-learn.org/stable/modules/generated/sklearn.metrics.{function}.html"],
    )
