"""Accuracy with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import LabelModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Accuracy is the share of predictions whose label is the right one: the right predictions, divided by all predictions.
"""

_INPUTS = """
Args:
    predictions: list of labels: ints, strings or bools. With the config "multilabel", list of rows of 0 and 1.
    references: list of the right labels, in the same form.
    normalize: whether to return the share. Otherwise the number of right predictions, or the sum of their weights.
    sample_weight: list of numbers, the weight of each prediction.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    accuracy: the share, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> accuracy = metrologue.load("accuracy")
    >>> accuracy.compute(predictions=[0, 1, 1, 2, 1, 0], references=[0, 1, 2, 0, 1, 2])
    {'accuracy': 0.5}
    >>> accuracy.compute(predictions=["cat", "dog"], references=["cat", "cat"], normalize=False)
    {'accuracy': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Accuracy(LabelModule, evaluate.Metric):
    """Accuracy of predicted labels."""

    metric = "accuracy"
    default_variant = "evaluate"

    def _info(self):
        return self._label_info(_DESCRIPTION, _INPUTS, "accuracy_score")

    def _compute(self, predictions, references, normalize=None, sample_weight=None, signature=False, per_segment=False):
        segments = self._weighted(predictions, references, sample_weight)
        value, extras = self._labelled(self._variant(normalize=normalize), segments, signature, per_segment)
        return {"accuracy": float(value), **extras}
