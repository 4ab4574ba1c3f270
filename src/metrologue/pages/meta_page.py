"""A meta-evaluation as one HTML page, with scatter plots. It loads nothing, and looks like the report."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from metrologue.comparison.report.page import templates
from metrologue.comparison.showing.plots import cloud, places
from metrologue.data.arrays import Floats, Integers
from metrologue.meta import tables
from metrologue.meta.annotators import MEASURES
from metrologue.meta.evaluation import MetaEvaluation
from metrologue.meta.scores import Scored
from metrologue.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

# A scatter plot has at most so many columns and rows of dots.
_COLUMNS, _ROWS = 24, 16
# The line through a scatter plot has a point for each such part of the texts.
_PARTS, _LEAST_IN_PART = 10, 5


def render(found: MetaEvaluation, command: str = "") -> str:
    """The page.

    Parameters
    ----------
    command : str
        The command that made it, for the footer.
    """
    qualities = found.judgements.qualities
    return (
        _environment()
        .get_template("meta/meta.html")
        .render(
            found=found,
            lead=_lead(found),
            qualities=qualities,
            plots={quality: _plots(found, quality) for quality in qualities},
            measures=MEASURES,
            command=command,
            versions={"metrologue": __version__, "Python": platform.python_version()},
        )
    )


@cache
def _environment() -> Environment:
    environment = templates(meta="metrologue.pages")
    environment.globals.update(
        agreement_told=tables.agreement_told,
        headline=tables.headline,
        legend=tables.legend,
        mark=tables.mark,
        metric_name=tables.metric_name,
        share_rows=tables.share_rows,
    )
    environment.filters.update(fixed=tables.fixed, p_value=tables.p_value)
    return environment


def _lead(found: MetaEvaluation) -> str:
    """The answer, in a sentence or two: which metric is the best, and how strong it is."""
    first = {quality: names[0] for quality, names in found.best.items() if names}
    if not first:
        return "No metric correlates with people's ratings." if found.best else ""
    counts = {name: [*first.values()].count(name) for name in first.values()}
    name = max(counts, key=lambda each: counts[each])
    own = {quality: found.correlations[name][quality] for quality, best in first.items() if best == name}
    quality = max(own, key=lambda each: own[each].value)
    ends = own[quality].interval
    limits = f" [{tables.fixed(ends.low, 2)}, {tables.fixed(ends.high, 2)}]" if ends else ""
    of = f" under {counts[name]} of {len(found.best)} qualities, most with" if len(found.best) > 1 else " with"
    told = f"{name} agrees best{of} {quality}: {tables.fixed(own[quality].value)}{limits}."
    others = found.best[quality][1:]
    return told + (f" Not significantly worse there: {', '.join(others)}." if others else "")


@dataclass(frozen=True)
class Plot:
    """A scatter plot, and what stands below it."""

    caption: str
    svg: str


def _plots(found: MetaEvaluation, quality: str) -> list[Plot]:
    """A plot for each metric that has a correlation, from strong to weak."""
    strength = {each.name: found.correlations[each.name][quality].value for each in found.metrics}
    known = [each for each in found.metrics if not np.isnan(strength[each.name])]
    known.sort(key=lambda each: -strength[each.name])
    return [_plot(found, each, quality) for each in known]


def _plot(found: MetaEvaluation, metric: Scored, quality: str) -> Plot:
    own = found.judgements
    human, scores = own.ratings[quality].means(), metric.values
    known = ~np.isnan(human) & ~np.isnan(scores)
    value = found.correlations[metric.name][quality].value
    caption = f"{tables.metric_name(found, metric.name)}: {found.method} {tables.fixed(value)}"
    label = f"Scatter plot of {quality} by {metric.name}, {int(known.sum())} texts. {caption}."
    if found.level == "system" and own.systems is not None:
        systems = np.array(own.systems)
        given = metric.of_systems or found.of_systems.get(metric.name)
        known = ~np.isnan(human) if given else known
        means = {
            name: (given[name] if given else float(scores[rows].mean()), float(human[rows].mean()))
            for name in own.system_names
            if (rows := known & (systems == name)).any() and (not given or name in given)
        }
        return Plot(caption, places(means, metric.name + ", mean" * (not given), f"{quality}, mean", label))
    x, y = scores[known], human[known]
    return Plot(caption, cloud(_dots(x, y), _middle(x, y), metric.name, f"{quality}, by people", label))


def _dots(x: Floats, y: Floats) -> list[tuple[float, float, int]]:
    """The points on a grid: where the middle of each cell's points is, and how many they are."""
    cells = _cells(x, _COLUMNS) * _ROWS + _cells(y, _ROWS)
    found, place, counts = np.unique(cells, return_inverse=True, return_counts=True)
    xs, ys = (np.bincount(place, each, minlength=len(found)) / counts for each in (x, y))
    return [*zip(xs.tolist(), ys.tolist(), counts.tolist(), strict=True)]


def _cells(values: Floats, most: int) -> Integers:
    """The cell of each value: one for each distinct value if they are few, otherwise of equal width."""
    levels, place = np.unique(values, return_inverse=True)
    if len(levels) <= most:
        return place.astype(np.int64)
    width = (levels[-1] - levels[0]) / most
    cells: Integers = np.minimum(((values - levels[0]) / width).astype(np.int64), most - 1)
    return cells


def _middle(x: Floats, y: Floats) -> list[tuple[float, float]]:
    """The mean of x and of y in each tenth of the points by x. Points with equal x stay together."""
    count = min(_PARTS, len(x) // _LEAST_IN_PART)
    if count < 2:
        return []
    edges = np.unique(np.quantile(x, np.linspace(0, 1, count + 1)))
    part = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, max(len(edges) - 2, 0))
    return [(float(x[part == each].mean()), float(y[part == each].mean())) for each in np.unique(part)]
