"""TER for `evaluate`: the Hub's `ter`, number for number, without the sacrebleu library."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Ter(MetricModule, evaluate.Metric):
    """TER with the arguments and the result of the Hub's module of this name.

    TER (translation edit rate) is the number of edits that turn a text into its reference, divided by the words of the
    reference. An edit inserts, deletes or substitutes a word, or shifts a run of words to another place. 0 is perfect.
    This module gives the numbers of the sacrebleu library on its scale, and torchmetrics' by `config_name`.

    Returns:
        score, num_edits and ref_length (in words; for several references their mean).

    Examples:

        >>> import metrologue
        >>> ter = metrologue.load("ter")
        >>> predictions = ["does this sentence match??", "on the mat the cat sat"]
        >>> references = [["does this sentence match", "does this sentence match!?!"], ["the cat sat on the mat"]]
        >>> ter.compute(predictions=predictions, references=references)
        {'score': 20.0, 'num_edits': 2, 'ref_length': 10.0}
        >>> ter.compute(predictions=predictions, references=references, ignore_punct=True)
        {'score': 10.0, 'num_edits': 1, 'ref_length': 10.0}
    """

    metric = "ter"
    default_variant = "sacrebleu"
    arguments = {"ignore_punct": "no_punct", "support_zh_ja_chars": "asian_support"}
    programs = ("https://github.com/mjpost/sacrebleu",)
    pages = ("https://github.com/jhclark/tercom",)

    def _numbers(self, scores, scorer):
        return {"score": scores["ter"], "num_edits": scores["edits"], "ref_length": float(scores["reference_length"])}
