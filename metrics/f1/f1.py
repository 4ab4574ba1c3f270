"""F1 with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.label_module import LabelModule, label_features

_DESCRIPTION = """
F1 is the harmonic mean of precision and recall: 2·precision·recall / (precision + recall). It is that of one label, or
an average over labels.
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
    labels: list of the labels to score; all that occur by default.
    pos_label: the label whose score is that of average="binary".
    average: "binary", "micro", "macro", "weighted", "samples" (config "multilabel" only), or None for each label.
    sample_weight: list of numbers, the weight of each prediction.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    f1: a number from 0 to 1, or with average=None an array with that of each label; higher is better.
Examples:

    >>> import metrologue
    >>> f1 = metrologue.load("f1")
    >>> f1.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
    {'f1': 0.5}
    >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
    >>> f1.compute(**texts, average="macro")
    {'f1': 0.26666666666666666}
    >>> f1.compute(**texts, average=None)
    {'f1': array([0.8, 0. , 0. ])}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class F1(LabelModule, evaluate.Metric):
    """F1 of predicted labels."""

    metric = "f1"
    default_variant = "evaluate"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=label_features(),
            reference_urls=["https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html"],
        )

    def _compute(
        self,
        predictions,
        references,
        labels=None,
        pos_label=1,
        average="binary",
        sample_weight=None,
        signature=False,
        per_segment=False,
    ):
        return self._averaged(
            predictions,
            references,
            sample_weight,
            signature,
            per_segment,
            labels=labels,
            pos_label=pos_label,
            average=average,
        )
