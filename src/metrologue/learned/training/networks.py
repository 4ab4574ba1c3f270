"""Networks that are trained step by step, on torch: one number or classes, the better of two, and ranks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.network import Network
from metrologue.learned.training.linear import check_training, standard, standardized
from metrologue.learned.training.loop import Steps, arrays_in, descend, imported_torch


@dataclass(frozen=True, kw_only=True)
class Mlp(Steps):
    """A network with hidden layers. Its last layer gives a number (least squares) or classes (cross-entropy).

    Attributes
    ----------
    hidden : tuple of int
        The widths of the hidden layers. RUSE's authors have (1024, 1024), without dropout, and batches of 1024; NNEval
        has (72, 72).
    dropout : float
        The share of the numbers of a hidden layer that are left out in a step.
    head : str
        "value" or "classes".

    Examples
    --------
    >>> Mlp(hidden=(72, 72), head="classes").about
    'a network with hidden layers of 72 and 72, at most 200 epochs, seed 0'
    """

    hidden: tuple[int, ...] = (256, 256)
    dropout: float = 0.1
    head: str = "value"

    @property
    def about(self) -> str:
        widths = " and ".join(map(str, self.hidden))
        layers = f"a network with hidden layers of {widths}" if self.hidden else "a network of one layer"
        return f"{layers}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(self, features: Floats, targets: Floats, groups: Sequence[str] | None = None, **run: Any) -> Network:
        """The network that these rows make.

        Raises an InputError if the counts differ, all targets are equal, or the training diverges.

        Parameters
        ----------
        features : float64 (n, k)
        targets : float64 (n,)
            For classes, their numbers from 0 on.
        groups : sequence of n str, optional
            A group is never on both sides of the part that ends the training.
        **run
            `checkpoint`, a file that keeps where the training is, and `hidden_bar`; see ``descend``.
        """
        check_training(features, targets)
        torch = imported_torch()
        mean, spread = standard(features)
        level, unit = (float(targets.mean()), float(targets.std())) if self.head == "value" else (0.0, 1.0)
        x = torch.tensor(standardized(features, mean, spread), dtype=torch.float32)
        classes = self.head == "classes"
        y = torch.tensor(targets if classes else (targets - level) / unit, dtype=torch.long if classes else x.dtype)
        outputs = int(targets.max()) + 1 if classes else 1

        def loss(module: Any, rows: Any) -> Any:
            given = module(x[rows])
            if classes:
                return torch.nn.functional.cross_entropy(given, y[rows])
            return torch.nn.functional.mse_loss(given[:, 0], y[rows])

        module = descend(
            self, lambda: layers_of(len(mean), self.hidden, outputs, self.dropout), loss, len(x), groups, **run
        )
        layers = arrays_of(module)
        weights, biases = layers[-1]
        layers[-1] = weights * unit, biases * unit + level
        return Network(mean, spread, layers, self.head)


@dataclass(frozen=True, kw_only=True)
class Ranker(Steps):
    """A network whose numbers order texts as people do: of two texts of a group, the better one gets the higher number.

    The loss of a pair is log(1 + exp(-(s_better - s_worse))) (Burges et al. 2005, RankNet).

    Attributes
    ----------
    dropout : float
    least : float
        By how much two targets differ at least.
    most_pairs : int
        If there are more, so many are drawn.
    epochs, batch, rate, decay, patience, share, seed
        As for ``Steps``; `batch` is a number of pairs.
    """

    hidden: tuple[int, ...] = (64,)
    dropout: float = 0.0
    least: float = 0.0
    most_pairs: int = 200_000

    @property
    def about(self) -> str:
        return f"a ranker with hidden layers of {self.hidden}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(self, features: Floats, targets: Floats, groups: Sequence[str] | None = None, **run: Any) -> Network:
        """The network that these rows make; only rows of one group are compared.

        Raises an InputError as for ``Mlp.fit``, or if no two rows of a group differ.
        """
        check_training(features, targets)
        torch = imported_torch()
        better, worse = ordered_pairs(targets, groups, self.least, self.most_pairs, self.seed)
        mean, spread = standard(features)
        x = torch.tensor(standardized(features, mean, spread), dtype=torch.float32)
        one, other = torch.tensor(better), torch.tensor(worse)

        def loss(module: Any, rows: Any) -> Any:
            gaps = module(x[one[rows]])[:, 0] - module(x[other[rows]])[:, 0]
            return torch.nn.functional.softplus(-gaps).mean()

        own = None if groups is None else [groups[row] for row in better]
        module = descend(
            self, lambda: layers_of(len(mean), self.hidden, 1, self.dropout), loss, len(better), own, **run
        )
        return Network(mean, spread, arrays_of(module))


@dataclass(frozen=True, kw_only=True)
class PairClassifier(Steps):
    """A network that says which of two texts is better: it reads the features a and b of both, as a, b and a - b.

    It gives three classes: b is better, neither, a is better. Each pair is also shown with both texts exchanged, and
    the label with them (Zhou and Xu 2020).

    Attributes
    ----------
    dropout : float
    """

    hidden: tuple[int, ...] = (64,)
    dropout: float = 0.1

    @property
    def about(self) -> str:
        return (
            f"a classifier of pairs with hidden layers of {self.hidden}, at most {self.epochs} epochs, seed {self.seed}"
        )

    def fit_pairs(
        self, one: Floats, other: Floats, labels: np.ndarray, groups: Sequence[str] | None = None, **run: Any
    ) -> Network:
        """The network that these pairs make.

        Raises an InputError as for ``Mlp.fit``, or if a label is none of these, or there are ties alone.

        Parameters
        ----------
        one, other : float64 (n, k)
            The features of both texts.
        labels : int (n,)
            1 if the first text is better, -1 if the second one is, 0 if neither is.
        """
        wrong = np.flatnonzero(~np.isin(labels, (-1, 0, 1)))
        if len(wrong):
            row = int(wrong[0])
            raise InputError.at("train", "labels", row, f" is {labels[row]}; -1, 0 or 1 is expected.")
        if not labels.any():
            raise InputError(f"train: none of {len(labels)} pairs has a better text; there is nothing to tell apart.")
        both = np.vstack([pair_features(one, other), pair_features(other, one)])
        classes = np.concatenate([labels, -labels]) + 1
        twice = None if groups is None else [*groups, *groups]
        inner = Mlp(hidden=self.hidden, dropout=self.dropout, head="classes", **asdict(self.alone))
        return inner.fit(both, classes.astype(float), twice or [*map(str, range(len(one)))] * 2, **run)


def pair_features(one: Floats, other: Floats) -> Floats:
    """The features of a pair: of the first text, of the second one, and their differences, (n, 3 * k)."""
    return np.hstack([one, other, one - other])


def ordered_pairs(
    targets: Floats, groups: Sequence[str] | None, least: float, most: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rows of a group whose targets differ, the better one first; at most so many, drawn by a seed."""
    numbers = (
        np.zeros(len(targets), np.int64) if groups is None else np.unique(np.array(groups), return_inverse=True)[1]
    )
    ordered: list[tuple[int, int]] = []
    for group in range(int(numbers.max()) + 1):
        rows = np.flatnonzero(numbers == group).tolist()
        for i, j in itertools.combinations(rows, 2):
            if abs(targets[i] - targets[j]) > least:
                ordered.append((i, j) if targets[i] > targets[j] else (j, i))
    if not ordered:
        raise InputError("train: no two texts of a group differ in their ratings; there is nothing to order.")
    pairs = np.array(ordered, np.int64)
    if len(pairs) > most:
        pairs = pairs[np.sort(np.random.default_rng(seed).choice(len(pairs), most, replace=False))]
    return pairs[:, 0], pairs[:, 1]


def layers_of(width: int, hidden: Sequence[int], outputs: int, dropout: float) -> Any:
    """Layers with ReLU between them, their weights drawn as He et al. (2015) draw them, and biases of 0."""
    torch = imported_torch()
    parts: list[Any] = []
    for size in hidden:
        parts += [torch.nn.Linear(width, size), torch.nn.ReLU(), torch.nn.Dropout(dropout)]
        width = size
    parts.append(torch.nn.Linear(width, outputs))
    for part in parts:
        if isinstance(part, torch.nn.Linear):
            torch.nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            torch.nn.init.zeros_(part.bias)
    if not hidden:
        torch.nn.init.zeros_(parts[-1].weight)
    return torch.nn.Sequential(*parts)


def arrays_of(module: Any) -> list[tuple[Floats, Floats]]:
    """The weights and biases of its linear layers."""
    linear = (arrays_in(part) for part in module if hasattr(part, "weight"))
    return [(arrays["weight"], arrays["bias"]) for arrays in linear]
