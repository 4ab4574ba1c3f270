"""MoverScore (Zhao et al. 2019): how far tokens move, in their contexts, to become those of another text."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.representations.base import TokenVectors
from metrologue.scorers.core.about import Growth
from metrologue.scorers.core.configuration import settle_table
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.kernels.transport import Bags, transport_costs
from metrologue.scorers.families.token_vectors import TokenVectorScorer, frequencies, unit_vectors, weights_by
from metrologue.scorers.families.unknown import unknown_hints
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

__all__ = ["MoverScore"]

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]
_CONTINUED = "##"  # how BERT's tokenizer marks a piece that continues a word
_WHOLE = 1 << 40  # the mass of a text, in the units that weights are rounded to
_AT_ONCE = 256  # pairs whose vectors are float64 at a time


@dataclass(frozen=True, kw_only=True)
class MoverScore(TokenVectorScorer):
    """1 less the least distance by which a text's tokens move to become those of its reference; higher is better.

    An encoder gives each token a vector that depends on its context, which is divided by its length. Each text is a
    bag of these vectors, whose weights sum to 1. The cost of moving one token to another is the Euclidean distance of
    their vectors, 0 to 2. The distance of two texts is the least cost of moving all weight, by exact optimal transport
    in float64. Of several references, the best one counts. The score of a corpus is the mean of its segments.

    Pieces that continue a word ("##ing") and marks of punctuation do not count, unless `pieces` and `punctuation` say
    so. With `idf`, a token weighs more if fewer texts have its type. Hypotheses and references have a table each, so
    that equal texts may score less than 1; ``fit`` makes both from other texts. The tokens [CLS] and [SEP] are in
    every text and then weigh nothing.

    The last bits of a vector depend on the texts that are encoded together, so scores of the same texts agree to 1e-6.
    The authors' program computes distances in float32 from dot products. There a token may be 0.0005 away from itself,
    and so the program's scores differ by up to that.

    Raises
    ------
    InputError
        If there is no `model` or it has no such layer, a text is longer than the model's context and `too_long` is
        "error", the encoder gives NaN, a list of stop words is not there, or no token of a text has a weight and
        `empty` is "error".

    References
    ----------
    Zhao et al. 2019, https://aclanthology.org/D19-1053; the authors' program ``moverscore_v2``.

    Examples
    --------
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> mover = MoverScore(model=FunctionEncoder("letters", letters, "1"))
    >>> round(mover.corpus(["a bad cab"], ["a cab"]).value, 6)
    0.710684

    A model of transformers, from a folder:

    >>> MoverScore(model="path/of/a/model").corpus(["a cat"], ["one cat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "moverscore"
    title: ClassVar[str] = "MoverScore"
    about: ClassVar = replace(
        TokenVectorScorer.about,
        tolerance=1e-6,
        papers=("zhao-etal-2019-moverscore",),
        growth=Growth("words", 3, 6_000),
    )

    # fmt: off
    pieces: str = option(
        "first", stage="pairs", choice="pieces of words",
        about="Which pieces of a word count, if the tokenizer marks those after the first with two number signs, as "
        "BERT's does.",
        one_of={"first": "the first one alone", "all": "all of them"},
    )
    punctuation: bool = option(
        False, stage="pairs", choice="punctuation",
        about="Whether tokens count that are a single ASCII punctuation mark.",
    )
    added: bool = option(
        True, stage="pairs", choice="added tokens", about="Whether tokens that the model adds, such as [CLS], count."
    )
    stop_words: str | None = option(
        None, stage="pairs", choice="stop words", kind="table",
        about='The tokens that are left out: "sklearn", "spacy", "nltk" or "rouge-1.5.5", where these are installed, '
        "or a list of your own. None: no token is.",
    )
    hypothesis_frequency: Resource | None = option(
        None, stage="pairs", choice="idf", kind="fitted",
        about="The hypotheses that have each type of token, as `document_frequency` has the references.",
    )
    empty: str = option(
        "zero", stage="pairs", choice="empty text",
        about="The score of a pair with a text of which no token has a weight.",
        one_of={"zero": "0", "one": "1, because nothing moves, as in moverscore", "error": "it is refused"},
    )
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        about="How several references join.",
        one_of={"best": "the one with the best score; ties: the first", "mean": "the mean of the scores"},
    )
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="The value of the score of equal texts.")

    numbers: ClassVar = (
        number(
            "moverscore", "-scale", "scale", better="higher", title="MoverScore",
            about="mean of 1 less the least cost of moving the tokens of a text to those of its reference",
        ),
        counted("segments", "segments", about="segments, of whose scores this is the mean"),
    )  # fmt: skip

    _columns = ("score_sum", "segments")

    def _check_together(self) -> None:
        super()._check_together()
        settle_table(self, "stop_words")

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        distinct, encoded = self._texts(segments)
        return {**super()._fit(segments), "hypothesis_frequency": frequencies(encoded, distinct.hypotheses)}

    def _spelled(self, segments: Segments) -> list[str]:
        """Each token as the encoder spells it."""
        encoder, (distinct, encoded) = self._encoder(), self._texts(segments)
        of_text = [encoder.tokens(text) for text in distinct.texts]
        if [*map(len, of_text)] != np.diff(encoded.offsets).tolist():
            raise InputError(f"{self._label}: {self.model} spells another number of tokens than it has vectors for.")
        return [token for hypotheses in of_text for token in hypotheses]

    def _kept(self, segments: Segments) -> Flags:
        """Which tokens count, (tokens,)."""
        encoded = self._texts(segments)[1]

        def make() -> Flags:
            kept: Flags = encoded.counted | self.added
            if self.pieces == "all" and self.punctuation and self.stop_words is None:
                return kept
            spelled = self._spelled(segments)
            if self.pieces == "first":
                kept &= np.array([_CONTINUED not in each for each in spelled], np.bool_)
            if not self.punctuation:
                kept &= np.array([each not in {*string.punctuation} for each in spelled], np.bool_)
            if self.stop_words is not None:
                from metrologue.text.lexicon import stop_words as listed  # here: it takes long to import

                kept &= ~listed(spelled, self.stop_words)
            return kept

        settings = self.model, self.too_long, self.layer, self.pieces, self.punctuation, self.added, self.stop_words
        return of_texts(segments, ("kept tokens", *settings), make)

    def _weighted(self, segments: Segments) -> tuple[Indices, Indices, TokenVectors, Bags]:
        """The bags of both texts of each pair, the vectors of the tokens, and the bags of their numbers.

        Hypotheses have the first bags, references the others, because a text may have other weights as either.
        """
        distinct, encoded = self._texts(segments)
        kept = self._kept(segments)
        hypotheses, references = distinct.pairs(segments)
        if not self.idf:
            return hypotheses, references, encoded, _bags(encoded.offsets, kept.astype(np.float64))
        assert self.hypothesis_frequency is not None
        assert self.document_frequency is not None
        tables = self.hypothesis_frequency, self.document_frequency
        bags = [_bags(encoded.offsets, np.where(kept, weights_by(table, encoded.ids), 0.0)) for table in tables]
        ends = bags[0].offsets[-1]
        both = Bags(
            np.concatenate([bags[0].offsets, bags[1].offsets[1:] + ends]),
            *(np.concatenate([getattr(each, name) for each in bags]) for name in ("rows", "counts")),
        )
        return hypotheses, references + len(encoded), encoded, both

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The score of each pair, and a 1."""
        hypotheses, references, encoded, bags = self._weighted(segments)
        rows = np.ones((len(hypotheses), 2))
        for part in range(0, len(hypotheses), _AT_ONCE):
            chosen = slice(part, part + _AT_ONCE)
            rows[chosen, 0] = 1.0 - _distances(encoded.vectors[0], bags, hypotheses[chosen], references[chosen])
        empty = np.isnan(rows[:, 0])
        if self.empty == "error" and empty.any():
            self._refuse_empty(segments, bags)
        rows[empty, 0] = self.empty == "one"
        return rows

    def _refuse_empty(self, segments: Segments, bags: Bags) -> None:
        distinct, encoded = self._texts(segments)
        full = np.diff(bags.offsets) > 0
        mine, theirs = full[: len(encoded)], full[-len(encoded) :]
        sides = ("predictions", distinct.hypotheses, mine), ("references", distinct.references, theirs)
        for name, texts, filled in sides:
            for index in np.flatnonzero(~filled[texts]).tolist():
                raise InputError.at(self._label, name, index, " has no token with a weight.")

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 1]
        return {"moverscore": self.scale * ratio(statistics[..., 0], segments), "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of texts that were cut or whose tokens have no weight."""
        if self.model is None or not len(segments):
            return []
        distinct, encoded = self._texts(segments)
        hints = self._long_hints(distinct, encoded)
        hints += unknown_hints(self._label, self.model.encoder, distinct.texts, segments)
        fitted = self if self._is_fitted else self.fit(segments)
        hypotheses, references, _, bags = fitted._weighted(segments)
        full = np.diff(bags.offsets) > 0
        if empty := int((~(full[hypotheses] & full[references])).sum()):
            pairs = "pair has" if empty == 1 else "pairs have"
            counted = "1, as if nothing moved" if self.empty == "one" else "0"
            hints.append(
                f"{self._label}: {empty} {pairs} a text of which no token has a weight, so that nothing was read: "
                f"each counts as {counted}; empty='{'zero' if self.empty == 'one' else 'one'}' changes that, and "
                "empty='error' refuses it."
            )
        return hints

    _variants: ClassVar = {
        "moverscore": Variant(
            "moverscore",
            "word_mover_score() of moverscore_v2 with weights of 1, which cuts long texts off without a word",
            {"too_long": "cut", "empty": "one"}, live="moverscore.moverscore",
        ),
        "moverscore-idf": Variant(
            "moverscore", "the same with get_idf_dict() of the hypotheses and of the references",
            {"too_long": "cut", "empty": "one", "idf": True}, live="moverscore.moverscore", options={"idf": True},
        ),
    }  # fmt: skip


def _bags(offsets: Indices, weights: Floats) -> Bags:
    """The tokens with a weight as bags: all weights are 0 or 1, or each text has the same mass, rounded to its units.

    Examples
    --------
    >>> _bags(np.array([0, 2, 3]), np.array([1.0, 0.0, 1.0]))
    Bags(offsets=array([0, 1, 2]), rows=array([0, 2]), counts=array([1, 1]))
    >>> _bags(np.array([0, 2]), np.array([0.3, 0.1])).counts / _WHOLE
    array([0.75, 0.25])
    """
    rows = np.flatnonzero(weights > 0)
    limits = np.searchsorted(rows, offsets)
    if ((weights == 0) | (weights == 1)).all():
        return Bags(limits, rows, np.ones(len(rows), np.int64))
    counts = np.zeros(len(rows), np.int64)
    for start, stop in _filled(limits):
        hypotheses = weights[rows[start:stop]]
        parts = np.maximum(1, np.round(hypotheses / hypotheses.sum() * _WHOLE)).astype(np.int64)
        parts[hypotheses.argmax()] += _WHOLE - parts.sum()
        counts[start:stop] = parts
    return Bags(limits, rows, counts)


def _filled(limits: Indices) -> Iterator[tuple[int, int]]:
    """The limits of each bag with an entry."""
    return ((a, b) for a, b in zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True) if a < b)


def _distances(vectors: NDArray[np.float32], bags: Bags, hypotheses: Indices, references: Indices) -> Floats:
    """The distance of each pair between unit vectors, NaN where a bag is empty. Only the pairs' vectors are copied."""
    texts, places = np.unique(np.concatenate([hypotheses, references]), return_inverse=True)
    ranges = zip(bags.offsets[texts], bags.offsets[texts + 1], strict=True)
    entries = np.concatenate([np.arange(start, stop) for start, stop in ranges])
    rows, names = np.unique(bags.rows[entries], return_inverse=True)
    units = unit_vectors(vectors[rows].astype(np.float64))
    offsets = np.concatenate([[0], np.cumsum(np.diff(bags.offsets)[texts])])
    part = Bags(offsets, names.astype(np.int64), bags.counts[entries])
    places = places.astype(np.int64)
    return transport_costs(units, part, places[: len(hypotheses)], places[len(hypotheses) :])[:, 0]
