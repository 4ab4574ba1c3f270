"""PEAK for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Peak(MetricModule, evaluate.Metric):
    """The pyramid method over triples, without people.

    PEAK, the pyramid method over triples of subject, predicate and object: those that are alike in several models weigh
    more. It needs triples, or a parser.

    Returns:
        peak (`float`): the score, 0 or more; higher is better.
        original (`float`): 0 to 1; higher is better. 1 means that no summary of this size could have a greater weight.
        modified (`float`): 0 or more; higher is better. 1 is the weight of an ideal summary with the size of a model.

    Examples:

        >>> import metrologue
        >>> peak = metrologue.load("peak")
        >>> one = [("a train", "hit", "a truck"), ("nobody", "was", "hurt")]
        >>> other = [("the train", "hit", "a truck"), ("it", "was", "raining")]
        >>> peak.compute(predictions=[[("a train", "hit", "a red truck")]], references=[[one, other]])
        {'peak': 0.6666666666666666, 'original': 1.0, 'modified': 0.6666666666666666}
    """

    metric = "peak"
    default_variant = "triples"
    reported = ("peak", "original", "modified")
