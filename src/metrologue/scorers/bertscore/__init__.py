"""BERTScore (Zhang et al. 2020): each token of a text is compared with the most similar token of the other text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.representations.base import TokenVectors
from metrologue.scorers.bertscore.baseline import read_baseline
from metrologue.scorers.bertscore.layers import default_layer
from metrologue.scorers.bertscore.matching import Pair, TokenShare, Weighted, filled, matched, shares_of
from metrologue.scorers.core.about import Growth
from metrologue.scorers.core.crossed import Distinct, of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.token_vectors import TokenVectorScorer, unit_vectors, weights_by
from metrologue.scorers.families.unknown import unknown_hints
from metrologue.segments import Segments

__all__ = ["BertScore", "harmonic_mean", "rescaled"]


def harmonic_mean(precision: Floats, recall: Floats) -> Floats:
    """2 P R / (P + R); 0 where P + R is 0.

    Examples
    --------
    >>> harmonic_mean(np.array([0.5, 0.0]), np.array([1.0, 0.0]))
    array([0.66666667, 0.        ])
    """
    whole = precision + recall
    return np.divide(2 * precision * recall, whole, out=np.zeros(np.shape(whole)), where=whole != 0)


def rescaled(score: Any, baseline: float) -> Any:
    """The score with 0 at the baseline, which unrelated texts get, and 1 at 1.

    Examples
    --------
    >>> rescaled(np.array([0.9, 0.8, 0.7]), 0.8).round(6)
    array([ 0.5,  0. , -0.5])
    """
    return (score - baseline) / (1.0 - baseline)


_SUMS = ("precision_sum", "recall_sum", "f1_sum", "segments")


@dataclass(frozen=True, kw_only=True)
class BertScore(TokenVectorScorer):
    """The mean cosine of tokens with the most similar token of the other text; higher is better, about 0-1.

    An encoder gives each token a vector that depends on its context. The precision is the mean, over the tokens of the
    hypothesis, of the greatest cosine with a token of the reference. The recall is that over the tokens of the
    reference, and F1 is their harmonic mean. The tokens that a model adds, such as [CLS], have no weight, but others
    may match them. The score of a corpus is the mean of its segments. If a text is empty, the three numbers are 0.

    With `idf`, a token counts by how few references have its type. The table comes from all references of a call, so
    scores on different test sets are not comparable. The score of a single pair uses the references of that pair, and
    is 0 where each token is in all references. ``fit`` makes a table from other texts.

    Of the numbers of a pair, the last bits depend on the texts that are encoded together: batches change float32
    vectors by about 1e-7. So scores of the same texts agree to 1e-6, and with bert-score to 1e-5.

    Raises
    ------
    InputError
        If there is no `model` or it has no such layer, a text is longer than the model's context and `too_long` is
        "error", the encoder gives NaN, or a value is out of range.

    References
    ----------
    Zhang et al. 2020, https://arxiv.org/abs/1904.09675; the authors' package bert-score.

    Examples
    --------
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> bert = BertScore(model=FunctionEncoder("letters", letters, "1"))
    >>> result = bert.corpus(["a bad cab"], ["a cab"])
    >>> [round(result.scores[name], 6) for name in ("precision", "recall", "f1")]
    [0.888889, 1.0, 0.941176]

    A model of transformers, from a folder:

    >>> BertScore(model="path/of/a/model", layer=6).corpus(["a cat"], ["one cat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "bertscore"
    title: ClassVar[str] = "BERTScore"
    about: ClassVar = replace(
        TokenVectorScorer.about,
        tolerance=1e-6,
        papers=("zhang-etal-2020-bertscore",),
        growth=Growth("words", 2, 25_000),
    )

    # fmt: off
    layer: int | None = option(
        None, stage="pairs", choice="layer",
        about="The layer that gives the vectors; 0 is below the first one. None: the one that bert-score has for a "
        "model of this name, otherwise the last.",
    )
    multi_reference: str = option(
        "best-each", stage="join", choice="several references",
        about="How several references join.",
        one_of={
            "best-each": "the greatest precision, the greatest recall and the greatest F1, each on its own",
            "best": "the reference with the best F1; ties: the first",
            "mean": "the means of precision, recall and F1",
            "first": "the first reference alone counts",
        },
    )
    baseline: tuple[float, ...] | None = option(
        None, stage="score", choice="rescaling", least=-1.0, greatest=1.0 - 1e-9,
        about="Precision, recall and F1 of unrelated texts, which become 0, as `metrologue baseline` computes them "
        "and ``with_baseline`` reads them from a file. None: nothing is rescaled.",
    )
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="The value of the score of equal texts.")

    numbers: ClassVar = (
        number(
            "precision", "_least_precision", "scale", better="higher", heading="P",
            about="mean of the greatest cosines of the hypothesis's tokens",
        ),
        number(
            "recall", "_least_recall", "scale", better="higher", heading="R",
            about="mean of the greatest cosines of the reference's tokens",
        ),
        number(
            "f1", -np.inf, "scale", better="higher", title="F1", heading="F1",
            about="harmonic mean of precision and recall of a pair",
        ),
        counted("segments", "segments", about="segments, of whose numbers these are means"),
    )  # fmt: skip

    @property
    def _least_precision(self) -> float:
        return float(self.scale * rescaled(-1.0, self._baselines[0]))

    @property
    def _least_recall(self) -> float:
        return float(self.scale * rescaled(-1.0, self._baselines[1]))

    @property
    def _baselines(self) -> tuple[float, ...]:
        return self.baseline or (0.0, 0.0, 0.0)

    @property
    def _usual(self) -> str:
        return "f1"

    _columns = _SUMS

    def _default_layer(self, encoder: Any) -> int:
        known = default_layer(getattr(encoder, "source", ""))
        return super()._default_layer(encoder) if known is None else known

    def _check_together(self) -> None:
        self._check("baseline", self.baseline is None or len(self.baseline) == 3, "None or a list of 3 finite numbers")
        super()._check_together()

    def token_shares(self, prediction: str, references: str | Sequence[str], key: str = "f1") -> tuple[TokenShare, ...]:
        """What each token of a text and of its reference adds to the score; the shares sum to it.

        Parameters
        ----------
        prediction : str
        references : str or sequence of str
            Of several references, the one with the best F1 is taken.
        key : str
            "precision", "recall" or "f1".

        Returns
        -------
        tuple of TokenShare
            The tokens of the hypothesis, then those of the reference; at the end what rescaling takes away.

        Raises
        ------
        InputError
            As for ``corpus``, or if there is no number `key`.

        Examples
        --------
        >>> from metrologue.representations import FunctionEncoder
        >>> def letters(texts):
        ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
        >>> bert = BertScore(model=FunctionEncoder("letters", letters, "1"))
        >>> for part in bert.token_shares("a bad cab", "a cab"):
        ...     print(f"{part.side:10} {part.token:3} ~ {part.match:3} {part.share:.6f}")
        hypothesis a   ~ a   0.176471
        hypothesis bad ~ cab 0.117647
        hypothesis cab ~ cab 0.176471
        reference  a   ~ a   0.235294
        reference  cab ~ cab 0.235294
        """
        given = [references] if isinstance(references, str) else [*references]
        segment = self._to_segments([prediction], [given])
        fitted = self if self._is_fitted else self.fit(segment)
        return shares_of(fitted._best_pair(segment), key, fitted._baselines, fitted.scale)

    def with_baseline(self, path: str | os.PathLike[str]) -> Self:
        """The scorer that rescales by a file of baselines: those of its layer.

        Parameters
        ----------
        path : str or path
            Comma-separated values with the header ``LAYER,P,R,F``, as in bert-score and as `metrologue baseline` writes
            it.

        Raises
        ------
        InputError
            If the file has no such table or no such layer, or the scorer has no layer because it has no model.
        """
        if self.layer is None:
            raise InputError("BertScore: a baseline is that of a layer; give `model` or `layer` first.")
        return replace(self, baseline=read_baseline(Path(path), self.layer))

    def _weighted(self, segments: Segments) -> tuple[Distinct, Weighted]:
        """The texts as unit vectors of tokens with weights."""
        distinct, encoded = self._texts(segments)
        key = "units", self.model, self.too_long, self.layer
        vectors = of_texts(segments, key, lambda: unit_vectors(encoded.vectors[0]))
        return distinct, Weighted(vectors, encoded.offsets, self._weights(encoded), encoded.counted)

    def _best_pair(self, segment: Segments, reference: int | None = None) -> Pair:
        """The pair of a segment's hypothesis with one of its references, by default the one with the best F1."""
        distinct, weighted = self._weighted(segment)
        own, its = distinct.pairs(segment)
        rows = self._pairs(segment)
        at = int(np.argmax(rows[:, 2])) if reference is None else reference
        at = 0 if self.multi_reference == "first" and reference is None else at
        texts = own[at], its[at]
        (mine, my_weights), (theirs, their_weights) = (weighted.of_text(text) for text in texts)
        encoder = self._encoder()
        tokens = encoder.tokens(distinct.texts[texts[0]]), encoder.tokens(distinct.texts[texts[1]])
        return Pair(tokens, (my_weights, their_weights), mine @ theirs.T, *(float(rows[at, i]) for i in range(3)))

    def _weights(self, encoded: TokenVectors) -> Floats:
        """The weight of each token, (tokens,)."""
        if not self.idf:
            return encoded.counted.astype(np.float64)
        assert self.document_frequency is not None
        return weights_by(self.document_frequency, encoded.ids)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Precision, recall and F1 of each pair, and a 1."""
        distinct, weighted = self._weighted(segments)
        pairs = distinct.pairs(segments)
        rows = np.ones((len(pairs[0]), len(_SUMS)))
        rows[:, :2] = matched(weighted, *pairs)
        rows[:, 2] = harmonic_mean(rows[:, 0], rows[:, 1])
        return rows

    def _statistics(self, segments: Segments) -> Floats:
        if self.multi_reference == "first":
            return self._pairs(segments)[segments.reference_offsets[:-1]]
        return super()._statistics(segments)

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 2]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 3]
        means = [ratio(statistics[..., i], segments) for i in range(3)]
        values = [self.scale * rescaled(mean, own) for mean, own in zip(means, self._baselines, strict=True)]
        return {"precision": values[0], "recall": values[1], "f1": values[2], "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of texts that were cut or are empty, and of an idf without weights."""
        if self.model is None or not len(segments):
            return []
        distinct, encoded = self._texts(segments)
        hints, used = self._long_hints(distinct, encoded), self._used_texts(distinct)
        hints += unknown_hints("BertScore", self.model.encoder, distinct.texts, segments)
        if empty := int((~filled(encoded.counted, encoded.offsets)[used]).sum()):
            have = "text has no token, so its pairs" if empty == 1 else "texts have no token, so their pairs"
            hints.append(f"BertScore: {empty} {have} score 0.")
        if self.idf and self.document_frequency is None and len(distinct.references) == 1:
            hints.append(
                "BertScore: the idf comes from a single reference, so each of its tokens weighs ln(2/2) = 0, and so "
                "does the score; make a table from more texts with fit(segments)."
            )
        return hints

    _variants: ClassVar = {
        "bert-score": Variant(
            "bert-score", "score() of the authors' package, which cuts long texts off without a word",
            {"too_long": "cut"}, live="bert-score.bertscore",
            recommended=Recommended(
                "its numbers are those of the authors' package; name the model with it", "zhang-etal-2020-bertscore"
            ),
        ),
        "bert-score-idf": Variant(
            "bert-score", "score(idf=True): tokens count by how few references have them",
            {"too_long": "cut", "idf": True}, live="bert-score.bertscore", options={"idf": True},
        ),
    }  # fmt: skip
