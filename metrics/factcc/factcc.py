"""FactCC for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Factcc(MetricModule, evaluate.Metric):
    """Does a summary say what its source says?.

    FactCC is how probably the sentences of a summary say what the source says, as a model sees it that learned from
    errors that rules make. It needs a released checkpoint or a training.

    Returns:
        factcc (`float`): the mean probability that a claim says what its source says, 0 to 1; higher is better.
        consistent (`float`): the share of the claims whose probability is one half or more, 0 to 1; higher is better.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> factcc = metrologue.load("factcc")
        >>> model = sample_model("factcc")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = factcc.compute(**data, model=model)
        >>> results["consistent"]
        1.0
    """

    metric = "factcc"
    default_variant = "metrologue"
    reported = ("factcc", "consistent")
