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
from metrologue.inference.correlation.soft import soft_pairwise_accuracy

__all__ = [
    "COEFFICIENTS", "LEVELS", "Correlation", "MetricTest", "UndefinedCorrelationWarning", "correlation", "correlations",
    "leaders", "pair_permutation_test", "permutation_test", "soft_pairwise_accuracy", "williams_test",
]  # fmt: skip
