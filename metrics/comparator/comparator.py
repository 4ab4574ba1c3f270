"""Comparator for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Comparator(MetricModule, evaluate.Metric):
    """How probably one text is better than another one.

    The comparator says how probably a text is better than another one that was made for the same input, by a trained
    model. It needs a training. Research: made anew from a paper; no released model is read. SummEval's pairs, right:
    .561; ROUGE-1 has .636.

    Returns:
        comparator (`float`): 0 to 1, how probably the text is better than the other one, and .5 for equal texts; higher
            is better.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> comparator = metrologue.load("comparator")
        >>> model = sample_model("comparator")
        >>> one, other = ["The cat slept on a sofa."], ["Cat sleep on sofa"]
        >>> there = comparator.compute(predictions=one, references=other, model=model)["comparator"]
        >>> back = comparator.compute(predictions=other, references=one, model=model)["comparator"]
        >>> print(round(there + back, 6))
        1.0
    """

    metric = "comparator"
    default_variant = "metrologue"
    programs = ("https://github.com/vivekjoshy/openskill.py",)
