"""The report: one HTML file that shows how much the libraries' numbers for one metric differ, and why.

The file is complete. Styles, plots and the search are inside it, and it loads nothing.
"""

from __future__ import annotations

import platform
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrologue.comparison.documents import VERDICTS
from metrologue.comparison.documents.disagreements import disagreements
from metrologue.comparison.report import parts
from metrologue.comparison.report.traces import TraceBook, absences, segments_of, verdict_counts
from metrologue.comparison.showing import sentences
from metrologue.comparison.showing.results import Comparison, Study
from metrologue.comparison.showing.verdict import verdict
from metrologue.scorers import get_scorer
from metrologue.scorers.core.registry import is_metric
from metrologue.scorers.core.variants import recommended
from metrologue.version import __version__
from metrologue.writing import write_whole

if TYPE_CHECKING:
    from jinja2 import Environment

    from metrologue.comparison.documents import CaseResult
    from metrologue.comparison.documents.cases import Document
    from metrologue.tracing import Trace

__all__ = ["real_text", "render", "templates", "write"]

# So many metrics are columns of the first table.
_STANDING = 6
# The mark before each verdict's name. It makes a long table easy to skim without colours.
VERDICT_MARKS = {
    "reproduced": "✓",
    "definition": "=",
    "library-changed": "↻",
    "document-errs": "✗",
    "coincidence": "≈",
    "quoted": "”",
    "elsewhere": "→",
    "unavailable": "–",
    "mismatch": "!",
}
_LANGUAGES = {"en": "English", "pl": "Polish", "ru": "Russian", "zh": "Chinese"}


def render(
    found: Comparison | Study | None = None,
    cases: Sequence[CaseResult] = (),
    *,
    command: str = "",
    built: bool = False,
) -> str:
    """The results as one HTML page.

    Parameters
    ----------
    found : Comparison or Study, optional
        The numbers of all libraries and variants for the same texts, by one metric or by several.
    cases : sequence of CaseResult
        The figures that documents publish, computed again.
    command : str
        The command that made the report, for the footer.
    built : bool
        Whether the compared texts are the sample of this package, which is made up. The page then says so, and quotes
        figures of real texts.

    Returns
    -------
    str
        A complete page that loads nothing. Sections without data are left out.

    Examples
    --------
    >>> page = render(command="metrologue report")
    >>> page.startswith("<!DOCTYPE html>"), "<code>metrologue report</code>" in page
    (True, True)
    """
    asked = [] if found is None else found.comparisons if isinstance(found, Study) else [found]
    comparisons = [each for each in asked if each.columns]  # the others are among what could not be run
    # The first table has all metrics if there are several systems; one of them is enough to read on.
    several = not built and any(len(each.systems) > 1 for each in comparisons)
    opened, folded = parts.ordered(comparisons, 1 if several else parts.OPEN)
    traces = TraceBook()
    given = found.elsewhere if isinstance(found, Study) else []
    sections = [Section.of(each, traces, is_open=place < len(opened)) for place, each in enumerate(opened + folded)]
    documents = [Published.of(document, own, traces) for document, own in _by_document(cases).items()]
    return (
        _environment()
        .get_template("report/report.html")
        .render(
            sections=sections,
            elsewhere=given,
            documents=documents,
            disagreements=disagreements([result.case for result in cases]),
            absent=absences(asked),
            command=command,
            real=real_text() if built else None,
            versions={"metrologue": __version__, "Python": platform.python_version()},
            verdicts=verdict_counts(cases),
        )
    )


@dataclass(frozen=True)
class Section:
    """A metric on the page: the comparison, its pair, and the traces of its heaviest segments."""

    comparison: Comparison
    pair: parts.Pair | None
    is_open: bool
    anchors: Mapping[tuple[int, str], str]
    traces: Sequence[tuple[str, str, Trace]]

    @classmethod
    def of(cls, comparison: Comparison, traces: TraceBook, is_open: bool) -> Section:
        anchors = traces.of_comparison(comparison)
        return cls(comparison, parts.Pair.of(comparison), is_open, anchors, traces.take())


def _standing(sections: Sequence[Section]) -> list[Comparison]:
    """The metrics of the first table. Of many, they are those that are open or have a recommended variant."""
    usable = [each for each in sections if each.comparison.reported]
    if len(usable) > _STANDING:
        usable = [each for each in usable if each.is_open or recommended(get_scorer(each.comparison.metric).variants())]
    return [each.comparison for each in usable[:_STANDING]]


@dataclass(frozen=True)
class Published:
    """A document on the page: its cases with the anchors of their traces, and how many figures have each verdict."""

    document: Document
    results: Sequence[tuple[CaseResult, list[str]]]
    traces: Sequence[tuple[str, str, Trace]]
    verdicts: Counter[str]

    @classmethod
    def of(cls, document: Document, results: Sequence[CaseResult], traces: TraceBook) -> Published:
        linked = [(result, traces.of_case(result)) for result in results]
        return cls(document, linked, traces.take(), verdict_counts(results))


def _by_document(cases: Sequence[CaseResult]) -> dict[Document, list[CaseResult]]:
    """The cases of each document, which may come from several files, by metric."""
    found: dict[Document, list[CaseResult]] = {}
    for result in sorted(cases, key=lambda each: (each.case.document.code, each.case.document.title, each.case.metric)):
        found.setdefault(result.case.document, []).append(result)
    return found


def write(path: Path, page: str) -> None:
    """Write a page to a file, in UTF-8, whole or not at all. A missing folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page.encode())


def real_text() -> Mapping[str, Any]:
    """The figures that were measured on real texts, with the command and the date; the texts are not shipped."""
    file = resources.files("metrologue.comparison") / "sample" / "real_text.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _title(metric: str) -> str:
    """A metric's name as it is usually written."""
    # A document's case may be of a metric that is not built yet, or of no metric.
    return get_scorer(metric).title if is_metric(metric) else metric.replace("_", " ")


def _number(found: Comparison) -> str:
    """The number that is compared, such as "rougeL F"; "" if it is called as its metric is."""
    if not is_metric(found.metric):
        return ""
    kind = get_scorer(found.metric)
    titles = {one.name: one.title for each in kind.numbers for one, _ in each.reported(kind())}
    title = titles.get(found.primary, found.primary.replace("_", " "))
    return "" if title == kind.title else title


def _summary(metric: str) -> str:
    """What a metric is: the first sentence of its documentation, without its range."""
    first = (get_scorer(metric).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(re.split(r"; (?:higher|lower|more|less) is ", first)[0].replace("`", "").split()).rstrip(".") + "."


def _fixed(number: float | None, spec: str) -> str:
    return "–" if number is None else f"{number:{spec}}".replace("-", "−")


def templates(**packages: str) -> Environment:
    """Templates by prefix: those of the report, and those of other packages. All pages so have one look."""
    from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined

    packages = {"report": "metrologue.comparison.report", "parts": "metrologue.comparison.report", **packages}
    return Environment(
        loader=PrefixLoader({name: PackageLoader(package) for name, package in packages.items()}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    environment = templates(trace="metrologue.tracing")
    environment.filters.update(fixed=_fixed, title_of=_title, number_of_metric=_number, summary_of=_summary)
    environment.globals.update(
        report_parts=parts,
        standing=_standing,
        sentences=sentences,
        languages=_LANGUAGES,
        segments_of=segments_of,
        verdict=verdict,
        verdict_marks=VERDICT_MARKS,
        verdict_meanings=VERDICTS,
        dict_of=lambda own: {lead.other: lead for lead in own},
        ranks_of=lambda found: {column.name: column.ranks for column in found.columns},
    )
    return environment
