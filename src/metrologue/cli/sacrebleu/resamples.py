"""The scores of resamples with sacrebleu's digits: its sums and ratios are in single precision.

The definitions are those of the scorers, for one row of sums. Only the digits beyond the seventh differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers import Bleu, Chrf, Ter

__all__ = ["Resampled", "bleu", "chrf", "interval", "p_value", "resampled", "ter"]

Singles = NDArray[np.float32]
# The score of a row of sums; its type is Python's for BLEU, and float32 for the others.
Resampled = Callable[[Singles], Any]
_EPSILON = 1e-16
_LOG_OF_ZERO = -9999999999
_DEFAULTS = {"floor": 0.1, "add-k": 1.0}


def resampled(score: Resampled, statistics: NDArray[np.float64], count: int, seed: int | None) -> list[Any]:
    """The scores of so many resamples, with the draws that sacrebleu makes all at once."""
    singles, generator, n = statistics.astype(np.float32), np.random.default_rng(seed), len(statistics)
    return [score(singles[generator.integers(0, n, n)].sum(0)) for _ in range(count)]


def interval(scores: list[Any]) -> tuple[Any, Any]:
    """The mean, and half of the width of the interval of 95 % by order statistics."""
    ordered = np.sort(np.array(scores))
    cut = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])


def p_value(first: list[Any], second: list[Any], difference: float) -> float:
    """Of the null hypothesis that two systems are equal, by their scores on the same resamples."""
    differences = np.abs(np.array(second) - np.array(first))
    extreme = np.count_nonzero(differences - differences.mean() > difference)
    return float((extreme + 1) / (len(differences) + 1))


def bleu(scorer: Bleu) -> Resampled:
    """BLEU. The columns are those of the scorer: two lengths, clipped counts, counts."""
    order, smoothing = scorer.max_order, scorer.smoothing
    value = _DEFAULTS.get(smoothing, 0.0) if scorer.smooth_value is None else scorer.smooth_value

    def score(sums: Singles) -> float:
        hypothesis, reference = int(sums[0]), int(sums[1])
        matched, counted = sums[2 : 2 + order], sums[2 + order :]
        if not matched.any():
            return 0.0
        if smoothing == "add-k":
            matched[1:] += value
            counted[1:] += value
        precisions, used, halvings = [0.0] * order, order, 1.0
        for n in range(order):
            if counted[n] == 0:
                break
            if scorer.effective_order:
                used = n + 1
            if matched[n]:
                precisions[n] = 100.0 * matched[n] / counted[n]
            elif smoothing == "exp":
                halvings *= 2
                precisions[n] = 100.0 / (halvings * counted[n])
            elif smoothing == "floor":
                precisions[n] = 100.0 * value / counted[n]
        penalty = 1.0
        if hypothesis < reference:
            penalty = math.exp(1 - reference / hypothesis) if hypothesis else 0.0
        logarithms = [math.log(each) if each else _LOG_OF_ZERO for each in precisions[:used]]
        return penalty * math.exp(sum(logarithms) / used)

    return score


def chrf(scorer: Chrf) -> Resampled:
    """chrF and chrF++."""
    columns = scorer._columns
    kinds = ("hypothesis_count", "reference_count", "match_count")
    names = [(unit, order) for unit, most in (("char", scorer.char_order), ("word", scorer.word_order))
             for order in range(1, most + 1)]  # fmt: skip
    places = [[columns.index(f"{unit}_{kind}_{order}") for kind in kinds] for unit, order in names]
    factor = int(scorer.beta) ** 2

    def score(sums: Singles) -> Any:
        total, precision, recall, used = 0.0, 0.0, 0.0, 0
        for hypothesis, reference, matched in sums[places]:
            own_precision = matched / hypothesis if hypothesis > 0 else _EPSILON
            own_recall = matched / reference if reference > 0 else _EPSILON
            below = factor * own_precision + own_recall
            total += (1 + factor) * own_precision * own_recall / below if below > 0 else _EPSILON
            if hypothesis > 0 and reference > 0:
                precision, recall, used = precision + own_precision, recall + own_recall, used + 1
        if scorer.smoothing == "epsilon":
            return 100 * total / len(places)
        precision, recall = (precision / used, recall / used) if used else (0.0, 0.0)
        if not precision + recall:
            return 0.0
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    return score


def ter(scorer: Ter) -> Resampled:
    """TER."""
    edits, length = (scorer._columns.index(name) for name in ("edits", "reference_length"))

    def score(sums: Singles) -> Any:
        if sums[length] > 0:
            return 100 * (sums[edits] / sums[length])
        return 100 * float(sums[edits] > 0)

    return score
