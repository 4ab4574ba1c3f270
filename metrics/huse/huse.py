"""HUSE for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
HUSE, Human Unified with Statistical Evaluation: how often people's judgements and a model's probabilities do not tell
who wrote a text.
"""

_INPUTS = """
Args:
    predictions (list of lists of numbers, an array, or list[str]): for each text its judgement, the natural logarithm
        of its probability, and its number of tokens; or a line with these numbers. Without the third one, the logarithm
        is that for each token. The judgement is the mean of the ratings by people; the paper has 20 of each text.
    references (list[str] or list[int]): who wrote each text: `"model"` or `"human"`, or 1 or 0.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: twice the share of
        all texts.
    scale (float, default 1.0): The value, if texts cannot be told from people's.
    neighbors (int, default 15): How many of the nearest texts decide.
    radius ("next" or "last", default "next"): The distance up to which texts are neighbours. All that are as far are
        neighbours too. `next`: that of the nearest text after `neighbors` others, so that there is one more (the
        authors' code). `last`: that of the last of `neighbors` texts.
    points (table, default None): The texts to compare with, as `fit` keeps them. None: those that are scored.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single texts.

    An argument that is left out has the variant's value. The defaults shown are those of "huse".
Returns:
    huse (`float`): 0 to 2; higher is better. 1 means that the features do not tell who wrote a text.
    huse_q (`float`): 0 to 2; higher is better.
    huse_d (`float`): -1 to 3; higher is better.
Examples:

    >>> import metrologue
    >>> huse = metrologue.load("huse")
    >>> people = [[4, -8, 4], [5, -12, 6], [3, -9, 3], [4, -20, 8]]
    >>> model = [[2, -4, 4], [3, -6, 5], [1, -3, 3], [2, -5, 4]]
    >>> huse.compute(predictions=people + model, references=["human"] * 4 + ["model"] * 4, neighbors=2)
    {'huse': 0.0, 'huse_q': 0.25, 'huse_d': 0.75}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Huse(MetricModule, evaluate.Metric):
    """Can a model's texts be told from people's?."""

    metric = "huse"
    default_variant = "huse"
    reported = ("huse", "huse_q", "huse_d")

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
        neighbors=None,
        radius=None,
        points=None,
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
            neighbors=neighbors,
            radius=radius,
            points=points,
        )
