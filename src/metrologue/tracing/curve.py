"""A curve of one value at many places of a text, as bars for a terminal and as a picture; the surprisal of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.tracing.blocks import MARKS, Block, Key, Legend, Span, Text, Texts

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
        """The numbers at the axes: x, y, the text, and its anchor."""
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


# A word has no mark below the first of these numbers of bits, the strongest mark from the last one on.
LIMITS = (2.0, 5.0, 8.0, 12.0)
# A curve has at most this many points.
MOST_POINTS = 200


def surprisal_text(name: str, words: Sequence[str], bits: Sequence[float]) -> tuple[Texts, Legend]:
    """A text whose words are marked by their surprisal, and what the marks mean. `name` is what they are called.

    Examples
    --------
    >>> text, legend = surprisal_text("tokens", ["the", "zebra"], [0.1, 9.0])
    >>> [getattr(piece, "state", "") for piece in text.texts[0].sentences[0]]
    ['', 'bits-3']
    >>> text.texts[0].size
    '2 tokens'
    >>> [key.meaning for key in legend.keys]
    ['2 or more', '5 or more', '8 or more', '12 or more']
    """
    states = ["", *(f"bits-{level}" for level in range(1, len(LIMITS) + 1))]
    pieces = [
        Span(tokens=(word,), state=states[level]) if level else word
        for word, level in zip(words, np.searchsorted(LIMITS, bits, "right").tolist(), strict=True)
    ]
    keys = (
        Key(mark=MARKS[state], meaning=f"{limit:g} or more", state=state)
        for state, limit in zip(states[1:], LIMITS, strict=True)
    )
    text = Text(name=name, sentences=(tuple(pieces),), size=f"{len(words)} {name}")
    return Texts(texts=(text,)), Legend(keys=tuple(keys), title="bits of surprisal")


def surprisal_curve(axis: str, first: int, bits: Sequence[float]) -> Curve:
    """The surprisal at each place, counted from `first`. Infinite values are left out.

    Many places are joined to equal stretches, and the curve shows the mean of each.

    Examples
    --------
    >>> curve = surprisal_curve("line", 1, [2.0, np.inf, 4.0])
    >>> curve.places, curve.values
    ((1.0, 3.0), (2.0, 4.0))
    """
    places = np.flatnonzero(np.isfinite(bits))
    parts = np.array_split(places, min(MOST_POINTS, len(places))) if len(places) else []
    values = np.asarray(bits, np.float64)
    means = f", means of {len(parts)} stretches" if len(parts) < len(places) else ""
    return Curve(
        name=f"bits of surprisal{means}",
        axis=axis,
        places=tuple(float(part.mean()) + first for part in parts),
        values=tuple(float(values[part].mean()) for part in parts),
    )
