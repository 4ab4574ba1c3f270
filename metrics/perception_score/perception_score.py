"""Perception Score for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class PerceptionScore(MetricModule, evaluate.Metric):
    """How much a text is like human texts.

    Perception Score says how much a text is like human texts, as a trained network sees it, and how sure the network
    is. It is reimplemented from the idea, and not validated. It needs a training. Research: made anew from a paper; no
    released model is read. Not measured: there are no public ratings of its kind here.

    Returns:
        perception_score (`float`): 0 to 1, how much the text is like human texts; higher is better.
        spread (`float`): the standard deviation of the score when parts of the network are left out, as a mean over the
            segments.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> perception = metrologue.load("perception_score")
        >>> model = sample_model("perception_score")
        >>> results = perception.compute(predictions=["The cat slept on a sofa."], model=model)
        >>> print([*results], 0 < results["perception_score"] < 1)
        ['perception_score', 'spread'] True
    """

    metric = "perception_score"
    default_variant = "metrologue"
    reported = ("perception_score", "spread")
