"""Semantic similarity of two texts: the cosine of their vectors, or what a model of pairs gives (Cer et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import Distinct, distinct_of, of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_long_texts, of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.unknown import unknown_hints
from metrologue.segments import Segments

__all__ = ["SemanticSimilarity", "cosines"]

_AT_ONCE = 4096  # pairs whose vectors are multiplied at once


def cosines(vectors: Floats, one: NDArray[np.int64], other: NDArray[np.int64]) -> Floats:
    """The cosine of each pair of vectors, (pairs,); 0 for a vector of zeros.

    Examples
    --------
    >>> cosines(np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]]), np.array([0, 0, 0]), np.array([0, 1, 2]))
    array([1. , 0.6, 0. ])
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    parts = [slice(first, first + _AT_ONCE) for first in range(0, len(one), _AT_ONCE)]
    products = [np.einsum("ij,ij->i", vectors[one[part]], vectors[other[part]]) for part in parts]
    cosine = ratio(np.concatenate([np.zeros(0), *products]), lengths[one] * lengths[other])
    return np.clip(cosine, -1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class SemanticSimilarity(PairScorer):
    """How close two texts are in meaning, as a model sees it; higher is better, at most 1.

    A bi-encoder gives each text one vector, and the score of a pair is their cosine, from -1 to 1. A cross-encoder
    reads both texts and gives a number from 0 to 1: a folder with a model for the classification of sequences, with one
    label, such as one trained on STS-Benchmark. The score of a corpus is the mean of its segments. A pair with an empty
    text scores 0.

    With a bi-encoder, the score is the same if the two texts are swapped, and equal texts have the greatest score.
    A cross-encoder gets the reference first. The last bits depend on the texts that are encoded together, so scores
    of the same texts agree to 1e-6.

    Raises
    ------
    InputError
        If there is no `model`, a text is longer than the model's context and `too_long` is "error", or the encoder
        gives NaN.

    References
    ----------
    Reimers and Gurevych 2019, https://arxiv.org/abs/1908.10084; Kane et al. 2020 (the part RoBERTa-STS of NUBIA),
    https://arxiv.org/abs/2004.14667.

    Examples
    --------
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> similarity = SemanticSimilarity(model=FunctionEncoder("letters", letters, "1"))
    >>> round(similarity.corpus(["a bad cab"], ["a cab"]).value, 6)
    0.948683

    A model of sentence-transformers, from a folder:

    >>> SemanticSimilarity(model="path/of/a/model").corpus(["a cat"], ["one cat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "semantic_similarity"
    about: ClassVar = About(
        one_call=True,
        tolerance=1e-6,
        papers=("reimers-gurevych-2019-sentence", "kane-etal-2020-nubia"),
    )

    # fmt: off
    model: NamedEncoder | None = option(
        None, stage="read", choice="encoder", kind="encoder",
        about="The encoder: a folder with a model of transformers or of sentence-transformers, a name on the Hub, a "
        "file of word vectors, a loaded ``SentenceTransformer`` or ``(model, tokenizer)``, an ``Encoder``, or the "
        "name of one in use, as a signature has it. There is no score without one.",
    )
    too_long: str = of_long_texts()
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="The value of the score of equal texts under a bi-encoder.")

    numbers: ClassVar = (
        number(
            "semantic_similarity", "-scale", "scale", better="higher",
            about="cosine of the vectors of both texts, or the number that a cross-encoder gives",
        ),
        counted("segments", "segments", about="segments, of whose similarity this is the mean"),
    )  # fmt: skip

    _columns = ("similarity_sum", "segments")

    @property
    def _reads_pairs(self) -> bool:
        """Whether the model is a cross-encoder."""
        return self.model is not None and hasattr(self.model.encoder, "score_pairs")

    def _encoder(self) -> Any:
        if self.model is None:
            raise InputError(
                "SemanticSimilarity: `model` is missing; give a folder with a model of transformers, its name on the "
                "Hub, or an Encoder."
            )
        return self.model.encoder

    def _texts(self, segments: Segments) -> Distinct:
        return distinct_of(segments)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The similarity of each pair, and a 1."""
        encoder, distinct = self._encoder(), self._texts(segments)
        one, other = distinct.pairs(segments)
        full = np.array([bool(text.strip()) for text in distinct.texts], np.bool_)
        rows = np.ones((len(one), 2))
        rows[:, 0] = (
            self._of_pairs(encoder, distinct, one, other)
            if self._reads_pairs
            else self._of_texts(encoder, distinct, segments, one, other)
        )
        rows[~(full[one] & full[other]), 0] = 0.0
        return rows

    def _of_pairs(self, encoder: Any, distinct: Distinct, one: Any, other: Any) -> Floats:
        """What a cross-encoder gives. Each pair is read once."""
        keys, places = np.unique(np.column_stack([one, other]), axis=0, return_inverse=True)
        texts = distinct.texts
        scores, left_out = encoder.score_pairs([texts[j] for _, j in keys], [texts[i] for i, _ in keys])
        if self.too_long == "error" and left_out.any():
            pair = int(np.flatnonzero(left_out[places.ravel()])[0])
            self._refuse_long(distinct, np.arange(len(texts)) == one[pair], int(left_out[places.ravel()[pair]]))
        of_pairs: Floats = scores[places.ravel()]
        return of_pairs

    def _of_texts(self, encoder: Any, distinct: Distinct, segments: Segments, one: Any, other: Any) -> Floats:
        """The cosines of a bi-encoder's vectors."""
        if self.too_long == "error":
            left_out = self._left_out(segments)
            if left_out.any():
                at = int(np.flatnonzero(left_out)[0])
                self._refuse_long(distinct, left_out > 0, int(left_out[at]))
        key = "text vectors", self.model
        vectors = of_texts(segments, key, lambda: vector_store().texts(encoder, distinct.texts).astype(np.float64))
        return cosines(vectors, one, other)

    def _left_out(self, segments: Segments) -> NDArray[np.int64]:
        """How many tokens of each text a bi-encoder has no place for."""
        texts, encoder = self._texts(segments).texts, self._encoder()
        if not hasattr(encoder, "left_out"):
            return np.zeros(len(texts), np.int64)
        return of_texts(segments, ("left out", self.model), lambda: encoder.left_out(texts))

    def _refuse_long(self, distinct: Distinct, long: NDArray[np.bool_], count: int) -> None:
        place = distinct.first(long)
        if place is not None:
            what = (
                f' is longer than the model\'s context, by {count} tokens or more. Give too_long="cut" to leave its '
                "end out."
            )
            raise InputError.at("SemanticSimilarity", *place, what)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 1]
        mean = np.divide(statistics[..., 0], segments, out=np.zeros(np.shape(segments)), where=segments > 0)
        return {"semantic_similarity": self.scale * mean, "segments": segments}

    def _symmetric(self, key: str) -> bool:
        return not self._reads_pairs

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of texts that were cut or are empty."""
        if self.model is None or not len(segments):
            return []
        texts, hints = self._texts(segments).texts, []
        long = 0 if self._reads_pairs or self.too_long == "error" else int((self._left_out(segments) > 0).sum())
        if long:
            have = "text is" if long == 1 else "texts are"
            hints.append(
                f"SemanticSimilarity: {long} {have} longer than the model's context; what follows was left out."
            )
        hints += unknown_hints("SemanticSimilarity", self.model.encoder, texts, segments)
        if empty := sum(not text.strip() for text in texts):
            hints.append(
                f"SemanticSimilarity: {empty} distinct text{'s' * (empty > 1)} without content; pairs score 0."
            )
        return hints

    _variants: ClassVar = {
        "sentence-transformers": Variant(
            "sentence-transformers", "the cosine of what encode() gives, which cuts long texts off without a word",
            {"too_long": "cut"}, live="sentence-transformers.semantic_similarity",
        ),
    }  # fmt: skip
