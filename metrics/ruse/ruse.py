"""RUSE for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
RUSE predicts the rating that people would give to a text from the vectors that an encoder gives to the text and to a
reference.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): A factor of the score.
    multi_reference ("best" or "mean", default "best"): Which of several references counts. `best`: the one with the
        best score; ties: the first. `mean`: the mean of the scores with each.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    ruse (`float`): the predicted rating; higher is better. Its scale is that of the ratings of the training.
    cosine (`float`): -1 to 1, the cosine of the vectors of both texts; higher is better. It is the trivial rival: a
        model that does not agree better with people than its encoder's cosine is not worth having.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> ruse = metrologue.load("ruse")
    >>> model = sample_model("ruse")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = ruse.compute(**data, model=model)
    >>> print(round(results["ruse"], 2))
    1.04
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Ruse(MetricModule, evaluate.Metric):
    """A rating predicted from the vectors of both texts."""

    metric = "ruse"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/Shi-ma/RUSE"],
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
