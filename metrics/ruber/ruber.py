"""RUBER for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
RUBER scores a response in a dialogue by its likeness to a reference, and by how well it answers the turn before it.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): responses; or dialogues, each a list of its turns or a text whose lines
        are its turns: the last turn is the response.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    model (trained model or folder, default None): The trained classifier: its folder, a `TrainedModel`, or the name of
        one in use, as a signature has it. There is no score without one.
    encoder (encoder, path or name, default None): What gives the tokens their vectors, which are pooled; by default the
        first encoder of the model.
    blend ("arithmetic" or "geometric" or "min" or "max", default "arithmetic"): How both numbers are joined.
        `arithmetic`: by their mean. `geometric`: by their geometric mean. `min`: the lesser one counts. `max`: the
        greater one counts.
    contexts (list[str] or list[list[str]]): the turns before each prediction; the last of them is read. They may be
        left out, and may be empty.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    ruber (`float`): both numbers, joined; 0 to 1, higher is better.
    referenced (`float`): 0 to 1; higher is better. 1 for texts with the same tokens.
    unreferenced (`float`): a probability; higher is better.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> ruber = metrologue.load("ruber")
    >>> model = sample_model("ruber")
    >>> data = {"predictions": ["Yes, I like cats."], "references": ["Yes, cats are great."]}
    >>> data["contexts"] = ["Do you like cats?"]
    >>> results = ruber.compute(**data, model=model)
    >>> print({name: round(value, 2) for name, value in results.items()})
    {'ruber': 0.83, 'referenced': 0.86, 'unreferenced': 0.8}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Ruber(MetricModule, evaluate.Metric):
    """A response beside a reference and a context."""

    metric = "ruber"
    default_variant = "metrologue"
    reported = ("ruber", "referenced", "unreferenced")

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
        encoder=None,
        blend=None,
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
            encoder=encoder,
            blend=blend,
        )
