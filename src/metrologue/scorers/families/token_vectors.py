"""What metrics of the vectors of tokens in their context have in common: the encoder, its layer, and the idf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.representations.base import TokenVectors
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Encoded, Fitted
from metrologue.scorers.core.crossed import Distinct, distinct_texts, of_texts
from metrologue.scorers.core.options import Choice, choices_of, of_long_texts, option
from metrologue.scorers.core.shapes import PairScorer
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

Number = TypeVar("Number", bound=np.floating[Any])


def inverse_frequency(texts: Floats, frequency: Floats) -> Floats:
    """The weight of a type of tokens: ln((M + 1) / (m + 1)), if m of M texts have it.

    Examples
    --------
    >>> inverse_frequency(np.array(3.0), np.array([3.0, 1.0, 0.0])).round(6)
    array([0.      , 0.693147, 1.386294])
    """
    return np.log((texts + 1) / (frequency + 1))


def frequencies(encoded: TokenVectors, texts: NDArray[np.int64]) -> dict[str, Any]:
    """How many of some texts have each type of tokens; `texts` has the number of each, which may come again."""
    times = np.bincount(texts, minlength=len(encoded))
    of_token = np.repeat(np.arange(len(encoded)), np.diff(encoded.offsets))
    types = np.unique(np.column_stack([encoded.ids, of_token]), axis=0)
    ids, places = np.unique(types[:, 0], return_inverse=True)
    frequency = np.bincount(places, times[types[:, 1]], len(ids))
    seen = frequency > 0
    return {
        "ids": ids[seen],
        "frequency": frequency[seen].astype(np.float64),
        "texts": np.array([float(len(texts))]),
    }


def weights_by(table: Resource, ids: NDArray[np.int64]) -> Floats:
    """The weight of each token by a table of `frequencies`, (tokens,)."""
    known, frequency = np.append(table.table["ids"], -1), np.append(table.table["frequency"], 0.0)  # -1: not in it
    places = np.searchsorted(known[:-1], ids)
    return inverse_frequency(table.table["texts"][0], np.where(known[places] == ids, frequency[places], 0.0))


def unit_vectors(vectors: NDArray[Number]) -> NDArray[Number]:
    """The vectors (n, width) divided by their lengths; a vector of zeros stays as it is.

    Examples
    --------
    >>> unit_vectors(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths[lengths == 0] = 1  # a division with a mask takes five times as long
    units: NDArray[Number] = vectors / lengths
    return units


@dataclass(frozen=True, kw_only=True)
class TokenVectorScorer(PairScorer, Fitted, Encoded):
    """A metric of the vectors that an encoder gives the tokens of two texts."""

    about: ClassVar = About(one_call=True)

    # fmt: off
    model: NamedEncoder | None = option(
        None, stage="read", choice="encoder", kind="encoder",
        about="The encoder: a folder with a model of transformers, a name on the Hub, a file of word vectors, a "
        "loaded ``(model, tokenizer)``, an ``Encoder``, or the name of one in use, as a signature has it. There is no "
        "score without one.",
    )
    too_long: str = of_long_texts()
    layer: int | None = option(
        None, stage="pairs", choice="layer",
        about="The layer that gives the vectors; 0 is below the first one. None: the last.",
    )
    idf: bool = option(
        False, stage="pairs", choice="idf", about="Whether a token's weight is its inverse document frequency, or 1."
    )
    document_frequency: Resource | None = option(
        None, stage="pairs", choice="idf", kind="fitted",
        about="The references that have each type of token, as ``fit`` counts them. None: they come from the "
        "references that are scored. It has no effect without `idf`.",
    )
    # fmt: on

    def _default_layer(self, encoder: Any) -> int:
        """The layer of an encoder that is meant if none is given."""
        return int(encoder.layers)

    def _derive(self) -> None:
        if self.model is not None and self.layer is None:
            self._set_field(layer=self._default_layer(self.model.encoder))

    def _check_together(self) -> None:
        if self.model is not None:
            if not hasattr(self.model.encoder, "encode_tokens"):
                raise InputError(
                    f"{self._label}: {self.model} gives no vectors of tokens; an encoder of tokens is expected."
                )
            self._check("layer", self._has_layer(self.model), f"an int from 0 to {self.model.encoder.layers}")

    def _has_layer(self, model: NamedEncoder) -> bool:
        return self.layer is not None and self.layer <= model.encoder.layers

    @cached_property
    def _is_fitted(self) -> bool:
        return not self.idf or super()._is_fitted

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        distinct, encoded = self._texts(segments)
        if len(encoded.ids) and (encoded.ids == -1).all():
            raise InputError(
                f"{self._label}: {self.model} does not say which tokens are of one type, so there is no idf."
            )
        return {"document_frequency": frequencies(encoded, distinct.references)}

    def _encoder(self) -> Any:
        if self.model is None:
            raise InputError(
                f"{self._label}: `model` is missing; give a folder with a model of transformers, its name on the Hub, "
                "or an Encoder."
            )
        return self.model.encoder

    def _texts(self, segments: Segments) -> tuple[Distinct, TokenVectors]:
        """The texts of some segments, or all texts of a call of ``pairwise``, and the vectors of their tokens."""
        encoder, layer = self._encoder(), self.layer or 0

        def make() -> tuple[Distinct, TokenVectors]:
            distinct = distinct_texts(segments)
            encoded = vector_store().tokens(encoder, distinct.texts, (layer,))
            if self.too_long == "error":
                self._refuse_long(distinct, encoded)
            return distinct, encoded

        return of_texts(segments, ("vectors", self.model, self.too_long, layer), make)

    def _refuse_long(self, distinct: Distinct, encoded: TokenVectors) -> None:
        place = distinct.first(encoded.left_out > 0)
        if place is None:
            return
        name, index = place
        text = (distinct.hypotheses if name == "predictions" else distinct.references)[index]
        held = int(encoded.offsets[text + 1] - encoded.offsets[text])
        what = (
            f" has {held + int(encoded.left_out[text])} tokens; the model's context is {held}. Give "
            'too_long="cut" to leave its end out.'
        )
        raise InputError.at(self._label, name, index, what)

    def _share_encoding(self, other: Any, segments: Segments) -> None:
        """Encode the texts on the layers of both scorers in one run of the model."""
        if self.model is not None and self.model == other.model and self.layer != other.layer:
            texts = distinct_texts(segments).texts
            vector_store().tokens(self.model.encoder, texts, sorted((self.layer or 0, other.layer or 0)))

    def _choices_beside(self, other: Any) -> tuple[Choice, ...]:
        """The choices; encoder and layer are one if an encoder lacks the layer of the other."""
        choices = choices_of(type(self))
        models = [each.model for each in (self, other) if each.model is not None]
        if all(each._has_layer(model) for each in (self, other) for model in models):
            return choices
        both = Choice("encoder", ("model", "layer"), "read")
        return (both, *(choice for choice in choices if choice.name not in ("encoder", "layer")))

    def _used_texts(self, distinct: Distinct) -> NDArray[np.int64]:
        """The texts that are hypotheses or references, each once."""
        return np.unique(np.concatenate([distinct.hypotheses, distinct.references]))

    def _long_hints(self, distinct: Distinct, encoded: TokenVectors) -> list[str]:
        """A warning that counts the texts that were cut."""
        cut = int((encoded.left_out[self._used_texts(distinct)] > 0).sum())
        have = "text is" if cut == 1 else "texts are"
        told = f"{self._label}: {cut} {have} longer than the model's context; what comes after it was left out."
        return [told] * bool(cut)
