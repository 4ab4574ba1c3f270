"""Word gap for `evaluate`."""

import evaluate

from metrologue.bridge import MetricModule


class WordGap(MetricModule, evaluate.Metric):
    """How many words more or fewer a text has than its reference.

    Returns:
        word_gap (`float`): the score, 0 or more; lower is better.
    """

    metric = "word_gap"
    default_variant = "wordgap"
