"""NNEval for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Nneval(MetricModule, evaluate.Metric):
    """How probably a person wrote a text, by a network.

    NNEval is the probability that a person wrote a text, as a network sees it in the scores of other metrics. It needs
    a training. Research: made anew from a paper; no released model is read. Not measured: there are no captions by
    people and by models here.

    Returns:
        nneval (`float`): 0 to 1, the probability that a person wrote the text; higher is better.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> nneval = metrologue.load("nneval")
        >>> model = sample_model("nneval")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = nneval.compute(**data, model=model)
        >>> print(round(results["nneval"], 1))
        0.2
    """

    metric = "nneval"
    default_variant = "metrologue"
    programs = ("https://github.com/NaehaSharif/NNEval",)
