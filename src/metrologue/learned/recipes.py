"""Training a metric: features, a trainer, what it reaches on held-out texts, and the model."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from metrologue.errors import InputError, instead_of, shown
from metrologue.hub_names import told_of_hub_name
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.learned.finished import check_same_data, measuring_file
from metrologue.learned.measuring import held_out
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training import MeanOfZScores, Mlp, PairClassifier, Ridge, Trainer

__all__ = [
    "RECIPES",
    "Asked",
    "Recipe",
    "described",
    "function_of",
    "recipe_of",
    "train",
    "train_captions",
    "train_rows",
]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What somebody asks of a training; see ``train``."""

    metric: str
    encoders: Sequence[Any] = ()
    scores: Sequence[Any] = ()
    trainer: Any = None
    test: Examples | None = None
    measure: bool = True
    seed: int = 0
    checkpoint: str | os.PathLike[str] | None = None
    hidden_bar: bool = True


@dataclass(frozen=True)
class Recipe:
    """What a metric is trained from.

    Attributes
    ----------
    about : str
        What it reads.
    trainer : callable
        Makes the trainer of the paper, or the usual one.
    encoders, scores : bool
        Whether it reads the vectors of encoders, and the scores of other metrics.
    labels : bool or None
        Whether its targets are labels; None: either.
    made : str
        The function that trains it, "module:function", from examples and an ``Asked``.
    reader : str, optional
        The function that reads its data from a file, "module:function". By default ``read_examples``.
    needs_features : bool
        Whether there must be encoders or scores.
    trainers : mapping of str to callable
        Its own trainers, by their names on the command line, beside ``TRAINERS``.
    """

    about: str
    trainer: Callable[[], Any]
    encoders: bool = False
    scores: bool = False
    labels: bool | None = None
    made: str = "metrologue.learned.recipes:train_rows"
    reader: str = "metrologue.learned.examples:read_examples"
    needs_features: bool = True
    trainers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)


RECIPES: Mapping[str, Recipe] = {
    "apes": Recipe(
        "texts and questions alone",
        lambda: function_of("metrologue.scorers.apes.network:ReaderTrainer")(),
        made="metrologue.scorers.apes.network:train_apes",
        reader="metrologue.scorers.apes.examples:read_cloze_examples",
        needs_features=False,
    ),
    "adem": Recipe(
        "sentence vectors of one encoder, of responses, references and perhaps contexts",
        lambda: function_of("metrologue.scorers.adem.network:Bilinear")(),
        encoders=True,
        labels=False,
        made="metrologue.scorers.adem.network:train_adem",
    ),
    "bleurt": Recipe(
        "a transformer that is trained further, and metrics whose scores it learns first",
        lambda: function_of("metrologue.scorers.bleurt.training:BleurtTrainer")(),
        encoders=True,
        scores=True,
        labels=False,
        made="metrologue.scorers.bleurt.training:train_bleurt",
    ),
    "compact_reward": Recipe(
        "the vectors of the references by one encoder or several",
        lambda: function_of("metrologue.scorers.compact_reward.training:RewardTrainer")(),
        encoders=True,
        labels=True,
        made="metrologue.scorers.compact_reward.training:train_reward",
        reader="metrologue.scorers.compact_reward.training:read_captions",
    ),
    "comparator": Recipe(
        "sentence vectors of one encoder or several",
        PairClassifier,
        encoders=True,
        labels=False,
        made="metrologue.scorers.comparator.training:train_comparator",
    ),
    "composite": Recipe("the scores of other metrics, and perhaps vectors", Ridge, encoders=True, scores=True),
    "dae": Recipe(
        "the vectors of the tokens of one encoder",
        partial(Mlp, hidden=(64,), head="classes"),
        encoders=True,
        labels=True,
        made="metrologue.scorers.dae.network:train_dae",
        reader="metrologue.scorers.dae.examples:read_arc_examples",
    ),
    "esim": Recipe(
        "the tokens' vectors of one encoder",
        lambda: function_of("metrologue.scorers.esim.training:Matching")(),
        encoders=True,
        labels=False,
        made="metrologue.scorers.esim.training:train_esim",
    ),
    "factcc": Recipe(
        "the vectors of the tokens of one encoder",
        lambda: function_of("metrologue.scorers.factcc.training:ClaimTrainer")(),
        encoders=True,
        labels=True,
        made="metrologue.scorers.factcc.model:train_factcc",
        reader="metrologue.scorers.factcc.examples:read_claims",
    ),
    "fined_eval": Recipe(
        "sentence vectors of one encoder or several, of each turn and of the turn before it",
        lambda: function_of("metrologue.scorers.fined_eval.training:FinedTrainer")(),
        encoders=True,
        made="metrologue.scorers.fined_eval.training:train_fined",
        reader="metrologue.scorers.fined_eval.examples:read_dialogue_pairs",
        trainers={
            "multitask": lambda: function_of("metrologue.scorers.fined_eval.training:FinedTrainer")(),
            "ensemble": lambda: function_of("metrologue.scorers.fined_eval.training:FinedTrainer")(form="ensemble"),
        },
    ),
    "nneval": Recipe(
        "the scores of other metrics",
        partial(Mlp, hidden=(72, 72), head="classes"),
        scores=True,
        labels=True,
        made="metrologue.learned.recipes:train_captions",
    ),
    "perception_score": Recipe(
        "sentence vectors of one encoder or several",
        lambda: function_of("metrologue.scorers.perception_score.training:PerceptionTrainer")(),
        encoders=True,
        labels=True,
        made="metrologue.scorers.perception_score.training:train_perception",
        reader="metrologue.scorers.perception_score.training:read_texts",
    ),
    "ruber": Recipe(
        "sentence vectors of one encoder or several, of a response and of the turn before it",
        partial(Mlp, hidden=(64,), head="classes"),
        encoders=True,
        labels=True,
        reader="metrologue.learned.exchanges:read_exchanges",
    ),
    "ruse": Recipe("sentence vectors of one encoder or several", Ridge, encoders=True, labels=False),
}


def train(
    metric: str,
    examples: Any,
    *,
    encoders: Sequence[Any] = (),
    scores: Sequence[Any] = (),
    trainer: Any = None,
    test: Any = None,
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
        Or what the metric's own reader gives.
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
        A file from which a training that was ended goes on, for networks that are trained step by step. A file beside
        it has the scores of the parts that were held out so far.
    hidden_bar : bool

    Raises
    ------
    InputError
        If there is no such metric, it takes no such features, all targets are equal, the test overlaps the training,
        or the training of the checkpoint was begun with other examples.

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
    if recipe.labels is not None and examples.labels != recipe.labels:
        wanted, given = ("labels", "ratings") if recipe.labels else ("ratings", "labels")
        raise InputError(f"train: {metric} learns from {wanted}, and the examples have {given}.")
    if checkpoint is not None:
        check_same_data(checkpoint, examples)
    asked = Asked(
        metric=metric, encoders=encoders, scores=scores, trainer=trainer, test=test, measure=measure, seed=seed,
        checkpoint=checkpoint, hidden_bar=hidden_bar,
    )  # fmt: skip
    made: TrainedModel = function_of(recipe.made)(examples, asked)
    return made


def train_rows(examples: Examples, asked: Asked) -> TrainedModel:
    """A network that reads a row of features of each text."""
    examples.check_varied()
    features = Features.of(asked.encoders, asked.scores).fitted(examples.segments)
    rows = features.of_segments(examples.segments)
    trainer = asked.trainer or recipe_of(asked.metric).trainer()
    if not hasattr(trainer, "fit"):
        raise InputError(f"train: a classifier of pairs is for the comparator, not for {asked.metric}.")
    chosen = _signed(trainer, features)
    report: dict[str, Any] = {"trainer": chosen.about, "data": described(examples)}
    if asked.measure:
        kept = measuring_file(asked.checkpoint)
        found = held_out(chosen, features, examples, rows=rows, seed=asked.seed, test=asked.test, kept=kept)
        report["held_out"] = found.to_dict()
    run = {"checkpoint": asked.checkpoint, "hidden_bar": asked.hidden_bar}
    network = chosen.fit(rows, examples.targets, examples.groups, **run)
    return TrainedModel(asked.metric, features, network, report)


def train_captions(examples: Examples, asked: Asked) -> TrainedModel:
    """The same, where a text of people is not scored with itself as its reference."""
    return train_rows(examples.without_own_references(), asked)


def recipe_of(metric: str) -> Recipe:
    """The recipe of a metric. Raises an InputError if there is none of that name."""
    if metric not in RECIPES:
        told = told_of_hub_name(metric) or instead_of(metric, RECIPES)
        raise InputError(f"train: {shown(metric)} is not trained; {told}")
    return RECIPES[metric]


def function_of(place: str) -> Any:
    """The function of "module:function"."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def _check_features(metric: str, recipe: Recipe, encoders: Sequence[Any], scores: Sequence[Any]) -> None:
    for name, given, taken in (("encoders", encoders, recipe.encoders), ("metrics", scores, recipe.scores)):
        if len(given) and not taken:
            raise InputError(f"train: {metric} takes no {name}; it reads {recipe.about}.")
    if recipe.needs_features and not len(encoders) and not len(scores):
        wanted = " or ".join(["encoders"] * recipe.encoders + ["metrics"] * recipe.scores)
        raise InputError(f"train: {metric} reads {recipe.about}; give {wanted}.")


def _signed(trainer: Trainer, features: Features) -> Trainer:
    """The trainer; a mean of z-scores knows of which features lower is better."""
    if isinstance(trainer, MeanOfZScores) and not trainer.signs:
        if features.encoders:
            raise InputError("train: vectors have no z-scores that could be added; give metrics.")
        return replace(trainer, signs=tuple(part.sign for part in features.scores))
    return trainer


def described(examples: Examples) -> dict[str, Any]:
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
