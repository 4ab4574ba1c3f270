"""Pyramid for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Pyramid(MetricModule, evaluate.Metric):
    """How much of what several models say a summary says.

    Pyramid, the weight of the content units that a summary expresses, each as heavy as the number of model summaries
    that have it.

    Returns:
        pyramid (`float`): the score, 0 or more; higher is better.
        original (`float`): 0 to 1; higher is better. 1 means that no summary of this size could have a greater weight.
        modified (`float`): 0 or more; higher is better. 1 is the weight of an ideal summary with the size of a model.

    Examples:

        >>> import metrologue
        >>> pyramid = metrologue.load("pyramid")
        >>> models = [["a train crashed", "it was in May"], ["a train crashed", "nobody was hurt"]]
        >>> pyramid.compute(predictions=[["a train crashed", "it rained"]], references=[models])
        {'pyramid': 0.6666666666666666, 'original': 0.6666666666666666, 'modified': 0.6666666666666666}
    """

    metric = "pyramid"
    default_variant = "modified"
    reported = ("pyramid", "original", "modified")
