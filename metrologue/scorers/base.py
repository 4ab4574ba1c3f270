"""The base of the metrics whose options are not declared yet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from metrologue.scorers.core import options
from metrologue.scorers.core.options import LARGEST, LONGEST_NGRAM, Choice
from metrologue.scorers.core.scorer import Floats
from metrologue.scorers.core.scorer import Scorer as NewScorer
from metrologue.segments import Segments

__all__ = ["LARGEST", "LONGEST_NGRAM", "Choice", "Scorer"]


@dataclass(frozen=True, kw_only=True)
class Scorer(NewScorer):
    _choices: ClassVar[tuple[Choice, ...]]
    tables: ClassVar[tuple[str, ...]] = ()
    _aggregations: ClassVar[tuple[str, ...]] = ("corpus", "mean")
    aggregation: str = options.option("corpus", stage="score", choice="aggregation")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(aggregation=self._aggregations)
        self._check_numbers("scale", least=1e-9)

    def _check_names(self, **known: Iterable[str]) -> None:
        for name, names in known.items():
            self._check(name, getattr(self, name) in [*names], " or ".join(names))

    def _check_numbers(self, *names: str, least: float = 0, greatest: float = LARGEST) -> None:
        for name in names:
            value = getattr(self, name)
            items = value if isinstance(value, tuple) else () if value is None else (value,)
            expected = (
                f"{options.described(options.field_types(type(self))[name])} from {least:.10g} to {greatest:.10g}"
            )
            self._check(name, all(least <= number <= greatest for number in items), expected)

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.count_columns

    def _statistics(self, segments: Segments) -> Floats:
        return self.counts(segments)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        return self.numbers(statistics)

    @property
    @abstractmethod
    def count_columns(self) -> tuple[str, ...]: ...

    @abstractmethod
    def counts(self, segments: Segments) -> Floats: ...

    @abstractmethod
    def numbers(self, counts: Floats) -> dict[str, Floats]: ...

    def from_counts(self, counts: Floats) -> Floats:
        import numpy as np

        if self.aggregation == "corpus":
            return counts
        return np.column_stack([*self._score(counts).values(), np.ones(len(counts))])
