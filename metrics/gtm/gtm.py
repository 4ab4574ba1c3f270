"""GTM for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Gtm(MetricModule, evaluate.Metric):
    """F-measure of words, where long runs may count more.

    GTM, the General Text Matcher: an F-measure of the words that a text shares with its references, where long runs may
    count more.

    Returns:
        gtm (`float`): the F-measure, 0 to 1; higher is better. 1 means equal texts, or with an exponent of 1 equal
            words.
        precision, recall (`float`): the match size by the length of the text and of the references, 0 to 1.

    Examples:

        >>> import metrologue
        >>> gtm = metrologue.load("gtm")
        >>> gtm.compute(predictions=["on the mat sat the cat"], references=["the cat sat on the mat"])
        {'gtm': 1.0, 'precision': 1.0, 'recall': 1.0}
        >>> texts = {"predictions": ["on the mat sat the cat"], "references": ["the cat sat on the mat"]}
        >>> gtm.compute(**texts, exponent=2)["gtm"]
        0.6236095644623235
    """

    metric = "gtm"
    default_variant = "gtm-1.4"
    reported = ("gtm", "precision", "recall")
