"""The report's plots, as SVG inside an HTML page. They follow the page's colours, light or dark.

Each function gives an ``<svg>`` element. Its `label` is the plot in words, for those who cannot see it.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

from metrologue.origin import pip_install

__all__ = ["Dot", "Line", "Step", "cloud", "levels", "lines", "places", "spread", "standalone", "waterfall"]

# The plots are drawn in these colours. Each colour is then replaced by the page's variable with its name.
COLOURS = {"ink": "#1b1f24", "muted": "#5d6671", "line": "#d8d4cb", "up": "#1d5c8c", "down": "#b0522b"}
# The colours and marks of systems, told apart by people who see colours in any way.
SYSTEMS = {
    "one": "#1d5c8d",
    "two": "#b0522c",
    "three": "#2f7d4f",
    "four": "#7a4a9c",
    "five": "#94700f",
    "six": "#4d4d4e",
}
# The page's colours in the dark, for a plot that is a file of its own.
DARK = {"paper": "#15181c", "ink": "#e7e4dd", "muted": "#a2a9b1", "line": "#383d44", "up": "#7db6e4", "down": "#e79b73"}
MARKS = "osD^vP"
WIDTH = 4.5  # inches, 324 points: letters keep their size on a phone and grow on a desktop
_SMALL = 8.5  # points: the letters of names beside dots
_SIZES = 8  # of dots that stand for many points
LETTERS = 46  # the greatest number of letters of a label that leaves room for the number at the right
SETTINGS: Any = {  # matplotlib's types of the keys depend on its version
    "svg.fonttype": "none",
    "font.size": 9.5,
    "text.parse_math": False,  # a dollar sign in a name stays a dollar sign
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.edgecolor": COLOURS["line"],
    "axes.labelcolor": COLOURS["muted"],
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["line"],
    "xtick.labelcolor": COLOURS["muted"],
    "ytick.labelcolor": COLOURS["ink"],
}


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
class Line:
    """One line of a plot by order: the values of a system for the orders 1, 2 and so on."""

    name: str
    values: Sequence[float]
    is_marked: bool


def spread(panels: Mapping[str, Sequence[Dot]], unit: str, label: str) -> str:
    """A plot of all numbers on one axis, with a panel for each system.

    Parameters
    ----------
    panels : mapping of str to sequence of Dot
        The rows of each system, by its name.
    unit : str
        What the numbers are, written below the axis.
    """
    heights = [len(dots) + 0.8 for dots in panels.values()]
    with _figure(0.27 * sum(heights) + 0.8) as figure:
        grid = figure.subplots(len(panels), sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})
        for ax, (system, dots) in zip(grid[:, 0], panels.items(), strict=True):
            _draw_dots(ax, dots)
            if len(panels) > 1:
                ax.set_title(system, loc="left", fontsize=9.5, fontweight="bold")
        grid[-1, 0].set_xlabel(unit)
        if any(dot.library is not None for dots in panels.values() for dot in dots):  # otherwise all marks are one kind
            handles = grid[0, 0].get_legend_handles_labels()
            figure.legend(*handles, loc="outside upper right", ncols=2, frameon=False, borderaxespad=0)
        return _inline(figure, label)


def _draw_dots(ax: Axes, dots: Sequence[Dot]) -> None:
    for row, dot in enumerate(dots):
        ax.axhline(row, color=COLOURS["line"], linewidth=0.6, zorder=0)
        number = dot.variant if dot.library is None else dot.library
        if dot.limits:
            ax.plot(dot.limits, [row, row], color=COLOURS["muted"], linewidth=1.6, solid_capstyle="butt", zorder=1)
        if number is not None:
            _beside(ax, (1, row), f"{number:.1f}", (6, 0), va="center")
    filled: dict[str, Any] = {"s": 22, "color": COLOURS["up"]}
    ring: dict[str, Any] = {"s": 70, "facecolors": "none", "edgecolors": COLOURS["down"], "linewidths": 1.3}
    for name, values, style in (
        ("library", [dot.library for dot in dots], filled),
        ("our variant", [dot.variant for dot in dots], ring),
    ):
        known = [(value, row) for row, value in enumerate(values) if value is not None]
        ax.scatter(
            [value for value, _ in known], [row for _, row in known], label=name, zorder=2, clip_on=False, **style
        )
    ax.set_yticks(range(len(dots)), [dot.name for dot in dots])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(dots) - 0.4, -0.6)
    ax.margins(x=0.04)


def lines(panels: Mapping[str, Sequence[Line]], x: str, y: str, label: str) -> str:
    """A plot with a line for each system, in panels that share their axes.

    Parameters
    ----------
    panels : mapping of str to sequence of Line
        The lines of each variant, by its name. Lines that are not marked are drawn in grey.
    x, y : str
        What the axes show.
    """
    names = list(dict.fromkeys(line.name for own in panels.values() for line in own if line.is_marked))
    styles = dict(zip(names, zip(SYSTEMS.values(), MARKS, strict=True), strict=False))
    most = max(value for own in panels.values() for line in own for value in line.values) or 1.0
    columns = max(1, min(len(names), LETTERS // (6 + max(map(len, names), default=1))))
    with _figure(2.5 + 0.18 * -(-len(names) // columns)) as figure:
        [axes] = figure.subplots(1, len(panels), sharey=True, squeeze=False)
        for ax, (name, own) in zip(axes, panels.items(), strict=True):
            for line in sorted(own, key=lambda each: each.is_marked):  # the grey ones lie below
                colour, mark = styles.get(line.name, (COLOURS["line"], None))
                orders = range(1, len(line.values) + 1)
                ax.plot(
                    orders,
                    line.values,
                    color=colour,
                    marker=mark,
                    markersize=5,
                    linewidth=1.5,
                    clip_on=False,
                    label=line.name if line.is_marked else None,
                )
            ax.set_xticks(range(1, max(len(line.values) for line in own) + 1))
            ax.set_ylim(0, 1.08 * most)
            ax.grid(axis="y", color=COLOURS["line"], linewidth=0.6)
            ax.tick_params(axis="y", length=0)
            ax.set_xlabel(x)
            ax.set_title(name, loc="left", fontsize=9.5, fontweight="bold")
        axes[0].set_ylabel(y)
        handles = axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower left", ncols=columns, frameon=False, borderaxespad=0)
        return _inline(figure, label)


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
    # Few sizes, each drawn as one marker: a shape for each dot would make the page ten times as long.
    sizes: dict[int, list[tuple[float, float]]] = {}
    for dot_x, dot_y, count in dots:
        sizes.setdefault(-(-_SIZES * count // most), []).append((dot_x, dot_y))
    with _figure(2.9) as figure:
        ax = figure.subplots()
        _draw_points(ax, x, y)
        for size, own in sizes.items():
            ax.plot(
                *zip(*own, strict=True),
                linestyle="none",
                marker="o",
                markersize=(6 + 90 * size / _SIZES) ** 0.5,
                markeredgewidth=0,
                color=COLOURS["up"],
                alpha=0.45,
                clip_on=False,
            )
        if middle:
            xs, ys = zip(*middle, strict=True)
            ax.plot(xs, ys, color=COLOURS["down"], linewidth=1.8, marker="o", markersize=3.5)
        return _inline(figure, label)


def places(points: Mapping[str, tuple[float, float]], x: str, y: str, label: str) -> str:
    """A scatter plot of few points with their names; other parameters as for ``cloud``. No two names overlap."""
    with _figure(2.9) as figure:
        ax = figure.subplots()
        _draw_points(ax, x, y)
        ax.margins(x=0.16, y=0.08)
        xs, ys = [place[0] for place in points.values()], [place[1] for place in points.values()]
        ax.scatter(xs, ys, s=26, color=COLOURS["up"])
        shorts = [textwrap.shorten(name, 22, placeholder="…") for name in points]
        for name, place, side in zip(shorts, points.values(), _free_sides(shorts, xs, ys), strict=True):
            if side is not None:
                right, up = side
                ax.annotate(
                    name, place, (6 * right, 4 * up), textcoords="offset points", fontsize=_SMALL,
                    ha="left" if right > 0 else "right", va="center", color=COLOURS["muted"],
                )  # fmt: skip
        return _inline(figure, label)


def _free_sides(names: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> list[tuple[int, int] | None]:
    """For each point the side of its name, right or left and up or down; None if all sides are taken by other names."""
    width, height = 72 * WIDTH * 0.6, 72 * 2.9 * 0.7  # of the axes without margins, in points
    spans = [max(own) - min(own) or 1.0 for own in (xs, ys)]
    taken: list[tuple[float, float, float, float]] = []
    sides: list[tuple[int, int] | None] = []
    for name, x, y in zip(names, xs, ys, strict=True):
        sides.append(None)
        for right, up in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            left = width * x / spans[0] + (6 if right > 0 else -6 - 0.58 * _SMALL * len(name))
            middle = height * y / spans[1] + 4 * up
            box = left, left + 0.58 * _SMALL * len(name), middle - _SMALL / 2, middle + _SMALL / 2
            if all(box[1] < a or b < box[0] or box[3] < c or d < box[2] for a, b, c, d in taken):
                taken.append(box)
                sides[-1] = right, up
                break
    return sides


def _draw_points(ax: Axes, x: str, y: str) -> None:
    """Draw the axes of a scatter plot."""
    ax.grid(color=COLOURS["line"], linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(length=0)
    ax.set_xlabel(textwrap.shorten(x, LETTERS, placeholder="…"))
    ax.set_ylabel(textwrap.shorten(y, 34, placeholder="…"))


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
    labels = [textwrap.fill(step.label, LETTERS, break_on_hyphens=False) for step in steps]
    heights = [0.42 + 0.17 * text.count("\n") for text in labels]
    stands = levels(start[1], steps)
    with _figure(sum(heights) + 1.3) as figure:
        ax = figure.subplots()
        y = 0.0
        _draw_total(ax, y, *start)
        for step, text, height, level in zip(steps, labels, heights, stands, strict=False):
            ax.plot([level, level], [y, y + height], color=COLOURS["line"], linewidth=0.8, zorder=0)
            y += height
            colour = COLOURS["up" if step.size >= 0 else "down"]
            ax.barh(y, step.size, left=level, height=0.1, color=colour, edgecolor=colour, linewidth=0.8)
            _draw_caption(ax, y, text, f"{step.size:+#.3g}".replace("-", "−"))
        ax.plot([stands[-1]] * 2, [y, y + 0.42], color=COLOURS["line"], linewidth=0.8, zorder=0)
        _draw_total(ax, y + 0.42, *end)
        ax.set_yticks([])
        ax.set_ylim(y + 0.57, -0.27)
        middle = (min(stands) + max(stands)) / 2
        ax.set_xlim(middle - 0.55 * span, middle + 0.55 * span)
        ax.set_xlabel(unit)
        return _inline(figure, label)


def _draw_total(ax: Axes, y: float, name: str, value: float) -> None:
    ax.plot([value], [y], marker="D", markersize=5, color=COLOURS["ink"])
    _draw_caption(ax, y, name, f"{value:#.4g}", fontweight="bold")


def _draw_caption(ax: Axes, y: float, text: str, number: str, **style: Any) -> None:
    """Draw words at the left and a number at the right, above the bar, so that neither overlaps it."""
    _beside(ax, (0, y), text, (0, 6), va="bottom", **style)
    _beside(ax, (1, y), number, (0, 6), va="bottom", ha="right", **style)


def _beside(ax: Axes, place: tuple[float, float], text: str, offset: tuple[float, float], **style: Any) -> None:
    """Draw text at a fraction of the width and a height in data units, moved by an offset in points."""
    ax.annotate(text, place, offset, ("axes fraction", "data"), "offset points", **style)


def require_matplotlib() -> None:
    """Raise an ImportError that says what to install. It is called before long work, so that nobody waits in vain."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ImportError(f"The report's plots need matplotlib: {pip_install('compare')}.") from error


@contextmanager
def _figure(height: float) -> Iterator[Figure]:
    """An empty figure of this height in inches. Our settings hold until it is drawn."""
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(SETTINGS):
        yield Figure(figsize=(WIDTH, height), layout="constrained")


def _inline(figure: Figure, label: str) -> str:
    """The figure as an element for a page. It has no style rules, colours or ids that could disturb the page."""
    from matplotlib import rc_context

    file = io.StringIO()
    # With the label as salt, ids are unique on the page and the same in every run.
    with rc_context({"svg.hashsalt": label}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the page's fonts draw the text, in any script
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    svg = file.getvalue()
    _, _, body = svg[svg.index("<svg") :].partition(">")
    body = re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL)  # its rule for `*` would reach the whole page
    body = re.sub(r"font: (?:bold )?([\d.]+px) [^;\"]*", _font, body)
    body = re.sub(r' id="([^"]*)"', lambda found: found[0] if f"#{found[1]}" in svg else "", body)
    for name, colour in (COLOURS | SYSTEMS).items():
        body = body.replace(colour, f"var(--{name})")
    width, height = 72 * figure.get_size_inches()
    return f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}">{body}'


def standalone(svg: str) -> str:
    """A plot as a file of its own, with the colours that a page would give it, light or dark."""
    light, dark = (
        "; ".join(f"--{name}: {colour}" for name, colour in colours.items())
        for colours in (COLOURS | SYSTEMS | {"paper": "#ffffff"}, DARK)
    )
    style = (
        f"svg {{ {light}; background: var(--paper); font-family: system-ui, sans-serif }} "
        f"@media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}"
    )
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    head, _, body = svg.partition(">")
    return f"{head.replace('<svg', f'<svg {spaces}', 1)}>\n<style>{style}</style>{body}\n"


def _font(found: re.Match[str]) -> str:
    """The size and weight of a font, without the family: the text has the page's family."""
    return f"font-size: {found[1]}" + ("; font-weight: bold" if "bold" in found[0] else "")
