"""Metrics of classification, for libraries whose labels are ints: texts are numbered in ascending order."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts

__all__ = ["CodedLabels", "matrix_scores", "quiet"]


def _score_of(metric: str) -> Callable[..., Scores]:
    """The method of a metric. Options are the library's own; ``labels`` and ``pos_label`` are given as texts."""

    def score(self: CodedLabels, predictions: Texts, references: References, **options: Any) -> Scores:
        return {metric: float(self._coded(metric, predictions, references, options))}

    return score


class CodedLabels(Library):
    """A library with metrics of classification. Labels are given to it as ints.

    The int of a label is its place among all labels that occur. A label of an option that does not occur gets the
    next int.
    """

    @abstractmethod
    def _of_codes(
        self, metric: str, predictions: list[int], references: list[int], count: int, options: Mapping[str, Any]
    ) -> Any:
        """What the library gives for these labels, of which there are `count`."""

    score_accuracy = _score_of("accuracy")
    score_precision = _score_of("precision")
    score_recall = _score_of("recall")
    score_f1 = _score_of("f1")
    score_matthews_correlation = _score_of("matthews_correlation")

    def score_confusion_matrix(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The accuracy that the confusion matrix shows, and its sums."""
        return matrix_scores(self._coded("confusion_matrix", predictions, references, options))

    def _coded(self, metric: str, predictions: Texts, references: References, options: Mapping[str, Any]) -> Any:
        right = self._single(references)
        if predictions and not isinstance(predictions[0], str):
            raise LibraryError(f"{self.name}: sets of labels are not compared; give one label for each segment")
        labels = sorted({*predictions, *right})
        code = {label: number for number, label in enumerate(labels)}
        given = dict(options)
        if metric in ("precision", "recall", "f1") and given.get("average", "binary") == "binary":
            given["pos_label"] = code.get(given.get("pos_label", "1"), len(labels))
        if given.get("labels") is not None:
            given["labels"] = [code.get(label, len(labels)) for label in given["labels"]]
        with quiet():
            return self._of_codes(
                metric, [code[each] for each in predictions], [code[each] for each in right], len(labels), given
            )


def matrix_scores(matrix: Any) -> Scores:
    """The accuracy that a matrix of counts shows, and its sums."""
    counts = np.asarray(matrix, np.float64)
    correct, total = float(np.trace(counts)), float(counts.sum())
    return {"accuracy": correct / total if total else 0.0, "correct_count": correct, "matrix_count": total}


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of 0 divided by 0, which is part of what is compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
