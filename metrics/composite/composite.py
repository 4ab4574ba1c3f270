"""Composite for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
A composite metric makes one score from the scores of several metrics: the mean of their z-scores, or what a regression
to people's ratings makes of them.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): A factor of the score.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    composite (`float`): what the model makes of the scores; higher is better. A regression is on the scale of the
        ratings, and a mean of z-scores is 0 for a text that is as good as the mean.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> composite = metrologue.load("composite")
    >>> model = sample_model("composite")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = composite.compute(**data, model=model)
    >>> print(round(results["composite"], 2))
    0.75
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Composite(MetricModule, evaluate.Metric):
    """One score from the scores of several metrics."""

    metric = "composite"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/NaehaSharif/NNEval"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self, predictions, references, aggregation=None, scale=None, model=None, signature=False, per_segment=False
    ):
        return self._result(
            predictions, references, signature, per_segment, aggregation=aggregation, scale=scale, model=model
        )
