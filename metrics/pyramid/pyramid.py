"""Pyramid for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Pyramid, the weight of the content units that a summary expresses, each as heavy as the number of model summaries that
have it.
"""

_INPUTS = """
Args:
    predictions (list of lists of labels, or list[str]): the units of each summary. A label is a `str`, a number or a
        tuple of these. What no model has is a unit too, under a label of its own. In a text, each word is a unit.
    references (list of lists of lists of labels, or list[list[str]]): the units of the models of each summary.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        summaries' own scores.
    scale (float, default 1.0): The value of a perfect score.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`. It does not
        apply to labels.
    lowercase (bool, default False): Whether to apply `str.lower()` to texts first. It does not apply to labels.
    repeats ("once" or "each", default "once"): A unit that a summary expresses several times. `once`: it counts once.
        `each`: its weight counts once, but for the size of the summary it counts each time.
    average ("nearest" or "floor" or "exact", default "nearest"): The number of SCUs that a model has on average, if it
        is not whole. `nearest`: the nearest int; halves are rounded up. `floor`: the int below it. `exact`: it is left
        as it is, and an ideal summary has a part of its last SCU.
    capped (bool, default False): Whether a modified score above 1 counts as 1.
    ideal ("models" or "summary" or "both", default "models"): How many SCUs an ideal summary has. `models`: as many as
        a model has on average: the modified score. `summary`: as many as the summary has units: the original score.
        `both`: the harmonic mean of both scores.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single summaries.

    An argument that is left out has the variant's value. The defaults shown are those of "modified".
Returns:
    pyramid (`float`): the score, 0 or more; higher is better.
    original (`float`): 0 to 1; higher is better. 1 means that no summary of this size could have a greater weight.
    modified (`float`): 0 or more; higher is better. 1 is the weight of an ideal summary with the size of a model.
Examples:

    >>> import metrologue
    >>> pyramid = metrologue.load("pyramid")
    >>> models = [["a train crashed", "it was in May"], ["a train crashed", "nobody was hurt"]]
    >>> pyramid.compute(predictions=[["a train crashed", "it rained"]], references=[models])
    {'pyramid': 0.6666666666666666, 'original': 0.6666666666666666, 'modified': 0.6666666666666666}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Pyramid(MetricModule, evaluate.Metric):
    """How much of what several models say a summary says."""

    metric = "pyramid"
    default_variant = "modified"
    reported = ("pyramid", "original", "modified")

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
        tokenizer=None,
        lowercase=None,
        repeats=None,
        average=None,
        capped=None,
        ideal=None,
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
            tokenizer=tokenizer,
            lowercase=lowercase,
            repeats=repeats,
            average=average,
            capped=capped,
            ideal=ideal,
        )
