"""Pearson's correlation for `evaluate`, with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE


class Pearsonr(NumberModule, evaluate.Metric):
    """Pearson's r with the arguments and the result of the Hub's module of this name.

    Pearson's r says how close two columns of numbers are to a line: 1 if one rises with the other along a line, -1 if
    it falls, 0 if there is no linear relation. The p-value is the probability of an r at least as far from 0, if both
    columns do not depend on each other and are normally distributed.

    Args:
        predictions: list of numbers, such as a metric's scores.
        references: list of numbers, such as people's scores.
        return_pvalue: whether to add "p-value".
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        pearsonr: the correlation, -1 to 1; NaN if a column does not vary.
        p-value: the two-sided p-value, if it was asked for.

    Examples:

        >>> import metrologue
        >>> pearson = metrologue.load("pearsonr")
        >>> result = pearson.compute(predictions=[10, 9, 2.5, 6, 4], references=[1, 2, 3, 4, 5], return_pvalue=True)
        >>> round(result["pearsonr"], 4), round(result["p-value"], 4)
        (-0.7426, 0.1506)
    """

    numbers = ("predictions", "references")
    configs = ("evaluate", "float64")
    papers = ("pearson-1895-note",)
    pages = ("https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.pearsonr.html",)

    def _compute(self, predictions, references, return_pvalue=False, confidence=None, resamples=1000):
        found = self._correlation(predictions, references, "pearson", confidence, resamples)
        result = {"pearsonr": found.value, **({"p-value": found.p_value} if return_pvalue else {})}
        return {**result, **self._confidence("pearsonr", found.interval)}
