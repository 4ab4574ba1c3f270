"""ADEM for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Adem(MetricModule, evaluate.Metric):
    """A rating of a response, from its context and a reference.

    ADEM predicts the rating that people would give to a response of a dialogue, from the vectors of its context, of a
    reference and of the response. It needs a training. Research: made anew from a paper; no released model is read.
    TopicalChat's ratings: r .194; the cosine of an encoder has .373.

    Args:
        contexts (list[str]): the text before each response, for a model that reads contexts; given to `compute` for all
            segments at once.

    Returns:
        adem (`float`): the predicted rating; higher is better. It is about 1 to 5, or with `rescaling="ratio"` a fifth
            of that range around 0, as in the formula of the paper.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> adem = metrologue.load("adem")
        >>> model = sample_model("adem")
        >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
        >>> results = adem.compute(**data, model=model)
        >>> print(round(results["adem"], 2))
        4.1
    """

    metric = "adem"
    default_variant = "metrologue"
    programs = ("https://github.com/mike-n-7/ADEM",)
