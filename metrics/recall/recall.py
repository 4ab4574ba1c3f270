"""Recall with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Of the references with a label, recall is the share that were predicted. It is that of one label, or an
average over labels.
"""

_INPUTS = (
    AveragedModule.arguments
    + """
Returns:
    recall: a number from 0 to 1, or with average=None an array with that of each label; higher is better.
Examples:

    >>> import metrologue
    >>> recall = metrologue.load("recall")
    >>> recall.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
    {'recall': 0.5}
    >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
    >>> recall.compute(**texts, average="macro")
    {'recall': 0.3333333333333333}
    >>> recall.compute(**texts, average=None)
    {'recall': array([1., 0., 0.])}
"""
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Recall(AveragedModule, evaluate.Metric):
    """Recall of predicted labels."""

    metric = "recall"
    default_variant = "evaluate"

    def _info(self):
        return self._label_info(_DESCRIPTION, _INPUTS, "recall_score")

    def _compute(
        self, predictions, references, labels=None, pos_label=1, average="binary", sample_weight=None,
        zero_division="warn", beta=None, signature=False, per_segment=False,
    ):  # fmt: skip
        return self._averaged(
            predictions,
            references,
            labels,
            pos_label,
            average,
            sample_weight,
            zero_division,
            beta,
            signature,
            per_segment,
        )
