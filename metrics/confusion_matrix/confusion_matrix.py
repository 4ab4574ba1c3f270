"""The confusion matrix with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import LabelModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The confusion matrix counts how often each label was predicted for each right label. Rows are right (actual) labels, and
columns are predicted labels, both in ascending order.
"""

_INPUTS = """
Args:
    predictions: list of labels: ints, strings or bools. With the config "multilabel", list of rows of 0 and 1.
    references: list of the right labels, in the same form.
    labels: list of the labels of rows and columns, in this order; all that occur by default.
    normalize: "true" divides by the sum of the row, "pred" by that of the column, "all" by that of the matrix.
    sample_weight: list of numbers, the weight of each prediction.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    confusion_matrix: a NumPy array (L, L); ints, unless weights or `normalize` make floats.
Examples:

    >>> import metrologue
    >>> confusion_matrix = metrologue.load("confusion_matrix")
    >>> confusion_matrix.compute(predictions=[0, 1, 1, 2, 1, 0], references=[0, 1, 2, 0, 1, 2])["confusion_matrix"]
    array([[1, 0, 1],
           [0, 2, 0],
           [1, 1, 0]])
    >>> labels = {"predictions": ["cat", "cat"], "references": ["cat", "dog"]}
    >>> confusion_matrix.compute(**labels, normalize="all")["confusion_matrix"]
    array([[0.5, 0. ],
           [0.5, 0. ]])
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class ConfusionMatrix(LabelModule, evaluate.Metric):
    """The confusion matrix of predicted labels."""

    metric = "confusion_matrix"
    default_variant = "evaluate"

    def _info(self):
        return self._label_info(_DESCRIPTION, _INPUTS, "confusion_matrix")

    def _compute(
        self,
        predictions,
        references,
        labels=None,
        sample_weight=None,
        normalize=None,
        signature=False,
        per_segment=False,
    ):
        scorer = self._variant(labels=self._labels(labels), normalize=normalize)
        segments = self._weighted(predictions, references, sample_weight)
        _, extras = self._labelled(scorer, segments, signature, per_segment)
        return {"confusion_matrix": self._matrix(scorer, segments, sample_weight), **extras}
