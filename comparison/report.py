"""The report: one HTML file that shows how much the libraries' numbers for one metric differ, and why.

The file is complete. Styles and plots are inside it, and it loads nothing.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import metrologue
from metrologue.comparison.documents import VERDICTS
from metrologue.comparison.plots import Dot, Step, levels, spread, waterfall
from metrologue.output import write_whole
from metrologue.tracing import Trace

if TYPE_CHECKING:
    from jinja2 import Environment

    from metrologue.comparison.documents import CaseResult
    from metrologue.comparison.findings import Comparison, Gap, Number

__all__ = ["document_traces", "render", "write"]

# The mark before each verdict's name. It makes a long table easy to skim without colours.
VERDICT_MARKS = {
    "reproduced": "✓",
    "definition": "=",
    "library-changed": "↻",
    "document-errs": "✗",
    "quoted": "”",
    "unavailable": "–",
    "mismatch": "!",
}
# A choice with a share below this part of the largest share is not drawn. It is named under the plot.
NEGLIGIBLE = 1e-3


def render(
    comparison: Comparison | None = None,
    cases: Sequence[CaseResult] = (),
    traces: Mapping[str, Trace] | None = None,
    *,
    command: str = "",
) -> str:
    """The results as one HTML page.

    Parameters
    ----------
    comparison : Comparison, optional
        The numbers of all libraries and variants for the same texts, and the explanations of their gaps.
    cases : sequence of CaseResult
        The figures that documents publish, computed again.
    traces : mapping of str to Trace, optional
        Traces of single segments, by their headings, such as ``document_traces(cases)``.
    command : str
        The command that made the report, for the footer.

    Returns
    -------
    str
        A complete page that loads nothing. Sections without data are left out.

    Raises
    ------
    ImportError
        If there is a comparison and matplotlib is not installed.

    Examples
    --------
    >>> page = render(command="metrologue report")
    >>> page.startswith("<!DOCTYPE html>"), "<code>metrologue report</code>" in page
    (True, True)
    """
    return (
        _environment()
        .get_template("report/report.html")
        .render(
            comparison=comparison,
            cases=cases,
            traces=traces or {},
            command=command,
            versions={"metrologue": metrologue.__version__, "Python": platform.python_version()},
            verdicts=Counter(figure.verdict for case in cases for figure in case.figures),
        )
    )


def write(path: Path, page: str) -> None:
    """Write a page to a file, in UTF-8, whole or not at all. A missing folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page.encode())


def document_traces(cases: Sequence[CaseResult]) -> dict[str, Trace]:
    """The traces of the documents' sentences, by the ids of their cases.

    A case has a trace if it has one segment and our scorer has a number for it. Equal traces occur once, under all ids.
    """
    ids: dict[Trace, list[str]] = {}
    for result in cases:
        scorer = result.case.scorer()
        predictions, references = result.case.prepared()
        numbers = any(figure.variant is not None for figure in result.figures)
        if scorer and numbers and len(predictions) == 1:
            ids.setdefault(metrologue.trace(scorer, predictions[0], references[0]), []).append(result.case.id)
    return {", ".join(names): found for found, names in ids.items()}


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A row of the table of numbers: a library and the variant that mirrors it."""

    name: str
    library: Number | None
    variant: Number | None

    @property
    def version(self) -> str:
        return next((n.version for n in (self.library, self.variant) if n and n.version), "–")

    @property
    def equal(self) -> bool:
        return bool(self.library and self.variant and self.library.equals(self.variant))


def _rows(comparison: Comparison, system: str) -> list[_Row]:
    numbers = {(n.kind, n.name): n for n in comparison.numbers if n.system == system}
    names = dict.fromkeys(name for _, name in numbers)
    return [
        _Row(name=name, library=numbers.get(("library", name)), variant=numbers.get(("variant", name)))
        for name in names
    ]


def _factor(comparison: Comparison) -> float:
    """The factor of shown numbers: 100 for a rate, which is shown in points, and 1 for a quantity."""
    return 100.0 if comparison.in_points else 1.0


def _unit(comparison: Comparison) -> str:
    """The unit of the shown numbers."""
    return "points from 0 to 100" if comparison.in_points else comparison.primary


def _shown(comparison: Comparison, number: Number | None) -> float | None:
    """A number as it is shown: on the common scale of all columns."""
    return None if number is None or number.value is None else _factor(comparison) * number.share


def _extremes(comparison: Comparison) -> tuple[Number, Number] | None:
    """The least and the greatest number of the system with the greatest difference between its numbers."""
    ends = []
    for system in comparison.systems:
        known = [n for n in comparison.numbers if n.system == system and n.value is not None]
        if known:
            # Among equal numbers, take the library's: a variant may differ from it in the sixteenth digit.
            low = min(known, key=lambda n: (round(n.share, 9), n.kind != "library"))
            high = max(known, key=lambda n: (round(n.share, 9), n.kind == "library"))
            ends.append((low, high))
    return max(ends, key=lambda pair: pair[1].share - pair[0].share, default=None)


def _spread_plot(comparison: Comparison) -> str:
    panels = {
        system: [
            Dot(name=row.name, library=_shown(comparison, row.library), variant=_shown(comparison, row.variant))
            for row in _rows(comparison, system)
            if any(n and n.value is not None for n in (row.library, row.variant))
        ]
        for system in comparison.systems
    }
    factor, unit = _factor(comparison), _unit(comparison)
    words = ", ".join(f"{g.system} {factor * g.value:.2f} ({' and '.join(g.members)})" for g in comparison.groups)
    return spread(panels, unit, f"Dot plot of all numbers in {unit}: {words}.")


@dataclass(frozen=True, kw_only=True)
class _Bars:
    """The drawing of a gap: the choices with an effect, and the names of those without."""

    gap: Gap
    factor: float
    unit: str
    steps: list[Step]
    idle: list[str]

    @classmethod
    def of(cls, comparison: Comparison, gap: Gap) -> _Bars:
        factor = _factor(comparison)
        least = NEGLIGIBLE * max(abs(part.share) for part in gap.contributions)
        steps = [
            Step(label=f"{part.choice}: {_setting(part.a)} → {_setting(part.b)}", size=factor * part.share)
            for part in gap.contributions
            if abs(part.share) > least
        ]
        idle = [part.choice for part in gap.contributions if abs(part.share) <= least]
        return cls(gap=gap, factor=factor, unit=_unit(comparison), steps=steps, idle=idle)

    @property
    def start(self) -> float:
        return self.factor * self.gap.value_a / self.gap.scale_a

    @property
    def span(self) -> float:
        stands = levels(self.start, self.steps)
        return max(stands) - min(stands)

    def plot(self, span: float) -> str:
        gap, start = self.gap, self.start
        end = self.factor * gap.value_b / gap.scale_b
        words = "; ".join(f"{step.label} {step.size:+.3g}" for step in self.steps)
        label = f"{gap.system}, from {gap.variant_a} at {start:.4g} to {gap.variant_b} at {end:.4g}: {words}."
        return waterfall((gap.variant_a, start), self.steps, (gap.variant_b, end), span, self.unit, label)


def _title(metric: str) -> str:
    """A metric's name as it is usually written."""
    return {"chrf": "chrF", "edit_distance": "edit distance"}.get(metric, metric.upper())


def _setting(printed: str) -> str:
    """A choice's value, without the field's name if the choice has only one field."""
    return printed.partition("=")[2] if printed.count("=") == 1 else printed


def _bars(comparison: Comparison) -> list[_Bars]:
    return [_Bars.of(comparison, gap) for gap in comparison.explanations]


def _fixed(number: float | None, spec: str) -> str:
    return "–" if number is None else f"{number:{spec}}".replace("-", "−")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined

    environment = Environment(
        loader=PrefixLoader(
            {"report": PackageLoader("metrologue.comparison"), "trace": PackageLoader("metrologue.tracing")}
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(fixed=_fixed, title_of=_title)
    environment.globals.update(
        bars=_bars,
        extremes=_extremes,
        rows=_rows,
        shown=_shown,
        spread_plot=_spread_plot,
        verdict_marks=VERDICT_MARKS,
        verdict_meanings=VERDICTS,
    )
    return environment
