"""The comparator: how probably a text is better than another one, by a trained model (Zhou and Xu 2020)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option, with_default
from metrologue.segments import Segments

__all__ = ["Comparator"]


@dataclass(frozen=True, kw_only=True)
class Comparator(TrainedPairScorer):
    """How probably a text is better than the text that stands in the place of its reference; 0-1, .5 for equal texts.

    A classifier reads the vectors a and b of both texts, and a - b, and gives three probabilities: the first text is
    better, neither is, the second one is. The score is the first one plus half of the second one, as a mean over both
    orders of the texts, so that those of A against B and of B against A sum to 1. The "references" are the texts of
    another system, or of people. Of several, the mean counts. The score of a corpus is the mean of its segments: how
    often a text of the first system wins.

    ``metrologue train comparator`` trains it on rated texts that were made for the same input.
    ``metrologue.learned.ratings.rate_systems`` makes ratings of several systems, by Elo or by OpenSkill.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Zhou and Xu 2020, https://doi.org/10.1609/aaai.v34i05.6521. Their models were not published, and the details that
    the paper leaves open are ours.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> comparator = Comparator(model=sample_model("comparator"))
    >>> one, other = ["The cat slept on a sofa."], ["Cat sleep on sofa"]
    >>> a, b = comparator.corpus(one, other).value, comparator.corpus(other, one).value
    >>> round(a + b, 12), comparator.corpus(one, one).value
    (1.0, 0.5)
    """

    name: ClassVar[str] = "comparator"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        research="SummEval's pairs, right: .561; ROUGE-1 has .636.",
        papers=("zhou-xu-2020-learning",),
    )

    multi_reference: str = option(
        "mean", stage="join", choice=None, one_of={"mean": "the mean of the scores against each"}
    )
    scale: float = with_default(1.0, about="The value of a probability of 1.")

    numbers: ClassVar = (
        number(
            "comparator", 0, "scale", better="higher",
            about="probability that the text is better, plus half of that of a tie",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("win_sum", "segments")

    def _pair_statistics(self, segments: Segments) -> Floats:
        from metrologue_research.comparator.training import wins

        model = self._trained
        found = [np.zeros(0)]
        for parts in model.features.of_pairs(segments):
            u, v = zip(*(np.split(part, 4, axis=1)[:2] for part in parts), strict=True)
            found.append(wins(model.layers, np.hstack(v), np.hstack(u)))
        scores = np.concatenate(found)
        return np.column_stack([scores, np.ones(len(scores))])
