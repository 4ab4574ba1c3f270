"""Accuracy and F1 of ten million labels against scikit-learn, and of a hundred thousand against the Hub's module."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Row, in_turn, row
from metrologue.comparison.libraries import Missing, hub
from metrologue.scorers import F1, Accuracy

__all__ = ["in_process"]

LABELS, OF_HUB, TYPES = 10_000_000, 100_000, 10


def in_process(rounds: int) -> list[Row]:
    """Labels of ten types as NumPy arrays of int64, four of five of them right."""
    try:
        from sklearn.metrics import accuracy_score, f1_score
    except ImportError:
        return []
    generator = np.random.default_rng(0)
    right = generator.integers(0, TYPES, LABELS)
    ours = np.where(generator.random(LABELS) < 0.8, right, generator.integers(0, TYPES, LABELS))
    macro, count = F1(average="macro"), min(rounds, 3)

    def against(peer: str, what: str, own: Callable[[], object], its: Callable[[], object], floor: float) -> Row:
        return row(what, in_turn({"ours": own, peer: its}, count), "ours", peer, floor, 2 * floor)

    rows = [
        against(
            "scikit-learn",
            "accuracy, 10 million labels",
            lambda: Accuracy().corpus(ours, right),
            lambda: accuracy_score(right, ours),
            1,
        ),
        against(
            "scikit-learn",
            "F1, 10 million labels",
            lambda: macro.corpus(ours, right),
            lambda: f1_score(right, ours, average="macro"),
            2,
        ),
    ]
    module, few = hub.load("f1"), (ours[:OF_HUB], right[:OF_HUB])
    if isinstance(module, Missing):
        return rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call = {"predictions": few[0], "references": few[1], "average": "macro"}
        its = against("evaluate", "F1, 100,000 labels", lambda: macro.corpus(*few), lambda: module.compute(**call), 5)
    return [*rows, its]
