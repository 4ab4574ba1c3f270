"""Training Perception Score: human texts against others, whose targets then rise with how alike they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.learned.network import Network
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import check_both_classes, standard, standardized
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue.learned.training.networks import arrays_of, layers_of
from metrologue_research.perception_score.examples import read_texts
from metrologue_research.perception_score.network import Perception


@dataclass(frozen=True, kw_only=True)
class PerceptionTrainer(Steps):
    """A network with hidden layers, trained again and again while the targets change.

    In the first training, the target of a human text is 1 and that of another text is 0, each moved by half of
    `smoothing` to the other one. Before each further training, the target of another text becomes `diffusion` times the
    mean, over its nearest human texts, of their cosine times the score that they have now. Both kinds of texts
    weigh the same, however many there are. The loss is the cross-entropy.

    Attributes
    ----------
    dropout : float
        It is also what scoring leaves out, to say how sure the network is.
    smoothing, diffusion : float
    rounds : int
        The further trainings; 0: none.
    neighbours : int
        The human texts that count for another one.
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
        return (
            f"hidden layers of {self.hidden}, {self.rounds} rounds of diffusion by {self.diffusion:g}, at most "
            f"{self.epochs} epochs each, seed {self.seed}"
        )

    def fit(
        self, vectors: Floats, labels: Floats, groups: Sequence[str] | None = None,
        checkpoint: str | os.PathLike[str] | None = None, hidden_bar: bool = True,
    ) -> Perception:  # fmt: skip
        """The network that these texts make.

        Raises an InputError if all labels are equal, or a training diverges.

        Parameters
        ----------
        vectors : float64 (n, width)
        labels : float64 (n,)
            1 for a human text, 0 for another one.
        groups : sequence of n str, optional
        checkpoint : path, optional
            The file of the first training; those of the others have its name with a number.
        """
        check_both_classes(labels)
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

        module = descend(
            self.alone, lambda: layers_of(len(mean), self.hidden, 1, self.dropout), loss, len(x), groups,
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
    """A network that tells human texts from others."""
    trainer = asked.trainer_or(
        PerceptionTrainer(seed=asked.seed), "perception_score has a PerceptionTrainer; leave the trainer out."
    )
    examples.check_varied()
    features, whole = Features.of(asked.encoders), asked.whole(examples)
    vectors, groups = features.of_texts(whole.predictions), whole.kept_together

    def fit(rows: np.ndarray, **run: Any) -> Perception:
        return trainer.fit(vectors[rows], whole.targets[rows], [groups[row] for row in rows], **run)

    def score(network: Perception, rows: np.ndarray) -> Floats:
        return network(vectors[rows])[0]

    return asked.model(examples, features, trainer.about, fit, score, lambda: _rivals(whole.predictions))


RECIPE = Recipe(
    "sentence vectors of one encoder or several",
    PerceptionTrainer,
    encoders=True,
    labels=True,
    made=train_perception,
    reader=read_texts,
)


def _rivals(texts: Sequence[str]) -> dict[str, Floats]:
    """What a look at the surface of a text tells, (n,) each."""
    words = [text.split() for text in texts]
    return {
        "number of words": np.array([float(len(own)) for own in words]),
        "share of distinct words": np.array([len({*own}) / len(own) if own else 0.0 for own in words]),
        "length of words": np.array([sum(map(len, own)) / len(own) if own else 0.0 for own in words]),
    }
