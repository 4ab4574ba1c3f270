"""Composite for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Composite(MetricModule, evaluate.Metric):
    """One score from the scores of several metrics.

    A composite metric makes one score from the scores of several metrics: the mean of their z-scores, or what a
    regression to people's ratings makes of them. It needs a training.

    Returns:
        composite (`float`): what the model makes of the scores; higher is better. A regression is on the scale of the
            ratings, and a mean of z-scores is 0 for a text that is as good as the mean.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> composite = metrologue.load("composite")
        >>> model = sample_model("composite")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = composite.compute(**data, model=model)
        >>> print(round(results["composite"], 2))
        0.75
    """

    metric = "composite"
    default_variant = "metrologue"
    programs = ("https://github.com/NaehaSharif/NNEval",)
