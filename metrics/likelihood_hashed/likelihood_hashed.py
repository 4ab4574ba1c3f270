"""Likelihood Hashed for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class LikelihoodHashed(MetricModule, evaluate.Metric):
    """The mean probability of the right words, by hash.

    The hashed likelihood is the geometric mean of the probabilities that a model gives to the right words.

    Returns:
        likelihood_hashed (`float`): the geometric mean of the probabilities, 0 to 1; higher is better. It is 0 if a
            right word has probability 0.

    Examples:

        >>> import metrologue
        >>> likelihood_hashed = metrologue.load("likelihood_hashed")
        >>> likelihood_hashed.compute(predictions=["cat:0.5 dog:0.3", "a:0.9 the:0.1"], references=["cat", "a"])
        {'likelihood_hashed': 0.6709514000656084}
    """

    metric = "likelihood_hashed"
    default_variant = "geval"
    programs = ("https://gitlab.com/filipg/geval",)
