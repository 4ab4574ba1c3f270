"""Token F1 for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class TokenF1(MetricModule, evaluate.Metric):
    """The words that an answer shares with the right one.

    The F1 of the words that an answer shares with the right one, after SQuAD's normalization, and the share of exact
    answers.

    Returns:
        token_f1 (`float`): the mean F1, 0 to 100; higher is better. 100 means that each answer has exactly the words of
            a right one.
        exact_match (`float`): the share of answers that have the words of a right one in the same order, 0 to 100;
            higher is better.

    Examples:

        >>> import metrologue
        >>> token_f1 = metrologue.load("token_f1")
        >>> token_f1.compute(predictions=["The cat sat.", "a dog"], references=[["cat sat down", "cats"], ["the dog"]])
        {'token_f1': 90.0, 'exact_match': 50.0}
    """

    metric = "token_f1"
    default_variant = "squad"
    reported = ("token_f1", "exact_match")
