"""Accuracy with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.label_module import LabelModule, label_features

_DESCRIPTION = """
Accuracy is the share of predictions whose label is the right one: the right predictions, divided by all predictions.
"""

_CITATION = """
@article{pedregosa-etal-2011-scikit,
    title = "Scikit-learn: Machine Learning in {P}ython",
    author = "Pedregosa, Fabian and Varoquaux, Ga{\\"e}l and Gramfort, Alexandre and others",
    journal = "Journal of Machine Learning Research",
    volume = "12",
    pages = "2825--2830",
    year = "2011",
    url = "https://jmlr.org/papers/v12/pedregosa11a.html"
}
"""

_INPUTS = """
Args:
    predictions: list of labels: ints, strings or bools. With the config "multilabel", list of rows of 0 and 1.
    references: list of the right labels, in the same form.
    normalize: whether to return the share. Otherwise the number of right predictions, or the sum of their weights.
    sample_weight: list of numbers, the weight of each prediction.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    accuracy: the share, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> accuracy = metrologue.load("accuracy")
    >>> accuracy.compute(predictions=[0, 1, 1, 2, 1, 0], references=[0, 1, 2, 0, 1, 2])
    {'accuracy': 0.5}
    >>> accuracy.compute(predictions=["cat", "dog"], references=["cat", "cat"], normalize=False)
    {'accuracy': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Accuracy(LabelModule, evaluate.Metric):
    """Accuracy of predicted labels."""

    metric = "accuracy"
    default_variant = "evaluate"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=label_features(),
            reference_urls=["https://scikit-learn.org/stable/modules/generated/sklearn.metrics.accuracy_score.html"],
        )

    def _compute(self, predictions, references, normalize=None, sample_weight=None, signature=False, per_segment=False):
        scorer = self._variant(normalize=normalize)
        value, extras, _ = self._labelled(scorer, predictions, references, sample_weight, signature, per_segment)
        return {"accuracy": float(value), **extras}
