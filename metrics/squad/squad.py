"""SQuAD's exact match and F1 for `evaluate`, with the input, the result keys and the numbers of the Hub's `squad`."""

import evaluate

from metrologue.bridge import QuestionModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The script of SQuAD 1.1 (Rajpurkar et al. 2016) compares the answer to a question with the right answers, without case,
ASCII punctuation, the articles a, an and the, and extra whitespace. It gives the share of answers that equal a right
one, and the mean F1 of their words, both in per cent.
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
    predictions: list of dicts, each with "id" and "prediction_text"; or list of texts.
    references: list of dicts, each with "id" and "answers", a dict with the list "text"; or list of lists of texts.
        Within a batch, dicts are matched by "id", in any order.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single question, in the order of the references.
Returns:
    exact_match and f1, 0 to 100.
Examples:

    >>> import metrologue
    >>> squad = metrologue.load("squad")
    >>> predictions = [{"id": "1", "prediction_text": "the year 1976"}, {"id": "2", "prediction_text": "Rome."}]
    >>> references = [
    ...     {"id": "1", "answers": {"text": ["1976", "in 1976"], "answer_start": [97, 94]}},
    ...     {"id": "2", "answers": {"text": ["Rome"], "answer_start": [3]}},
    ... ]
    >>> squad.compute(predictions=predictions, references=references)
    {'exact_match': 50.0, 'f1': 83.33333333333333}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Squad(QuestionModule, evaluate.Metric):
    """Exact match and F1 with the arguments and the result of the Hub's module of this name."""

    metric = "token_f1"
    default_variant = "squad"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=["https://aclanthology.org/D16-1264"],
        )

    def _compute(self, predictions, references, signature=False, per_segment=False):
        scores, extras = self._score(self._variant(), predictions, references, signature, per_segment)
        return {"exact_match": scores["exact_match"], "f1": scores["token_f1"], **extras}
