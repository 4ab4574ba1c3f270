"""Recall with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE


class Recall(AveragedModule, evaluate.Metric):
    """Recall of predicted labels.

    Of the references with a label, recall is the share that were predicted. It is that of one label, or an average over
    labels.

    Returns:
        recall: a number from 0 to 1, or with average=None an array with that of each label; higher is better.

    Examples:

        >>> import metrologue
        >>> recall = metrologue.load("recall")
        >>> recall.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
        {'recall': 0.5}
        >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
        >>> recall.compute(**texts, average="macro")
        {'recall': 0.3333333333333333}
        >>> recall.compute(**texts, average=None)
        {'recall': array([1., 0., 0.])}
    """

    metric = "recall"
    default_variant = "evaluate"
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.recall_score.html",)
