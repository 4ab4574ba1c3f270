"""NNEval for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
NNEval is the probability that a person wrote a text, as a network sees it in the scores of other metrics.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a probability of 1.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    nneval (`float`): 0 to 1, the probability that a person wrote the text; higher is better.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> nneval = metrologue.load("nneval")
    >>> model = sample_model("nneval")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = nneval.compute(**data, model=model)
    >>> print(round(results["nneval"], 1))
    0.2
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Nneval(MetricModule, evaluate.Metric):
    """How probably a person wrote a text, by a network."""

    metric = "nneval"
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
