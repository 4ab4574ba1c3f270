"""Log Loss Hashed for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class LogLossHashed(MetricModule, evaluate.Metric):
    """The mean of -ln p of the right words, by hash.

    The hashed log loss is the mean of -ln p, where p is the probability that a model gives to the right word.

    Returns:
        log_loss_hashed (`float`): the mean of -ln p in nats, 0 or more; lower is better. It is infinite if a right word
            has probability 0.

    Examples:

        >>> import metrologue
        >>> log_loss_hashed = metrologue.load("log_loss_hashed")
        >>> log_loss_hashed.compute(predictions=["cat:0.5 dog:0.3", "a:0.9 the:0.1"], references=["cat", "a"])
        {'log_loss_hashed': 0.39905857374592724}
    """

    metric = "log_loss_hashed"
    default_variant = "geval"
    programs = ("https://gitlab.com/filipg/geval",)
