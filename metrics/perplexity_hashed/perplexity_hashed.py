"""Perplexity Hashed for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class PerplexityHashed(MetricModule, evaluate.Metric):
    """The perplexity of the right words, by hash.

    The hashed perplexity is the inverse of the geometric mean of the probabilities that a model gives to the right
    words.

    Returns:
        perplexity_hashed (`float`): the inverse of the geometric mean of the probabilities, 1 or more; lower is better.
            It is infinite if a right word has probability 0.

    Examples:

        >>> import metrologue
        >>> perplexity_hashed = metrologue.load("perplexity_hashed")
        >>> perplexity_hashed.compute(predictions=["cat:0.5 dog:0.3", "a:0.9 the:0.1"], references=["cat", "a"])
        {'perplexity_hashed': 1.4904209155867563}
    """

    metric = "perplexity_hashed"
    default_variant = "geval"
    programs = ("https://gitlab.com/filipg/geval",)
