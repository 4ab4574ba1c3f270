"""Judged for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Judged(MetricModule, evaluate.Metric):
    """Your own function as a metric.

    The mean of the numbers that a function of yours gives to texts, such as a judge that asks a language model. It
    needs a function of yours.

    Args:
        references (list[str] or list[list[str]]): one reference for each prediction, or several. `metrologue.score`
            takes texts without any, too.
        sources (list[str]): the text that each prediction was made from; they may be left out.

    Returns:
        judged (`float`): the mean of the numbers; higher is better. Give a score for which lower is better with a
            minus.
        segments (`int`): the segments.

    Examples:

        >>> import metrologue
        >>> def judge(texts, references):
        ...     return [float(text == reference) for text, reference in zip(texts, references)]
        >>> results = metrologue.score("judged", ["a cat", "a dog"], ["a cat", "dogs"], function=judge, name="equal@1")
        >>> print(results.value)
        0.5
    """

    metric = "judged"
    default_variant = "metrologue"
