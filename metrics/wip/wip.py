"""WIP for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Wip(MetricModule, evaluate.Metric):
    """Word information preserved of jiwer and torchmetrics.

    Word information preserved as jiwer and torchmetrics compute it, from one engine that names every choice behind the
    number.

    Returns:
        wip (`float`): from 0 to 1; higher is better. 1 if prediction and reference have the same words, 0 if no word is
            a hit.

    Examples:

        >>> import metrologue
        >>> wip = metrologue.load("wip")
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> references = ["this is the reference", "there is another one"]
        >>> wip.compute(predictions=predictions, references=references)
        {'wip': 0.3472222222222222}
    """

    metric = "wip"
    default_variant = "jiwer"
    programs = ("https://github.com/jitsi/jiwer",)
