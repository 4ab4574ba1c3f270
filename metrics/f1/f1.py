"""F1 with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE


class F1(AveragedModule, evaluate.Metric):
    """F1 of predicted labels.

    F1 is the harmonic mean of precision and recall: 2·precision·recall / (precision + recall). It is that of one label,
    or an average over labels.

    Returns:
        f1: a number from 0 to 1, or with average=None an array with that of each label; higher is better.

    Examples:

        >>> import metrologue
        >>> f1 = metrologue.load("f1")
        >>> f1.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
        {'f1': 0.5}
        >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
        >>> f1.compute(**texts, average="macro")
        {'f1': 0.26666666666666666}
        >>> f1.compute(**texts, average=None)
        {'f1': array([0.8, 0. , 0. ])}
    """

    metric = "f1"
    default_variant = "evaluate"
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html",)
