"""ESIM for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Esim(MetricModule, evaluate.Metric):
    """A rating predicted from the aligned tokens of two texts.

    ESIM predicts the rating that people would give to a text from the tokens of the text and of a reference, with two
    LSTMs and attention between both texts. It needs a training. Research: made anew from a paper; no released model is
    read. WMT17: r .630 for lv-en, chrF .529, BERTScore .643; r .477 for de-en, chrF .509.

    Returns:
        esim (`float`): the predicted rating; higher is better. Its scale is that of the ratings of the training.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> esim = metrologue.load("esim")
        >>> model = sample_model("esim")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = esim.compute(**data, model=model)
        >>> print(round(results["esim"], 2))
        0.57
    """

    metric = "esim"
    default_variant = "metrologue"
    programs = ("https://github.com/nitikam/mteval-in-context",)
