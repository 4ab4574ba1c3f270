"""The confusion matrix with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import LabelModule  # From: -e CHECKOUT-OF-METROLOGUE


class ConfusionMatrix(LabelModule, evaluate.Metric):
    """The confusion matrix of predicted labels.

    The confusion matrix counts how often each label was predicted for each right label. Rows are right (actual) labels,
    and columns are predicted labels, both in ascending order.

    Returns:
        confusion_matrix: an array (L, L); of ints, unless weights or `normalize` make floats.

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

    metric = "confusion_matrix"
    default_variant = "evaluate"
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.confusion_matrix.html",)

    def _answer(self, scorer, segments, call):
        _, extras = self._scored(scorer, segments, call)
        return {"confusion_matrix": self._matrix(scorer, segments, call), **extras}
