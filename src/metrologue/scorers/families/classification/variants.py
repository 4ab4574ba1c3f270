"""The variants of the metrics of classification."""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.scorers.core.variants import Variant

__all__ = ["ACCURACY", "MATRIX", "averaged"]

ACCURACY: Mapping[str, Variant] = {
    "scikit-learn": Variant("scikit-learn", "accuracy_score", live="scikit-learn.accuracy"),
    "evaluate": Variant("evaluate", "the Hub's `accuracy`, which calls scikit-learn", live="evaluate.accuracy"),
    "torchmetrics": Variant("torchmetrics", "multiclass_accuracy with average=micro", live="torchmetrics.accuracy"),
}
MATRIX: Mapping[str, Variant] = {
    "scikit-learn": Variant("scikit-learn", "confusion_matrix", live="scikit-learn.confusion_matrix"),
    "evaluate": Variant(
        "evaluate", "the Hub's `confusion_matrix`, which calls scikit-learn", live="evaluate.confusion_matrix"
    ),
    "torchmetrics": Variant("torchmetrics", "multiclass_confusion_matrix", live="torchmetrics.confusion_matrix"),
}


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
