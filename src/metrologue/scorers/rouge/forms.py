"""The forms of the F-measure: one number in theory, but their last bits differ."""

from __future__ import annotations

import math
from typing import NamedTuple

from metrologue.scorers.core.options import Rule

__all__ = ["F_FORMS", "Form"]


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
