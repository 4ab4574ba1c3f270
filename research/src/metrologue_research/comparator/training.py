"""Pairs of texts that were made for the same input: which of both is better."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.examples import Examples, both_parts
from metrologue.learned.features import Features
from metrologue.learned.finished import FinishedParts, digest_of, measuring_file
from metrologue.learned.leaks import check_apart, leak_report, sharing_references
from metrologue.learned.measuring import Compared, HeldOut, folds
from metrologue.learned.network import Network
from metrologue.learned.recipes import Asked, Recipe, described
from metrologue.learned.rivals import RIVALS
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.networks import PairClassifier, pair_features


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of rows of examples.

    Attributes
    ----------
    one, other : int64 (n,)
        The rows of both texts.
    labels : int64 (n,)
        1 if the first text has the higher rating, -1 if the second one has, 0 if they are equal.
    groups : tuple of n str
        What both texts were made for.
    """

    one: np.ndarray
    other: np.ndarray
    labels: np.ndarray
    groups: tuple[str, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.one)


def pairs_of(examples: Examples, margin: float = 0.0, most: int = 200_000, seed: int = 0) -> Pairs:
    """All pairs of texts with the same group; without groups, with the same references.

    Raises an InputError if no two texts of a group have different ratings.

    Parameters
    ----------
    margin : float
        Ratings that differ by no more are a tie.
    most : int
        If there are more pairs, so many are drawn.

    Examples
    --------
    >>> rated = Examples(("a", "b", "c"), (("x",), ("x",), ("y",)), np.array([1.0, 2.0, 3.0]))
    >>> found = pairs_of(rated)
    >>> found.one, found.other, found.labels
    (array([0]), array([1]), array([-1]))
    """
    names = examples.kept_together
    members: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        members.setdefault(name, []).append(row)
    first, second = [], []
    for rows in members.values():
        above = np.triu_indices(len(rows), 1)
        first.append(np.array(rows)[above[0]])
        second.append(np.array(rows)[above[1]])
    one, other = np.concatenate(first), np.concatenate(second)
    if len(one) > most:
        kept = np.sort(np.random.default_rng(seed).choice(len(one), most, replace=False))
        one, other = one[kept], other[kept]
    gaps = examples.targets[one] - examples.targets[other]
    labels = np.where(np.abs(gaps) > margin, np.sign(gaps), 0).astype(np.int64)
    if not labels.any():
        raise InputError("train: no two texts of a group have different ratings; there is nothing to compare.")
    return Pairs(one, other, labels, tuple(names[row] for row in one))


def wins(network: Network, one: Floats, other: Floats) -> Floats:
    """How probably the first text of each pair is better: P(better) + P(tie) / 2, as a mean over both orders, (n,).

    The scores of a pair and of the pair turned round sum to 1.
    """
    there, back = (network(pair_features(*both)) for both in ((one, other), (other, one)))
    first, second = (each[:, 2] + each[:, 1] / 2 for each in (there, back))
    shares: Floats = 0.5 + (first - second) / 2
    return shares


def ordered_right(values: Floats, pairs: Pairs) -> Floats:
    """Whether the values of texts order each pair as its label does: 1, 0, or a half where both are equal, (n,).

    Examples
    --------
    >>> rated = Examples(("a", "b", "c"), (("x",),) * 3, np.array([1.0, 2.0, 3.0]))
    >>> ordered_right(np.array([0.1, 0.1, 0.7]), pairs_of(rated))
    array([0.5, 1. , 1. ])
    """
    return _right(values[pairs.one] - values[pairs.other], pairs.labels)


def vectors_of(features: Features, examples: Examples) -> Floats:
    """The vector of each text, of all encoders side by side, (n, k)."""
    parts = zip(*features.of_pairs(examples.segments), strict=True)
    own = [np.split(np.vstack(blocks), 4, axis=1)[1] for blocks in parts]
    offsets = examples.segments.reference_offsets[:-1]
    return np.hstack(own)[offsets]


def held_out_pairs(
    trainer: PairClassifier, features: Features, examples: Examples, *, margin: float = 0.0, seed: int = 0,
    test: Examples | None = None, resamples: int = 1000, kept: str | os.PathLike[str] | None = None,
) -> HeldOut:  # fmt: skip
    """Train on the pairs of all parts but one, and compare the texts of that one; or of a test. See ``held_out``.

    The coefficient is the share of the pairs with different ratings that are ordered as people order them; a tie counts
    half. Resamples draw groups. Texts with a reference of the test are left out of the training. Raises an InputError
    as ``held_out_by``, or if no two texts of a group that is held out have different ratings.
    """
    if test is None:
        whole, parts = examples, folds(examples, seed)
    else:
        check_apart(examples, test)
        if (examples.groups is None) != (test.groups is None):
            raise InputError("train: either the training or the test has groups; give both, or none, their groups.")
        whole, parts = both_parts(examples, test), {"test": np.arange(len(examples), len(examples) + len(test))}
    x = vectors_of(features, whole)
    every = pairs_of(whole, margin, seed=seed)
    scored = {name: ordered_right(rule(whole), every) for name, rule in RIVALS.items()}
    done = FinishedParts(kept, digest_of((trainer, margin, seed, [*parts]), whole, x, *parts.values()))
    right, rival_right = np.full(len(every), np.nan), np.full(len(every), np.nan)
    chosen, leaks, dropped = {}, {}, {}
    within: dict[str, np.ndarray] = {}
    for name, own in parts.items():
        inside = np.isin(every.one, own) & np.isin(every.other, own)
        others = np.setdiff1d(np.arange(len(whole)), own)
        sharing = sharing_references(whole.take(own), whole.take(others))
        learned_from = others[~sharing]
        rest = np.isin(every.one, learned_from) & np.isin(every.other, learned_from)
        if not (inside & (every.labels != 0)).any():
            continue
        within[name] = np.flatnonzero(inside & (every.labels != 0))
        dropped[name] = int(sharing.sum())
        shares = done.numbers(name, partial(_learned_shares, trainer, x, every, np.flatnonzero(rest), within[name]))
        right[within[name]] = _right(shares - 0.5, every.labels[within[name]])
        known = np.flatnonzero(rest & (every.labels != 0))
        chosen[name] = max(scored, key=lambda each: scored[each][known].mean())
        rival_right[within[name]] = scored[chosen[name]][within[name]]
        leaks[name] = leak_report(whole.take(learned_from), whole.take(own))
    if not within:
        raise InputError("train: no two texts of a group that is held out have different ratings.")
    drawn = _resampled(within, every, np.column_stack([right, rival_right]), resamples, seed)
    once = np.array([[each[rows].mean() for rows in within.values()] for each in (right, rival_right)])
    return HeldOut(
        scores=right,
        rivals=chosen,
        rival_scores=rival_right,
        leaks=leaks,
        dropped=dropped,
        compared={"accuracy": Compared.of([*within], once, drawn.T[..., None])},
    )


def _learned_shares(
    trainer: PairClassifier, x: Floats, pairs: Pairs, training: np.ndarray, scored: np.ndarray
) -> Floats:
    """How probably the first text of some pairs is better, as a network of others sees it."""
    if not pairs.labels[training].any():
        raise InputError("train: no pairs with different ratings are left to train on.")
    return wins(fit_pairs(trainer, x, pairs, training), x[pairs.one[scored]], x[pairs.other[scored]])


def train_comparator(examples: Examples, asked: Asked) -> TrainedModel:
    """A model that compares two texts of a group."""
    examples.check_varied()
    trainer = asked.trainer_or(PairClassifier(), "the comparator has a classifier of pairs; leave the trainer out.")
    features = Features.of(asked.encoders, asked.scores)
    pairs = pairs_of(examples, seed=asked.seed)
    report: dict[str, Any] = {"trainer": trainer.about, "data": {**described(examples), "pairs": len(pairs)}}
    if asked.measure:
        kept = measuring_file(asked.checkpoint)
        found = held_out_pairs(trainer, features, examples, seed=asked.seed, test=asked.test, kept=kept)
        report["held_out"] = found.to_dict()
    x = vectors_of(features, examples)
    network = fit_pairs(trainer, x, pairs, np.arange(len(pairs)), **asked.run)
    return TrainedModel("comparator", features, network, report)


RECIPE = Recipe(
    "sentence vectors of one encoder or several",
    PairClassifier,
    encoders=True,
    labels=False,
    made=train_comparator,
)


def fit_pairs(trainer: PairClassifier, x: Floats, pairs: Pairs, rows: np.ndarray, **run: Any) -> Network:
    """The network of some of the pairs."""
    groups = [pairs.groups[row] for row in rows]
    return trainer.fit_pairs(x[pairs.one[rows]], x[pairs.other[rows]], pairs.labels[rows], groups, **run)


def _right(gaps: Floats, labels: np.ndarray) -> Floats:
    """1 where the sign of a gap is the label, a half where the gap is 0, and 0 otherwise."""
    return np.where(gaps == 0, 0.5, (np.sign(gaps) == labels) * 1.0)


def _resampled(parts: Mapping[str, np.ndarray], pairs: Pairs, right: Floats, resamples: int, seed: int) -> Floats:
    """The mean over the parts of the shares of right pairs, in resamples of the groups of each part: (resamples, 2)."""
    draws = np.random.default_rng(seed)
    found = np.zeros((resamples, 2))
    for rows in parts.values():
        names, numbers = np.unique(np.array([pairs.groups[row] for row in rows]), return_inverse=True)
        sums = np.zeros((len(names), 3))
        np.add.at(sums, numbers, np.column_stack([right[rows], np.ones(len(rows))]))
        weights = draws.multinomial(len(names), np.full(len(names), 1 / len(names)), resamples)
        totals = weights @ sums
        found += totals[:, :2] / totals[:, 2:] / len(parts)
    return found
