"""Entity recall for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class EntityRecall(MetricModule, evaluate.Metric):
    """Names and numbers that a text shares with its source.

    Entity recall is the share of the names, numbers and dates of the references that a text has too. Its precision is
    the share of those of the text that the references have.

    Returns:
        entity_recall (`float`): the share of the names and numbers of the references that the texts have, 0 to 1;
            higher is better.
        precision (`float`): the share of those of the texts that the references have, 0 to 1; higher is better.
        f1 (`float`): the harmonic mean of both, 0 to 1; higher is better.

    Examples:

        >>> import metrologue
        >>> entity_recall = metrologue.load("entity_recall")
        >>> summaries = ["In 2015 Anna Smith left Rome.", "Bo Jones paid 7 euros."]
        >>> sources = ["They say that Anna left in 2015.", "On Monday Bo Jones paid 5 euros."]
        >>> results = entity_recall.compute(predictions=summaries, references=sources)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'entity_recall': 0.6667, 'precision': 0.5, 'f1': 0.5714}
    """

    metric = "entity_recall"
    default_variant = "metrologue"
    reported = ("entity_recall", "precision", "f1")
