"""Comparator for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The comparator says how probably a text is better than another one that was made for the same input, by a trained model.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): the texts that the predictions are compared with; of several, the mean
        counts.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a probability of 1.
    multi_reference ("mean", default "mean"): Which of several references counts. `mean`: the mean of the scores against
        each.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    comparator (`float`): 0 to 1, how probably the text is better than the other one, and .5 for equal texts; higher is
        better.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> comparator = metrologue.load("comparator")
    >>> model = sample_model("comparator")
    >>> one, other = ["The cat slept on a sofa."], ["Cat sleep on sofa"]
    >>> there = comparator.compute(predictions=one, references=other, model=model)["comparator"]
    >>> back = comparator.compute(predictions=other, references=one, model=model)["comparator"]
    >>> print(round(there + back, 6))
    1.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Comparator(MetricModule, evaluate.Metric):
    """How probably one text is better than another one."""

    metric = "comparator"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/vivekjoshy/openskill.py"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        model=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            multi_reference=multi_reference,
            model=model,
        )
