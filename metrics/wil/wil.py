"""WIL for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Wil(MetricModule, evaluate.Metric):
    """Word information lost of jiwer and torchmetrics.

    Word information lost as jiwer and torchmetrics compute it, from one engine that names every choice behind the
    number.

    Returns:
        wil (`float`): from 0 to 1; lower is better. 0 if prediction and reference have the same words, 1 if no word is
            a hit.

    Examples:

        >>> import metrologue
        >>> wil = metrologue.load("wil")
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> references = ["this is the reference", "there is another one"]
        >>> wil.compute(predictions=predictions, references=references)
        {'wil': 0.6527777777777778}
    """

    metric = "wil"
    default_variant = "jiwer"
    programs = ("https://github.com/jitsi/jiwer",)
