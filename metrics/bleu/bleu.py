"""BLEU for `evaluate`: the Hub's `bleu`, number for number, and every other library's BLEU by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
BLEU compares the n-grams of a text with those of its references. It is the geometric mean of the clipped n-gram
precisions, times a penalty if the corpus is shorter than its references. Libraries differ in tokenizer, smoothing,
reference length and constants; `config_name` chooses the library.
"""

_CITATION = """
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    address = "Philadelphia, Pennsylvania, USA",
    url = "https://aclanthology.org/P02-1040",
    doi = "10.3115/1073083.1073135",
    pages = "311--318"
}
@inproceedings{lin-och-2004-orange,
    title = "{ORANGE}: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation",
    author = "Lin, Chin-Yew and Och, Franz Josef",
    booktitle = "{COLING} 2004: Proceedings of the 20th International Conference on Computational Linguistics",
    year = "2004",
    address = "Geneva, Switzerland",
    url = "https://aclanthology.org/C04-1072",
    pages = "501--507"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    max_order: longest n-gram that counts.
    smooth: True adds one to the matches and the n-grams of every order, False means no smoothing.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    bleu, precisions (one for each order), brevity_penalty, length_ratio (translation to reference), translation_length
    and reference_length (in tokens).
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

# Lin & Och (2004) add one from order 2 on; the Hub's module adds it to order 1 as well.
_SMOOTHING = {False: {"smoothing": "none"}, True: {"smoothing": "add-k", "smooth_value": 1, "smooth_from": 1}}


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Bleu(MetricModule, evaluate.Metric):
    """BLEU with the arguments and the result of the Hub's module of this name."""

    metric = "bleu"
    default_variant = "evaluate"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/tensorflow/nmt/blob/master/nmt/scripts/bleu.py"],
            reference_urls=["https://aclanthology.org/P02-1040"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        max_order=None,
        smooth=None,
        signature=False,
        per_segment=False,
    ):
        smoothing = {} if smooth is None else _SMOOTHING[bool(smooth)]
        with self._chosen(tokenizer=tokenizer, max_order=max_order, **smoothing) as scorer:
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {
            "bleu": scores["bleu"],
            "precisions": self._by_order(scores, "precision"),
            "brevity_penalty": scores["brevity_penalty"],
            "length_ratio": scores["length_ratio"],
            "translation_length": scores["hypothesis_length"],
            "reference_length": scores["reference_length"],
            **extras,
        }
