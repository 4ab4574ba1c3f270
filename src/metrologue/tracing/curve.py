"""A curve: one value at many places of a text, as a line of bars for a terminal and as a picture for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrologue.tracing.blocks import Block

__all__ = ["Curve"]

# The picture's measures, in pixels: the room for the curve, and for the numbers to its left and below it.
WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 480.0, 120.0, 56.0, 22.0, 8.0
# A terminal shows so many bars at most, in these eight heights.
BARS, HEIGHTS = 60, "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, kw_only=True)
class Curve(Block):
    """A series of values by position.

    Attributes
    ----------
    name : str
        What the value is.
    axis : str
        What the positions are.
    places, values : tuple of float
        Equally many. The places ascend.
    """

    kind: ClassVar[str] = "curve"

    name: str
    axis: str
    places: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def sentence(self) -> str:
        """What the curve shows, in words: its ends, its lowest and its highest value."""
        if not self.values:
            return f"{self.name}: no value"
        first, last, least, most = (
            f"{value:.6g}" for value in (self.values[0], self.values[-1], min(self.values), max(self.values))
        )
        ends = f"{self.axis} {self.places[0]:g} to {self.places[-1]:g}"
        return f"{self.name}, {ends}: {first} to {last}, from {least} up to {most}"

    @property
    def bars(self) -> str:
        """The curve as a line of bars.

        Examples
        --------
        >>> Curve(name="types", axis="tokens", places=(1, 2, 3, 4), values=(1, 2, 3, 3)).bars
        '▁▅██'
        """
        shown = thinned(self.values, BARS)
        least = min(shown, default=0.0)
        span = max(shown, default=0.0) - least
        return "".join(HEIGHTS[round((value - least) / span * 7) if span else 0] for value in shown)

    # What the picture draws.

    width: ClassVar[float] = LEFT + WIDTH
    height: ClassVar[float] = ABOVE + HEIGHT + BELOW
    left: ClassVar[float] = LEFT
    floor: ClassVar[float] = ABOVE + HEIGHT

    def _position(self, place: float, value: float) -> tuple[float, float]:
        across, up = self.places[-1] - self.places[0], max(self.values) - min(self.values)
        x = (place - self.places[0]) / across if across else 0.0
        y = (value - min(self.values)) / up if up else 0.5
        return LEFT + WIDTH * x, ABOVE + HEIGHT * (1 - y)

    @property
    def path(self) -> str:
        """The curve as an SVG path."""
        points = (self._position(*point) for point in zip(self.places, self.values, strict=True))
        return "".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(points))

    @property
    def ticks(self) -> list[tuple[float, float, str, str]]:
        """The numbers at the axes: x, y, the text, and which of its ends is there."""
        least, most = min(self.values), max(self.values)
        upper = [(LEFT - 6, ABOVE, f"{most:.4g}", "end")] if most > least else []
        lower = ABOVE + HEIGHT * (1 if most > least else 0.5)
        below = ABOVE + HEIGHT + 14
        last = [(LEFT + WIDTH, below, f"{self.axis} {self.places[-1]:g}", "end")] if len(self.places) > 1 else []
        return [*upper, (LEFT - 6, lower, f"{least:.4g}", "end"), (LEFT, below, f"{self.places[0]:g}", "start"), *last]


def thinned(values: Sequence[float], most: int) -> list[float]:
    """At most `most` of the values, at equal distances, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]
