"""What the modules of classification share: labels in place of texts, weights, and scores of each label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from metrologue.bridge.inputs import label_features
from metrologue.bridge.labels import as_arrow, as_ints, as_labels, as_rows, of_rows, types_of, zero_of
from metrologue.bridge.metric_module import Call, MetricModule
from metrologue.data.columns import Items
from metrologue.errors import InputError, shown
from metrologue.scorers.confusion_matrix import ConfusionMatrix
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.registry import scorer_of
from metrologue.scorers.families.classification.pairs import confusion_of, sample_weights
from metrologue.segments import Segments

__all__ = ["AveragedModule", "LabelModule"]

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
            segments = of_rows({"predictions": predictions, "references": references}, name)
        else:
            segments = super()._segments(predictions, references)
            if segments.holds_items:
                raise InputError(f'{name}: `predictions` are lists; load the module with the config "{_MULTILABEL}".')
            segments = as_ints(segments)
        if not inputs:
            return segments
        weights = sample_weights(inputs["sample_weight"], name)
        return Segments.of_columns({**segments.columns, "sample_weight": weights}, name)

    def _form(self, segments: Segments) -> int:
        if self.config_name == _MULTILABEL:
            return 2
        return int(
            any(isinstance(type_, str) for column in segments.columns.values() for type_ in types_of(column)[:1])
        )

    def _columns(self, part: Segments) -> dict[str, pa.Array]:
        """The columns of a batch as Arrow arrays."""
        if self.config_name == _MULTILABEL:
            return {name: as_rows(column) for name, column in part.columns.items()}
        return {name: as_arrow(column) for name, column in part.columns.items()}

    def _matrix(self, scorer: ConfusionMatrix, segments: Segments, call: Call) -> list[list[float]]:
        """The matrix, of ints if it has sums of ints."""
        matrix = scorer.matrix(confusion_of(segments, self._owner))
        weights = call.inputs.get("sample_weight")
        whole = weights is None or np.asarray(weights).dtype.kind in "iub"
        rows: list[list[float]] = (matrix.astype(np.int64) if whole and scorer.normalize == "none" else matrix).tolist()
        return rows

    def _values(self, call: Call, segments: Segments) -> dict[str, Any]:
        fields = super()._values(call, segments)
        if "labels" in fields:
            fields["labels"] = as_labels(fields["labels"], self._owner)
        return fields


class AveragedModule(LabelModule):
    """Mix-in for precision, recall and F1: a number, or without an average a list with that of each label.

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
            "zero_division": zero_of(zero_division, name),
        }
        return {key: value for key, value in fields.items() if value != _HUB_DEFAULTS[key]}

    def _values(self, call: Call, segments: Segments) -> dict[str, Any]:
        fields = super()._values(call, segments)
        return {**fields, "labels": self._scored_labels(fields.get("labels"), segments)}

    def _answer(self, scorer: Any, segments: Segments, call: Call) -> Any:
        name, of_each = self._owner, call.hub.get("average", "binary") is None
        if not of_each and not math.isnan(scorer._value_of(segments)):
            return super()._answer(scorer, segments, call)
        if call.confidence is not None:
            needed = "an average" if of_each else "a number, and this one is 0/0"
            raise InputError(f"{name}: `confidence` needs {needed}; without it there is no interval.")
        warn(scorer._hints(segments))
        column = ("precision", "recall", "f1").index(scorer.name)
        of_labels = scorer.of_each_label(confusion_of(segments, name))[:, column]
        several = of_labels.tolist() if len(of_labels) > 1 else float(of_labels[0])
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
