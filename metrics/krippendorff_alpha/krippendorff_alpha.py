"""Krippendorff's alpha for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.agreement import krippendorff_alpha  # From: -e CHECKOUT-OF-METROLOGUE


class KrippendorffAlpha(NumberModule, evaluate.Measurement):
    """Krippendorff's alpha of any number of annotators.

    Krippendorff's alpha says how far annotators agree beyond chance: 1 if they always agree, 0 if they agree as by
    chance, below 0 if they disagree systematically. It takes any number of annotators, missing ratings, and categories,
    ranks or numbers.

    Args:
        data: list of lists of numbers or texts: for each unit the ratings of all annotators, None where one is missing.
        level: the level of measurement, "nominal", "ordinal", "interval" or "ratio".
        distance: "masi" for sets of texts, or a function of two labels, in place of a level.
        scale: list of all ratings that there can be; others are an error.
        confidence: a level such as 0.95, to add "confidence", a bootstrap interval.
        resamples: number of resamples of the interval.

    Returns:
        krippendorff_alpha: the agreement beyond chance, up to 1; NaN if all ratings are equal.
        observed, expected: the disagreement that there is, and that of chance.
        units, ratings: the units with two ratings or more, and their ratings.

    Examples:

        >>> import metrologue
        >>> alpha = metrologue.load("krippendorff_alpha")
        >>> result = alpha.compute(data=[[1, 1, None], [2, 2, 3], [3, 3, 3], [1, 2, 1], [4, 4, 4]], level="ordinal")
        >>> round(result["krippendorff_alpha"], 4), result["units"], result["ratings"]
        (0.8934, 5, 14)
    """

    rows = ("data",)
    takes_texts = True
    papers = ("krippendorff-2011-computing",)
    pages = ("https://repository.upenn.edu/asc_papers/43",)

    def _compute(self, data, level="nominal", distance=None, scale=None, confidence=None, resamples=1000):
        options = {"distance": distance, "scale": scale, "confidence": confidence, "resamples": resamples}
        found = krippendorff_alpha(self._matrix(data), level, **options, seed=self._seed())
        return {**self._agreement(found), "units": found.units, "ratings": found.ratings}
