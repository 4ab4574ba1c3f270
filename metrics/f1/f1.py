"""F1 with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import AveragedModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
F1 is the harmonic mean of precision and recall: 2·precision·recall / (precision + recall). It is that of one label, or
an average over labels.
"""

_INPUTS = (
    AveragedModule.arguments
    + """
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
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class F1(AveragedModule, evaluate.Metric):
    """F1 of predicted labels."""

    metric = "f1"
    default_variant = "evaluate"

    def _info(self):
        return self._label_info(_DESCRIPTION, _INPUTS, "f1_score")

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
