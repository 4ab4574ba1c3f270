"""Spearman's rank correlation for `evaluate`, with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE


class Spearmanr(NumberModule, evaluate.Metric):
    """Spearman's rho with the arguments and the result of the Hub's module of this name.

    Spearman's rho says whether one column of numbers rises with the other, along any curve: it is Pearson's r of their
    ranks. Equal numbers have the mean of their ranks. The p-value is the probability of a rho at least as far from 0,
    if both columns do not depend on each other; it is rough for short columns.

    Args:
        predictions: list of numbers, such as a metric's scores.
        references: list of numbers, such as people's scores.
        return_pvalue: whether to add "spearmanr_pvalue".
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        spearmanr: the correlation, -1 to 1; NaN if a column does not vary.
        spearmanr_pvalue: the two-sided p-value, if it was asked for.

    Examples:

        >>> import metrologue
        >>> spearman = metrologue.load("spearmanr")
        >>> result = spearman.compute(references=[1, 2, 3, 4, 5], predictions=[10, 9, 2.5, 6, 4], return_pvalue=True)
        >>> round(result["spearmanr"], 4), round(result["spearmanr_pvalue"], 4)
        (-0.7, 0.1881)
    """

    numbers = ("predictions", "references")
    configs = ("evaluate", "float64")
    papers = ("spearman-1904-proof",)
    pages = ("https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.spearmanr.html",)

    def _compute(self, predictions, references, return_pvalue=False, confidence=None, resamples=1000):
        found = self._correlation(predictions, references, "spearman", confidence, resamples)
        result = {"spearmanr": found.value, **({"spearmanr_pvalue": found.p_value} if return_pvalue else {})}
        return {**result, **self._confidence("spearmanr", found.interval)}
