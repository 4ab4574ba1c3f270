"""TESLA-M for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Tesla(MetricModule, evaluate.Metric):
    """n-grams that match softly, by lemmas and synonyms.

    TESLA-M is how much of the weight of the n-grams of a text and its reference matches, where synonyms and words of
    the same part of speech match in part, and function words weigh little. No model needed; it also takes a parser for
    TESLA-M.

    Returns:
        tesla (`float`): the mean of the scores of the segments, 0 to 1; higher is better. A text that equals its
            reference scores 1.
        precision (`float`): the mean of the precisions, 0 to 1.
        recall (`float`): the mean of the recalls, 0 to 1.

    Examples:

        >>> import metrologue
        >>> tesla = metrologue.load("tesla")
        >>> predictions = ["the cat sat on a mat", "a dog barked"]
        >>> references = [["the cat sat on the mat", "a cat was on the mat"], ["the dog barked"]]
        >>> results = tesla.compute(predictions=predictions, references=references)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'tesla': 0.425, 'precision': 0.425, 'recall': 0.425}
    """

    metric = "tesla"
    default_variant = "words"
    reported = ("tesla", "precision", "recall")
