"""Cross-Entropy for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class CrossEntropy(MetricModule, evaluate.Metric):
    """The bits that a model needs for each token of texts.

    The cross-entropy is the mean of -log p over the tokens of texts: how many bits a model needs for a token that
    occurs. No model needed; it also takes a language model.

    Args:
        mask (list[list[int]]): a list for each text, with a 0 for each token that does not count, as for padding. It
            covers all texts, also those that were added before `compute`.
        unknown (list[list[int]]): a list for each text, with a 1 for each token that is not in the vocabulary.

    Returns:
        cross_entropy (`float`): the mean of -log p, 0 or more; lower is better. It is infinite if a token has
            probability 0. With `per="byte"` and base 2 it is in bits per byte, with `per="character"` in bits per
            character.

    Examples:

        >>> import metrologue
        >>> cross_entropy = metrologue.load("cross_entropy")
        >>> cross_entropy.compute(predictions=[[0.5, 0.25, 0.125], [0.25]])
        {'cross_entropy': 2.0}
    """

    metric = "cross_entropy"
    default_variant = "textbook"
    programs = ("https://github.com/kpu/kenlm",)
