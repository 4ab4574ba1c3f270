"""RIBES for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Ribes(MetricModule, evaluate.Metric):
    """How well the order of a reference's words is kept.

    RIBES: how well a translation keeps the order of its reference's words, by rank correlation.

    Returns:
        ribes (`float`): the score, 0 to 1; higher is better.
        rank_correlation, precision, brevity_penalty (`float`): the means of the factors over the texts, 0 to 1; higher
            is better.

    Examples:

        >>> import metrologue
        >>> ribes = metrologue.load("ribes")
        >>> predictions, references = ["Bob hit John yesterday", "a dog"], ["John hit Bob yesterday", "a dog"]
        >>> ribes.compute(predictions=predictions, references=references)
        {'ribes': 0.75, 'rank_correlation': 0.75, 'precision': 1.0, 'brevity_penalty': 1.0}
    """

    metric = "ribes"
    default_variant = "ribes-1.03"
    reported = ("ribes", "rank_correlation", "precision", "brevity_penalty")
    programs = ("https://github.com/nttcslab-nlp/RIBES",)
