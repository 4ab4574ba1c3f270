"""Exact match for `evaluate`, with the arguments, the result key and the numbers of the Hub's `exact_match`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Exact match is the share of texts that equal their reference, character by character. Case, ASCII punctuation, the
digits 0 to 9 and whatever regular expressions match can be ignored.
"""

_CITATION = """
@inproceedings{rajpurkar-etal-2016-squad,
    title = "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
    author = "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
    booktitle = "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
    year = "2016",
    pages = "2383--2392",
    doi = "10.18653/v1/D16-1264"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    regexes_to_ignore: list of regular expressions. What they match is removed, one after another, before anything else.
    ignore_case: whether to ignore case.
    ignore_punctuation: whether to ignore ASCII punctuation.
    ignore_numbers: whether to ignore the digits 0 to 9.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class ExactMatch(MetricModule, evaluate.Metric):
    """Exact match with the arguments and the result of the Hub's module of this name."""

    metric = "exact_match"
    default_variant = "evaluate"
    renamed = (("lowercase", "ignore_case"),)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
        )

    def _compute(
        self,
        predictions,
        references,
        regexes_to_ignore=None,
        ignore_case=None,
        ignore_punctuation=None,
        ignore_numbers=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            regexes_to_ignore=regexes_to_ignore,
            lowercase=ignore_case,
            ignore_punctuation=ignore_punctuation,
            ignore_numbers=ignore_numbers,
        )
