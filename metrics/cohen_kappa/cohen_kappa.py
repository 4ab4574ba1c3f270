"""Cohen's kappa for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.agreement import cohen_kappa  # From: -e CHECKOUT-OF-METROLOGUE


class CohenKappa(NumberModule, evaluate.Metric):
    """Cohen's kappa of two annotators.

    Cohen's kappa says how far two annotators agree on categories beyond chance: 1 if they always agree, 0 if they agree
    as often as by chance, below 0 if they agree less often. With weights, categories that are far apart disagree more.

    Args:
        predictions: list of numbers or texts, the categories that the first annotator gives.
        references: list of numbers or texts, the categories that the second annotator gives.
        weights: None, "linear" or "quadratic": how much a disagreement counts, by the places of the categories in
            order.
        scale: list of all categories; others are an error. By default, those that occur.
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        cohen_kappa: the agreement beyond chance, up to 1; NaN if there is one category only.
        observed, expected: the agreement that there is, and that of chance.

    Examples:

        >>> import metrologue
        >>> kappa = metrologue.load("cohen_kappa")
        >>> first, second = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
        >>> result = kappa.compute(predictions=first, references=second)
        >>> {name: round(value, 4) for name, value in result.items()}
        {'cohen_kappa': 0.4, 'observed': 0.7, 'expected': 0.5}
    """

    numbers = ("predictions", "references")
    takes_texts = True
    papers = ("cohen-1960-coefficient",)
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.cohen_kappa_score.html",)

    def _compute(self, predictions, references, weights=None, scale=None, confidence=None, resamples=1000):
        ratings = self._numbers(predictions), self._numbers(references)
        options = {"scale": scale, "confidence": confidence, "resamples": resamples, "seed": self._seed()}
        return self._agreement(cohen_kappa(*ratings, weights, **options))
