"""Composite metrics: one score from the scores of several metrics, as their mean or as people's ratings weigh them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import SEGMENTS, TrainedScorer
from metrologue.scorers.core.about import Growth
from metrologue.scorers.core.numbers import number
from metrologue.segments import Segments

__all__ = ["Composite"]


@dataclass(frozen=True, kw_only=True)
class Composite(TrainedScorer):
    """What a trained model makes of the scores of several metrics; higher is better.

    The model is the mean of z-scores, each metric's score less its mean, divided by its standard deviation, with the
    sign by which higher is better; or a ridge regression to ratings; or a network. Means and deviations are those of
    the texts that it was made with, so a text's score does not depend on what else is scored. The score of a corpus is
    the mean of its segments. A metric without a finite score for a segment counts as its mean.

    ``metrologue train composite`` makes the model, and measures it on texts that were held out, beside a trivial rival.

    Raises
    ------
    InputError
        If there is no `model`, it was trained for another metric, or one of its metrics refuses a text.

    References
    ----------
    Sharif et al. 2018, https://aclanthology.org/P18-3003.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> composite = Composite(model=sample_model("composite"))
    >>> good, bad = composite.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(good > bad)
    True
    """

    name: ClassVar[str] = "composite"
    about: ClassVar = replace(
        TrainedScorer.about,
        papers=("sharif-etal-2018-learning",),
        growth=Growth("words", 2, 250_000),
    )

    numbers: ClassVar = (
        number(
            "composite", -math.inf, math.inf, better="higher",
            about="what the model makes of the scores of its metrics",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("score_sum", "segments")
    _authors: ClassVar[str] = "Its features are metrics, given with -m."

    def _statistics(self, segments: Segments) -> Floats:
        model = self._trained
        if not len(segments):
            return np.zeros((0, 2))
        scores = model.layers(model.features.of_segments(segments))[:, -1]
        return np.column_stack([scores, np.ones(len(scores))])
