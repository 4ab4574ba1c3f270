"""TESLA-CELAB for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class TeslaCelab(MetricModule, evaluate.Metric):
    """What matching n-grams of characters cover of two texts.

    TESLA-CELAB is how much of a text and its reference is covered by n-grams of characters that match, as equal
    characters or as synonyms, for languages such as Chinese that do not mark words.

    Returns:
        tesla_celab (`float`): the mean of the scores of the segments, 0 to 1; higher is better. A text that equals its
            reference scores 1, and so does one with synonyms in place of all that differs.
        precision (`float`): the mean of the covered shares of the texts, 0 to 1.
        recall (`float`): the mean of the covered shares of the references, 0 to 1.

    Examples:

        >>> import metrologue
        >>> celab = metrologue.load("tesla_celab")
        >>> predictions, references = ["他买了一把伞。"], ["他买了把雨伞。"]
        >>> results = celab.compute(predictions=predictions, references=references)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'tesla_celab': 0.4545, 'precision': 0.4545, 'recall': 0.4545}
    """

    metric = "tesla_celab"
    default_variant = "characters"
    reported = ("tesla_celab", "precision", "recall")
    programs = ("https://github.com/drplanar/tesla-celab",)
