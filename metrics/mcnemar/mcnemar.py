"""McNemar's test for `evaluate`, with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.classical import mcnemar_test  # From: -e CHECKOUT-OF-METROLOGUE


class Mcnemar(NumberModule, evaluate.Comparison):
    """McNemar's test with the arguments and the result of the Hub's module of this name.

    McNemar's test says whether two classifiers are right equally often on the same units. Only units where one is right
    and the other is wrong count: the statistic is the square of the difference of both counts, divided by their sum.

    Args:
        predictions1: list of ints, the labels that the first classifier predicts.
        predictions2: list of ints, the labels that the second classifier predicts.
        references: list of ints, the right labels.

    Returns:
        stat: the statistic; 0 if both are right on the same units.
        p: the p-value, from the chi-squared distribution with one degree of freedom.

    Examples:

        >>> import metrologue
        >>> mcnemar = metrologue.load("mcnemar")
        >>> result = mcnemar.compute(references=[1, 0, 1], predictions1=[1, 1, 1], predictions2=[1, 0, 1])
        >>> result["stat"], round(result["p"], 6)
        (1.0, 0.317311)
    """

    labels = ("predictions1", "predictions2", "references")
    papers = ("mcnemar-1947-note",)
    pages = ("https://doi.org/10.1007/BF02295996",)

    def _compute(self, predictions1, predictions2, references):
        first, second, right = map(self._labels, (predictions1, predictions2, references))
        found = mcnemar_test(first == right, second == right)
        return {"stat": found.statistic, "p": found.p_value}
