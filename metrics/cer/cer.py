"""Character error rate for `evaluate`: the Hub's `cer`, number for number, and other libraries' by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class CER(MetricModule, evaluate.Metric):
    """The character error rate with the arguments and the result of the Hub's module of this name: a bare float.

    The character error rate is the number of characters that must be inserted, deleted or substituted to turn a text
    into its reference, divided by the number of characters in the reference, including spaces between words. Libraries
    differ in whitespace at both ends and in empty references; `config_name` chooses the library.

    Args:
        concatenate_texts: whether references without any character give the number of insertions and not an error.
            Nothing is concatenated, as in jiwer 4.

    Returns:
        the character error rate, a float. With `signature` or `per_segment`, a dict with the rate under "cer".

    Examples:

        >>> import metrologue
        >>> cer = metrologue.load("cer")
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> references = ["this is the reference", "there is another one"]
        >>> cer.compute(predictions=predictions, references=references)
        0.34146341463414637
        >>> found = cer.compute(predictions=predictions, references=references, per_segment=True)
        >>> found["segments"]["insertions"]
        [1.0, 4.0]
    """

    metric = "cer"
    default_variant = "evaluate"
    programs = ("https://github.com/jitsi/jiwer",)
    pages = ("https://www.isca-archive.org/interspeech_2004/morris04_interspeech.html",)

    def _fields(self, concatenate_texts=False):
        return {"empty": "insertions"} if concatenate_texts else {}

    def _numbers(self, scores, scorer):
        # If the references are empty, the rate is the number of insertions, an int as in the library.
        return {"cer": scores["cer"] if scores["reference_length"] else scores["insertions"]}

    def _answer(self, scorer, segments, call):
        return self._bare(super()._answer(scorer, segments, call))
