"""The report's plots, as SVG inside an HTML page. They follow the page's colours, light or dark.

Each function gives an ``<svg>`` element. Its `label` is the plot in words, for those who cannot see it.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate

from metrologue.tracing.spelling import width_of

__all__ = ["Dot", "Step", "cloud", "levels", "places", "spread", "standalone", "waterfall"]

# The page's colours by the names of its variables, for a plot that is a file of its own: light, and dark.
LIGHT = {
    "paper": "#ffffff", "ink": "#1b1f24", "muted": "#5d6671", "line": "#d8d4cb", "up": "#1d5c8c", "down": "#b0522b",
    "one": "#1d5c8d", "two": "#b0522c", "three": "#2f7d4f", "four": "#7a4a9c", "five": "#94700f", "six": "#4d4d4e",
}  # fmt: skip
DARK = {"paper": "#15181c", "ink": "#e7e4dd", "muted": "#a2a9b1", "line": "#383d44", "up": "#7db6e4", "down": "#e79b73"}
# The colours and marks of systems, told apart by people who see colours in any way. A mark is drawn around its place.
SYSTEMS = ("one", "two", "three", "four", "five", "six")
MARKS = (
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "m-2.7-2.7h5.4v5.4h-5.4z", "m0-3.6l3.6 3.6l-3.6 3.6l-3.6-3.6z",
    "m0-3.4l3.3 6h-6.6z", "m0 3.4l3.3-6h-6.6z", "m-1-3.2h2v2.2h2.2v2h-2.2v2.2h-2v-2.2h-2.2v-2h2.2z",
)  # fmt: skip
WIDTH = 324.0  # points: letters keep their size on a phone and grow on a desktop
SIZE, SMALL = 9.5, 8.5  # points: the letters of all text, and of names beside dots
EDGE = 4.0
_SIZES = 8  # of dots that stand for many points
LETTERS = 46  # the greatest number of letters of a label that leaves room for the number at the right


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One row of the spread plot. A number, or its interval, is None if it does not exist."""

    name: str
    library: float | None
    variant: float | None
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One bar of a waterfall: what one choice adds or takes away."""

    label: str
    size: float


@dataclass(frozen=True)
class _Axis:
    """The values from `low` to `high`, drawn from `start` to `end`, which are points of the drawing."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, values: Iterable[float], start: float, end: float, margin: float) -> _Axis:
        """An axis with this share of its length free on both sides."""
        values = [*values]
        low, high = min(values, default=0.0), max(values, default=1.0)
        free = margin * (high - low) or max(abs(low) * 0.01, 0.5)
        return cls(low - free, high + free, start, end)

    def __call__(self, value: float) -> float:
        """The place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Round values between the ends, at most one more than `most`."""
        least = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(least))
        step = next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= least * (1 - 1e-9))
        return [step * k for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


@dataclass
class _Drawing:
    """The elements of a plot, `height` points high. Places are points from the left and from the top."""

    height: float
    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        anchor: str = "start",
        colour: str = "ink",
        size: float = SIZE,
        more: str = "",
    ) -> None:
        """A line of text with its baseline at y; `more` has further attributes."""
        style = f"fill: var(--{colour}); font-size: {size}px"
        self.parts.append(
            f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}" style="{style}"{more}>{escape(_minus(text))}</text>'
        )

    def bold(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self.text(x, y, text, anchor, more=' font-weight="bold"')

    def path(self, steps: str, colour: str, width: float = 0.0, opacity: float = 1.0) -> None:
        """A line of this width, or a filled shape."""
        style = f"fill: none; stroke: var(--{colour}); stroke-width: {width:g}" if width else f"fill: var(--{colour})"
        style += f"; fill-opacity: {opacity:g}" * (opacity != 1)
        self.parts.append(f'<path d="{steps}" style="{style}"/>')

    def grid(self, axis: _Axis, low: float, high: float, is_upright: bool, at: float | None) -> None:
        """A line from `low` to `high` for each tick of an axis, with its value at `at`."""
        for value in axis.ticks():
            place = axis(value)
            if at is not None and is_upright:
                self.text(at, place + SIZE / 3, f"{value:g}", "end", "muted")
            elif at is not None:
                self.text(place, at, f"{value:g}", "middle", "muted")
            steps = f"M{low:.4g} {place:.4g}H{high:.4g}" if is_upright else f"M{place:.4g} {low:.4g}V{high:.4g}"
            self.path(steps, "line", 0.6)

    def upright(self, y: float, text: str) -> None:
        """The title of an upright axis around a height, at the left edge."""
        self.text(SIZE, y, text, "middle", "muted", more=f' transform="rotate(-90 {SIZE} {y:.4g})"')

    def svg(self, label: str) -> str:
        head = f'<svg viewBox="0 0 {WIDTH:g} {self.height:.4g}" role="img" aria-label="{escape(label)}">'
        return "\n".join([head, *self.parts, "</svg>\n"])


def _minus(text: str) -> str:
    """The text; a negative number has a minus sign, not a hyphen."""
    return f"−{text[1:]}" if text[:1] == "-" and text[1:2].isdigit() else text


def _wide(text: str, size: float = SIZE) -> float:
    """About how many points a text takes."""
    return 0.56 * size * width_of(text)


def _short(text: str, room: float) -> str:
    """As much of a text as there is room for."""
    fits = max(4, int(room / (0.56 * SIZE)))
    return text if width_of(text) <= fits else f"{text[: fits - 1]}…"


def spread(panels: Mapping[str, Sequence[Dot]], unit: str, label: str) -> str:
    """A plot of all numbers on one axis, with a panel for each system.

    Parameters
    ----------
    panels : mapping of str to sequence of Dot
        The rows of each system, by its name.
    unit : str
        What the numbers are, written below the axis.
    """
    row, title, every = 19.5, 18.0 * (len(panels) > 1), [dot for dots in panels.values() for dot in dots]
    both = any(dot.library is not None for dot in every)  # otherwise all marks are one kind
    top = 20.0 * both + EDGE
    drawing = _Drawing(top + sum(row * len(dots) + title + 8 for dots in panels.values()) + 2.6 * SIZE)
    left = min(max((_wide(dot.name) for dot in every), default=0.0), 0.45 * WIDTH) + EDGE
    right = WIDTH - _wide("100.0") - 2 * EDGE
    given = [(dot.library, dot.variant, *(dot.limits or ())) for dot in every]
    axis = _Axis.of([value for own in given for value in own if value is not None], left + 8, right - 8, 0.04)
    y = top
    for system, dots in panels.items():
        if title:
            drawing.bold(left + 8, y + SIZE, _short(system, right - left))
        y += title
        for dot in dots:
            y += row
            _draw_dot(drawing, dot, axis, (left, right), y - row / 2)
        y += 8
    drawing.grid(axis, y - 4, y, is_upright=False, at=y + 1.2 * SIZE)
    drawing.text((left + right) / 2, y + 2.4 * SIZE, unit, "middle", "muted")
    if both:
        names, start = (("library", "our variant")), WIDTH - EDGE - _wide("library   our variant") - 34
        for name, draw in zip(names, (_filled, _ring), strict=True):
            draw(drawing, start + 5, EDGE + 7)
            drawing.text(start + 14, EDGE + 7 + SIZE / 3, name)
            start += _wide(name) + 30
    return drawing.svg(label)


def _draw_dot(drawing: _Drawing, dot: Dot, axis: _Axis, ends: tuple[float, float], y: float) -> None:
    """One row: its name, its interval and marks, and its number."""
    left, right = ends
    drawing.text(left, y + SIZE / 3, _short(dot.name, left - EDGE), "end")
    drawing.path(f"M{left + 8:.4g} {y:.4g}H{right:.4g}", "line", 0.6)
    if dot.limits:
        drawing.path(f"M{axis(dot.limits[0]):.4g} {y:.4g}H{axis(dot.limits[1]):.4g}", "muted", 1.6)
    if dot.library is not None:
        _filled(drawing, axis(dot.library), y)
    if dot.variant is not None:
        _ring(drawing, axis(dot.variant), y)
    number = dot.variant if dot.library is None else dot.library
    if number is not None:
        drawing.text(right + EDGE, y + SIZE / 3, f"{number:.1f}")


def _filled(drawing: _Drawing, x: float, y: float) -> None:
    drawing.parts.append(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="2.6" style="fill: var(--up)"/>')


def _ring(drawing: _Drawing, x: float, y: float) -> None:
    style = "fill: none; stroke: var(--down); stroke-width: 1.3"
    drawing.parts.append(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="4.8" style="{style}"/>')


def _points(xs: Sequence[float], ys: Sequence[float], x: str, y: str, margin: float) -> tuple[_Drawing, _Axis, _Axis]:
    """The axes of a scatter plot."""
    drawing = _Drawing(209.0)
    top, bottom = 6.0, 209 - 3 * SIZE
    up = _Axis.of(ys, bottom, top, 0.08)
    left = 2 * SIZE + max(_wide(f"{value:g}") for value in up.ticks())
    across = _Axis.of(xs, left + 6, WIDTH - EDGE, margin)
    drawing.grid(up, left + 6, WIDTH - EDGE, is_upright=True, at=left)
    drawing.grid(across, top, bottom, is_upright=False, at=bottom + 1.3 * SIZE)
    drawing.upright((top + bottom) / 2, textwrap.shorten(y, 34, placeholder="…"))
    title = textwrap.shorten(x, LETTERS, placeholder="…")
    drawing.text((left + WIDTH) / 2, bottom + 2.6 * SIZE, title, "middle", "muted")
    return drawing, across, up


def cloud(
    dots: Sequence[tuple[float, float, int]], middle: Sequence[tuple[float, float]], x: str, y: str, label: str
) -> str:
    """A scatter plot of many points. Neighbours are one dot, whose area is their number.

    Parameters
    ----------
    dots : sequence of (float, float, int)
        Where each dot is, and how many points it stands for.
    middle : sequence of (float, float)
        A line through the points, such as the mean of y by x.
    x, y : str
        What the axes show.
    """
    most = max((count for *_, count in dots), default=1)
    drawing, across, up = _points([dot[0] for dot in dots], [dot[1] for dot in dots], x, y, 0.04)
    # Few sizes, each one path: an element for each dot would make the page ten times as long.
    sizes: dict[int, list[str]] = {}
    for dot_x, dot_y, count in dots:
        size = -(-_SIZES * count // most)
        r = (6 + 90 * size / _SIZES) ** 0.5 / 2
        round_ = f"a{r:.3g} {r:.3g} 0 1 0 {2 * r:.3g} 0a{r:.3g} {r:.3g} 0 1 0-{2 * r:.3g} 0"
        sizes.setdefault(size, []).append(f"M{across(dot_x) - r:.4g} {up(dot_y):.4g}{round_}")
    for own in sizes.values():
        drawing.path("".join(own), "up", opacity=0.45)
    if middle:
        through = [f"{across(a):.4g} {up(b):.4g}" for a, b in middle]
        drawing.path(f"M{'L'.join(through)}", "down", 1.8)
        drawing.path("".join(f"M{place}m-1.7 0a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0" for place in through), "down")
    return drawing.svg(label)


def places(points: Mapping[str, tuple[float, float]], x: str, y: str, label: str) -> str:
    """A scatter plot of few points with their names; other parameters as for ``cloud``. No two names overlap."""
    xs, ys = [place[0] for place in points.values()], [place[1] for place in points.values()]
    drawing, across, up = _points(xs, ys, x, y, 0.16)
    shorts = [textwrap.shorten(name, 22, placeholder="…") for name in points]
    at = [(across(a), up(b)) for a, b in zip(xs, ys, strict=True)]
    for name, (left, top), side in zip(shorts, at, free_sides(shorts, at), strict=True):
        _filled(drawing, left, top)
        if side is not None:
            right, above = side
            anchor = "start" if right > 0 else "end"
            drawing.text(left + 6 * right, top - 4 * above + SMALL / 3, name, anchor, "muted", SMALL)
    return drawing.svg(label)


def free_sides(names: Sequence[str], at: Sequence[tuple[float, float]]) -> list[tuple[int, int] | None]:
    """For each point the side of its name, right or left and up or down; None if all sides are taken by other names."""
    taken: list[tuple[float, float, float, float]] = []
    sides: list[tuple[int, int] | None] = []
    for name, (x, y) in zip(names, at, strict=True):
        sides.append(None)
        for right, above in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            wide = _wide(name, SMALL)
            left = x + (6 if right > 0 else -6 - wide)
            middle = y - 4 * above
            box = left, left + wide, middle - SMALL / 2, middle + SMALL / 2
            if all(box[1] < a or b < box[0] or box[3] < c or d < box[2] for a, b, c, d in taken):
                taken.append(box)
                sides[-1] = right, above
                break
    return sides


def levels(start: float, steps: Sequence[Step]) -> list[float]:
    """The values of a waterfall before, between and after its steps."""
    return list(accumulate((step.size for step in steps), initial=start))


def waterfall(
    start: tuple[str, float], steps: Sequence[Step], end: tuple[str, float], span: float, unit: str, label: str
) -> str:
    """A waterfall from one number to another, with a bar for each choice between them.

    Parameters
    ----------
    start, end : (str, float)
        Name and value of the two numbers.
    steps : sequence of Step
        The choices between them.
    span : float
        The length of the axis. Plots with the same span can be compared by eye.
    unit : str
        What the numbers are, written below the axis.
    """
    labels = [textwrap.wrap(step.label, LETTERS, break_on_hyphens=False) or [""] for step in steps]
    heights = [30.0 + 12 * (len(words) - 1) for words in labels]
    stands = levels(start[1], steps)
    middle, half = (min(stands) + max(stands)) / 2, 0.55 * span or 0.5
    axis = _Axis(middle - half, middle + half, EDGE, WIDTH - EDGE)
    bottom = 22 + sum(heights) + 30 + 10
    drawing = _Drawing(bottom + 2.8 * SIZE)
    y = 22.0
    _draw_total(drawing, axis, y, *start)
    for step, words, height, level in zip(steps, labels, heights, stands, strict=False):
        drawing.path(f"M{axis(level):.4g} {y:.4g}v{height:.4g}", "line", 0.8)
        y += height
        left, right = sorted((axis(level), axis(level + step.size)))
        colour = "up" if step.size >= 0 else "down"
        drawing.path(f"M{left:.4g} {y - 3.5:.4g}h{max(right - left, 0.8):.4g}v7h-{max(right - left, 0.8):.4g}z", colour)
        for row, line in enumerate(reversed(words)):
            drawing.text(EDGE, y - 7 - 12 * row, line)
        drawing.text(WIDTH - EDGE, y - 7, f"{step.size:+#.3g}".replace("-", "−"), "end")
    drawing.path(f"M{axis(stands[-1]):.4g} {y:.4g}v30", "line", 0.8)
    _draw_total(drawing, axis, y + 30, *end)
    drawing.path(f"M{EDGE:g} {bottom:.4g}H{WIDTH - EDGE:g}", "line", 0.6)
    drawing.grid(axis, bottom, bottom + 3, is_upright=False, at=bottom + 1.4 * SIZE)
    drawing.text(WIDTH / 2, bottom + 2.5 * SIZE, unit, "middle", "muted")
    return drawing.svg(label)


def _draw_total(drawing: _Drawing, axis: _Axis, y: float, name: str, value: float) -> None:
    drawing.path(f"M{axis(value):.4g} {y:.4g}{MARKS[2]}", "ink")
    drawing.bold(EDGE, y - 7, name)
    drawing.bold(WIDTH - EDGE, y - 7, f"{value:#.4g}", "end")


def standalone(svg: str) -> str:
    """A plot as a file of its own, with the colours that a page would give it, light or dark."""
    light, dark = ("; ".join(f"--{name}: {colour}" for name, colour in each.items()) for each in (LIGHT, DARK))
    style = (
        f"svg {{ {light}; background: var(--paper); font-family: system-ui, sans-serif }} "
        f"@media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}"
    )
    head, _, body = svg.partition(">")
    space = '<svg xmlns="http://www.w3.org/2000/svg"'
    return f"{head.replace('<svg', space, 1)}>\n<style>{style}</style>{body}\n"
