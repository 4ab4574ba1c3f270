"""Accuracy with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import LabelModule  # From: -e CHECKOUT-OF-METROLOGUE


class Accuracy(LabelModule, evaluate.Metric):
    """Accuracy of predicted labels.

    Accuracy is the share of predictions whose label is the right one: the right predictions, divided by all
    predictions.

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

    metric = "accuracy"
    default_variant = "evaluate"

    def _numbers(self, scores, scorer):
        return {"accuracy": float(scores["accuracy"])}
