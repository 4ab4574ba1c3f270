"""FactCC on the vectors of an encoder: how claims become rows of tokens, the training, and what it reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features, Tokens
from metrologue.learned.measuring import held_out_by
from metrologue.learned.recipes import Asked, described
from metrologue.learned.rivals import rival_scores
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.store import vector_store
from metrologue.scorers.factcc.examples import ClaimExamples
from metrologue.scorers.factcc.network import ClaimNetwork
from metrologue.scorers.factcc.training import ClaimRows, ClaimTrainer, units

__all__ = ["TokenRows", "token_rows", "train_factcc"]

Span = tuple[int, int]


class TokenRows:
    """The vectors of the tokens of texts, and where the tokens are; marks such as [CLS] are left out.

    Parameters
    ----------
    encoder : Encoder
    layer : int
    texts : sequence of str
    """

    def __init__(self, encoder: Any, layer: int, texts: Sequence[str]) -> None:
        distinct = [*dict.fromkeys(texts)]
        found = vector_store().tokens(encoder, distinct, (layer,))
        self.vectors: dict[str, np.ndarray] = {}
        self.spans: dict[str, np.ndarray] = {}
        self.left_out: dict[str, int] = {}
        for place, text in enumerate(distinct):
            part = found.part(place, place + 1)
            self.vectors[text] = part.vectors[0][part.counted]
            spans = part.spans[part.counted]
            self.spans[text] = spans if spans.any() else _looked_for(text, encoder.tokens(text), len(spans))
            self.left_out[text] = int(part.left_out[0])

    def place(self, text: str, span: Span) -> Span:
        """The first and the last token that a span of characters touches; (-1, -1) for none."""
        touched = np.flatnonzero((self.spans[text][:, 0] < span[1]) & (self.spans[text][:, 1] > span[0]))
        return (int(touched[0]), int(touched[-1])) if len(touched) else (-1, -1)


def _looked_for(text: str, tokens: Sequence[str], count: int) -> np.ndarray:
    """Where tokens stand in a text, one after another, whatever their case."""
    spans, end, low = np.zeros((count, 2), np.int64), 0, text.lower()
    for row, token in enumerate(tokens[:count]):
        start = low.find(token.lower(), end)
        if start >= 0:
            end = start + len(token)
            spans[row] = start, end
    return spans


def token_rows(encoder: Any, layer: int, examples: ClaimExamples) -> ClaimRows:
    """Claims as a network reads them.

    Raises
    ------
    InputError
        If a claim or a source has no tokens.
    """
    sources = [own[0] for own in examples.references]
    texts = TokenRows(encoder, layer, [*examples.predictions, *sources])
    for name, column in (("predictions", examples.predictions), ("references", sources)):
        for row, text in enumerate(column):
            if not len(texts.vectors[text]):
                raise InputError.at("train", name, row, " has no tokens; a claim and its source need some.")
    vectors = {text: units(each) for text, each in texts.vectors.items()}
    return ClaimRows(
        [vectors[text] for text in examples.predictions],
        [vectors[text] for text in sources],
        examples.targets,
        np.array([texts.place(*each) for each in zip(examples.predictions, examples.errors, strict=True)], np.int64),
        np.array([texts.place(*each) for each in zip(sources, examples.supports, strict=True)], np.int64),
    )


def scores_of(network: ClaimNetwork, rows: ClaimRows) -> Floats:
    """The probability of each claim, (n,)."""
    return np.array([network(*pair).right for pair in zip(rows.claims, rows.sources, strict=True)])


def train_factcc(examples: Examples, asked: Asked) -> TrainedModel:
    """A model of FactCC, from claims with labels."""
    examples.check_varied()
    trainer = asked.trainer or ClaimTrainer()
    if not isinstance(trainer, ClaimTrainer):
        raise InputError("train: factcc has a network of its own; leave the trainer out.")
    if len(asked.encoders) != 1:
        raise InputError(f"train: factcc reads the tokens of one encoder, and {len(asked.encoders)} are given.")
    part = Tokens.of(asked.encoders[0])
    layer = _layer(part.encoder.encoder.layers, trainer.layer)
    own = ClaimExamples.of(examples)
    rows = token_rows(part.encoder.encoder, layer, own)
    report: dict[str, Any] = {"trainer": trainer.about, "data": described(own)}
    if asked.measure:
        report["held_out"] = _held_out(trainer, part, layer, own, rows, asked).to_dict()
    run = {"checkpoint": asked.checkpoint, "hidden_bar": asked.hidden_bar}
    return TrainedModel("factcc", Features((part,)), trainer.fit(rows, layer, own.groups, **run), report)


def _layer(last: int, asked: int | None) -> int:
    """The layer that is read."""
    layer = round(last * 2 / 3) if asked is None else asked
    if not 0 <= layer <= last:
        raise InputError(f"train: the encoder has the layers 0 to {last}, and no layer {layer}.")
    return layer


def _held_out(
    trainer: ClaimTrainer, part: Tokens, layer: int, examples: ClaimExamples, rows: ClaimRows, asked: Asked
) -> Any:
    """What is reached on texts that are held out, beside the best trivial rival."""
    encoder, features = part.encoder.encoder, Features((part,))
    rivals = rival_scores(examples, features)
    if asked.test is not None:
        test = ClaimExamples.of(asked.test)
        more, theirs = token_rows(encoder, layer, test), rival_scores(test, features)
        rows = ClaimRows(
            [*rows.claims, *more.claims],
            [*rows.sources, *more.sources],
            *(np.concatenate([getattr(rows, name), getattr(more, name)]) for name in ("labels", "errors", "supports")),
        )
        rivals = {name: np.concatenate([scores, theirs[name]]) for name, scores in rivals.items()}

    def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
        groups = None
        if examples.groups is not None:
            groups = [examples.groups[row] for row in training]
        return scores_of(trainer.fit(rows.take(training), layer, groups), rows.take(scored))

    return held_out_by(learner, rivals, examples, seed=asked.seed, test=asked.test)
