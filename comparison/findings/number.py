"""The numbers of a comparison with their intervals, and what is tested of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from metrologue.inference import Interval, PairedResult

__all__ = ["ALPHA", "RESOLUTION", "Flip", "Number", "Sample", "Sampling"]

RESOLUTION = 1e-9
# A difference is significant if its p-value is below this.
ALPHA = 0.05


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How a comparison resamples. All systems and variants share the draws.

    Attributes
    ----------
    level : float
        The level of confidence of the intervals.
    resamples, seed : int
    tests : bool
        Whether the systems are tested against each other.
    """

    level: float = 0.95
    resamples: int = 1000
    seed: int = 12345
    tests: bool = True

    @property
    def percent(self) -> str:
        """The level as people write it: 95 %."""
        return f"{100 * self.level:.6g} %"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A library's number for a sample of the segments, because all of them take too long.

    Attributes
    ----------
    segments, seed : int
        How many segments were drawn, without replacement, and the seed of the draws.
    value : float
        The library's number for them, on its own scale.
    expected : float or None
        The number of our variant of the same name for them, on that scale; None if there is no such variant.
    equal : bool or None
        Whether the two are equal; None if there is no such variant.
    """

    segments: int
    seed: int
    value: float
    expected: float | None = None
    equal: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Number:
    """One number of one column (a library, or a variant of ours) for one system.

    Attributes
    ----------
    kind : {"library", "variant"}
    name : str
        The name of the adapter or of the variant.
    version : str or None
        The version of the library that ran, or of the library that the variant mirrors.
    system : str
        The system that made the predictions.
    value : float or None
        The number on the column's own scale; None if there is none.
    unit : float or None
        The perfect score in this column: 1 or 100. None for a quantity without a perfect score, such as a distance.
    missing : str or None
        Why there is no number.
    signature : str or None
        The signature of the variant.
    resolution : float
        Two numbers are equal if their relative difference is at most this.
    printed_digits : int or None
        How many decimals the library prints, if it is a program that prints its numbers.
    interval : Interval or None
        The confidence interval on the column's own scale. A library has that of the variant with the same number.
    mirrors : str or None
        The library and its version that the number of a variant is proven equal to, such as "nltk 3.10.4".
    expected : float or None
        The number of our variant of the same name, on the scale of this library; None if there is no such variant.
    sample : Sample or None
        A library's number for a sample, if all segments take too long. There is no `value` then.
    seconds : float or None
        How long a library took. It is not part of the JSON, which is the same in every run.
    note : str or None
        What else a library did, such as printing.
    change : str or None
        What the library changed after the version that ran, if this is why its number is not our variant's.
    by_order : tuple of float
        A variant's numbers for n-grams of the orders 1, 2 and so on, from 0 to 1, if the metric has such numbers.
    """

    kind: Literal["library", "variant"]
    name: str
    version: str | None = None
    system: str
    value: float | None = None
    unit: float | None = None
    missing: str | None = None
    signature: str | None = None
    resolution: float = RESOLUTION
    printed_digits: int | None = None
    interval: Interval | None = None
    mirrors: str | None = None
    expected: float | None = None
    sample: Sample | None = None
    seconds: float | None = field(default=None, compare=False)
    note: str | None = None
    change: str | None = None
    by_order: tuple[float, ...] = ()

    @property
    def residual(self) -> float:
        """What no choice explains: this number minus our variant's, on a scale of 1; 0 if they are equal."""
        ours = replace(self, value=self.expected, resolution=RESOLUTION, printed_digits=None)
        if self.value is None or self.expected is None or self.equals(ours):
            return 0.0
        return self.share - ours.share

    @property
    def label(self) -> str:
        """The column in words: ``nltk 3.10.4``, or ``metrologue nltk`` for our variant."""
        return f"metrologue {self.name}" if self.kind == "variant" else f"{self.name} {self.version or ''}".strip()

    @property
    def share(self) -> float:
        """The number on a scale of 1, or as it is if it has no scale. NaN, which equals nothing, if there is none."""
        return math.nan if self.value is None else self.value / (self.unit or 1.0)

    def equals(self, other: Number) -> bool:
        """Whether two numbers are equal on a scale of 1, at the precision of the less precise column."""
        digits = [each.printed_digits for each in (self, other) if each.printed_digits is not None]
        if digits:
            return f"{self.share:.{min(digits)}f}" == f"{other.share:.{min(digits)}f}"
        return math.isclose(self.share, other.share, rel_tol=max(self.resolution, other.resolution))


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Two systems on which columns disagree: the columns that prefer the first, and those that prefer the second.

    `tests` has a paired test of the two systems for each variant that has one. Its p-value is corrected for all pairs.
    """

    first: str
    second: str
    prefer_first: list[str]
    prefer_second: list[str]
    tests: dict[str, PairedResult] = field(default_factory=dict)

    def strongest(self, first: bool) -> tuple[str, PairedResult] | None:
        """The variant that prefers the first system, or the second one, with the least p-value, and its test."""
        columns = self.prefer_first if first else self.prefer_second
        own = [(name, test) for name, test in self.tests.items() if f"metrologue {name}" in columns]
        return min(own, key=lambda each: each[1].corrected_p_value, default=None)

    @property
    def is_significant(self) -> bool:
        """Whether a variant significantly prefers the first system, and another one the second."""
        sides = [self.strongest(first) for first in (True, False)]
        return all(side is not None and side[1].is_significant(ALPHA) for side in sides)
