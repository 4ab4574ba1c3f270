"""Compact Reward for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The compact reward says what each word of a caption is worth to a network that was trained on captions of people. It is
reimplemented from the idea, and not validated.
"""

_INPUTS = """
Args:
    predictions (list[str]): the captions to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): A factor of the score.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    over_words ("mean" or "sum", default "mean"): How the rewards of the words make that of a caption. `mean`: their
        mean. `sum`: their sum, as in reinforcement learning; longer captions have more.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    compact_reward (`float`): the mean reward of the words; higher is better. It has no limits.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> reward = metrologue.load("compact_reward")
    >>> model = sample_model("compact_reward")
    >>> data = {"predictions": ["The cat slept on a sofa."], "references": ["A cat slept on the sofa."]}
    >>> results = reward.compute(**data, model=model)
    >>> print([*results])
    ['compact_reward']
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CompactReward(MetricModule, evaluate.Metric):
    """What each word of a caption is worth to a network."""

    metric = "compact_reward"
    default_variant = "metrologue"

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
        model=None,
        over_words=None,
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
            model=model,
            over_words=over_words,
        )
