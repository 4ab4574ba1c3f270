"""Word length with the arguments and the result of the Hub's measurement of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class WordLength(MetricModule, evaluate.Metric):
    """The mean number of words of texts.

    It is a measurement of texts alone: neither more nor fewer words are better. A word is a token of nltk's
    `word_tokenize`, or of another tokenizer.

    Args:
        data: another name for `predictions`, which the Hub's measurement has.

    Returns:
        average_word_length: the mean number of words, an int if it is whole.

    Examples:

        >>> import metrologue
        >>> word_length = metrologue.load("word_length")
        >>> word_length.compute(data=["hello world", "a cat sat"], tokenizer=str.split)
        {'average_word_length': 2.5}
    """

    metric = "word_length"
    default_variant = "evaluate"
    module_types = ("measurement", "metric")
    takes_data = True

    def _numbers(self, scores, scorer):
        mean = scores["word_length"]
        return {"average_word_length": int(mean) if mean.is_integer() else mean}
