"""Likelihood for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Likelihood(MetricModule, evaluate.Metric):
    """The mean probability of the tokens of texts.

    The likelihood is the geometric mean of the probabilities that a model gives to the tokens that occur. No model
    needed; it also takes a language model.

    Args:
        mask (list[list[int]]): a list for each text, with a 0 for each token that does not count, as for padding. It
            covers all texts, also those that were added before `compute`.
        unknown (list[list[int]]): a list for each text, with a 1 for each token that is not in the vocabulary.

    Returns:
        likelihood (`float`): the geometric mean of the probabilities, 0 to 1; higher is better. It is 0 if a token has
            probability 0.

    Examples:

        >>> import metrologue
        >>> likelihood = metrologue.load("likelihood")
        >>> likelihood.compute(predictions=[[0.5, 0.25, 0.125], [0.25]])
        {'likelihood': 0.25}
    """

    metric = "likelihood"
    default_variant = "textbook"
    programs = ("https://github.com/kpu/kenlm",)
