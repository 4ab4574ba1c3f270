"""Compact Reward for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class CompactReward(MetricModule, evaluate.Metric):
    """What each word of a caption is worth to a network.

    The compact reward says what each word of a caption is worth to a network that was trained on human captions. It is
    reimplemented from the idea, and not validated. It needs a training. Research: made anew from a paper; no released
    model is read. Not measured: there are no public ratings of its kind here.

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

    metric = "compact_reward"
    default_variant = "metrologue"
