"""The report: one HTML file that shows how much the libraries' numbers for one metric differ, and why.

The file is complete. Styles, plots and the search are inside it, and it loads nothing.
"""

from __future__ import annotations

import platform
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import metrologue
from metrologue.comparison import report_parts as parts
from metrologue.comparison import sentences
from metrologue.comparison.documents import VERDICTS
from metrologue.comparison.findings import Comparison, Study
from metrologue.output import write_whole
from metrologue.scorers import get_scorer

if TYPE_CHECKING:
    from jinja2 import Environment

    from metrologue.comparison.documents import CaseResult

__all__ = ["real_text", "render", "write"]

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
_TITLES = {
    "accuracy": "accuracy", "confusion_matrix": "confusion matrix", "precision": "precision", "recall": "recall",
    "chrf": "chrF", "dice": "Dice", "distinct_n": "distinct-n", "edit_distance": "edit distance",
    "exact_match": "exact match", "google_bleu": "Google BLEU", "hlepor": "hLEPOR",
    "lexical_diversity": "lexical diversity", "likelihood_hashed": "hashed likelihood",
    "log_loss_hashed": "hashed log loss", "nist_mt": "NIST", "perplexity_hashed": "hashed perplexity",
    "cider": "CIDEr", "cross_entropy": "cross-entropy", "self_bleu": "Self-BLEU", "token_f1": "token F1",
}  # fmt: skip
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
    asked = [] if found is None else found.comparisons if isinstance(found, Study) else [found]
    comparisons = [each for each in asked if each.columns]  # the others are among what could not be run
    traces = parts.TraceBook()
    heavy_traces = [traces.of_comparison(each, all_segments=each is comparisons[0]) for each in comparisons]
    documents = [
        (document, [(result, traces.of_case(result)) for result in results])
        for document, results in groupby(
            sorted(cases, key=lambda result: (result.case.document.code, result.case.metric)),
            key=lambda result: result.case.document,
        )
    ]
    return (
        _environment()
        .get_template("report/report.html")
        .render(
            comparisons=comparisons,
            heavy_traces=heavy_traces,
            documents=documents,
            traces=traces,
            absent=parts.absences(asked),
            command=command,
            real=real_text() if built else None,
            versions={"metrologue": metrologue.__version__, "Python": platform.python_version()},
            verdicts=Counter(figure.verdict for case in cases for figure in case.figures),
        )
    )


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
    return _TITLES.get(metric, metric.upper())


def _summary(metric: str) -> str:
    """What a metric is, in the first sentence of its documentation."""
    first = (get_scorer(metric).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(first.replace("`", "").split())


def _fixed(number: float | None, spec: str) -> str:
    return "–" if number is None else f"{number:{spec}}".replace("-", "−")


def _short_p(value: float) -> str:
    """A p-value for a narrow cell: .26."""
    return "<.01" if value < 0.01 else f"{value:.2f}".lstrip("0") if value < 0.995 else "1"


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
    environment.filters.update(fixed=_fixed, short_p=_short_p, title_of=_title, summary_of=_summary)
    environment.globals.update(
        bars=parts.Bars.all_of,
        causes_of=parts.causes_of,
        dict_of=lambda own: {lead.other: lead for lead in own},
        extremes=parts.extremes,
        flip_sentence=sentences.flip_sentence,
        headline=sentences.headline,
        kocmi=sentences.KOCMI,
        languages=_LANGUAGES,
        largest_of=parts.largest_of,
        largest_p=parts.largest_p,
        leads=sentences.leads,
        people_sentence=sentences.people_sentence,
        rows=parts.rows,
        sampling_note=sentences.sampling_note,
        shown_p=sentences.shown_p,
        spread_plot=parts.spread_plot,
        unusual=parts.unusual,
        verdict_marks=VERDICT_MARKS,
        verdict_meanings=VERDICTS,
        with_significant_flips=parts.with_significant_flips,
        zip=zip,
    )
    return environment
