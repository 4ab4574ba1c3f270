"""Which reference of several is the best, by the rule of each library."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["RULES"]


# How several references join: the rule of ``core.joins``, and a function for the number by which a reference is the
# best, (n_pairs,). It takes precision, recall, F and the number that ROUGE-1.5.5 compares, (n_pairs, 4).
RULES: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "best": ("best", lambda rows: rows[:, 2]),
    "best-single": ("best", lambda rows: rows[:, 2].astype(np.float32).astype(np.float64)),
    "best-recall": ("best", lambda rows: rows[:, 1]),
    "best-1.5.5": ("best", lambda rows: rows[:, 3]),
    **{rule: (rule, lambda rows: rows[:, 2]) for rule in ("mean", "pooled", "best-each", "jackknife")},
}
