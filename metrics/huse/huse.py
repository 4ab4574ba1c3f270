"""HUSE for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Huse(MetricModule, evaluate.Metric):
    """Can a model's texts be told from people's?.

    HUSE, Human Unified with Statistical Evaluation: how often people's judgements and a model's probabilities do not
    tell who wrote a text. It needs people's ratings and a model's probabilities.

    Returns:
        huse (`float`): 0 to 2; higher is better. 1 means that the features do not tell who wrote a text.
        huse_q (`float`): 0 to 2; higher is better.
        huse_d (`float`): -1 to 3; higher is better.

    Examples:

        >>> import metrologue
        >>> huse = metrologue.load("huse")
        >>> people = [[4, -8, 4], [5, -12, 6], [3, -9, 3], [4, -20, 8]]
        >>> model = [[2, -4, 4], [3, -6, 5], [1, -3, 3], [2, -5, 4]]
        >>> huse.compute(predictions=people + model, references=["human"] * 4 + ["model"] * 4, neighbors=2)
        {'huse': 0.0, 'huse_q': 0.25, 'huse_d': 0.75}
    """

    metric = "huse"
    default_variant = "huse"
    reported = ("huse", "huse_q", "huse_d")
