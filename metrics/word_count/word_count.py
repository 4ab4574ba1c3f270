"""Word count with the arguments and the result of the Hub's measurement of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class WordCount(MetricModule, evaluate.Metric):
    """The number of words of texts, and of different words.

    It is a measurement of texts alone. A word has two or more letters, digits and underscores, and case does not count,
    as in scikit-learn's `CountVectorizer`.

    Args:
        data: another name for `predictions`, which the Hub's measurement has.

    Returns:
        total_word_count: words of all texts.
        unique_words: different words.

    Examples:

        >>> import metrologue
        >>> word_count = metrologue.load("word_count")
        >>> word_count.compute(data=["hello world and hello moon"])
        {'total_word_count': 5, 'unique_words': 4}
    """

    metric = "word_count"
    default_variant = "evaluate"
    module_types = ("measurement", "metric")
    takes_data = True
    arguments = {"max_vocab": "vocabulary"}

    def _numbers(self, scores, scorer):
        return {"total_word_count": scores["word_count"], "unique_words": scores["unique_words"]}
