"""Training a metric: features, a trainer, what it reaches on held-out texts, and the model."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from metrologue.errors import InputError, instead_of, shown
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.learned.measuring import held_out
from metrologue.learned.pairs import fit_pairs, held_out_pairs, pairs_of, vectors_of
from metrologue.learned.store import TrainedModel
from metrologue.learned.training import MeanOfZScores, Mlp, PairClassifier, Ridge, Trainer

__all__ = ["RECIPES", "Recipe", "recipe_of", "train"]


@dataclass(frozen=True)
class Recipe:
    """What a metric is trained from.

    Attributes
    ----------
    about : str
    trainer : callable
        Makes the trainer of the paper, or the usual one.
    encoders, scores : bool
        Whether its features are those of encoders, and of other metrics.
    labels : bool or None
        Whether its targets are labels; None: either.
    """

    about: str
    trainer: Callable[[], Any]
    encoders: bool = False
    scores: bool = False
    labels: bool | None = None


RECIPES: Mapping[str, Recipe] = {
    "comparator": Recipe("sentence vectors of one encoder or several", PairClassifier, encoders=True, labels=False),
    "composite": Recipe("the scores of other metrics, and perhaps vectors", Ridge, encoders=True, scores=True),
    "nneval": Recipe(
        "the scores of other metrics", partial(Mlp, hidden=(72, 72), head="classes"), scores=True, labels=True
    ),
    "ruse": Recipe("sentence vectors of one encoder or several", Ridge, encoders=True, labels=False),
}


def train(
    metric: str,
    examples: Examples,
    *,
    encoders: Sequence[Any] = (),
    scores: Sequence[Any] = (),
    trainer: Trainer | PairClassifier | None = None,
    test: Examples | None = None,
    measure: bool = True,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    hidden_bar: bool = True,
) -> TrainedModel:
    """A trained model of a metric, with what it reaches on texts that were held out.

    Parameters
    ----------
    metric : str
        One of ``RECIPES``.
    examples : Examples
    encoders : sequence of encoder, path or name
    scores : sequence of Scorer or str
        Metrics whose numbers are features.
    trainer : Trainer, optional
        By default that of the metric's recipe.
    test : Examples, optional
        What is held out. By default each group is held out in turn, and the model is then trained on all of them.
    measure : bool
        Whether anything is held out at all. A model without that has no figures in its card.
    seed : int
    checkpoint : path, optional
        A file from which a training that was ended goes on, for networks that are trained step by step.
    hidden_bar : bool

    Raises
    ------
    InputError
        If there is no such metric, it takes no such features, all targets are equal, or the test overlaps the training.

    Examples
    --------
    >>> from metrologue.learned import NgramEncoder, read_examples
    >>> from metrologue.learned.store import SAMPLE
    >>> model = train("ruse", read_examples(SAMPLE), encoders=[NgramEncoder(16)], measure=False)
    >>> model.metric, model.network.shape
    ('ruse', '64-1')
    """
    recipe = recipe_of(metric)
    _check_features(metric, recipe, encoders, scores)
    examples.check_varied()
    if recipe.labels is not None and examples.labels != recipe.labels:
        wanted, given = ("labels", "ratings") if recipe.labels else ("ratings", "labels")
        raise InputError(f"train: {metric} learns from {wanted}, and the examples have {given}.")
    if metric == "nneval":
        examples = examples.without_own_references()
    features = Features.of(encoders, scores).fitted(examples.segments)
    if metric == "comparator":
        return _comparator(features, examples, trainer or recipe.trainer(), test, measure, seed, checkpoint, hidden_bar)
    rows = features.of_segments(examples.segments)
    if isinstance(trainer, PairClassifier):
        raise InputError(f"train: a classifier of pairs is for the comparator, not for {metric}.")
    chosen = _signed(trainer or recipe.trainer(), features)
    report: dict[str, Any] = {"trainer": chosen.about, "data": _described(examples)}
    if measure:
        report["held_out"] = held_out(chosen, features, examples, rows=rows, seed=seed, test=test).to_dict()
    network = chosen.fit(rows, examples.targets, examples.groups, checkpoint=checkpoint, hidden_bar=hidden_bar)
    return TrainedModel(metric, features, network, report)


def _comparator(
    features: Features,
    examples: Examples,
    trainer: Any,
    test: Examples | None,
    measure: bool,
    seed: int,
    checkpoint: str | os.PathLike[str] | None,
    hidden_bar: bool,
) -> TrainedModel:
    """A model that compares two texts of a group."""
    if not isinstance(trainer, PairClassifier):
        raise InputError("train: the comparator has a classifier of pairs; leave the trainer out.")
    if test is not None:
        raise InputError("train: the comparator is measured on groups that are held out; leave the test out.")
    pairs = pairs_of(examples, seed=seed)
    report: dict[str, Any] = {"trainer": trainer.about, "data": {**_described(examples), "pairs": len(pairs)}}
    if measure:
        report["held_out"] = held_out_pairs(trainer, features, examples, seed=seed).to_dict()
    x = vectors_of(features, examples)
    network = fit_pairs(trainer, x, pairs, np.arange(len(pairs)), checkpoint=checkpoint, hidden_bar=hidden_bar)
    return TrainedModel("comparator", features, network, report)


def recipe_of(metric: str) -> Recipe:
    """The recipe of a metric. Raises an InputError if there is none of that name."""
    if metric not in RECIPES:
        raise InputError(f"train: {shown(metric)} is not trained; {instead_of(metric, RECIPES)}")
    return RECIPES[metric]


def _check_features(metric: str, recipe: Recipe, encoders: Sequence[Any], scores: Sequence[Any]) -> None:
    for name, given, taken in (("encoders", encoders, recipe.encoders), ("metrics", scores, recipe.scores)):
        if len(given) and not taken:
            raise InputError(f"train: {metric} takes no {name}; it reads {recipe.about}.")
    if not len(encoders) and not len(scores):
        wanted = " or ".join(["encoders"] * recipe.encoders + ["metrics"] * recipe.scores)
        raise InputError(f"train: {metric} reads {recipe.about}; give {wanted}.")


def _signed(trainer: Trainer, features: Features) -> Trainer:
    """The trainer; a mean of z-scores knows of which features lower is better."""
    if isinstance(trainer, MeanOfZScores) and not trainer.signs:
        if features.encoders:
            raise InputError("train: vectors have no z-scores that could be added; give metrics.")
        return replace(trainer, signs=tuple(part.sign for part in features.scores))
    return trainer


def _described(examples: Examples) -> dict[str, Any]:
    """What the card says of the data. The digest does not depend on the order of the rows."""
    rows = sorted(
        json.dumps([text, own, target])
        for text, own, target in zip(examples.predictions, examples.references, examples.targets.tolist(), strict=True)
    )
    return {
        "rows": len(examples),
        "groups": len({*(examples.groups or map(repr, examples.references))}),
        "labels": examples.labels,
        "least": float(np.min(examples.targets)),
        "greatest": float(np.max(examples.targets)),
        "digest": hashlib.sha256("\n".join(rows).encode()).hexdigest()[:12],
    }
