"""EED, extended edit distance (Stanchev et al. 2019), as torchmetrics computes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.eed.kernels import Costs, extended_distances
from metrologue.segments import Segments, View
from metrologue.text.reading import Transform, words
from metrologue.text.reading.transforms import EED_TRANSFORMS, Transformation
from metrologue.text.scripts import Language

__all__ = ["Eed", "extended_edit_distance"]

# What is done to texts first, by the name of the language.
_PREPARED: dict[str, str | Transformation] = {
    "en": EED_TRANSFORMS["eed-en"],
    "ja": EED_TRANSFORMS["eed-ja"],
    "none": "texts stay as they are, without a space at either end",
}


def extended_edit_distance(distance: Floats, repeated: Floats, length: Floats, rho: float = 0.3) -> Floats:
    """EED: the cost of edits and jumps, and of what is not covered once, by the characters of the reference, at most 1.

    Parameters
    ----------
    distance, repeated, length : float64 (...)
        The cost of edits and jumps; characters of the hypothesis that are visited never, or again; characters of the
        reference.
    rho : float
        The cost of a character that is visited never, or again.

    Returns
    -------
    float64 (...)
        0 to 1. If there is nothing to divide by: 1 if there is a cost, otherwise 0.

    References
    ----------
    Stanchev et al. 2019, https://aclanthology.org/W19-5359.

    Examples
    --------
    >>> float(extended_edit_distance(np.array(2.0), np.array(4.0), np.array(18.8)))
    0.16
    """
    cost = distance + rho * repeated
    return np.minimum(ratio(cost, length + rho * repeated, np.sign(cost)), 1.0)


@dataclass(frozen=True, kw_only=True)
class Eed(PairScorer):
    """Edits of characters, with jumps between words, by the characters of the reference; lower is better, 0-1.

    The characters of the reference are found in the hypothesis one after another. At the end of a word the search may
    jump to any other place of the hypothesis, which costs `alpha`: a phrase at another place need not be deleted and
    inserted, character by character. Characters of the hypothesis that are visited never, or several times, cost
    `rho` each. A corpus has the mean of its segments' scores. With several references, the one with the best score
    counts; ties: the first. The defaults are those of the authors and of torchmetrics.

    References
    ----------
    Stanchev et al. 2019, https://aclanthology.org/W19-5359.

    Examples
    --------
    >>> round(Eed().corpus(["this is the prediction", "here is an other sample"],
    ...                    ["this is the reference", "here is another one"]).value, 4)
    0.3078
    """

    name: ClassVar[str] = "eed"
    about: ClassVar = About(papers=("stanchev-etal-2019-eed",), growth=Growth("characters", 2, 40_000))

    # fmt: off
    language: str = option(
        "en", stage="read", choice="language", about="How texts are prepared before their characters are compared.",
        one_of=_PREPARED,
    )
    alpha: float = option(2.0, stage="pairs", choice="costs", about="The cost of a jump.")
    deletion: float = option(
        0.2, stage="pairs", choice="costs", about="The cost of a character that only the hypothesis has."
    )
    insertion: float = option(
        1.0, stage="pairs", choice="costs",
        about="The cost of a character that only the reference has. A substitution costs 1.",
    )
    rho: float = option(
        0.3, stage="join", choice="coverage",
        about="The cost of a character of the hypothesis that is visited never, or again.",
    )
    aggregation: str = with_default(
        "mean",
        one_of={"corpus": "all costs, divided by all lengths", "mean": "the mean of the segments' scores"},
    )
    scale: float = with_default(1.0, about="The value of the worst score.")
    # fmt: on

    _columns = ("distance", "repeated", "hypothesis_length", "reference_length")

    numbers: ClassVar = (
        number(
            "eed", 0, "scale", better="lower", title="EED",
            about="the cost of edits, jumps and coverage, divided by the reference's characters and the coverage",
        ),
        counted("distance", "edits", better="lower", about="the cost of edits and jumps"),
        counted(
            "repeated", "characters", better="lower",
            about="how often characters of the hypotheses are visited never, or again",
        ),
        counted("hypothesis_length", "characters", about="characters of the hypotheses, once they are prepared"),
        counted("reference_length", "characters", about="characters of the references, once they are prepared"),
    )  # fmt: skip

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        return {"language": "ja"} if language.code == "ja" else {}

    def _view(self, segments: Segments) -> View:
        prepared = () if self.language == "none" else (Transform(f"eed-{self.language}"),)
        return segments.read((*prepared, *words("characters")))

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The cost of each pair, its characters visited never or again, and the lengths of both texts, (n_pairs, 4)."""
        view = self._view(segments)
        costs = Costs(self.alpha, self.deletion, self.insertion)
        counts = extended_distances(view.paired, view.vocabulary.find(" "), costs)
        return np.column_stack([counts, *(view.text_lengths[side] for side in view.pairs)])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        distance, repeated, ours, theirs = columns_of(statistics)
        score = self.scale * extended_edit_distance(distance, repeated, theirs, self.rho)
        return dict(zip(self.range, (score, distance, repeated, ours, theirs), strict=True))

    _variants: ClassVar = {
        "torchmetrics": Variant(
            "torchmetrics", "extended_edit_distance, in float32 there", live="torchmetrics.eed"
        ),
        "torchmetrics-ja": Variant(
            "torchmetrics", "extended_edit_distance of Japanese, after NFKC", {"language": "ja"},
            live="torchmetrics.eed", options={"language": "ja"},
        ),
    }  # fmt: skip
