"""Training a metric: features, a trainer, the model, and its measures on held-out texts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, shown
from metrologue.hub_names import told_of_absent
from metrologue.learned.architectures import Architecture
from metrologue.learned.examples import Examples, both_parts, read_examples
from metrologue.learned.features import Features
from metrologue.learned.finished import check_same_data, measuring_file
from metrologue.learned.measuring import held_out, held_out_by
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training import MeanOfZScores, Trainer
from metrologue.scorers.core.homes import homes, part_of

Kind = TypeVar("Kind")
Network = TypeVar("Network", bound=Architecture)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What somebody asks of a training; see ``train``."""

    metric: str
    encoders: Sequence[Any] = ()
    scores: Sequence[Any] = ()
    trainer: Any = None
    test: Any = None
    measure: bool = True
    seed: int = 0
    checkpoint: str | os.PathLike[str] | None = None
    hidden_bar: bool = True

    @property
    def run(self) -> dict[str, Any]:
        """How the last training is run, as ``descend`` takes it."""
        return {"checkpoint": self.checkpoint, "hidden_bar": self.hidden_bar}

    def trainer_or(self, default: Kind, told: str) -> Kind:
        """The trainer that is given, or the default. An InputError with what is told refuses one of another kind."""
        trainer = self.trainer or default
        if not isinstance(trainer, type(default)):
            raise InputError(f"train: {told}")
        return trainer

    def one_encoder(self, what: str = "tokens") -> Any:
        """The only encoder. Raises an InputError if none or several are given."""
        if len(self.encoders) != 1:
            raise InputError(f"train: {self.metric} reads the {what} of one encoder; {len(self.encoders)} are given.")
        return self.encoders[0]

    def whole(self, examples: Examples) -> Examples:
        """The examples, and after them those of the test."""
        return examples if self.test is None else both_parts(examples, self.test)

    def model(
        self, examples: Examples, features: Features, about: str, fit: Callable[..., Network],
        score: Callable[[Network, np.ndarray], Floats], rivals: Callable[[], Mapping[str, Floats]], *,
        data: Mapping[str, Any] | None = None, settings: str | None = None, more: Mapping[str, Any] | None = None,
    ) -> TrainedModel:  # fmt: skip
        """The model that all examples make; in its report, what models of parts of them reach on the other parts.

        Parameters
        ----------
        about : str
            How it is trained.
        fit : callable
            The network of some rows of ``whole(examples)``. It also takes what ``run`` has.
        score : callable
            A network's scores of rows, (rows,).
        rivals : callable
            The scores of trivial rivals, of all rows.
        data : mapping, optional
            What the card says of the data. By default what ``described`` says.
        settings : str, optional
            What tells the training from others, if the scores of finished parts are kept in a file.
        more : mapping, optional
            What else the report has.
        """

        def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
            return score(fit(training), scored)

        report: dict[str, Any] = {"trainer": about, "data": data or described(examples), **(more or {})}
        if self.measure:
            kept = None if settings is None else measuring_file(self.checkpoint)
            measured = held_out_by(
                learner, rivals(), examples, seed=self.seed, test=self.test, kept=kept, settings=settings or ""
            )
            report["held_out"] = measured.to_dict()
        return TrainedModel(self.metric, features, fit(np.arange(len(examples)), **self.run), report)


def train_rows(examples: Examples, asked: Asked) -> TrainedModel:
    """A network that reads a row of features of each text."""
    examples.check_varied()
    features = Features.of(asked.encoders, asked.scores).fitted(examples.segments)
    rows = features.of_segments(examples.segments)
    trainer = asked.trainer or recipe_of(asked.metric).trainer()
    if not hasattr(trainer, "fit"):
        raise InputError(
            f"train: a classifier of pairs says which of two texts is better, and {asked.metric} rates one."
        )
    trainer = _signed(trainer, features)
    report: dict[str, Any] = {"trainer": trainer.about, "data": described(examples)}
    if asked.measure:
        kept = measuring_file(asked.checkpoint)
        measured = held_out(trainer, features, examples, rows=rows, seed=asked.seed, test=asked.test, kept=kept)
        report["held_out"] = measured.to_dict()
    network = trainer.fit(rows, examples.targets, examples.groups, **asked.run)
    return TrainedModel(asked.metric, features, network, report)


@dataclass(frozen=True)
class Recipe:
    """What a metric is trained from. The module `training` of the metric's home has it as ``RECIPE``.

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
    made : callable
        Makes the model from examples and an ``Asked``.
    reader : callable
        Reads its data from a file.
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
    made: Callable[[Any, Asked], TrainedModel] = train_rows
    reader: Callable[[str | os.PathLike[str]], Any] = read_examples
    needs_features: bool = True
    trainers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)


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
    """Train a model of a metric, and measure it on texts that were held out.

    Parameters
    ----------
    metric : str
        A metric that can be trained, such as "composite".
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
    >>> model = train("composite", read_examples(SAMPLE), encoders=[NgramEncoder(16)], measure=False)
    >>> model.metric, model.network.shape
    ('composite', '64-1')
    """
    recipe = recipe_of(metric)
    for name, given, taken in (("encoders", encoders, recipe.encoders), ("metrics", scores, recipe.scores)):
        if len(given) and not taken:
            raise InputError(f"train: {metric} takes no {name}; it reads {recipe.about}.")
    if recipe.needs_features and not len(encoders) and not len(scores):
        wanted = " or ".join(["encoders"] * recipe.encoders + ["metrics"] * recipe.scores)
        raise InputError(f"train: {metric} reads {recipe.about}; give {wanted}.")
    if recipe.labels is not None and examples.labels != recipe.labels:
        wanted, given = ("labels", "ratings") if recipe.labels else ("ratings", "labels")
        raise InputError(f"train: {metric} learns from {wanted}, and the examples have {given}.")
    if checkpoint is not None:
        check_same_data(checkpoint, examples)
    asked = Asked(
        metric=metric, encoders=encoders, scores=scores, trainer=trainer, test=test, measure=measure, seed=seed,
        checkpoint=checkpoint, hidden_bar=hidden_bar,
    )  # fmt: skip
    return recipe.made(examples, asked)


def recipe_of(metric: str) -> Recipe:
    """How a metric is trained. Raises an InputError if no metric of that name can be trained."""
    module = part_of(metric, "training")
    if module is None:
        trained = [name for name in homes() if part_of(name, "training")]
        raise InputError(
            f"train: {shown(metric)} is not trained; {told_of_absent(metric) or instead_of(metric, trained)}"
        )
    recipe: Recipe = module.RECIPE
    return recipe


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
        json.dumps([text, references, target])
        for text, references, target in zip(
            examples.predictions, examples.references, examples.targets.tolist(), strict=True
        )
    )
    return {
        "rows": len(examples),
        "groups": len({*examples.kept_together}),
        "labels": examples.labels,
        "least": float(np.min(examples.targets)),
        "greatest": float(np.max(examples.targets)),
        "digest": hashlib.sha256("\n".join(rows).encode()).hexdigest()[:12],
    }
