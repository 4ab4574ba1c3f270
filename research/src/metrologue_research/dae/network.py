"""The classifier of DAE: how probably a dependency arc of a text follows from its source, by vectors of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.base import Encoder
from metrologue.representations.parses.columns import Indices, Parses
from metrologue.representations.store import vector_store
from metrologue_research.dae.arcs import Arcs
from metrologue_research.dae.examples import spans_of

_RELATIONS = 32  # places of the relations, which their CRC-32 gives
_SHARPNESS = 20.0  # of the softmax over the cosines with the words of the source
_NEAR = (1.0, 3.0, 9.0)  # distances, in tokens of the source


class Encoded(NamedTuple):
    """The tokens of a text: vectors of length 1 or 0, (tokens, width), and where they end and begin, in characters."""

    vectors: Floats
    spans: Indices

    def at(self, words: Indices) -> Floats:
        """The vector of the first token of each word, given by spans (m, 2); zeros if no token is there."""
        found = np.zeros((len(words), self.vectors.shape[1]))
        places = np.searchsorted(self.spans[:, 1], words[:, 0], "right")
        inside = np.flatnonzero(places < len(self.spans))
        inside = inside[self.spans[places[inside], 0] < words[inside, 1]]
        found[inside] = self.vectors[places[inside]]
        return found


def encoded(encoder: Encoder, texts: Sequence[str]) -> list[Encoded]:
    """The tokens of each text that it has itself, on the encoder's last layer.

    Raises an InputError if the encoder gives no vectors of tokens, or does not say where they stand.
    """
    if not callable(getattr(encoder, "encode_tokens", None)):
        raise InputError(f"{encoder.name} gives no vectors of tokens, which DAE needs; give another encoder.")
    made = vector_store().tokens(encoder, texts, (encoder.layers,))
    return [_of_text(encoder, text, made.part(at, at + 1)) for at, text in enumerate(texts)]


def _of_text(encoder: Encoder, text: str, made: Any) -> Encoded:
    own = made.counted
    vectors, spans = made.vectors[0][own].astype(np.float64), made.spans[own]
    if len(spans) and not spans.any():
        spans = _spelled(encoder, text, len(spans))
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return Encoded(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0), spans)


def _spelled(encoder: Encoder, text: str, count: int) -> Indices:
    """Where the tokens stand in their text, by their spelling, for an encoder that does not say it."""
    tokens, spans, end = encoder.tokens(text), np.zeros((count, 2), np.int64), 0
    lowered = text.lower() if len(text.lower()) == len(text) else text
    for row, token in enumerate(tokens if len(tokens) == count else ()):
        places = [place for each in (text, lowered) if (place := each.find(token, end)) >= 0]
        if places:
            end = min(places) + len(token)
            spans[row] = end - len(token), end
        else:
            spans[row] = end
    if not spans.any():
        raise InputError(f"{encoder.name} does not say where the tokens of {shown(text)} stand; give another encoder.")
    return spans


def arc_features(
    own: Encoded, source: Encoded, children: Indices, heads: Indices, relations: Sequence[str], found: Floats
) -> Floats:
    """What the network reads of each arc of a text: float64 (arcs, 4 * width + 6 + 32).

    These are the vectors of both words; their distances, in each place, from what the source has like them, a mean of
    its tokens weighted by a softmax of the cosines; both greatest cosines; how near to each other, in tokens, both
    words stand in the source, at three scales; whether the source's parse has the arc; and the relation.

    Parameters
    ----------
    children, heads : int64 (arcs, 2)
        The spans of the words.
    found : float64 (arcs,)
        1 if the source's parse has the arc, otherwise 0.
    """
    words, numbers, weights = [], [], []
    for spans in (children, heads):
        vectors = own.at(spans)
        cosines = vectors @ source.vectors.T
        shares = np.exp(_SHARPNESS * (cosines - 1.0))
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
        words += [vectors, np.abs(vectors - shares @ source.vectors)]
        numbers.append(cosines.max(axis=1, initial=-1.0))
        weights.append(shares)
    apart = np.abs(np.subtract.outer(np.arange(len(source.spans)), np.arange(len(source.spans))))
    numbers += [((weights[0] @ np.exp(-apart / scale)) * weights[1]).sum(axis=1) for scale in _NEAR]
    kinds = np.zeros((len(children), _RELATIONS))
    kinds[np.arange(len(children)), [crc32(name.encode()) % _RELATIONS for name in relations]] = 1.0
    return np.column_stack([*words, *numbers, found, kinds])


def probabilities(
    model: TrainedModel, texts: Sequence[str], parses: Parses, arcs: Arcs, own: Indices, its: Indices, found: Floats
) -> Floats:
    """How probably each arc of a text follows from another text, for pairs of texts given by their places.

    `found`, float64 (arcs of all pairs,), is whether the other text's parse has each arc.
    """
    known, start, values = encoded(model.features.encoders[0].encoder, texts), 0, [np.zeros(0)]
    for one, other in zip(own.tolist(), its.tolist(), strict=True):
        stop = start + int(arcs.counts[one])
        if stop > start:
            rows = arc_features(known[one], known[other], *spans_of(parses, arcs, one), found[start:stop])
            if rows.shape[1] != model.layers.width:
                raise InputError(f"{model.name}: its network reads {model.layers.width} numbers, not {rows.shape[1]}.")
            values.append(model.layers(rows)[:, -1])
        start = stop
    return np.concatenate(values)
