"""BLEU for `evaluate`: the Hub's `bleu`, number for number, and every other library's BLEU by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

# Lin & Och (2004) add one from order 2 on; the Hub's module adds it to order 1 as well.
_SMOOTHING = {False: {"smoothing": "none"}, True: {"smoothing": "add-k", "smooth_value": 1, "smooth_from": 1}}


class Bleu(MetricModule, evaluate.Metric):
    """BLEU with the arguments and the result of the Hub's module of this name.

    BLEU compares the n-grams of a text with those of its references. It is the geometric mean of the clipped n-gram
    precisions, times a penalty if the corpus is shorter than its references. Libraries differ in tokenizer, smoothing,
    reference length and constants; `config_name` chooses the library.

    Args:
        smooth: True adds one to the matches and the n-grams of every order, False means no smoothing.

    Returns:
        bleu, precisions (one for each order), brevity_penalty, length_ratio (translation to reference),
        translation_length and reference_length (in tokens).

    Examples:

        >>> import metrologue
        >>> bleu = metrologue.load("bleu")
        >>> predictions = ["the cat sat on the mat", "it was unexpected"]
        >>> references = [["the cat sat on a mat", "a cat sat on the mat"], ["it was not expected"]]
        >>> results = bleu.compute(predictions=predictions, references=references)
        >>> list(results)
        ['bleu', 'precisions', 'brevity_penalty', 'length_ratio', 'translation_length', 'reference_length']
        >>> results["translation_length"], results["reference_length"]
        (9, 10)
        >>> smoothed = bleu.compute(predictions=predictions, references=references, smooth=True)
        >>> smoothed["bleu"] > results["bleu"]
        True
    """

    metric = "bleu"
    default_variant = "evaluate"
    programs = ("https://github.com/tensorflow/nmt/blob/master/nmt/scripts/bleu.py",)

    def _fields(self, smooth=None):
        return {} if smooth is None else _SMOOTHING[bool(smooth)]

    def _numbers(self, scores, scorer):
        return {
            "bleu": scores["bleu"],
            "precisions": self._by_order(scores, "precision"),
            "brevity_penalty": scores["brevity_penalty"],
            "length_ratio": scores["length_ratio"],
            "translation_length": scores["hypothesis_length"],
            "reference_length": scores["reference_length"],
        }
