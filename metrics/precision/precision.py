"""Precision with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Of the predictions with a label, precision is the share that are right. It is that of one label, or an
average over labels.
"""

_INPUTS = (
    AveragedModule.arguments
    + """
Returns:
    precision: a number from 0 to 1, or with average=None an array with that of each label; higher is better.
Examples:

    >>> import metrologue
    >>> precision = metrologue.load("precision")
    >>> precision.compute(predictions=[0, 0, 1, 1, 0], references=[0, 1, 0, 1, 0])
    {'precision': 0.5}
    >>> texts = {"predictions": [0, 2, 1, 0, 0, 1], "references": [0, 1, 2, 0, 1, 2]}
    >>> precision.compute(**texts, average="macro")
    {'precision': 0.2222222222222222}
    >>> precision.compute(**texts, average=None)
    {'precision': array([0.66666667, 0.        , 0.        ])}
"""
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Precision(AveragedModule, evaluate.Metric):
    """Precision of predicted labels."""

    metric = "precision"
    default_variant = "evaluate"

    def _info(self):
        return self._label_info(_DESCRIPTION, _INPUTS, "precision_score")

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
