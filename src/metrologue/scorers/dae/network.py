"""The classifier of DAE: how probably a dependency arc of a text follows from its source, by vectors of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.learned.features import Features, Tokens
from metrologue.learned.measuring import held_out_by
from metrologue.learned.recipes import Asked, described, recipe_of
from metrologue.learned.rivals import RIVALS
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.base import Encoder
from metrologue.representations.parses.columns import Indices, Parses
from metrologue.representations.store import vector_store
from metrologue.scorers.dae.arcs import Arcs
from metrologue.scorers.dae.examples import ArcExamples, spans_of

__all__ = ["arc_features", "encoded", "probabilities", "train_dae"]

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

    Raises
    ------
    InputError
        If the encoder gives no vectors of tokens, or does not say where they stand.
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
    own, source : Encoded
    children, heads : int64 (arcs, 2)
        The spans of the words.
    relations : sequence of str
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
    known, start, values = encoded(_encoder(model.features), texts), 0, [np.zeros(0)]
    for one, other in zip(own.tolist(), its.tolist(), strict=True):
        stop = start + int(arcs.counts[one])
        if stop > start:
            rows = arc_features(known[one], known[other], *spans_of(parses, arcs, one), found[start:stop])
            if rows.shape[1] != model.layers.width:
                raise InputError(f"{model.name}: its network reads {model.layers.width} numbers, not {rows.shape[1]}.")
            values.append(model.layers(rows)[:, -1])
        start = stop
    return np.concatenate(values)


def _encoder(features: Features) -> Encoder:
    if len(features.encoders) != 1:
        raise InputError(f"train: dae reads the tokens of one encoder; {len(features.encoders)} are given.")
    return features.encoders[0].encoder


def train_dae(examples: ArcExamples, asked: Asked) -> TrainedModel:
    """The model that these examples make; its rival is the share of the arcs that the source's parse has."""
    if not isinstance(examples, ArcExamples):
        raise InputError("train: dae learns from arcs; metrologue.scorers.dae.examples makes examples of texts.")
    examples.check_varied()
    if asked.test is not None and not isinstance(asked.test, ArcExamples):
        raise InputError("train: the test of dae has arcs too; metrologue.scorers.dae.examples makes it.")
    features = Features(tuple(Tokens.of(each) for each in asked.encoders))
    encoder, trainer = _encoder(features), asked.trainer or recipe_of("dae").trainer()
    if getattr(trainer, "head", "") != "classes":
        raise InputError("train: dae has a classifier of arcs; leave the trainer out, or give Mlp(head='classes').")
    parts = [examples] if asked.test is None else [examples, asked.test]
    arcs = [own for part in parts for own in part.arcs]
    rows = _rows(encoder, parts)
    labels = np.array([arc.entailed for own in arcs for arc in own], np.float64)
    offsets = np.cumsum([0, *map(len, arcs)])
    sources = [own for part in parts for (own,) in part.references]

    def fitted(chosen: np.ndarray, **run: Any) -> Any:
        places = _places(offsets, chosen)
        groups = [sources[row] for row in chosen for _ in arcs[row]]
        return trainer.fit(rows[places], labels[places], groups, **run)

    def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
        network = fitted(training)
        return np.array([network(rows[offsets[row] : offsets[row + 1]])[:, -1].mean() for row in scored])

    data = {**described(examples), "arcs": sum(map(len, examples.arcs)), "parser": examples.parser or None}
    report: dict[str, Any] = {"trainer": trainer.about, "data": data}
    if asked.measure:
        rivals = {name: np.concatenate([rule(part) for part in parts]) for name, rule in RIVALS.items()}
        rivals["arc overlap"] = np.array([np.mean([arc.found for arc in own]) for own in arcs])
        report["held_out"] = held_out_by(learner, rivals, examples, seed=asked.seed, test=asked.test).to_dict()
    network = fitted(np.arange(len(examples)), checkpoint=asked.checkpoint, hidden_bar=asked.hidden_bar)
    return TrainedModel("dae", features, network, report)


def _rows(encoder: Encoder, parts: Sequence[ArcExamples]) -> Floats:
    """The features of all arcs."""
    found = []
    for part in parts:
        texts = [*dict.fromkeys([*part.predictions, *(own for (own,) in part.references)])]
        known = dict(zip(texts, encoded(encoder, texts), strict=True))
        for text, (source,), arcs in zip(part.predictions, part.references, part.arcs, strict=True):
            children, heads = (np.array(own, np.int64) for own in zip(*((a.child, a.head) for a in arcs), strict=True))
            relations, same = [arc.relation for arc in arcs], np.array([arc.found for arc in arcs], np.float64)
            found.append(arc_features(known[text], known[source], children, heads, relations, same))
    return np.vstack(found)


def _places(offsets: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The rows of the arcs of some texts."""
    return np.concatenate([np.arange(offsets[row], offsets[row + 1]) for row in chosen])
