"""Metrics of classification, for libraries whose labels are ints: texts are numbered in ascending order."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from metrologue.comparison.libraries.base import Library, LibraryError, Scores

__all__ = ["CodedLabels", "matrix_scores", "quiet"]


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

    def score_accuracy(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The accuracy."""
        return {"accuracy": float(self._coded("accuracy", predictions, references, options))}

    def score_precision(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The precision. Options are the library's own; ``labels`` and ``pos_label`` are given as texts."""
        return {"precision": float(self._coded("precision", predictions, references, options))}

    def score_recall(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The recall; options as for ``score_precision``."""
        return {"recall": float(self._coded("recall", predictions, references, options))}

    def score_f1(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """F1; options as for ``score_precision``."""
        return {"f1": float(self._coded("f1", predictions, references, options))}

    def score_confusion_matrix(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The accuracy that the confusion matrix shows, and its sums."""
        return matrix_scores(self._coded("confusion_matrix", predictions, references, options))

    def _coded(
        self, metric: str, predictions: list[str], references: list[list[str]], options: Mapping[str, Any]
    ) -> Any:
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
