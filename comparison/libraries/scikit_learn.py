"""scikit-learn's metrics of classification."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from metrologue.comparison.libraries.base import Library, Scores
from metrologue.comparison.libraries.labels import matrix_scores, quiet

__all__ = ["ScikitLearn", "labels_of"]


class ScikitLearn(Library):
    """``sklearn.metrics``, with texts as labels. Sets of labels become rows of 0 and 1, one for each label."""

    name = "scikit-learn"
    distributions = ("scikit-learn",)

    def score_accuracy(self, predictions: list[str], references: list[list[str]], *, normalize: bool = True) -> Scores:
        """``accuracy_score``."""
        from sklearn.metrics import accuracy_score

        return {"accuracy": float(accuracy_score(*self._labels(predictions, references), normalize=normalize))}

    def score_precision(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """``precision_score``; options as for ``score_f1``."""
        from sklearn.metrics import precision_score

        return {"precision": self._averaged(precision_score, predictions, references, **options)}

    def score_recall(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """``recall_score``; options as for ``score_f1``."""
        from sklearn.metrics import recall_score

        return {"recall": self._averaged(recall_score, predictions, references, **options)}

    def score_f1(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """``f1_score`` of the label "1", unless ``average``, ``pos_label``, ``labels`` say more."""
        from sklearn.metrics import f1_score

        return {"f1": self._averaged(f1_score, predictions, references, **options)}

    def score_confusion_matrix(
        self, predictions: list[str], references: list[list[str]], *, labels: Sequence[str] | None = None
    ) -> Scores:
        """``confusion_matrix``, and the accuracy that it shows."""
        from sklearn.metrics import confusion_matrix

        with quiet():
            return matrix_scores(confusion_matrix(*self._labels(predictions, references), labels=labels))

    def _averaged(
        self,
        score: Callable[..., float],
        predictions: list[str],
        references: list[list[str]],
        *,
        average: str = "binary",
        pos_label: str = "1",
        labels: Sequence[str] | None = None,
        zero_division: Any = "warn",
    ) -> float:
        with quiet():
            return float(
                score(
                    *self._labels(predictions, references),
                    average=average,
                    pos_label=pos_label,
                    labels=labels,
                    zero_division=zero_division,
                )
            )

    def _labels(self, predictions: list[str], references: list[list[str]]) -> tuple[Any, Any]:
        """The right labels and the predicted ones, in scikit-learn's order."""
        right = self._single(references)
        if not predictions or isinstance(predictions[0], str):
            return labels_of(right), labels_of(predictions)
        from sklearn.preprocessing import MultiLabelBinarizer

        rows = MultiLabelBinarizer().fit([*right, *predictions])
        return rows.transform(right), rows.transform(predictions)


def labels_of(texts: Sequence[str]) -> Any:
    """Texts as an array of objects: an array of fixed width would lose U+0000 at the end of a text."""
    return np.array([*texts], dtype=object)
