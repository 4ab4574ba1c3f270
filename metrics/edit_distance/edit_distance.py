"""Edit Distance for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class EditDistance(MetricModule, evaluate.Metric):
    """Levenshtein's distance of characters or words.

    Levenshtein's distance over characters, grapheme clusters or words, with costs, transpositions and normalizations,
    as rapidfuzz, nltk and torchmetrics compute it.

    Returns:
        edit_distance (`float`): the mean distance; 0 if all texts equal their references. There is no upper limit.
        normalized_distance (`float`): reported instead if a `normalization` is chosen; from 0 to 1 with `"maximum"`.

    Examples:

        >>> import metrologue
        >>> edit_distance = metrologue.load("edit_distance")
        >>> edit_distance.compute(predictions=["ros", "adc"], references=["horse", "abc"])
        {'edit_distance': 2.0}
        >>> results = edit_distance.compute(predictions=["ros", "adc"], references=["horse", "abc"], per_segment=True)
        >>> results["segments"]["edit_distance"]
        [3.0, 1.0]
    """

    metric = "edit_distance"
    default_variant = "rapidfuzz"
    programs = ("https://github.com/rapidfuzz/RapidFuzz",)
