"""Word error rate for `evaluate`: the Hub's `wer`, number for number, and other libraries' by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class WER(MetricModule, evaluate.Metric):
    """The word error rate with the arguments and the result of the Hub's module of this name: a bare float.

    The word error rate is the number of words that must be inserted, deleted or substituted to turn a text into its
    reference, divided by the number of words in the reference. Libraries differ in what ends a word and in empty
    references; `config_name` chooses the library.

    Args:
        concatenate_texts: whether references without any word give the number of insertions and not an error. Nothing
            is concatenated, as in jiwer 4.

    Returns:
        the word error rate, a float. With `signature` or `per_segment`, a dict with the rate under "wer".

    Examples:

        >>> import metrologue
        >>> wer = metrologue.load("wer")
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> references = ["this is the reference", "there is another one"]
        >>> wer.compute(predictions=predictions, references=references)
        0.5
        >>> found = wer.compute(predictions=predictions, references=references, per_segment=True)
        >>> found["segments"]["substitutions"]
        [1.0, 2.0]
    """

    metric = "wer"
    default_variant = "evaluate"
    programs = ("https://github.com/jitsi/jiwer",)
    pages = ("https://www.isca-archive.org/interspeech_2004/morris04_interspeech.html",)

    def _fields(self, concatenate_texts=False):
        return {"empty": "insertions"} if concatenate_texts else {}

    def _numbers(self, scores, scorer):
        # If the references are empty, the rate is the number of insertions, an int as in the library.
        return {"wer": scores["wer"] if scores["reference_length"] else scores["insertions"]}

    def _answer(self, scorer, segments, call):
        return self._bare(super()._answer(scorer, segments, call))
