"""The protocol that resampling needs; every ``Scorer`` satisfies it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from metrologue.data.arrays import Floats
from metrologue.segments import Segments


class Metric(Protocol):
    """The part of ``metrologue.scorers.Scorer`` that resampling needs."""

    @property
    def _infinite(self) -> tuple[str, ...]:
        """Names of the numbers that may be infinite."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the k statistics."""

    @property
    def primary(self) -> str:
        """The name of the primary number."""

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """The smallest and the largest possible value of each number."""

    @property
    def higher_is_better(self) -> Mapping[str, bool]:
        """Whether a higher number is better."""

    @property
    def _separable(self) -> bool:
        """Whether the statistics of a segment depend on it alone, and their sum gives the score."""

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        """A metric with the same scores for these segments and subsets, from rows that add up; None without one."""

    def _sampled(self, segments: Segments) -> Segments:
        """The segments that are scored: all of them, unless the metric draws a sample."""

    def _for_resampling(self) -> Metric:
        """The metric that resamples are scored with."""

    def statistics(self, segments: Segments) -> Floats:
        """The statistics of each segment, (n_segments, k)."""

    def aggregate(self, rows: Floats) -> Floats:
        """Totals (k,) of rows (n, k)."""

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number, each of shape (...), from totals (..., k)."""

    def corpus(self, predictions: Segments) -> Any:
        """The result of a corpus, with its numbers in `scores`."""


@dataclass(frozen=True)
class OfRows(ABC):
    """Base of a metric that has the numbers of another one, from rows that add up.

    Parameters
    ----------
    scorer : Metric
        The other one.
    """

    scorer: Metric
    _separable: ClassVar[bool] = True
    _infinite: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the k sums."""

    @abstractmethod
    def statistics(self, segments: Segments) -> Floats:
        """The rows that add up, (n, k)."""

    @abstractmethod
    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number, each of shape (...), from totals (..., k)."""

    @property
    def primary(self) -> str:
        return self.scorer.primary

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        return self.scorer.range

    @property
    def higher_is_better(self) -> Mapping[str, bool]:
        return self.scorer.higher_is_better

    def _separated(self, samples: Sequence[Segments]) -> Self:
        return self

    def _for_resampling(self) -> Self:
        return self

    def _sampled(self, segments: Segments) -> Segments:
        return self.scorer._sampled(segments)

    def aggregate(self, rows: Floats) -> Floats:
        """The sum of the rows."""
        totals: Floats = rows.sum(axis=0)
        return totals

    def corpus(self, predictions: Segments) -> Any:
        return self.scorer.corpus(predictions)
