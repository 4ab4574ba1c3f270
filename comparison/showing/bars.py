"""The scores of all variants as bars on one scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from metrologue.errors import InputError

__all__ = ["Bar", "Score", "bars_of"]

# Relative difference below which two numbers are one.
RESOLUTION = 1e-9
# Different numbers look different with one of these numbers of decimals. What would be 0 has its exponent.
DECIMALS = range(2, 5)
LEAST = 0.005


class Score(NamedTuple):
    """A variant's score, and what a perfect one is; None for a quantity without one, such as a distance."""

    value: float
    scale: float | None

    @property
    def share(self) -> float:
        return self.value / (self.scale or 1.0)

    @property
    def points(self) -> float:
        """The score on the scale that all variants have in common: points from 0 to 100, or the quantity itself."""
        return 100 * self.share if self.scale else self.value

    def equals(self, other: Score) -> bool:
        return math.isclose(self.share, other.share, rel_tol=RESOLUTION)


@dataclass(frozen=True)
class Bar:
    """A bar: the names that give this number, the number, the length in percent, and the name that is chosen."""

    names: list[str]
    shown: str
    width: float
    chosen: str = ""
    version: str | None = None


def bars_of(scores: Mapping[str, Score | InputError], chosen: str) -> dict[str, Any]:
    """What the page shows of the scores: a bar for each number, the greatest first, the unit, and who has none.

    Parameters
    ----------
    scores : mapping of str to Score or InputError
        The score of each variant, or why it has none.

    Examples
    --------
    >>> found = bars_of({"a": Score(0.5, 1.0), "b": Score(50.0, 100.0), "c": Score(25.0, 100.0)}, "c")
    >>> [(bar.names, bar.shown, bar.width, bar.chosen) for bar in found["rows"]]
    [(['a', 'b'], '50.00', 50.0, ''), (['c'], '25.00', 25.0, 'c')]
    """
    groups: list[tuple[list[str], Score]] = []
    for name, score in scores.items():
        if isinstance(score, InputError):
            continue
        same = next((names for names, other in groups if score.equals(other)), None)
        if same is None:
            groups.append(([name], score))
        else:
            same.append(name)
    groups.sort(key=lambda group: -group[1].points)
    values = [score.points for _, score in groups]
    in_points = all(score.scale for _, score in groups)
    whole = max([100.0 if in_points else 0.0, *(abs(value) for value in values if math.isfinite(value))]) or 1.0
    large = [value for value in values if abs(value) >= LEAST]
    decimals = next((n for n in DECIMALS if len({f"{v:.{n}f}" for v in large}) == len(large)), DECIMALS[-1])
    rows = [
        Bar(
            names,
            f"{value:.{decimals}f}" if value in (0, *large) else f"{value:.0e}",
            100 * min(1.0, max(0.0, value / whole)),
            chosen * (chosen in names),
        )
        for (names, _), value in zip(groups, values, strict=True)
    ]
    missing = [(name, str(score)) for name, score in scores.items() if isinstance(score, InputError)]
    return {"rows": rows, "unit": "0 to 100 points" if in_points else "", "missing": missing}
