"""ESIM for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
ESIM predicts the rating that people would give to a text from the tokens of the text and of a reference, with two LSTMs
and attention between both texts.
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
    esim (`float`): the predicted rating; higher is better. Its scale is that of the ratings of the training.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> esim = metrologue.load("esim")
    >>> model = sample_model("esim")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = esim.compute(**data, model=model)
    >>> print(round(results["esim"], 2))
    0.57
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Esim(MetricModule, evaluate.Metric):
    """A rating predicted from the aligned tokens of two texts."""

    metric = "esim"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/nitikam/mteval-in-context"],
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
