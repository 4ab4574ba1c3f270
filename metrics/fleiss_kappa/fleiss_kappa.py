"""Fleiss' kappa for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.agreement import fleiss_kappa  # From: -e CHECKOUT-OF-METROLOGUE


class FleissKappa(NumberModule, evaluate.Measurement):
    """Fleiss' kappa of several annotators.

    Fleiss' kappa says how far several annotators agree on categories beyond chance: 1 if they always agree, 0 if they
    agree as often as by chance. Each unit needs the same number of ratings; they may come from different people.

    Args:
        data: list of lists of numbers or texts: for each unit the categories that the annotators give, None where there
            is none.
        scale: list of all categories; others are an error. By default, those that occur.
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        fleiss_kappa: the agreement beyond chance, up to 1; NaN if there is one category only.
        observed, expected: the agreement that there is, and that of chance.

    Examples:

        >>> import metrologue
        >>> kappa = metrologue.load("fleiss_kappa")
        >>> result = kappa.compute(data=[[1, 1, 1], [2, 2, 2], [1, 2, 2], [1, 1, 2]])
        >>> {name: round(value, 4) for name, value in result.items()}
        {'fleiss_kappa': 0.3333, 'observed': 0.6667, 'expected': 0.5}
    """

    rows = ("data",)
    takes_texts = True
    papers = ("fleiss-1971-measuring",)
    pages = ("https://doi.org/10.1037/h0031619",)

    def _compute(self, data, scale=None, confidence=None, resamples=1000):
        options = {"scale": scale, "confidence": confidence, "resamples": resamples, "seed": self._seed()}
        return self._agreement(fleiss_kappa(self._matrix(data), **options))
