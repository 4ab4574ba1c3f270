"""ADEM for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
ADEM predicts the rating that people would give to a response of a dialogue, from the vectors of its context, of a
reference and of the response.
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
    rescaling ("ratings" or "ratio", default "ratings"): What the sum of the products becomes. `ratings`: 3 + 4 * (sum -
        mean) / range, about 1 to 5, as in the authors' program. `ratio`: (sum - mean) / range, as in the formula of the
        paper.
    contexts (list[str]): the text before each response, for a model that reads contexts; given to `compute` for all
        segments at once.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    adem (`float`): the predicted rating; higher is better. It is about 1 to 5, or with `rescaling="ratio"` a fifth of
        that range around 0, as in the formula of the paper.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> adem = metrologue.load("adem")
    >>> model = sample_model("adem")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = adem.compute(**data, model=model)
    >>> print(round(results["adem"], 2))
    4.1
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Adem(MetricModule, evaluate.Metric):
    """A rating of a response, from its context and a reference."""

    metric = "adem"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/mike-n-7/ADEM"],
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
        rescaling=None,
        contexts=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            inputs={"contexts": contexts},
            aggregation=aggregation,
            scale=scale,
            multi_reference=multi_reference,
            model=model,
            rescaling=rescaling,
        )
