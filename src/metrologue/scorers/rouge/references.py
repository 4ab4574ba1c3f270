"""Which reference of several is the best, by the rule of each library."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats

__all__ = ["RULES", "Rule"]


# The columns of the rows that are compared; column 0 is the precision.
_RECALL, _F, _COMPARED = 1, 2, 3


class Rule(NamedTuple):
    """How several references join.

    Attributes
    ----------
    join : str
        The rule of ``core.joins``.
    quality : callable
        The number by which a reference is the best, (n_pairs,), from precision, recall, F and the number that
        ROUGE-1.5.5 compares, (n_pairs, 4).
    about : str
        What the rule is.
    """

    join: str
    quality: Callable[[Floats], Floats]
    about: str


def _f(rows: Floats) -> Floats:
    return rows[..., _F]


RULES = {
    "best": Rule("best", _f, "the one with the best F counts; ties: the first"),
    "best-single": Rule(
        "best",
        lambda rows: rows[..., _F].astype(np.float32).astype(np.float64),
        "the same with F in float32, where more of them are equal",
    ),
    "best-recall": Rule("best", lambda rows: rows[:, _RECALL], "the one with the best recall counts; ties: the first"),
    "best-1.5.5": Rule(
        "best", lambda rows: rows[:, _COMPARED], "the best recall as ROUGE-1.5.5 compares it under -f B"
    ),
    "mean": Rule("mean", _f, "the mean over all"),
    "pooled": Rule("pooled", _f, "the counts of all are summed"),
    "best-each": Rule("best-each", _f, "the best precision, the best recall, and F of these two"),
    "jackknife": Rule(
        "jackknife", _f, "leave out each reference in turn, take the best of the others, and take the mean of these"
    ),
}
