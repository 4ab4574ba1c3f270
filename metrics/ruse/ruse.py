"""RUSE for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Ruse(MetricModule, evaluate.Metric):
    """A rating predicted from the vectors of both texts.

    RUSE predicts the rating that people would give to a text from the vectors that an encoder gives to the text and to
    a reference. It needs a training. Research: made anew from a paper; no released model is read. WMT17: mean r .644;
    chrF has .569, BERTScore .639.

    Returns:
        ruse (`float`): the predicted rating; higher is better. Its scale is that of the ratings of the training.
        cosine (`float`): -1 to 1, the cosine of the vectors of both texts; higher is better. It is the trivial rival: a
            model that does not agree better with people than its encoder's cosine is not worth having.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> ruse = metrologue.load("ruse")
        >>> model = sample_model("ruse")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = ruse.compute(**data, model=model)
        >>> print(round(results["ruse"], 2))
        1.04
    """

    metric = "ruse"
    default_variant = "metrologue"
    programs = ("https://github.com/Shi-ma/RUSE",)
