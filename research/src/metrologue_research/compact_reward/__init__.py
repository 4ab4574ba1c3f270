"""The compact reward: what each word of a caption is worth to a network that knows human captions (Li and Chen)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import SEGMENTS, TrainedScorer
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.segments import Segments
from metrologue_research.compact_reward.network import Reward, contexts_of

__all__ = ["CompactReward"]


@dataclass(frozen=True, kw_only=True)
class CompactReward(TrainedScorer):
    """The reward that a trained network gives to the words of a caption, as their mean; higher is better.

    It is reimplemented from the idea, and not validated. The reward of a word is g + v' - v - log p: what it gains in
    its place, the value of what stands there with it less that without it, and less the logarithm of the probability
    that a language model gives it. The probability that people wrote the word is 1 / (1 + exp(-reward)). The end of the
    caption counts as a word. A caption without words scores 0. The score of a corpus is the mean of its segments.

    In place of the features of an image, which the paper has, the network reads the mean vector of the references.

    ``metrologue train compact_reward`` trains it on human captions, against damaged ones, ones of other images and
    ones that the language model draws, and measures it on images that were held out, beside a trivial rival.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Li and Chen 2020, https://arxiv.org/abs/2003.10925; Fu, Luo and Levine 2018, https://arxiv.org/abs/1710.11248.

    Examples
    --------
    A model that was trained on made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> reward = CompactReward(model=sample_model("compact_reward"))
    >>> text, nothing = reward.segments(["The cat slept on a sofa.", ""], ["A cat slept on the sofa."] * 2)
    >>> float(nothing), bool(text != 0)
    (0.0, True)
    """

    name: ClassVar[str] = "compact_reward"
    about: ClassVar = replace(
        TrainedScorer.about,
        research="Not measured: there are no public ratings of its kind here.",
        papers=("li-chen-2020-learning", "fu-etal-2018-learning"),
    )

    over_words: str = option(
        "mean",
        stage="pairs",
        choice="words",
        about="How the rewards of the words make that of a caption.",
        one_of={"mean": "their mean", "sum": "their sum, as in reinforcement learning; longer captions have more"},
    )

    numbers: ClassVar = (
        number(
            "compact_reward", -math.inf, math.inf, better="higher", title="compact reward",
            about="the reward of the words of a caption",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("reward_sum", "segments")

    def _statistics(self, segments: Segments) -> Floats:
        model = self._trained
        network = model.network_as(Reward)
        texts, flat = segments.texts().to_pylist(), segments.texts("references").to_pylist()
        rows = np.ones((len(texts), 2))
        if not texts:
            return rows
        limits = segments.reference_offsets.tolist()
        references = [flat[start:stop] for start, stop in pairwise(limits)]
        for row, (text, context) in enumerate(zip(texts, contexts_of(model.features, references), strict=True)):
            words = network.rewards(text, context).total
            total = float(words.sum()) if len(words) > 1 else 0.0
            rows[row, 0] = total if self.over_words == "sum" else total / len(words)
        return rows
