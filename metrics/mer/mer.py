"""MER for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Mer(MetricModule, evaluate.Metric):
    """Match error rate of jiwer and torchmetrics.

    Match error rate as jiwer and torchmetrics compute it, from one engine that names every choice behind the number.

    Returns:
        mer (`float`): from 0 to 1; lower is better. 0 if prediction and reference have the same words, 1 if they share
            none.

    Examples:

        >>> import metrologue
        >>> mer = metrologue.load("mer")
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> references = ["this is the reference", "there is another one"]
        >>> mer.compute(predictions=predictions, references=references)
        {'mer': 0.4444444444444444}
    """

    metric = "mer"
    default_variant = "jiwer"
    programs = ("https://github.com/jitsi/jiwer",)
