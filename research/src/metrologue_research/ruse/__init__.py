"""RUSE: a rating that a regressor predicts from the vectors of both texts (Shimanaka et al. 2018)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.rows import ratio
from metrologue.segments import Segments

__all__ = ["Ruse", "cosines_of"]


def cosines_of(features: Floats) -> Floats:
    """The cosine of u and v from rows of u, v, |u - v| and u * v, (n,); 0 for a vector of zeros.

    Examples
    --------
    >>> cosines_of(np.array([[3.0, 4.0, 1.0, 0.0, 2.0, 4.0, 3.0, 0.0]]))
    array([0.6])
    """
    u, v, _, product = np.split(features, 4, axis=1)
    return ratio(product.sum(axis=1), np.sqrt((u * u).sum(axis=1) * (v * v).sum(axis=1)))


@dataclass(frozen=True, kw_only=True)
class Ruse(TrainedPairScorer):
    """The rating that a trained model predicts from the vectors of a text and a reference; higher is better.

    An encoder gives the reference a vector u and the text a vector v. The model reads u, v, |u - v| and u * v, of one
    encoder or of several side by side, and gives a number on the scale of the ratings that it was trained on:
    standardized direct assessments in the paper, about -2 to 2. The score of a corpus is the mean of its segments. A
    text without content counts as ".", as in the authors' program.

    The model is a ridge regression, or a network with hidden layers as in the paper. ``metrologue train ruse`` trains
    it, and measures it on texts that were held out, beside a trivial rival. The rival's number `cosine`, that of u and
    v as a mean over the encoders, stands beside every score.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Shimanaka et al. 2018, https://aclanthology.org/W18-6456; the program at https://github.com/Shi-ma/RUSE.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> ruse = Ruse(model=sample_model("ruse"))
    >>> good, bad = ruse.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(good > bad)
    True
    """

    name: ClassVar[str] = "ruse"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        research="WMT17: mean r .644; chrF has .569, BERTScore .639.",
        papers=("shimanaka-etal-2018-ruse",),
    )
    _authors: ClassVar[str] = (
        "The authors' models are made with Chainer (https://github.com/Shi-ma/RUSE) and cannot be read."
    )

    numbers: ClassVar = (
        number(
            "ruse", -math.inf, math.inf, better="higher", title="RUSE",
            about="the rating that the model predicts",
        ),
        number("cosine", -1, 1, better="higher", about="cosine of the vectors of both texts, the trivial rival"),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("ruse_sum", "cosine_sum", "segments")

    def _pair_statistics(self, segments: Segments) -> Floats:
        model = self._trained
        rows = []
        for parts in model.features.of_pairs(segments):
            cosines = np.mean([cosines_of(part) for part in parts], axis=0)
            rows.append(np.column_stack([model.layers(np.hstack(parts))[:, -1], cosines, np.ones(len(cosines))]))
        return np.vstack([np.zeros((0, 3)), *rows])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        means, segments = self._means(statistics), statistics[..., 2]
        return {"ruse": self.scale * means[..., 0], "cosine": np.clip(means[..., 1], -1, 1), "segments": segments}
