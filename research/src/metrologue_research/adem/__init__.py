"""ADEM: how good a response of a dialogue is, from products of the vectors of three texts (Lowe et al. 2017)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.features import text_vectors
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer
from metrologue.scorers.core.crossed import distinct_of, of_texts
from metrologue.scorers.core.inputs import REFERENCES, Input, texts, turns
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue_research.adem.network import BilinearNetwork

__all__ = ["Adem"]


@dataclass(frozen=True, kw_only=True)
class Adem(TrainedPairScorer):
    """How good a response is, on a scale of about 1 to 5, from its context and a reference; higher is better.

    An encoder gives the context, the reference and the response vectors, which are reduced to their principal
    components c, r and s. The score is 3 + 4 * (c M s + r N s - mean) / range. The matrices M and N are trained on
    responses that people rated from 1 to 5. The mean and the range are those of the products before the training, where
    M and N are the identity. A model may have one of both terms. The score of a corpus is the mean of its segments. A
    text without content counts as ".".

    ``metrologue train adem`` trains it, in closed form, and measures it on texts that were held out, beside a trivial
    rival. Examples without contexts make a model of references alone. The authors' vectors are those of an encoder of
    dialogues that they trained; here, any encoder of texts gives them.

    Another input is given by name to ``corpus`` and its like: `contexts`, the text before each response.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric; if it reads contexts and there are none, or not
        one for each response.

    References
    ----------
    Lowe et al. 2017, https://aclanthology.org/P17-1103; the program at https://github.com/mike-n-7/ADEM.

    Examples
    --------
    A model of 64 made-up sentences, to try it; these have no contexts:

    >>> from metrologue.learned import sample_model
    >>> adem = Adem(model=sample_model("adem"))
    >>> good, bad = adem.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(good > bad)
    True

    M and N before any training, and vectors by hand: the products are .5 and .5.

    >>> from metrologue.learned import Features, TrainedModel
    >>> from metrologue_research.adem.network import BilinearNetwork
    >>> from metrologue.representations import FunctionEncoder
    >>> vectors = {"How is it?": [1.0, 0.0], "It is fine.": [1.0, 0.0], "Fine.": [0.5, 0.5]}
    >>> encoder = FunctionEncoder("by-hand", lambda texts: [[vectors[text]] for text in texts], "1")
    >>> eye = np.eye(2)
    >>> network = BilinearNetwork(np.zeros(2), eye, {"context": eye, "reference": eye}, 0.0, 4.0)
    >>> adem = Adem(model=TrainedModel("adem", Features.of([encoder]), network))
    >>> segments = Adem._to_segments(["Fine."], ["It is fine."], contexts=["How is it?"])
    >>> adem.corpus(segments).value
    4.0
    """

    name: ClassVar[str] = "adem"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        research="TopicalChat's ratings: r .194; the cosine of an encoder has .373.",
        papers=("lowe-etal-2017-towards",),
    )
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        REFERENCES,
        turns("contexts", lists=False, required=False, about="the turns before each response"),
    )
    _authors: ClassVar[str] = (
        "The authors' program (https://github.com/mike-n-7/ADEM) has a model for the vectors of a network that cannot "
        "be had any more."
    )

    rescaling: str = option(
        "ratings",
        stage="score",
        choice="rescaling",
        about="What the sum of the products becomes.",
        one_of={
            "ratings": "3 + 4 * (sum - mean) / range, about 1 to 5, as in the authors' program",
            "ratio": "(sum - mean) / range, as in the formula of the paper",
        },
    )

    numbers: ClassVar = (
        number(
            "adem", -math.inf, math.inf, better="higher", title="ADEM",
            about="the rating that the model predicts",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("ratio_sum", "segments")

    def _pair_statistics(self, segments: Segments) -> Floats:
        """How far the products of each pair are above their mean before the training, in their ranges, and a 1."""
        network, _ = self._trained.with_encoder(BilinearNetwork)
        ratios = network.ratios(self._products(segments))
        return np.column_stack([ratios, np.ones(len(ratios))])

    def _products(self, segments: Segments) -> Floats:
        network, encoder = self._trained.with_encoder(BilinearNetwork)
        distinct = distinct_of(segments)
        key = ("components", self.model)
        known = of_texts(segments, key, lambda: network.components(text_vectors(encoder, distinct.texts)))
        one, other = distinct.pairs(segments)
        others = {"reference": known[other]}
        if "context" in network.terms:
            if "contexts" not in segments.columns:
                raise InputError(f"{self._label}: `contexts` are missing; {self.model} reads them.")
            own = network.components(text_vectors(encoder, segments.texts("contexts").to_pylist()))
            others["context"] = np.repeat(own, np.diff(segments.reference_offsets), axis=0)
        return network.parts(known[one], others)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        ratio = self._means(statistics)[..., 0]
        rating = 3 + 4 * ratio if self.rescaling == "ratings" else ratio
        return {"adem": self.scale * rating, "segments": statistics[..., 1]}

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "the score of the model that is given, about 1 to 5"),
        "paper": Variant("Lowe", "the formula of the paper", {"rescaling": "ratio"}),
    }
