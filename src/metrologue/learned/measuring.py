"""What a trained metric reaches on texts that it was not trained on, beside a trivial rival."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of
from metrologue.inference.correlation.coefficients import COEFFICIENTS, Points
from metrologue.kernels.point_statistics import COLUMNS
from metrologue.learned.examples import Examples, both_parts
from metrologue.learned.features import Features
from metrologue.learned.finished import FinishedParts, digest_of
from metrologue.learned.leaks import LeakReport, check_apart, leak_report, sharing_references
from metrologue.learned.network import Network
from metrologue.learned.rivals import rival_scores
from metrologue.learned.training import Trainer

_MOST_FOLDS, _FEW_FOLDS = 10, 5
_RESAMPLES, _SEED = 1000, 12345
_FEWEST = 3  # rows of a part


@dataclass(frozen=True, kw_only=True)
class Reached:
    """A coefficient on the parts that were held out.

    Attributes
    ----------
    parts : mapping of str to float
    mean, low, high : float
        The mean over the parts, with a bootstrap interval of 95 %: rows are drawn within each part.
    """

    parts: Mapping[str, float]
    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, names: Sequence[str], values: Floats, drawn: Floats) -> Reached:
        """The values of parts, (parts,), and of resamples, (resamples, parts), or their means, (resamples, 1)."""
        low, high = np.quantile(drawn.mean(axis=1), (0.025, 0.975)) if len(drawn) else (math.nan, math.nan)
        parts = dict(zip(names, map(float, values), strict=True))
        return cls(parts=parts, mean=float(values.mean()), low=float(low), high=float(high))

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None for a number that is not there."""
        own = {name: _plain(value) for name, value in self.parts.items()}
        return {"mean": _plain(self.mean), "low": _plain(self.low), "high": _plain(self.high), "parts": own}


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A coefficient of the learned metric and of its rival, and the difference, over the same resamples."""

    learned: Reached
    rival: Reached
    difference: Reached

    @classmethod
    def of(cls, names: Sequence[str], once: Floats | list[Floats], drawn: Floats | list[Floats]) -> Compared:
        """What both reach: of the learned metric and of its rival, what ``Reached.of`` takes."""
        learned, rival = (Reached.of(names, *both) for both in zip(once, drawn, strict=True))
        return cls(learned=learned, rival=rival, difference=Reached.of(names, once[0] - once[1], drawn[0] - drawn[1]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {name: getattr(self, name).to_dict() for name in ("learned", "rival", "difference")}


@dataclass(frozen=True, kw_only=True, eq=False)
class HeldOut:
    """What was measured on texts that were held out.

    Attributes
    ----------
    scores : float64 (n,)
        Of the learned metric, each from a model that was trained on other parts.
    rivals : mapping of str to str
        The rival of each part: the best one on the texts that the model was trained on.
    rival_scores : float64 (n,)
    leaks : mapping of str to LeakReport
        What each part shares with what its model was trained on.
    dropped : mapping of str to int
        How many rows were left out of the training because they have a reference of the part.
    compared : mapping of str to Compared
        By the name of the coefficient: "pearson" and "kendall-b" for ratings, "auc" for labels.
    """

    scores: Floats
    rivals: Mapping[str, str]
    rival_scores: Floats
    leaks: Mapping[str, LeakReport]
    dropped: Mapping[str, int]
    compared: Mapping[str, Compared]

    @property
    def beats_rival(self) -> bool:
        """Whether the difference to the rival is above 0 on every coefficient, with its whole interval."""
        return all(each.difference.low > 0 for each in self.compared.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain values, without the scores."""
        return {
            "rivals": dict(self.rivals),
            "beats_rival": self.beats_rival,
            "dropped": dict(self.dropped),
            "leaks": {name: each.to_dict() for name, each in self.leaks.items()},
            "compared": {name: each.to_dict() for name, each in self.compared.items()},
        }


def output_of(network: Network, features: Floats) -> Floats:
    """The score of each row, (n,): the number of the network, or the probability of its last class."""
    scores: Floats = network(features)[:, -1]
    return scores


def folds(examples: Examples, seed: int = 0) -> dict[str, np.ndarray]:
    """The rows of each part that is held out: the groups, or several groups together if there are more than ten.

    Texts without groups are kept together if they have the same references.
    """
    names, numbers = np.unique(np.array(examples.kept_together), return_inverse=True)
    if examples.groups and 2 <= len(names) <= _MOST_FOLDS:
        return {str(name): np.flatnonzero(numbers == i) for i, name in enumerate(names)}
    if len(names) < 2:
        raise InputError(
            "train: all texts are of one group, or have the same references; nothing can be held out. Give texts of "
            "several groups."
        )
    count = min(_FEW_FOLDS, len(names))
    fold = np.random.default_rng(seed).permutation(np.arange(len(names)) % count)[numbers]
    return {f"part {i + 1}": np.flatnonzero(fold == i) for i in range(count)}


Learner = Callable[[np.ndarray, np.ndarray], Floats]


def held_out(
    trainer: Trainer,
    features: Features,
    examples: Examples,
    *,
    rows: Floats | None = None,
    seed: int = 0,
    test: Examples | None = None,
    resamples: int = _RESAMPLES,
    kept: str | os.PathLike[str] | None = None,
) -> HeldOut:
    """Train a network of features on all parts but one and score that one; see ``held_out_by``.

    Parameters
    ----------
    trainer : Trainer
    features : Features
    examples : Examples
    rows : float64 (n, k), optional
        The features of the examples, if they are there already.
    seed, test, resamples, kept
        As ``held_out_by`` takes them.

    Raises
    ------
    InputError
        If nothing can be held out, or a row of the test is in the training too.
    """
    x = features.of_segments(examples.segments) if rows is None else rows
    rivals = rival_scores(examples, features)
    whole = examples
    if test is not None:
        whole = both_parts(examples, test)
        x = np.vstack([x, features.of_segments(test.segments)])
        rivals = {name: np.concatenate([rivals[name], own]) for name, own in rival_scores(test, features).items()}

    def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
        groups = None if whole.groups is None else [whole.groups[row] for row in training]
        return output_of(trainer.fit(x[training], whole.targets[training], groups), x[scored])

    settings = repr((trainer, digest_of("features", x)))
    return held_out_by(
        learner, rivals, examples, seed=seed, test=test, resamples=resamples, kept=kept, settings=settings
    )


def held_out_by(
    learner: Learner,
    rivals: Mapping[str, Floats],
    examples: Examples,
    *,
    seed: int = 0,
    test: Examples | None = None,
    resamples: int = _RESAMPLES,
    kept: str | os.PathLike[str] | None = None,
    settings: str = "",
) -> HeldOut:
    """Train on all parts but one and score that one, for each part; or train on all, and score a test.

    Rows of the training whose reference is in the part that is held out are left out. Raises an InputError if nothing
    can be held out, a row of the test is in the training too, or the file is of other data or settings.

    Parameters
    ----------
    learner : callable
        Gives the scores of rows, (rows,), from what it learned from others: it takes the numbers of the rows to train
        on, and of those to score. The rows of a test come after those of the examples.
    rivals : mapping of str to float64 (n,)
        The scores of trivial rivals, of the examples and then of the test.
    seed : int
        Of the parts, if they are not the groups.
    test : Examples, optional
        What is held out; nothing of the examples then is.
    kept : path, optional
        A file that gets the scores of each part when it is done, so that a measuring that was ended goes on from it.
    settings : str
        What tells the learner from others, such as its settings and a digest of what it reads. A file of another
        learner is refused.
    """
    if test is None:
        whole, parts = examples, folds(examples, seed)
    else:
        check_apart(examples, test)
        whole, parts = both_parts(examples, test), {"test": np.arange(len(examples), len(examples) + len(test))}
    parts = {name: own for name, own in parts.items() if len(own) >= _FEWEST}
    if not parts:
        count, what = (len(examples), "part to hold out") if test is None else (len(test), "test")
        raise InputError(
            f"train: {number_of(count, 'text')}, and no {what} has {_FEWEST} or more; so few measure nothing. Give "
            "more texts."
        )
    scores, rival_values = np.full(len(whole), math.nan), np.full(len(whole), math.nan)
    chosen, leaks, dropped = {}, {}, {}
    done = FinishedParts(kept, digest_of((settings, seed, [*parts]), whole, *parts.values()))
    for name, own in parts.items():
        rest = np.setdiff1d(np.arange(len(examples)), own)
        part = whole.take(own)
        sharing = sharing_references(part, whole.take(rest))
        rest, dropped[name] = rest[~sharing], int(sharing.sum())
        if len(rest) < _FEWEST:
            raise InputError(f"train: {number_of(len(rest), 'row')} left to train on when {name} is held out.")
        scores[own] = done.numbers(name, partial(learner, rest, own))
        chosen[name] = _best_rival(rivals, whole.targets, rest)
        rival_values[own] = rivals[chosen[name]][own]
        leaks[name] = leak_report(whole.take(rest), part)
    compared = compare_scores(parts, scores, rival_values, whole.targets, whole.labels, resamples)
    first = 0 if test is None else len(examples)
    return HeldOut(
        scores=scores[first:],
        rivals=chosen,
        rival_scores=rival_values[first:],
        leaks=leaks,
        dropped=dropped,
        compared=compared,
    )


def compare_scores(
    parts: Mapping[str, np.ndarray],
    learned: Floats,
    rival: Floats,
    targets: Floats,
    labels: bool = False,
    resamples: int = _RESAMPLES,
) -> dict[str, Compared]:
    """The coefficients of two metrics on the same texts, and their differences over the same resamples.

    Parameters
    ----------
    parts : mapping of str to int64 (rows,)
        The rows of each part. Coefficients are means over the parts, and rows are drawn within each.
    learned, rival : float64 (n,)
    targets : float64 (n,)

    Examples
    --------
    >>> rated = np.array([1.0, 2.0, 3.0, 4.0])
    >>> found = compare_scores({"all": np.arange(4)}, rated**2, -rated, rated)
    >>> round(found["kendall-b"].difference.mean, 6)
    2.0
    """
    rules = _methods(labels).items()
    return {method: _compared(rule, parts, learned, rival, targets, resamples) for method, rule in rules}


def _best_rival(rivals: Mapping[str, Floats], targets: Floats, rows: np.ndarray) -> str:
    """The rival that correlates best with the targets of these rows."""
    offsets = np.array([0, len(rows)])
    correlations = {}
    for name, values in rivals.items():
        points = Points(values[rows], targets[rows], offsets)
        value = float(_pearson(points, points.once)[0, 0])
        correlations[name] = -2.0 if math.isnan(value) else value
    return max(correlations, key=lambda name: correlations[name])


Rule = Callable[[Points, np.ndarray], Floats]


def _rule(method: str) -> Rule:
    coefficient = COEFFICIENTS[method]
    return lambda points, counts: coefficient.formula(coefficient.rows(points, counts, 0.0, 0.0))


_pearson = _rule("pearson")


def _auc(points: Points, counts: np.ndarray) -> Floats:
    """How often a text of class 1 has a higher score than one of class 0; a tie counts half."""
    rows = COEFFICIENTS["kendall-b"].rows(points, counts, 0.0, 0.0)
    columns = dict(zip(COLUMNS, np.moveaxis(rows, -1, 0), strict=True))
    pairs = columns["concordant"] + columns["discordant"] + columns["ties_x"]
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: Floats = np.where(pairs > 0, (columns["concordant"] + columns["ties_x"] / 2) / pairs, math.nan)
    return areas


def _methods(labels: bool) -> Mapping[str, Rule]:
    return {"auc": _auc} if labels else {"pearson": _pearson, "kendall-b": _rule("kendall-b")}


def _compared(
    rule: Rule, parts: Mapping[str, np.ndarray], learned: Floats, rival: Floats, targets: Floats, resamples: int
) -> Compared:
    """Both coefficients by part, and their difference."""
    order = np.concatenate([*parts.values()])
    offsets = np.cumsum([0, *map(len, parts.values())])
    counts = _draws(offsets, resamples)
    points = [Points(values[order], targets[order], offsets) for values in (learned, rival)]
    # A metric that gives all texts of a part the same score orders none of them.
    once = [np.nan_to_num(rule(each, each.once)[0]) for each in points]
    drawn = [np.nan_to_num(rule(each, counts)) for each in points]
    return Compared.of([*parts], once, drawn)


def _draws(offsets: np.ndarray, resamples: int) -> np.ndarray:
    """How often each row is drawn: uint8 (resamples, n)."""
    generator = np.random.default_rng(_SEED)
    counts = np.zeros((resamples, int(offsets[-1])), np.uint8)
    for start, stop in pairwise(offsets.tolist()):
        size = stop - start
        drawn = generator.integers(0, size, (resamples, size)) + np.arange(resamples)[:, None] * size
        counts[:, start:stop] = np.bincount(drawn.ravel(), minlength=resamples * size).reshape(resamples, size)
    return counts


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
