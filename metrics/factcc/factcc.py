"""FactCC for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
FactCC is how probably the sentences of a summary say what the source says, as a model sees it that learned from errors
that rules make.
"""

_INPUTS = """
Args:
    predictions (list[str]): the summaries, or other texts, to score.
    references (list[str] or list[list[str]]): the source of each text, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a probability of 1.
    multi_reference ("best" or "mean", default "best"): Which of several references counts. `best`: the one with the
        best score; ties: the first. `mean`: the mean of the scores with each.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    claims ("sentences" or "texts", default "sentences"): What a claim is. `sentences`: a sentence, which ends at a full
        stop, ! or ? before whitespace, or at a line end. `texts`: the whole text.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    factcc (`float`): the mean probability that a claim says what its source says, 0 to 1; higher is better.
    consistent (`float`): the share of the claims whose probability is one half or more, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> factcc = metrologue.load("factcc")
    >>> model = sample_model("factcc")
    >>> data = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
    >>> results = factcc.compute(**data, model=model)
    >>> results["consistent"]
    1.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Factcc(MetricModule, evaluate.Metric):
    """Does a summary say what its source says?."""

    metric = "factcc"
    default_variant = "metrologue"
    reported = ("factcc", "consistent")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
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
        claims=None,
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
            claims=claims,
        )
