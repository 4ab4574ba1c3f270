"""EED for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Eed(MetricModule, evaluate.Metric):
    """Edits of characters, with jumps between words.

    EED, the extended edit distance of characters with jumps between words, as torchmetrics computes it, many times as
    fast.

    Returns:
        eed (`float`): the mean score, 0 to 1; lower is better. Even equal texts have a score above 0, because the space
            before them is never visited.

    Examples:

        >>> import metrologue
        >>> eed = metrologue.load("eed")
        >>> predictions = ["this is the prediction", "here is an other sample"]
        >>> references = ["this is the reference", "here is another one"]
        >>> results = eed.compute(predictions=predictions, references=references)
        >>> round(results["eed"], 4)
        0.3078
    """

    metric = "eed"
    default_variant = "torchmetrics"
    programs = ("https://github.com/rwth-i6/ExtendedEditDistance", "https://github.com/Lightning-AI/torchmetrics")
