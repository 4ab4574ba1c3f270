"""Kendall's rank correlation for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE


class Kendalltau(NumberModule, evaluate.Metric):
    """Kendall's tau and its variants.

    Kendall's tau compares every two entries: it is the share of pairs that both columns put in the same order, less the
    share that they put in opposite orders. Its variants differ in what a tie does. The p-value is exact for short
    columns without ties, and otherwise that of a normal distribution.

    Args:
        predictions: list of numbers, such as a metric's scores.
        references: list of numbers, such as people's scores.
        variant: "b", corrected for ties; "c", for scales of different length; "23" or "acc23", where a tie of both
            columns is right; or WMT's "wmt12", "wmt13", "wmt14", "wmt20".
        return_pvalue: whether to add "p-value"; only for "b" and "c".
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        kendalltau: the correlation, -1 to 1, or the accuracy of "acc23", 0 to 1; NaN if a column does not vary.
        p-value: the two-sided p-value, if it was asked for.

    Examples:

        >>> import metrologue
        >>> kendall = metrologue.load("kendalltau")
        >>> result = kendall.compute(predictions=[1, 2, 3, 4, 5, 6], references=[2, 1, 4, 3, 6, 6], return_pvalue=True)
        >>> round(result["kendalltau"], 4), round(result["p-value"], 4)
        (0.6901, 0.0558)
    """

    numbers = ("predictions", "references")
    papers = ("kendall-1945-treatment",)
    pages = ("https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.kendalltau.html",)

    def _compute(
        self, predictions, references, variant="b", return_pvalue=False, confidence=None, resamples=1000
    ):  # fmt: skip
        method = variant if variant == "acc23" else f"kendall-{variant}"
        found = self._correlation(predictions, references, method, confidence, resamples)
        result = {"kendalltau": found.value, **({"p-value": found.p_value} if return_pvalue else {})}
        return {**result, **self._confidence("kendalltau", found.interval)}
