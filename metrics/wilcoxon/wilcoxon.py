"""Wilcoxon's signed-rank test for `evaluate`, with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.classical import wilcoxon_test  # From: -e CHECKOUT-OF-METROLOGUE


class Wilcoxon(NumberModule, evaluate.Comparison):
    """Wilcoxon's test with the arguments and the result of the Hub's module of this name.

    Wilcoxon's signed-rank test says whether the differences of two systems on the same units are symmetric about 0. It
    ranks the differences by size and compares the ranks of the positive with those of the negative ones.

    Args:
        predictions1: list of numbers, such as the segment scores of the first system.
        predictions2: list of numbers, those of the second system.

    Returns:
        stat: the smaller sum of ranks.
        p: the two-sided p-value.

    Examples:

        >>> import metrologue
        >>> wilcoxon = metrologue.load("wilcoxon")
        >>> wilcoxon.compute(predictions1=[-7, 123.45, 43, 4.91, 5], predictions2=[1337.12, -9.74, 1, 2, 3.21])
        {'stat': 5.0, 'p': 0.625}
    """

    numbers = ("predictions1", "predictions2")
    configs = ("evaluate", "float64")
    papers = ("wilcoxon-1945-individual",)
    pages = ("https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.wilcoxon.html",)

    def _compute(self, predictions1, predictions2):
        found = wilcoxon_test(self._numbers(predictions1) - self._numbers(predictions2))
        return {"stat": found.statistic, "p": found.p_value}
