"""How well metrics agree with people: coefficients at three levels, and tests of two metrics."""

from metrologue.inference.correlation.coefficients import COEFFICIENTS
from metrologue.inference.correlation.levels import (
    LEVELS,
    Correlation,
    UndefinedCorrelationWarning,
    correlation,
    correlations,
    leaders,
)
from metrologue.inference.correlation.metric_tests import (
    MetricTest,
    pair_permutation_test,
    permutation_test,
    williams_test,
)
from metrologue.inference.correlation.soft import soft_pairwise_accuracy, soft_permutation_test
from metrologue.inference.correlation.systems import SystemScores, system_correlations

__all__ = [
    "COEFFICIENTS", "LEVELS", "Correlation", "MetricTest", "SystemScores", "UndefinedCorrelationWarning", "correlation",
    "correlations", "leaders", "pair_permutation_test", "permutation_test", "soft_pairwise_accuracy",
    "soft_permutation_test", "system_correlations", "williams_test",
]  # fmt: skip
