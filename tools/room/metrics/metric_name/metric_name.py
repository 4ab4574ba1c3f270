"""Metric Name for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
Metric Name is the share of tokens that a text has in common with its reference.
"""

_CITATION = """
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    metric_name.
Examples:

    >>> import metrologue
    >>> metric_name = metrologue.load("metric_name")
    >>> metric_name.compute(predictions=["a b c d"], references=[["a b"]])
    {'metric_name': 0.5}
    >>> metric_name.compute(predictions=["A b"], references=["a b"], lowercase=True)
    {'metric_name': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class MetricName(MetricModule, evaluate.Metric):
    """Metric Name of predictions and their references."""

    metric = "metric_name"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
        )

    def _compute(self, predictions, references, tokenizer=None, lowercase=None, signature=False, per_segment=False):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(tokenizer=name, lowercase=lowercase)
            return self._value(scorer, predictions, references, signature, per_segment)
