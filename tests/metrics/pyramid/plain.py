"""Pyramid (Nenkova and Passonneau 2004, Nenkova et al. 2007). A summary and a model are lists of content units."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import floor
from statistics import fmean

Units = Sequence[Hashable]


def ideal_weight(weights: list[int], size: float) -> float:
    """The weight of the heaviest summary with so many units; of the last one only a part, if the size is not whole."""
    heaviest = sorted(weights, reverse=True)
    whole = floor(size)
    return sum(heaviest[:whole]) + (size - whole) * sum(heaviest[whole : whole + 1])


def scores(summary: Units, models: Sequence[Units], repeats: str = "once", average: str = "nearest") -> list[float]:
    """The original and the modified score of a summary."""
    tiers = Counter(unit for model in models for unit in set(model))
    weight = sum(tiers[unit] for unit in set(summary))
    weights, size = [*tiers.values()], len(summary if repeats == "each" else set(summary))
    mean = sum(weights) / len(models)
    of_model = {"nearest": floor(mean + 0.5), "floor": floor(mean), "exact": mean}[average]
    ideals = ideal_weight(weights, size), ideal_weight(weights, of_model)
    return [weight / ideal if ideal else 0.0 for ideal in ideals]


def pyramid(
    summaries: Sequence[Units],
    models: Sequence[Sequence[Units]],
    ideal: str = "models",
    capped: bool = False,
    repeats: str = "once",
    average: str = "nearest",
) -> float:
    """The mean over summaries, each with the models of its topic.

    >>> pyramid([["when", "weather"]], [[["crash", "where"], ["crash", "when"]]], ideal="summary")
    0.3333333333333333
    """
    found = []
    for summary, own in zip(summaries, models, strict=True):
        original, modified = scores(summary, own, repeats, average)
        if capped:
            modified = min(modified, 1.0)
        both = 2 * original * modified / (original + modified) if original else 0.0
        found.append({"summary": original, "models": modified, "both": both}[ideal])
    return fmean(found)
