"""Exact match for `evaluate`, with the arguments, the result key and the numbers of the Hub's `exact_match`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class ExactMatch(MetricModule, evaluate.Metric):
    """Exact match with the arguments and the result of the Hub's module of this name.

    Exact match is the share of texts that equal their reference, character by character. Case, ASCII punctuation, the
    digits 0 to 9 and whatever regular expressions match can be ignored.

    Returns:
        exact_match.

    Examples:

        >>> import metrologue
        >>> exact_match = metrologue.load("exact_match")
        >>> texts = {"predictions": ["cat?", "theater", "yelling"], "references": ["the cat", "theater", "YELLING"]}
        >>> exact_match.compute(**texts)
        {'exact_match': 0.3333333333333333}
        >>> exact_match.compute(**texts, regexes_to_ignore=["the "], ignore_case=True, ignore_punctuation=True)
        {'exact_match': 1.0}
    """

    metric = "exact_match"
    default_variant = "evaluate"
    arguments = {"ignore_case": "lowercase"}
