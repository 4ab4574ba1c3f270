"""Linear trainers: ridge regression in closed form, and the mean of z-scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.network import Network

_ALPHAS = tuple(float(10.0**power) for power in range(-1, 7))


class Trainer(Protocol):
    """What makes a network. Its `about` says how, in one line."""

    @property
    def about(self) -> str:
        """How it trains, in a few words."""

    def fit(self, features: Floats, targets: Floats, groups: Sequence[str] | None = None, **run: Any) -> Network:
        """The network that these features (n, k) and targets (n,) make."""


def check_training(features: Floats, targets: Floats) -> None:
    """Refuse what nothing can be learned from.

    Raises an InputError if the counts differ, there are fewer than two rows, a target is not finite, or all are equal.
    """
    if features.ndim != 2 or len(features) != len(targets):
        raise InputError(f"train: features of the shape {features.shape} for {len(targets)} targets.")
    if len(targets) < 2 or not np.isfinite(targets).all():
        raise InputError(f"train: {len(targets)} targets; two or more finite numbers are expected.")
    if (targets == targets[0]).all():
        raise InputError(f"train: all {len(targets)} targets are {targets[0]:g}; there is nothing to tell apart.")


def check_both_classes(labels: Floats) -> None:
    """Refuse labels, 0 and 1, of one class alone, with an InputError."""
    if not 0 < labels.sum() < len(labels):
        raise InputError(f"train: all {len(labels)} labels are {labels[0]:g}; there is nothing to tell apart.")


def standard(features: Floats) -> tuple[Floats, Floats]:
    """The mean and the spread of each feature over what is not NaN; the spread of one that does not vary is 1."""
    given = ~np.isnan(features)
    count = np.maximum(given.sum(axis=0), 1)
    mean: Floats = np.where(given, features, 0.0).sum(axis=0) / count
    spread = np.sqrt((np.where(given, features - mean, 0.0) ** 2).sum(axis=0) / count)
    return mean, np.where(spread > 1e-12 * np.maximum(np.abs(mean), 1.0), spread, 1.0)


def standardized(features: Floats, mean: Floats, spread: Floats) -> Floats:
    """The features as a network takes them: 0 where one is missing."""
    scaled: Floats = (features - mean) / spread
    return np.where(np.isnan(scaled), 0.0, scaled)


@dataclass(frozen=True)
class Ridge:
    """Ridge regression: the line with the least squares, plus `alpha` times the sum of the squared weights.

    Without `alpha`, the one of `alphas` with the least squared error is taken, where each group is predicted from the
    others. That needs no other fits: with the hat matrix H of all rows, the errors of a group g are
    (I - H_gg)^-1 (y_g - ŷ_g). Means and spreads are those of all rows here.

    Attributes
    ----------
    alpha : float, optional
    alphas : tuple of float

    Examples
    --------
    >>> line = Ridge(alpha=1e-9).fit(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 3.0, 5.0]))
    >>> line(np.array([[3.0]])).round(6)
    array([[7.]])
    """

    alpha: float | None = None
    alphas: tuple[float, ...] = field(default=_ALPHAS, repr=False)

    @property
    def about(self) -> str:
        how = "chosen by leaving groups out" if self.alpha is None else f"{self.alpha:g}"
        return f"ridge regression, alpha {how}"

    def fit(self, features: Floats, targets: Floats, groups: Sequence[str] | None = None, **run: Any) -> Network:
        """The line of these rows.

        Raises an InputError if the counts differ, there are fewer than two rows, or all targets are equal.

        Parameters
        ----------
        features : float64 (n, k)
            NaN where one is missing: the feature's mean stands for it.
        targets : float64 (n,)
        groups : sequence of n str, optional
            By which `alpha` is chosen; without them, each row is a group.
        """
        check_training(features, targets)
        mean, spread = standard(features)
        rows = standardized(features, mean, spread)
        level = float(targets.mean())
        left, values, right = _decomposed(rows)
        shares = left.T @ (targets - level)
        alpha = self.alpha
        if alpha is None:
            numbers = np.arange(len(rows)) if groups is None else np.unique(np.array(groups), return_inverse=True)[1]
            alpha = _best_alpha(self.alphas, left, values, shares, targets - level, numbers)
        weights = right.T @ (values / (values**2 + alpha) * shares)
        return Network(mean, spread, [(weights[None], np.array([level]))])


def _decomposed(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """The singular values of rows, with both bases, from the eigenvalues of the smaller product."""
    n, k = rows.shape
    squares, vectors = np.linalg.eigh(rows.T @ rows if n >= k else rows @ rows.T)
    kept = squares > squares[-1] * 1e-12
    if not kept.any():
        return np.zeros((n, 0)), np.zeros(0), np.zeros((0, k))
    values, basis = np.sqrt(squares[kept]), vectors[:, kept]
    if n >= k:
        return (rows @ basis) / values, values, basis.T
    return basis, values, (rows.T @ basis / values).T


def _best_alpha(
    alphas: Sequence[float], left: Floats, values: Floats, shares: Floats, targets: Floats, numbers: np.ndarray
) -> float:
    """The alpha with the least squared error of groups that are left out; ties: the greater alpha."""
    order = np.argsort(numbers, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
    if len(parts) < 2:
        parts = [np.array([row]) for row in range(len(targets))]
    single = len(parts) == len(targets)
    errors = {}
    for alpha in sorted(alphas, reverse=True):
        shrunk = values**2 / (values**2 + alpha)
        rest = targets - left @ (shrunk * shares)
        if single:
            hats = np.einsum("ij,j,ij->i", left, shrunk, left)
            errors[alpha] = float(((rest / np.maximum(1 - hats, 1e-9)) ** 2).sum())
            continue
        errors[alpha] = sum(_left_out(left[part], shrunk, rest[part]) for part in parts)
    return min(errors, key=lambda alpha: errors[alpha])


def _left_out(left: Floats, shrunk: Floats, rest: Floats) -> float:
    """The squared error of a group, predicted from the others."""
    system = np.eye(len(rest)) - (left * shrunk) @ left.T
    try:
        errors = np.linalg.solve(system, rest)
    except np.linalg.LinAlgError:  # the others say nothing of a feature
        errors = np.linalg.lstsq(system, rest, rcond=None)[0]
    return float((errors**2).sum())


@dataclass(frozen=True)
class MeanOfZScores:
    """The mean of z-scores: each feature less its mean, divided by its standard deviation. Ratings are not looked at.

    Attributes
    ----------
    signs : tuple of int
        -1 for a feature of which lower is better.

    Examples
    --------
    >>> line = MeanOfZScores((1, -1)).fit(np.array([[0.0, 4.0], [2.0, 0.0]]), np.array([0.0, 1.0]))
    >>> line(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[ 1.],
           [-1.]])
    """

    signs: tuple[int, ...] = ()

    @property
    def about(self) -> str:
        return "the mean of z-scores; no rating is looked at"

    def fit(self, features: Floats, targets: Floats, groups: Sequence[str] | None = None, **run: Any) -> Network:
        """The mean of these features' z-scores."""
        mean, spread = standard(features)
        signs = np.array(self.signs or (1,) * len(mean), float)
        return Network(mean, spread, [(signs[None] / len(mean), np.zeros(1))])
