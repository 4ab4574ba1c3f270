"""Distinct-n for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class DistinctN(MetricModule, evaluate.Metric):
    """Share of different n-grams in generated texts.

    Distinct-n, the share of distinct n-grams in generated texts: over all texts, as a mean over texts, and adjusted to
    what chance would give; with the entropy.

    Returns:
        For each n:
        distinct_n (`float`): distinct n-grams of all texts, divided by all n-grams, 0 to 1; higher is more diverse.
        mean_distinct_n (`float`): the mean of the distinct-n of single texts, or of groups, over those that have an
            n-gram.
        entropy_n (`float`): the entropy of the n-grams of all texts in nats (Zhang et al. 2018).
        distinct_count_n, count_n (`int`): the number of distinct n-grams, and of all n-grams.

    Examples:

        >>> import metrologue
        >>> distinct_n = metrologue.load("distinct_n")
        >>> predictions = ["the cat sat", "the cat ran", "a dog ran fast"]
        >>> results = distinct_n.compute(predictions=predictions)
        >>> for name in ("distinct_1", "distinct_2", "mean_distinct_1", "entropy_1"):
        ...     print(name, round(results[name], 4))
        distinct_1 0.7
        distinct_2 0.8571
        mean_distinct_1 1.0
        entropy_1 1.8867
    """

    metric = "distinct_n"
    default_variant = "metrologue"
    takes_data = True
    reported = None
    arguments = {"n": "orders", "vocab_size": "vocabulary"}
