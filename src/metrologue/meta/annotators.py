"""How well annotators agree on each quality, and the qualities on which they agree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError, heard, instead_of, shown
from metrologue.inference.agreement import (
    RELIABLE,
    Agreement,
    UndefinedAgreementWarning,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from metrologue.inference.correlation import correlation

# Kappas are for categories; ratings with more values are measurements.
_MOST_CATEGORIES = 20

MEASURES: Mapping[str, str] = {
    "alpha": "Krippendorff's alpha",
    "kappa": "Cohen's kappa of two annotators, Fleiss' kappa of more",
    "others": "Spearman's correlation of an annotator with the mean of the others, the mean over annotators",
}


@dataclass(frozen=True)
class AnnotatorAgreement:
    """How well the annotators of a quality agree.

    Attributes
    ----------
    annotators : int
    rated : int
        How many texts have two ratings or more.
    declined : int
        Ratings that are missing because an annotator wrote "N/A ...".
    alpha, kappa, others : float or None
        The ``MEASURES``. None if no text has two ratings, or if all ratings are equal; for kappa, also if there are
        more than 20 different ratings, or fewer than two texts have a rating of everybody.
    limits : (float, float) or None
        The 0.95 interval of alpha, from resamples of texts.
    """

    annotators: int
    rated: int
    declined: int
    alpha: float | None = None
    kappa: float | None = None
    others: float | None = None
    limits: tuple[float, float] | None = None

    @property
    def is_low(self) -> bool:
        """Whether alpha is below 0.667, the limit below which Krippendorff advises against any conclusion."""
        return self.alpha is not None and self.alpha < RELIABLE

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "annotators": self.annotators,
            "texts_with_two_ratings": self.rated,
            "not_applicable": self.declined,
            **{name: getattr(self, name) for name in MEASURES},
            "alpha_limits": self.limits and [*self.limits],
        }


def agreement_of(
    ratings: Ratings, level: str = "ordinal", resamples: int = 1000, seed: int | None = None
) -> AnnotatorAgreement:
    """How well the annotators of a quality agree.

    Parameters
    ----------
    ratings : Ratings
    level : str
        What the ratings are, for alpha: "nominal", "ordinal", "interval" or "ratio".
    resamples : int
        For the interval of alpha; 0: none.
    seed : int, optional

    Examples
    --------
    >>> found = agreement_of(Ratings(np.array([[1.0, 1], [2, 2], [3, 3], [1, 2]]), ("ann", "bob")))
    >>> round(found.alpha, 4), round(found.kappa, 4), found.is_low
    (0.79, 0.6364, False)
    """
    values = ratings.values
    rated = int(((~np.isnan(values)).sum(axis=1) >= 2).sum())
    if not rated:
        return AnnotatorAgreement(values.shape[1], rated, ratings.declined)
    drawn: Any = {"confidence": 0.95, "resamples": resamples, "seed": seed} if resamples and rated > 2 else {}
    with heard(UndefinedAgreementWarning):  # None says it
        alpha = krippendorff_alpha(values, level, **drawn)
        kappa = _kappa(values)
    return AnnotatorAgreement(
        values.shape[1],
        rated,
        ratings.declined,
        alpha=_known(alpha),
        kappa=_known(kappa),
        others=_with_others(values),
        limits=(alpha.interval.low, alpha.interval.high) if alpha.interval else None,
    )


def _known(agreement: Agreement | None) -> float | None:
    return None if agreement is None or math.isnan(agreement.value) else agreement.value


def _kappa(values: Floats) -> Agreement | None:
    whole = values[~np.isnan(values).any(axis=1)]
    if len(whole) < 2 or len(np.unique(whole)) > _MOST_CATEGORIES:
        return None
    return cohen_kappa(whole[:, 0], whole[:, 1]) if whole.shape[1] == 2 else fleiss_kappa(whole)


def _with_others(values: Floats) -> float | None:
    """The mean correlation of an annotator with the mean of the others, of those for whom there is one."""
    coefficients = []
    for annotator in range(values.shape[1]):
        others = np.delete(values, annotator, axis=1)
        rows = ~np.isnan(values[:, annotator]) & (~np.isnan(others)).any(axis=1)
        mean = np.nanmean(others[rows], axis=1) if rows.any() else np.empty(0)
        ratings = values[rows, annotator]
        if len(ratings) >= 3 and np.ptp(ratings) and np.ptp(mean):
            coefficients.append(correlation(ratings, mean, method="spearman").value)
    return float(np.mean(coefficients)) if coefficients else None


def agreeing(judgements: Judgements, least: float, measure: str = "alpha", level: str = "ordinal") -> Judgements:
    """The qualities on which annotators agree.

    Parameters
    ----------
    judgements : Judgements
    least : float
        The least agreement of a quality that stays; FineD-Eval takes 0.6.
    measure : str
        One of ``MEASURES``.
    level : str
        As for ``agreement_of``.

    Returns
    -------
    Judgements
        With a note for each quality that is left out.

    Raises
    ------
    InputError
        If there is no such measure, if the ratings of a quality are means, or if no quality is left.
    """
    if measure not in MEASURES:
        raise InputError(f"measure: {shown(measure)} is unknown; {instead_of(measure, MEASURES)}")
    values = {
        name: getattr(agreement_of(ratings, level, resamples=0), measure)
        for name, ratings in judgements.ratings.items()
    }
    if unknown := [name for name, value in values.items() if value is None]:
        raise InputError(
            f"{unknown[0]}: no {measure}, because no text has ratings of several annotators; leave out the filter."
        )
    low = {name: value for name, value in values.items() if value < least}
    told = [f"{name} is left out: {measure} is {value:.3f}, below {least:g}." for name, value in low.items()]
    if len(low) == len(values):
        best = max(values, key=values.__getitem__)
        raise InputError(
            f"no quality has an agreement of {least:g}; {best} has the greatest {measure}, {values[best]:.3f}."
        )
    kept = judgements.of_qualities([name for name in values if name not in low])
    return replace(kept, notes=(*judgements.notes, *told))
