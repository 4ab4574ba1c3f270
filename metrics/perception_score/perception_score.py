"""Perception Score for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Perception Score says how much a text is like those of people, as a trained network sees it, and how sure the network
is. It is reimplemented from the idea, and not validated.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The greatest score.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    perception_score (`float`): 0 to 1, how much the text is like those of people; higher is better.
    spread (`float`): the standard deviation of the score when parts of the network are left out, as a mean over the
        segments.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> perception = metrologue.load("perception_score")
    >>> model = sample_model("perception_score")
    >>> results = perception.compute(predictions=["The cat slept on a sofa."], model=model)
    >>> print([*results], 0 < results["perception_score"] < 1)
    ['perception_score', 'spread'] True
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class PerceptionScore(MetricModule, evaluate.Metric):
    """How much a text is like those of people."""

    metric = "perception_score"
    default_variant = "metrologue"
    reported = ("perception_score", "spread")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=self._paper_urls(),
        )

    def _compute(self, predictions, aggregation=None, scale=None, model=None, signature=False, per_segment=False):
        return self._result(
            predictions, None, signature, per_segment, aggregation=aggregation, scale=scale, model=model
        )
