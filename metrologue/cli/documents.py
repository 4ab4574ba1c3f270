"""``metrologue documents``: every published figure, computed again. ``metrologue report``: a page about files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.compare import limits_options, run_compare
from metrologue.cli.completion import complete_metric
from metrologue.cli.options import OUTPUT, Keys, files_options, format_option, out_option
from metrologue.cli.printing import print_results
from metrologue.cli.significance import Sampled, sampling_options
from metrologue.cli.writing import require_plots, write_report
from metrologue.files.writing import progress_bar
from metrologue.output import as_json

if TYPE_CHECKING:
    from metrologue.comparison.documents import CaseResult

__all__ = ["documents", "report"]

# The invented systems of the sample, and their files.
SAMPLE = {"A": "amber", "B": "birch", "C": "cedar"}


@click.command()
@format_option("text", "json", "markdown")
@out_option
def documents(output_format: str, out: Path | None) -> None:
    """Compute every figure that the documents publish again, with the live library and with our variant.

    The exit status is 1 if a figure differs from both without a known reason. The Hub's modules come over the network,
    or from the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue documents
      metrologue documents --format json | jq '.[].figures[].verdict'
      metrologue documents --out report.html
    """
    results = run_documents()
    print_results(
        output_format,
        lambda: as_json([case.to_dict() for case in results]),
        partial(cases_as_markdown, results),
    )
    if out:
        write_report(out, results)
    sys.exit(not all(case.as_expected for case in results))


@click.command()
@files_options(several_systems=True, required=False)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    help='A metric, or "all" that fit the files. Repeat for others. Default: the usual ones; all for the sample.',
    shell_complete=complete_metric,
)
@limits_options
@sampling_options
@click.option("--out", type=OUTPUT, default="report.html", show_default=True, help="The HTML file to write.")
def report(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    metrics: tuple[str, ...],
    live: bool,
    library_timeout: float,
    sample: int,
    sampled: Sampled,
    out: Path,
) -> None:
    """Write one HTML page about files, as ``compare --out`` does: how far the libraries' numbers differ, and why.

    Without --metric, these are BLEU, ROUGE and chrF, or accuracy and F1 for files of labels. Without files, the page
    compares a small sample that comes with the package, by all metrics, and has the documents' figures. The sample's
    three systems are invented.

    \b
    Examples:
      metrologue report
      metrologue report -p a.txt -p b.txt -r ref.txt --out mine.html
      metrologue report -p a.txt -r ref.txt --metric bleu --metric ter
    """
    if references and not predictions:
        raise click.UsageError("References need predictions: give both -p and -r, or neither.")
    require_plots()
    run = partial(
        run_compare, libraries=None if live else (), library_timeout=library_timeout, sample=sample, sampled=sampled
    )
    if predictions:
        write_report(out, found=run(predictions, references, keys, metrics))
        return
    folder = Path(str(resources.files("metrologue.comparison") / "sample"))
    names = {str(folder / f"{file}.txt"): name for name, file in SAMPLE.items()}
    texts = tuple(str(folder / f"reference_{number}.txt") for number in (1, 2))
    study = run(tuple(names), texts, keys, metrics or ["all"], names=names)
    results = run_documents()
    write_report(out, results, study, built=True)
    sys.exit(not all(case.as_expected for case in results))


def run_documents() -> list[CaseResult]:
    from metrologue.comparison.documents import load_cases, run_cases

    cases = load_cases()
    with progress_bar(total=len(cases)) as update:
        return run_cases(cases, lambda case: update(description=case.id, advance=1))


def cases_as_markdown(results: Sequence[CaseResult]) -> str:
    """A table with a row for each figure, then the notes and the meanings of the verdicts, in Markdown."""
    from metrologue.comparison.documents import VERDICTS

    rows = ["| case | figure | published | library | ours | verdict |", "|" + " --- |" * 6]
    notes = []
    for result in results:
        ran = f", {result.case.library.name} {result.version}" if result.case.library and result.version else ""
        for figure in result.figures:
            numbers = (
                "-" if number is None else repr(number) for number in (figure.published, figure.library, figure.variant)
            )
            cells = [f"{result.case.document.code} {result.case.id}{ran}", figure.name, *numbers, figure.verdict]
            rows.append(f"| {' | '.join(cells)} |")
            if figure.note:
                notes.append(f"- {result.case.id}, {figure.name}: {figure.verdict}; {figure.note}")
        if result.missing:
            notes.append(f"- {result.case.id}: {result.missing}")
    given = {figure.verdict for result in results for figure in result.figures}
    legend = [f"- {verdict}: {meaning}" for verdict, meaning in VERDICTS.items() if verdict in given]
    return "\n".join([*rows, "", "Verdicts:", "", *legend, "", "Notes:", "", *notes]) + "\n"
