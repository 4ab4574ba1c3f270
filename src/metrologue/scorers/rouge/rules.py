"""The rules by which ROUGE's libraries differ: types, forms of F, several references, and bootstraps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.inference.draws import DRAWS
from metrologue.scorers.core.options import LARGEST, LONGEST_NGRAM, Rule

MEASURES = ("precision", "recall", "fmeasure")
UNLIMITED = -1

_NAME = re.compile(
    r"rouge(?:(?P<n>[1-9][0-9]{0,9})|(?P<whole>Lsum|L|W)|(?P<skip>SU?)(?:(?P<gap>0|[1-9][0-9]{0,9})|\*))"
)


class RougeType(NamedTuple):
    """The units that a type counts.

    `kind` is "n" (n-grams), "L" and "W" (common subsequences of whole texts), "Lsum" and "Wsum" (unions of the common
    subsequences of sentences), "S" (skip-bigrams) or "SU" (skip-bigrams and unigrams).
    """

    kind: str
    number: int  # the n of n-grams; the gap of skip-bigrams, ``UNLIMITED`` for any; otherwise 0


@cache
def parse_type(name: str, lcs_of: str = "texts", weight_rule: str = "runs") -> RougeType:
    """The meaning of a type's name under these options of the scorer.

    Raises
    ------
    InputError
        If there is no such type.

    Examples
    --------
    >>> parse_type("rouge2"), parse_type("rougeSU*"), parse_type("rougeL", lcs_of="sentences")
    (RougeType(kind='n', number=2), RougeType(kind='SU', number=-1), RougeType(kind='Lsum', number=0))
    """
    if match := _NAME.fullmatch(name):
        if whole := match["whole"]:
            united = (whole == "L" and lcs_of == "sentences") or (whole == "W" and weight_rule == "runs")
            return RougeType(f"{whole}sum" if united else whole, 0)
        if match["n"] and int(match["n"]) <= LONGEST_NGRAM:
            return RougeType("n", int(match["n"]))
        if match["skip"] and int(match["gap"] or 0) <= LARGEST:
            return RougeType(match["skip"], int(match["gap"]) if match["gap"] else UNLIMITED)
    raise InputError(
        f"Rouge: `types`: {shown(name)} is no type; rouge1, rouge2 and so on to rouge{LONGEST_NGRAM}, rougeL, "
        f"rougeLsum, rougeW, rougeS4 or rougeSU4 with any gap up to {LARGEST}, rougeS* or rougeSU* is expected."
    )


class Form(NamedTuple):
    """The numbers of F = factor P R / (recall R + precision P + epsilon)."""

    factor: float
    precision: float
    recall: float
    epsilon: float


def _by_beta(beta: float, epsilon: float) -> Form:
    square = beta**2
    return Form(1 + square, square, 1.0, epsilon) if square < math.inf else _by_alpha(beta, epsilon)


def _by_alpha(beta: float, epsilon: float) -> Form:
    alpha = 1 / (1 + beta**2)
    return Form(1.0, 1 - alpha, alpha, alpha * epsilon)


F_FORMS: dict[str, Rule[[float, float], Form]] = {
    "beta": Rule(_by_beta, "(1 + beta^2) P R / (R + beta^2 P)"),
    "alpha": Rule(_by_alpha, "P R / (alpha R + (1 - alpha) P), where alpha = 1 / (1 + beta^2) (ROUGE-1.5.5)"),
}


# The columns of the rows that are compared; column 0 is the precision.
_RECALL, _F, _COMPARED = 1, 2, 3


class Joining(NamedTuple):
    """How several references join: by a rule of ``core.rows``, and by the number by which a reference is the best.

    `quality` takes precision, recall, F and the number that ROUGE-1.5.5 compares, (n_pairs, 4), and gives (n_pairs,).
    """

    join: str
    quality: Callable[[Floats], Floats]
    about: str


def _f(rows: Floats) -> Floats:
    return rows[..., _F]


RULES = {
    "best": Joining("best", _f, "the one with the best F counts; ties: the first"),
    "best-single": Joining(
        "best", lambda rows: rows[..., _F].astype(np.float32).astype(np.float64),
        "the same with F in float32, where more of them are equal",
    ),
    "best-recall": Joining(
        "best", lambda rows: rows[:, _RECALL], "the one with the best recall counts; ties: the first",
    ),
    "best-1.5.5": Joining(
        "best", lambda rows: rows[:, _COMPARED], "the best recall as ROUGE-1.5.5 compares it under -f B",
    ),
    "mean": Joining("mean", _f, "the mean over all"),
    "pooled": Joining("pooled", _f, "the counts of all are summed"),
    "best-each": Joining("best-each", _f, "the best precision, the best recall, and F of these two"),
    "jackknife": Joining(
        "jackknife", _f, "leave out each reference in turn, take the best of the others, and take the mean of these",
    ),
}  # fmt: skip


def _median_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """rouge_score's aggregator: NumPy's legacy generator draws the resamples of one type after another."""
    draws = DRAWS["mt19937"](seed)
    n, columns = len(rows), rows.shape[1] - 1
    totals = np.ones(columns + 1)
    for first in range(0, columns, len(MEASURES)):
        measures = np.ascontiguousarray(rows[:, first : first + len(MEASURES)])
        means = np.concatenate([counts @ measures for counts in draws.counts(n, samples)]) / n
        totals[first : first + len(MEASURES)] = np.percentile(means, 50, axis=0)
    return totals


def _mean_of_means(rows: Floats, samples: int, seed: int) -> Floats:
    """ROUGE-1.5.5's bootstrap: resample i draws with Perl's rand() after srand(i).

    Segments are in the order of their ids, sorted as strings.
    """
    n = len(rows)
    by_id = rows[sorted(range(n), key=lambda index: f"{index + 1}.A")]
    # Perl's rand() is drand48: X becomes (0x5DEECE66D X + 0xB) mod 2^48, and the number is X / 2^48.
    state = (np.arange(seed, seed + samples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    sums = np.zeros((samples, rows.shape[1]))
    for _ in range(n):
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        sums += by_id[(state / 2.0**48 * n).astype(np.int64)]
    # The means are added one by one from the least, as in the script: the fifth decimal may depend on the last bit.
    totals: Floats = np.cumsum(np.sort(sums / n, axis=0), axis=0)[-1] / samples
    return totals


# For each aggregation, a function from rows (n, k), `samples` and `seed` to totals (k,). The last column of the rows is
# 1 for each segment, and the last total is 1.
BOOTSTRAPS: dict[str, Rule[[Floats, int, int], Floats]] = {
    "bootstrap-median": Rule(
        _median_of_means,
        "the median of the means of `samples` resamples, drawn by NumPy's legacy generator from `seed` (rouge_score's "
        "aggregator)",
    ),
    "bootstrap-mean": Rule(
        _mean_of_means, "the mean of the means of `samples` resamples that Perl draws from `seed` (ROUGE-1.5.5)"
    ),
}
