"""BLEURT: a rating that a transformer gives to a text and a reference, which it reads together (Sellam et al. 2020)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer, model_option
from metrologue.scorers.core.crossed import distinct_of
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import of_long_texts
from metrologue.segments import Segments

__all__ = ["Bleurt"]


@dataclass(frozen=True, kw_only=True)
class Bleurt(TrainedPairScorer):
    """The rating that a trained transformer gives to a text and a reference, which it reads together; higher is better.

    The input is [CLS] reference [SEP] text [SEP], and a linear layer makes one number of the first vector. The scale is
    that of the ratings that the model was trained on: about 0 to 1 for BLEURT-20, about -2 to 1 for the older ones.
    Numbers of different models are not comparable. The score of a corpus is the mean of its segments.

    ``metrologue train bleurt`` makes a model of any transformer: it learns the scores of other metrics on synthetic
    pairs, and then people's ratings. A folder of the port to PyTorch of the authors' checkpoints is a model too. The
    last bits depend on the texts that are scored together, so scores of the same texts agree to 1e-6.

    Raises
    ------
    InputError
        If there is no `model`, it was trained for another metric, torch or transformers is missing, or a pair is longer
        than the model's context and `too_long` is "error".

    References
    ----------
    Sellam et al. 2020, https://aclanthology.org/2020.acl-main.704; Pu et al. 2021 (BLEURT-20),
    https://aclanthology.org/2021.emnlp-main.58; the program at https://github.com/google-research/bleurt.

    Examples
    --------
    A function stands for the model here:

    >>> from metrologue.learned import PairFunction
    >>> def common(references, texts):
    ...     pairs = zip(references, texts, strict=True)
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in pairs]
    >>> bleurt = Bleurt(model=PairFunction("common words", "1", common).model("bleurt"))
    >>> bleurt.segments(["a dog sat", "it rains"], ["a cat sat", "a cat sat"])
    array([0.5, 0. ])

    A folder of a model:

    >>> Bleurt(model="path/of/BLEURT-20-D12").corpus(["a dog sat"], ["a cat sat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "bleurt"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        needs="a released checkpoint or a training",
        papers=("sellam-etal-2020-bleurt", "pu-etal-2021-learning"),
    )
    _authors: ClassVar[str] = (
        "The authors' checkpoints are for TensorFlow (https://github.com/google-research/bleurt); give a folder of "
        "their port to PyTorch, with a model.safetensors."
    )

    model: NamedTrained | None = model_option(
        folder="its folder, one of the port of the authors' checkpoints to PyTorch"
    )
    too_long: str = of_long_texts("pair", "the longer text loses tokens from its end", "cut")

    numbers: ClassVar = (
        number(
            "bleurt", -math.inf, math.inf, better="higher", title="BLEURT",
            about="the rating that the model gives",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("bleurt_sum", "segments")

    def _ratings(self, segments: Segments) -> tuple[Floats, NDArray[np.int64]]:
        """The score of each pair, and how many of its tokens the model has no place for."""
        key = "scored pairs", self.model
        found: tuple[Floats, NDArray[np.int64]] = segments.memoize(key, lambda: self._rated(segments))
        return found

    def _rated(self, segments: Segments) -> tuple[Floats, NDArray[np.int64]]:
        """Each distinct pair is read once."""
        from metrologue.learned.pair_function import PairFunction
        from metrologue.scorers.bleurt.network import PairTransformer

        network: Any = self._trained.network
        if not isinstance(network, PairFunction):
            network = self._trained.network_as(PairTransformer)
        distinct = distinct_of(segments)
        keys, places = np.unique(np.column_stack(distinct.pairs(segments)), axis=0, return_inverse=True)
        texts = distinct.texts
        scores, left_out = network.score_pairs([texts[j] for _, j in keys], [texts[i] for i, _ in keys])
        return scores[places.ravel()], left_out[places.ravel()]

    def _pair_statistics(self, segments: Segments) -> Floats:
        scores, left_out = self._ratings(segments)
        if self.too_long == "error":
            self._refuse_long_pairs(segments, left_out, " and its reference are", "the end of the longer one")
        return np.column_stack([scores, np.ones(len(scores))])

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return []
        long = int((self._ratings(segments)[1] > 0).sum())
        told = f"{long} pair{' is' if long == 1 else 's are'} longer than the model's context"
        cut = [f"{self._label}: {told}; the end of the longer text was left out."] if long else []
        return [*self._model_hints(), *cut]
