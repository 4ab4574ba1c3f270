"""Training Perception Score: texts of people against others, whose targets then rise with how alike they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.files.objects import JsonRecord, json_lines
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features, Vectors
from metrologue.learned.measuring import both_parts, held_out_by
from metrologue.learned.network import Network
from metrologue.learned.recipes import Asked, described
from metrologue.learned.synthetic import DAMAGES, damaged
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import standard, standardized
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue.learned.training.networks import arrays_of, layers_of
from metrologue.scorers.perception_score.network import Perception, text_vectors

__all__ = ["PerceptionTrainer", "against_damaged", "diffused", "read_texts", "train_perception"]


@dataclass(frozen=True, kw_only=True)
class PerceptionTrainer(Steps):
    """A network with hidden layers, trained again and again while the targets change.

    In the first training, the target of a text of people is 1 and that of another text is 0, each moved by half of
    `smoothing` to the other one. Before each further training, the target of another text becomes `diffusion` times the
    mean, over its nearest texts of people, of their cosine times the score that they have now. Both kinds of texts
    weigh the same, however many there are. The loss is the cross-entropy.

    Attributes
    ----------
    hidden : tuple of int
    dropout : float
        It is also what scoring leaves out, to say how sure the network is.
    smoothing, diffusion : float
    rounds : int
        The further trainings; 0: none.
    neighbours : int
        The texts of people that count for another one.
    epochs, batch, rate, decay, patience, share, seed
        As for ``Steps``.
    """

    hidden: tuple[int, ...] = (64,)
    dropout: float = 0.1
    epochs: int = 100
    smoothing: float = 0.1
    diffusion: float = 0.5
    rounds: int = 3
    neighbours: int = 5

    @property
    def about(self) -> str:
        """How it trains, in a few words."""
        return (
            f"hidden layers of {self.hidden}, {self.rounds} rounds of diffusion by {self.diffusion:g}, at most "
            f"{self.epochs} epochs each, seed {self.seed}"
        )

    def fit(
        self, vectors: Floats, labels: Floats, groups: Sequence[str] | None = None,
        checkpoint: str | os.PathLike[str] | None = None, hidden_bar: bool = True,
    ) -> Perception:  # fmt: skip
        """The network that these texts make.

        Parameters
        ----------
        vectors : float64 (n, width)
        labels : float64 (n,)
            1 for a text of people, 0 for another one.
        groups : sequence of n str, optional
        checkpoint : path, optional
            The file of the first training; those of the others have its name with a number.

        Raises
        ------
        InputError
            If all labels are equal, or a training diverges.
        """
        if not 0 < labels.sum() < len(labels):
            raise InputError(f"train: all {len(labels)} labels are {labels[0]:g}; there is nothing to tell apart.")
        targets = np.where(labels == 1, 1 - self.smoothing / 2, self.smoothing / 2)
        found = self._once(vectors, targets, labels, groups, _numbered(checkpoint, 0), hidden_bar)
        for number in range(1, self.rounds + 1):
            risen = diffused(vectors, labels, found(vectors)[0], self)
            targets = np.where(labels == 1, targets, risen)
            found = self._once(vectors, targets, labels, groups, _numbered(checkpoint, number), hidden_bar)
        return found

    def _once(
        self, vectors: Floats, targets: Floats, labels: Floats, groups: Sequence[str] | None, checkpoint: Path | None,
        hidden_bar: bool,
    ) -> Perception:  # fmt: skip
        torch = imported_torch()
        mean, spread = standard(vectors)
        share = labels.mean()
        weights = np.where(labels == 1, 0.5 / share, 0.5 / (1 - share))
        rows = standardized(vectors, mean, spread)
        x, y, w = (torch.tensor(each, dtype=torch.float32) for each in (rows, targets, weights))

        def loss(module: Any, rows: Any) -> Any:
            given = module(x[rows])[:, 0]
            return torch.nn.functional.binary_cross_entropy_with_logits(given, y[rows], w[rows])

        steps = Steps(**{each.name: getattr(self, each.name) for each in fields(Steps)})
        module = descend(
            steps, lambda: layers_of(len(mean), self.hidden, 1, self.dropout), loss, len(x), groups,
            checkpoint=checkpoint, hidden_bar=hidden_bar,
        )  # fmt: skip
        return Perception(Network(mean, spread, arrays_of(module)), self.dropout)


def diffused(vectors: Floats, labels: Floats, scores: Floats, trainer: PerceptionTrainer) -> Floats:
    """What the target of each text would be if it was none of people, (n,).

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    >>> one = PerceptionTrainer(neighbours=1)
    >>> diffused(vectors, np.array([1.0, 0.0, 0.0]), np.array([0.9, 0.5, 0.5]), one)
    array([0.45, 0.27, 0.  ])
    """
    lengths = np.maximum(np.sqrt((vectors**2).sum(axis=1)), 1e-12)
    unit = vectors / lengths[:, None]
    human = np.flatnonzero(labels == 1)
    found = np.empty(len(vectors))
    for start in range(0, len(vectors), 1024):
        near = np.clip(unit[start : start + 1024] @ unit[human].T, 0.0, 1.0)
        places = np.argsort(-near, axis=1, kind="stable")[:, : trainer.neighbours]
        found[start : start + 1024] = (np.take_along_axis(near, places, 1) * scores[human][places]).mean(axis=1)
    return trainer.diffusion * found


def _numbered(checkpoint: str | os.PathLike[str] | None, number: int) -> Path | None:
    if checkpoint is None:
        return None
    path = Path(checkpoint)
    return path.with_stem(f"{path.stem}-{number}") if number else path


def train_perception(examples: Examples, asked: Asked) -> TrainedModel:
    """A network that tells texts of people from others, with what it reaches on those that were held out."""
    trainer = asked.trainer or PerceptionTrainer(seed=asked.seed)
    if not isinstance(trainer, PerceptionTrainer):
        raise InputError("train: perception_score has a PerceptionTrainer; leave the trainer out.")
    examples.check_varied()
    features = Features(tuple(map(Vectors.of, asked.encoders)))
    whole = examples if asked.test is None else both_parts(examples, asked.test)
    vectors = text_vectors(features, whole.predictions)
    report: dict[str, Any] = {"trainer": trainer.about, "data": described(examples)}
    groups = whole.groups or tuple(map(repr, whole.references))
    if asked.measure:

        def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
            found = trainer.fit(vectors[training], whole.targets[training], [groups[row] for row in training])
            return found(vectors[scored])[0]

        found = held_out_by(learner, _rivals(whole.predictions), examples, seed=asked.seed, test=asked.test)
        report["held_out"] = found.to_dict()
    rows = slice(len(examples))
    network = trainer.fit(vectors[rows], examples.targets, groups[rows], asked.checkpoint, asked.hidden_bar)
    return TrainedModel("perception_score", features, network, report)


def _rivals(texts: Sequence[str]) -> dict[str, Floats]:
    """What a look at the surface of a text tells, (n,) each."""
    words = [text.split() for text in texts]
    return {
        "number of words": np.array([float(len(own)) for own in words]),
        "share of distinct words": np.array([len({*own}) / len(own) if own else 0.0 for own in words]),
        "length of words": np.array([sum(map(len, own)) / len(own) if own else 0.0 for own in words]),
    }


def read_texts(path: str | os.PathLike[str]) -> Examples:
    """Texts from JSON Lines, each an object with ``text`` or ``prediction``, and perhaps ``label`` and ``group``.

    The label is 1 for a text of people, and 0 for another one. Without labels, all texts are of people, and a damaged
    one is made of each.

    Raises
    ------
    InputError
        If a line is not such an object, or only some lines have a label. The message names the line.
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{os.fspath(path)}: the file is empty; give at least two texts.")
    texts = [_text(each) for each in records]
    with_label, with_group = ([key in each.fields for each in records] for key in ("label", "group"))
    for key, has in (("label", with_label), ("group", with_group)):
        if any(has) and not all(has):
            where = records[has.index(False)].where
            raise InputError(f"{where}: no {key!r}, but other lines have one; give it on every line or on none.")
    groups = [each.text("group") for each in records] if all(with_group) else None
    if not any(with_label):
        return against_damaged(texts, groups=groups)
    return Examples(
        tuple(texts), tuple((text,) for text in texts), np.array([_label(each) for each in records]),
        None if groups is None else tuple(groups), labels=True,
    )  # fmt: skip


def _text(record: JsonRecord) -> str:
    return record.text("text") if "text" in record.fields else record.text("prediction")


def _label(record: JsonRecord) -> float:
    value = record.fields["label"]
    if not isinstance(value, bool | int | float) or value not in (0, 1):
        raise InputError(f"{record.where}: 'label' is {value!r}; 0 or 1 is expected.")
    return float(value)


def against_damaged(texts: Sequence[str], seed: int = 0, groups: Sequence[str] | None = None) -> Examples:
    """Texts with the label 1, and one that was damaged of each, with the label 0. Both are of the same group.

    Raises
    ------
    InputError
        If there are none.
    """
    draws, pool, ways = np.random.default_rng(seed), [word for text in texts for word in text.split()], [*DAMAGES]
    made = [damaged(text, ways[row % len(ways)], pool, draws) for row, text in enumerate(texts)]
    kept = [row for row, text in enumerate(texts) if made[row] != text]
    own = None if groups is None else (*groups, *(groups[row] for row in kept))
    return Examples(
        (*texts, *(made[row] for row in kept)),
        (*((text,) for text in texts), *((texts[row],) for row in kept)),
        np.repeat([1.0, 0.0], [len(texts), len(kept)]),
        own,
        labels=True,
    )
