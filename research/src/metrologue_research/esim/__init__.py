"""ESIM: a rating that a network predicts from the aligned tokens of two texts (Mathur et al. 2019)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import distinct_of
from metrologue.scorers.core.numbers import number
from metrologue.segments import Segments
from metrologue_research.esim.network import EsimNetwork

__all__ = ["Esim"]


@dataclass(frozen=True, kw_only=True)
class Esim(TrainedPairScorer):
    """The rating that a network predicts from the tokens of a text and a reference; higher is better.

    An encoder that stays as it is gives each token a vector. An LSTM reads both texts, in both directions. Each token
    then meets the mean of the other text's tokens, weighted by how much it attends to each (the softmax of the
    products), with the difference and the product of both. A second LSTM reads what a layer makes of these; the means
    and the greatest values over each text go through a last hidden layer to a number, on the scale of the ratings that
    the model was trained on: standardized direct assessments in the paper, about -2 to 2. The score of a corpus is the
    mean of its segments.

    ``metrologue train esim`` trains it, with the widths of the paper or smaller ones, and measures it on texts that
    were held out, beside a trivial rival. Torch is needed for this, and not for scores. The first 100 tokens of a text
    count, unless the training said otherwise. A text without tokens counts as one whose vector is zeros; the authors'
    program reads [UNK].

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Mathur et al. 2019, https://aclanthology.org/P19-1269; the program at https://github.com/nitikam/mteval-in-context.
    The network: Chen et al. 2017, https://aclanthology.org/P17-1152. There, the vectors are a mixture of all layers of
    BERT, with weights that are trained too; here, they are those of one layer.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> esim = Esim(model=sample_model("esim"))
    >>> good, bad = esim.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(good > bad)
    True
    """

    name: ClassVar[str] = "esim"
    about: ClassVar = About(
        research="WMT17: r .630 for lv-en, chrF .529, BERTScore .643; r .477 for de-en, chrF .509.",
        tolerance=1e-5,
        papers=("mathur-etal-2019-putting", "chen-etal-2017-enhanced"),
    )
    _authors: ClassVar[str] = (
        "The authors have published their program (https://github.com/nitikam/mteval-in-context), and no models."
    )

    numbers: ClassVar = (
        number(
            "esim", -math.inf, math.inf, better="higher", title="ESIM",
            about="the rating that the model predicts",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("esim_sum", "segments")

    def _pair_statistics(self, segments: Segments) -> Floats:
        network, encoder = self._trained.with_encoder(EsimNetwork)
        distinct = distinct_of(segments)
        scores = network.of_pairs(encoder, distinct.texts, *distinct.pairs(segments))
        return np.column_stack([scores, np.ones(len(scores))])
