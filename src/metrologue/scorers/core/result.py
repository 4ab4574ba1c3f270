"""The result of scoring a corpus."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError

if TYPE_CHECKING:
    from metrologue.inference import Interval
    from metrologue.tracing.notebook import Markup


@dataclass(frozen=True, repr=False)
class Result:
    """A corpus score. ``float``, ``round``, a format such as ``f"{result:.2f}"`` and comparisons take its `value`.

    Attributes
    ----------
    value : float
        The primary number, on the scorer's own scale.
    scores : dict of str to float or int
        Every number; counts are int.
    signature : str
        All choices behind the score; ``Scorer.from_signature`` makes the scorer from it.
    primary : str
        The key of `value` in `scores`.
    round_digits : int or None
        The number of decimals that the mirrored program prints; None for a library, which returns numbers.
    intervals : mapping of str to Interval
        The confidence interval of each number, if a level of confidence was given.
    """

    value: float
    scores: dict[str, float | int]
    signature: str
    primary: str
    round_digits: int | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the primary number, if a level of confidence was given."""
        return self.intervals.get(self.primary)

    @property
    def _shown(self) -> str:
        return f"{self.primary} = {self.value:.4f}" + (f" {self.interval}" if self.interval else "")

    @property
    def printed(self) -> dict[str, str]:
        """Every number as the mirrored program prints it; in full for a library."""
        digits = self.round_digits
        return {key: repr(n) if digits is None else f"{n:.{digits}f}" for key, n in self.scores.items()}

    def __str__(self) -> str:
        return f"{self._shown}  {self.signature}"

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float | int:
        return round(self.value, digits)

    def __lt__(self, number: object) -> bool:
        return self.value < float(number) if isinstance(number, Real) else NotImplemented

    def __le__(self, number: object) -> bool:
        return self.value <= float(number) if isinstance(number, Real) else NotImplemented

    def __gt__(self, number: object) -> bool:
        return self.value > float(number) if isinstance(number, Real) else NotImplemented

    def __ge__(self, number: object) -> bool:
        return self.value >= float(number) if isinstance(number, Real) else NotImplemented

    def __getattr__(self, name: str) -> Any:
        cure = "; write .value, or .scores for every number" if name == "score" else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{cure}", name=name, obj=self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the number, every number, and the signature; with the intervals, if there are any."""
        intervals = {key: each.to_dict() for key, each in self.intervals.items()}
        plain = {"primary": self.primary, "value": self.value, "scores": self.scores, "signature": self.signature}
        return {**plain, **self.more_json(), **({"intervals": intervals} if intervals else {})}

    def __repr__(self) -> str:
        return f"<Result {self._shown}, one of {len(self.scores)} in .scores>"

    def _repr_html_(self) -> str:
        """What a notebook shows: every number, the primary one first, and the signature."""
        from metrologue.tracing import notebook

        keys = sorted(self.scores, key=lambda key: key != self.primary)
        rows = [[key, f"{n:.4f}" if isinstance(n, float) else f"{n:,}"] for key in keys for n in [self.scores[key]]]
        header, notes = ["number", "value"], [self.signature]
        if some := next(iter(self.intervals.values()), None):
            header.append(f"{some.level:.4g} interval")
            rows = [[*row, str(self.intervals.get(row[0], ""))] for row in rows]
            from metrologue.inference.resampling import few_segments

            notes += filter(None, (some.signature, few_segments(some.segments)))
        return notebook.block(notebook.table(self._shown, header, rows), *self._more_html(), *map(notebook.note, notes))

    def more_json(self) -> dict[str, Any]:
        """What JSON has beside the numbers."""
        return {}

    def _more_html(self) -> list[Markup]:
        """What a notebook shows below the numbers."""
        return []


def finite(
    label: str, numbers: Mapping[str, NDArray[np.float64]], infinite: Collection[str] = ()
) -> dict[str, NDArray[np.float64]]:
    """The numbers. Raises an InputError if one is not finite: fields in range can be too extreme together.

    The numbers with the names in `infinite` may be infinite.
    """
    for key, values in numbers.items():
        # A single number is looked at in Python, which takes a tenth of the time.
        if math.isfinite(values.item()) if values.size == 1 else np.isfinite(values).all():
            continue
        if key not in infinite or np.isnan(values).any():
            raise InputError(f"{label}: `{key}` is infinite or not a number; choose other field values.")
    return dict(numbers)


def at_fault(wrong: NDArray[np.bool_]) -> str:
    """The name of the first thing without a score: the corpus (), a segment (n,) or a resample.

    Examples
    --------
    >>> at_fault(np.array(True)), at_fault(np.array([False, True])), at_fault(np.array([[False], [True]]))
    ('the corpus', 'segment 1, counted from 0,', 'a resample')
    """
    if wrong.ndim == 1:
        return f"segment {np.flatnonzero(wrong)[0]}, counted from 0,"
    return "a resample" if wrong.ndim else "the corpus"


def plain_numbers(numbers: Mapping[str, NDArray[np.float64]], counted: Collection[str]) -> dict[str, float | int]:
    """The numbers as plain Python numbers. Those that are `counted` and whole are ints.

    Examples
    --------
    >>> plain_numbers({"hits": np.array(3.0), "score": np.array(1.0)}, ["hits"])
    {'hits': 3, 'score': 1.0}
    """
    plain: dict[str, float | int] = {}
    for name, value in numbers.items():  # a call for each number would take longer
        number = float(value)
        plain[name] = int(number) if name in counted and number.is_integer() else number
    return plain


def check_counted(label: str, segments: int) -> None:
    """Raise an InputError if there are no segments."""
    if not segments:
        raise InputError(f"{label}: no segments; a score needs at least one.")
