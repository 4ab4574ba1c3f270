"""scikit-learn's metrics of classification."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from metrologue.comparison.libraries.base import Library, References, Scores, Texts
from metrologue.comparison.libraries.labels import matrix_scores, quiet

__all__ = ["ScikitLearn", "labels_of"]


def _averaged(metric: str) -> Callable[..., Scores]:
    """The method of a metric: ``f1_score`` and others of the label "1", unless the options say more."""

    def score(self: ScikitLearn, predictions: Texts, references: References, **options: Any) -> Scores:
        import sklearn.metrics

        given = {"pos_label": "1", **options}
        with quiet():
            value = getattr(sklearn.metrics, f"{metric}_score")(*self._labels(predictions, references), **given)
        return {metric: float(value)}

    return score


class ScikitLearn(Library):
    """``sklearn.metrics``, with texts as labels. Sets of labels become rows of 0 and 1, one for each label."""

    name = "scikit-learn"
    distributions = ("scikit-learn",)

    def score_accuracy(self, predictions: Texts, references: References, *, normalize: bool = True) -> Scores:
        """``accuracy_score``."""
        from sklearn.metrics import accuracy_score

        return {"accuracy": float(accuracy_score(*self._labels(predictions, references), normalize=normalize))}

    score_precision = _averaged("precision")
    score_recall = _averaged("recall")
    score_f1 = _averaged("f1")

    def score_matthews_correlation(self, predictions: Texts, references: References) -> Scores:
        """``matthews_corrcoef``."""
        from sklearn.metrics import matthews_corrcoef

        return {"matthews_correlation": float(matthews_corrcoef(*self._labels(predictions, references)))}

    def score_confusion_matrix(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``confusion_matrix``, and the accuracy that it shows."""
        from sklearn.metrics import confusion_matrix

        with quiet():
            return matrix_scores(confusion_matrix(*self._labels(predictions, references), **options))

    def _labels(self, predictions: Texts, references: References) -> tuple[Any, Any]:
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
