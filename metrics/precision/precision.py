"""Precision with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE


class Precision(AveragedModule, evaluate.Metric):
    """Precision of predicted labels.

    Of the predictions with a label, precision is the share that are right. It is that of one label, or an average over
    labels.

    Returns:
        precision: a number from 0 to 1, or with average=None an array with that of each label; higher is better.

    Examples:

        >>> import metrologue
        >>> precision = metrologue.load("precision")
        >>> precision.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
        {'precision': 0.5}
        >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
        >>> precision.compute(**texts, average="macro")
        {'precision': 0.2222222222222222}
        >>> precision.compute(**texts, average=None)
        {'precision': array([0.66666667, 0.        , 0.        ])}
    """

    metric = "precision"
    default_variant = "evaluate"
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.precision_score.html",)
