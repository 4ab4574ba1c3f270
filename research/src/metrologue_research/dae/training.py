"""How the classifier of DAE is trained, on arcs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.features import Features, Tokens
from metrologue.learned.network import Network
from metrologue.learned.recipes import Asked, Recipe, described
from metrologue.learned.rivals import RIVALS
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training import Mlp
from metrologue.representations.base import Encoder
from metrologue_research.dae.examples import ArcExamples, read_arc_examples
from metrologue_research.dae.network import arc_features, encoded


def train_dae(examples: ArcExamples, asked: Asked) -> TrainedModel:
    """The model that these examples make; its rival is the share of the arcs that the source's parse has."""
    if not isinstance(examples, ArcExamples):
        raise InputError("train: dae learns from arcs; metrologue_research.dae.examples makes examples of texts.")
    examples.check_varied()
    if asked.test is not None and not isinstance(asked.test, ArcExamples):
        raise InputError("train: the test of dae has arcs too; metrologue_research.dae.examples makes it.")
    features, trainer = Features((Tokens.of(asked.one_encoder()),)), asked.trainer or RECIPE.trainer()
    if getattr(trainer, "head", "") != "classes":
        raise InputError("train: dae has a classifier of arcs; leave the trainer out, or give Mlp(head='classes').")
    parts = [examples] if asked.test is None else [examples, asked.test]
    arcs = [each for part in parts for each in part.arcs]
    rows = _rows(features.encoders[0].encoder, parts)
    labels = np.array([arc.entailed for own in arcs for arc in own], np.float64)
    offsets = np.cumsum([0, *map(len, arcs)])
    sources = [source for part in parts for (source,) in part.references]

    def fit(chosen: np.ndarray, **run: Any) -> Network:
        places = np.concatenate([np.arange(offsets[row], offsets[row + 1]) for row in chosen])
        groups = [sources[row] for row in chosen for _ in arcs[row]]
        network: Network = trainer.fit(rows[places], labels[places], groups, **run)
        return network

    def score(network: Network, chosen: np.ndarray) -> Floats:
        return np.array([network(rows[offsets[row] : offsets[row + 1]])[:, -1].mean() for row in chosen])

    def rivals() -> dict[str, Floats]:
        scores = {name: np.concatenate([rule(part) for part in parts]) for name, rule in RIVALS.items()}
        return {**scores, "arc overlap": np.array([np.mean([arc.found for arc in own]) for own in arcs])}

    data = {**described(examples), "arcs": sum(map(len, examples.arcs)), "parser": examples.parser or None}
    return asked.model(examples, features, trainer.about, fit, score, rivals, data=data)


RECIPE = Recipe(
    "the vectors of the tokens of one encoder",
    partial(Mlp, hidden=(64,), head="classes"),
    encoders=True,
    labels=True,
    made=train_dae,
    reader=read_arc_examples,
)


def _rows(encoder: Encoder, parts: Sequence[ArcExamples]) -> Floats:
    found = []
    for part in parts:
        texts = [*dict.fromkeys([*part.predictions, *(own for (own,) in part.references)])]
        known = dict(zip(texts, encoded(encoder, texts), strict=True))
        for text, (source,), arcs in zip(part.predictions, part.references, part.arcs, strict=True):
            children, heads = (np.array(own, np.int64) for own in zip(*((a.child, a.head) for a in arcs), strict=True))
            relations, same = [arc.relation for arc in arcs], np.array([arc.found for arc in arcs], np.float64)
            found.append(arc_features(known[text], known[source], children, heads, relations, same))
    return np.vstack(found)
