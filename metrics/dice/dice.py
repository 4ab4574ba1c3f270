"""Dice for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Dice(MetricModule, evaluate.Metric):
    """Words or n-grams that two texts share, by those of both.

    The Dice coefficient: twice the words or n-grams that a text shares with its reference, divided by those of both.

    Returns:
        dice (`float`): the score, 0 to 1; higher is better. 1 means that both texts have the same n-grams.
        accuracy (`float`): the share of texts that have exactly the n-grams of a reference, 0 to 1; higher is better.

    Examples:

        >>> import metrologue
        >>> dice = metrologue.load("dice")
        >>> dice.compute(predictions=["the cat sat", "a dog"], references=["the cat sat down", "a dog"])
        {'dice': 0.9285714285714286, 'accuracy': 0.5}
        >>> dice.compute(predictions=[{"desk", "red"}], references=[{"desk", "red", "large"}])
        {'dice': 0.8, 'accuracy': 0.0}
    """

    metric = "dice"
    default_variant = "metrologue"
    reported = ("dice", "accuracy")
