"""SQuAD's exact match and F1 for `evaluate`, with the input, the result keys and the numbers of the Hub's `squad`."""

from collections.abc import Mapping

import evaluate

from metrologue import InputError
from metrologue.bridge.evaluate_module import MetricModule, text_features
from metrologue.data.intake import as_text, is_list, listed, with_type

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
class Squad(MetricModule, evaluate.Metric):
    """Exact match and F1 with the arguments and the result of the Hub's module of this name."""

    metric = "token_f1"
    default_variant = "squad"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            reference_urls=["https://aclanthology.org/D16-1264"],
        )

    def add_batch(self, *, predictions=None, references=None):
        """Add questions: dicts, as the Hub's module takes them, or texts. See ``MetricModule.add_batch``."""
        if predictions is not None and references is not None:
            given, right = listed(predictions, "predictions", "Squad"), listed(references, "references", "Squad")
            is_dict = any(isinstance(item, Mapping) for item in (*given[:1], *right[:1]))
            predictions, references = _texts(given, right) if is_dict else (given, right)
        super().add_batch(predictions=predictions, references=references)

    def _compute(self, predictions, references, signature=False, per_segment=False):
        scores, extras = self._score(self._variant(), predictions, references, signature, per_segment)
        return {"exact_match": scores["exact_match"], "f1": scores["token_f1"], **extras}


def _texts(predictions, references):
    """The answers and the lists of right answers, in the order of the references."""
    if len(predictions) != len(references):
        count = f"{len(predictions)} predictions but {len(references)} references"
        raise InputError(f"Squad: {count}; each question needs both.")
    texts = [_entry(item, "prediction_text", f"predictions[{i}]", object) for i, item in enumerate(predictions)]
    as_text(texts, "predictions", "Squad")  # a wrong one is refused under its own index
    answers = {}
    for index, (item, text) in enumerate(zip(predictions, texts, strict=True)):
        question = _entry(item, "id", f"predictions[{index}]", str)
        if question in answers:
            raise InputError(f"Squad: `predictions[{index}]` has the id {question!r} of an earlier prediction.")
        answers[question] = text
    given, right = [], []
    for index, item in enumerate(references):
        place = f"references[{index}]"
        question = _entry(item, "id", place, str)
        if question not in answers:
            raise InputError(f"Squad: `{place}` has the id {question!r}, which no prediction has, or an earlier one.")
        given.append(answers.pop(question))
        own = _entry(_entry(item, "answers", place, dict), "text", place, object)
        if not is_list(own):
            raise InputError(f"Squad: 'text' of `{place}` is {with_type(own)}; a list of texts is expected.")
        right.append(own)
    return given, right


def _entry(item, key, place, kind):
    """An entry of a dict. Raises an InputError if it is missing, or not of this type."""
    if not isinstance(item, Mapping):
        raise InputError(f"Squad: `{place}` is {with_type(item)}; a dict is expected.")
    if key not in item:
        keys = f"its keys are {', '.join(map(repr, item))}" if item else "it is empty"
        raise InputError(f"Squad: `{place}` has no {key!r}; {keys}.")
    if not isinstance(item[key], kind):
        raise InputError(f"Squad: {key!r} of `{place}` is {with_type(item[key])}; a {kind.__name__} is expected.")
    return item[key]
