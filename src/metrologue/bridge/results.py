"""What a module of `evaluate` gives back: numbers under names, lists of numbers, intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrologue.inference import Interval
    from metrologue.scorers import Scorer


class NamedRate(float):
    """A float that a module returns. `evaluate.combine` can also read it as a dict with one number.

    Examples
    --------
    >>> rate = NamedRate(0.5, "wer")
    >>> rate, rate == 0.5, dict(rate.items())
    (0.5, True, {'wer': 0.5})
    """

    name: str

    def __new__(cls, value: float, name: str) -> NamedRate:
        """The value, with its name in a combined result."""
        rate = super().__new__(cls, value)
        rate.name = name
        return rate

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)  # a saved rate can be read without this package

    def keys(self) -> list[str]:
        """A list that holds only the name."""
        return [self.name]

    def items(self) -> list[tuple[str, float]]:
        """A list that holds the name with the plain float."""
        return [(self.name, float(self))]


def named(rate: float, name: str) -> float:
    """A rate with its name. An int stays an int, because the Hub's modules return it as an int."""
    return NamedRate(rate, name) if isinstance(rate, float) else rate


def by_order(scores: Mapping[str, float | int], name: str) -> list[float | int]:
    """The numbers ``name_1``, ``name_2``, … as a list.

    Examples
    --------
    >>> by_order({"count_1": 4, "count_2": 3, "clipped_count_1": 2}, "count")
    [4, 3]
    """
    return [value for key, value in scores.items() if key.startswith(f"{name}_")]


def plain_intervals(intervals: Mapping[str, Interval], scorer: Scorer) -> dict[str, Any]:
    """The intervals of the numbers that are better or worse, and what all of them were computed with.

    If no number is better or worse, it is the interval of the primary one.
    """
    shown = [key for key in intervals if key in (scorer.higher_is_better or (scorer.primary,))]
    limits = {key: {name: getattr(intervals[key], name) for name in ("low", "high", "mean")} for key in shown}
    about = intervals[shown[0]] if shown else None
    return {**limits, "signature": about.signature} if about else {}
