"""What the modules of classification share: labels in place of texts, weights, and scores of each label."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.bridge.inputs import label_features
from metrologue.bridge.labels import as_arrow, as_ints, as_labels, as_rows, of_rows, types_of, zero_of
from metrologue.bridge.metric_module import MetricModule
from metrologue.data.columns import Items
from metrologue.errors import InputError, shown
from metrologue.scorers import Scorer
from metrologue.scorers.classification import ConfusionMatrix, LabelScorer
from metrologue.scorers.classification.pairs import confusion_of, sample_weights
from metrologue.scorers.core.hints import warn
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

    def _label_info(self, description: str, inputs: str, function: str) -> Any:
        """What `evaluate` asks of a module. The Hub's gives the numbers of a function of scikit-learn."""
        from evaluate import MetricInfo

        return MetricInfo(
            description=description,
            citation=self._papers()[0],
            inputs_description=inputs,
            features=self._features(),
            reference_urls=[f"https://scikit-learn.org/stable/modules/generated/sklearn.metrics.{function}.html"],
        )

    def _labels(self, labels: Any) -> list[Any] | None:
        """The argument `labels` as a list."""
        return as_labels(labels, type(self).__name__)

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
            return of_rows({"predictions": predictions, "references": references}, name)
        segments = super()._segments(predictions, references, **inputs)
        if segments.holds_items:
            raise InputError(f'{name}: `predictions` are lists; load the module with the config "{_MULTILABEL}".')
        return as_ints(segments)

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
        return scores[scorer.primary], extras

    def _matrix(self, scorer: ConfusionMatrix, segments: Segments, sample_weight: Any) -> NDArray[Any]:
        """The matrix, of ints if it has sums of ints."""
        matrix = scorer.matrix(confusion_of(segments, type(self).__name__))
        whole = sample_weight is None or np.asarray(sample_weight).dtype.kind in "iub"
        return matrix.astype(np.int64) if whole and scorer.normalize == "none" else matrix


class AveragedModule(LabelModule):
    """Mix-in for precision, recall and F1: a number, or without an average an array with that of each label.

    Attributes
    ----------
    arguments : str
        The description of their arguments, for `evaluate`.
    """

    arguments: ClassVar[str] = """
Args:
    predictions: list of labels: ints, strings or bools. With the config "multilabel", list of rows of 0 and 1.
    references: list of the right labels, in the same form.
    labels: list of the labels to score; by default all that occur, or all columns of the rows.
    pos_label: the label whose score is that of average="binary".
    average: "binary", "micro", "macro", "weighted", "samples" (config "multilabel" only), or None for each label.
    sample_weight: list of numbers, the weight of each prediction.
    zero_division: the value of 0 divided by 0: 0, 1, NaN (leaves a label out of a mean) or "warn" (0 and a warning).
    beta: how many times as much recall counts as precision in F. 1: F1.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value."""

    def _averaged(
        self, predictions: Any, references: Any, labels: Any, pos_label: Any, average: Any, sample_weight: Any,
        zero_division: Any, beta: Any, signature: bool, per_segment: bool,
    ) -> dict[str, Any]:  # fmt: skip
        """The module's result. The arguments are those of ``_compute``, in the same order."""
        name = type(self).__name__
        segments = self._weighted(predictions, references, sample_weight)
        fields = {
            "labels": self._scored(as_labels(labels, name), segments),
            "pos_label": pos_label,
            "average": "macro" if average is None else average,
            "zero_division": zero_of(zero_division, name),
            "beta": beta,
        }
        if average == "binary" and pos_label is None:
            raise InputError(f"{name}: `pos_label` is None; a label is expected for average='binary'.")
        # The Hub's defaults stand for an argument that is left out: the variant has its own.
        scorer = self._variant(**{key: value for key, value in fields.items() if value != _HUB_DEFAULTS.get(key)})
        assert isinstance(scorer, LabelScorer)
        if average is not None and not math.isnan(scorer._value_of(segments)):
            value, extras = self._labelled(scorer, segments, signature, per_segment)
            return {scorer.primary: value, **extras}
        if self._call.confidence is not None:
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
