"""Perception Score: how much a text is like human texts, as a network sees it, and how sure it is (Gu et al.)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import TrainedScorer
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import with_default
from metrologue.segments import Segments
from metrologue_research.perception_score.network import Perception

__all__ = ["PerceptionScore"]


@dataclass(frozen=True, kw_only=True)
class PerceptionScore(TrainedScorer):
    """How much a text is like human texts, as a trained network sees it; higher is better, 0-1.

    It is reimplemented from the idea, and not validated. An encoder gives the text a vector, and a network makes a
    score of it. The network learns to tell human texts from others, and the targets of the others then rise with
    how alike they are to human texts. References are not read. The score of a corpus is the mean of its segments.
    A text without content scores 0.

    The number `spread` says how sure the network is: the standard deviation of ten runs in which parts of it are left
    out, as a mean over the segments.

    ``metrologue train perception_score`` trains it on human texts, and on others or damaged ones, and measures it
    on texts that were held out, beside a trivial rival.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Gu, Wu and Yu 2021, https://arxiv.org/abs/2008.03082; Gal and Ghahramani 2016, https://arxiv.org/abs/1506.02142.

    Examples
    --------
    A model that was trained on 16 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> perception = PerceptionScore(model=sample_model("perception_score"))
    >>> text, nothing = perception.segments(["The cat slept on a sofa.", ""])
    >>> bool(0 == nothing < text < 1)
    True
    """

    name: ClassVar[str] = "perception_score"
    about: ClassVar = replace(
        TrainedScorer.about,
        research="Not measured: there are no public ratings of its kind here.",
        papers=("gu-etal-2021-perception",),
    )
    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"),)

    scale: float = with_default(1.0, about="The greatest score.")

    numbers: ClassVar = (
        number(
            "perception_score", 0, "scale", better="higher", title="Perception Score",
            about="how much the text is like human texts",
        ),
        number("spread", 0, 0.5, about="standard deviation of the score when parts of the network are left out"),
        counted("segments", "segments", about="segments, of whose numbers these are the means"),
    )  # fmt: skip

    _columns = ("score_sum", "spread_sum", "segments")

    def _statistics(self, segments: Segments) -> Floats:
        model = self._trained
        network = model.network_as(Perception)
        texts = segments.texts().to_pylist()
        rows = np.ones((len(texts), 3))
        if texts:
            full = np.array([bool(text.strip()) for text in texts])
            rows[:, 0], rows[:, 1] = network(model.features.of_texts(texts))
            rows[~full, :2] = 0.0
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        means = self._means(statistics)
        return {"perception_score": self.scale * means[..., 0], "spread": means[..., 1], "segments": statistics[..., 2]}
