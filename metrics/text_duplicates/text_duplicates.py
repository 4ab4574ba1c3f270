"""Duplicates among texts with the arguments and the result of the Hub's measurement of this name."""

from collections import Counter

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class TextDuplicates(MetricModule, evaluate.Metric):
    """The share of texts that repeat another one.

    It is a measurement of texts alone. Of several equal texts, all but one are repetitions. Whitespace at both ends of
    a text does not count.

    Args:
        data: another name for `predictions`, which the Hub's measurement has.
        list_duplicates: whether to add "duplicates_dict", how often each text occurs that occurs more than once, as it
            is written.

    Returns:
        duplicate_fraction: the share of texts that are repetitions, 0 to 1; lower is better.

    Examples:

        >>> import metrologue
        >>> text_duplicates = metrologue.load("text_duplicates")
        >>> text_duplicates.compute(data=["hello sun", "hello moon", "hello sun"], list_duplicates=True)
        {'duplicate_fraction': 0.33333333333333337, 'duplicates_dict': {'hello sun': 2}}
    """

    metric = "text_duplicates"
    default_variant = "evaluate"
    module_types = ("measurement", "metric")
    takes_data = True

    def _fields(self, list_duplicates=False):
        return {}

    def _answer(self, scorer, segments, call):
        scores, extras = self._scored(scorer, segments, call)
        found = {"duplicate_fraction": scores["text_duplicates"]}
        if call.hub.get("list_duplicates"):
            counts = Counter(segments.texts("predictions").to_pylist())
            found["duplicates_dict"] = {text: count for text, count in counts.items() if count > 1}
        return {**found, **extras}
