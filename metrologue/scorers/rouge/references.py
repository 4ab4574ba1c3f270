"""Which reference of several is the best, by the rule of each library."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["RULES"]


# The columns of the rows that are compared; column 0 is the precision.
_RECALL, _F, _COMPARED = 1, 2, 3

# How several references join: the rule of ``core.joins``, and a function for the number by which a reference is the
# best, (n_pairs,). It takes precision, recall, F and the number that ROUGE-1.5.5 compares, (n_pairs, 4).
RULES: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "best": ("best", lambda rows: rows[:, _F]),
    "best-single": ("best", lambda rows: rows[:, _F].astype(np.float32).astype(np.float64)),
    "best-recall": ("best", lambda rows: rows[:, _RECALL]),
    "best-1.5.5": ("best", lambda rows: rows[:, _COMPARED]),
    **{rule: (rule, lambda rows: rows[:, _F]) for rule in ("mean", "pooled", "best-each", "jackknife")},
}
