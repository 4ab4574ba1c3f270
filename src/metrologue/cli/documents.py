"""``metrologue documents``: every published figure, computed again. ``metrologue report``: a page about files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.compare import limits_options, run_compare
from metrologue.cli.help import Command
from metrologue.cli.options import OUTPUT, Keys, files_options, format_option, metrics_argument, out_option
from metrologue.cli.significance import Sampled, sampling_options
from metrologue.cli.tables import say
from metrologue.cli.writing import write_report
from metrologue.output import as_json, markdown_cell, markdown_text
from metrologue.writing import begin, progress_bar

if TYPE_CHECKING:
    from metrologue.comparison.documents import Case, CaseResult
    from metrologue.comparison.documents.disagreements import Disagreement

# The invented systems of the sample, and their files.
SAMPLE = {"A": "amber", "B": "birch", "C": "cedar"}
_BAR = 22  # columns of a bar of 100 points


@click.command()
@click.option("--explain", "explained", metavar="ID", help="Show only this disagreement, such as bleu-ru.")
@format_option("text", "json", "markdown")
@out_option
def documents(explained: str | None, output_format: str, out: Path | None) -> None:
    """Recompute the figures of five course notes, with the live library and with our variant.

    First come the disagreements that the documents show: several libraries' numbers for one text, the causes from one
    to the next, and what the document says of it. Then every figure has its verdict.

    The exit status is 1 if a figure differs from both without a known reason. The Hub's modules come over the network,
    or from the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue documents
      metrologue documents --explain bleu-ru
      metrologue documents --format json | jq '.[].figures[].verdict'
      metrologue documents --out report.html
    """
    if explained and out:
        raise click.UsageError("--explain prints one disagreement; --out writes a page with all.")
    cases = _loaded()
    if explained or output_format == "text":
        from metrologue.comparison.documents.disagreements import disagreements

        found = disagreements(cases, explained)
        if explained and output_format == "json":
            click.echo(as_json(asdict(found[0])))
        else:
            say(*(line for each in found for line in disagreement_as_lines(each)))
        if explained:
            return
    results = run_documents(cases)
    if output_format == "text":
        say(*cases_as_lines(results))
    elif output_format == "json":
        click.echo(as_json([case.to_dict() for case in results]))
    else:
        click.echo(cases_as_markdown(results), nl=False)
    if out:
        write_report(out, results)
    sys.exit(not all(case.as_expected for case in results))


@click.command(cls=Command, hidden=True)  # `make report` writes its page
@files_options(several_systems=True, required=False)
@metrics_argument(
    'A metric, or "all" that fit the files; a METRIC says the same. Default: the usual ones; all for the sample.'
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

    Without METRICs, these are BLEU, ROUGE and chrF, or accuracy and F1 for files of labels. Without files, the page
    compares a small sample that comes with the package, by all metrics, and has the documents' figures. The sample's
    three systems are invented.

    \b
    Examples:
      metrologue report
      metrologue report -p a.txt -p b.txt -r ref.txt --out mine.html
      metrologue report bleu ter -p a.txt -r ref.txt
    """
    if references and not predictions:
        raise click.UsageError("References need predictions: give both -p and -r, or neither.")
    from metrologue.comparison.harness import Plan

    libraries = None if live else ()
    plan = Plan(
        metrics=metrics, libraries=libraries, library_timeout=library_timeout or None, sample=sample or None, **sampled
    )
    if predictions:
        write_report(out, found=run_compare(predictions, references, keys, plan))
        return
    folder = Path(str(resources.files("metrologue.comparison") / "sample"))
    names = {str(folder / f"{file}.txt"): name for name, file in SAMPLE.items()}
    texts = tuple(str(folder / f"reference_{number}.txt") for number in (1, 2))
    study = run_compare(tuple(names), texts, keys, replace(plan, metrics=metrics or ["all"]), names)
    results = run_documents(_loaded())
    write_report(out, results, study, built=True)
    sys.exit(not all(case.as_expected for case in results))


def _loaded() -> list[Case]:
    begin("Reading the examples of the documents ...")
    from metrologue.comparison.documents import load_cases

    return load_cases()


def run_documents(cases: list[Case]) -> list[CaseResult]:
    """Recompute the figures. It takes a minute, so the documents are named first."""
    from metrologue.comparison.documents import run_cases

    titles = dict.fromkeys(case.document.title for case in cases)
    click.echo(f"{len(cases)} examples of {len(titles)} documents: {'; '.join(titles)}.", err=True)
    with progress_bar(total=len(cases)) as update:
        return run_cases(cases, lambda case: update(description=f"documents: {case.id}", finished=case.id, advance=1))


def disagreement_as_lines(found: Disagreement) -> Iterator[str]:
    """A disagreement as lines of at most 80 columns, but for its sentences: the texts, bars, causes and claims."""
    yield f"{found.title} ({found.document}; {found.id})"
    wide = max(len(value.label) for panel in found.panels for value in panel.values)
    shown = None
    for panel in found.panels:
        yield ""
        texts = panel.texts if panel.texts != shown else ()
        for prediction, references in texts:
            known = () if shown and {references} == {each for _, each in shown} else references
            for head, text in [("hypothesis", prediction), *(("reference ", each) for each in known)]:
                yield f"  {head}  {''.join(f'[{piece}]' if mark else piece for piece, mark in found.pieces(text))}"
        shown = panel.texts
        if panel.about:
            yield f"  {panel.about[0].upper()}{panel.about[1:]}:"
        for value in panel.values:
            bar = "█" * round(_BAR * max(0.0, value.points) / 100)
            yield f"    {value.label:<{wide}}  {bar:<{_BAR}} {value.points:6.2f}  {value.note}"
        yield from (f"    {step.first} to {step.second}, {step.shown}: {step.told}" for step in panel.steps)
    yield from ["", f"  In [brackets]: {found.marked}."]
    for claim in found.claims:
        yield f'  The document: "{claim.says}"'
        yield f"  In truth: {claim.true}"
    yield ""


def cases_as_markdown(results: Sequence[CaseResult]) -> str:
    """A table with a row for each figure, then the notes and the meanings of the verdicts, in Markdown."""
    rows = ["| case | figure | published | library | ours | verdict |", "|" + " --- |" * 6]
    for result in results:
        for figure in result.figures:
            numbers = (
                "-" if number is None else repr(number) for number in (figure.published, figure.library, figure.variant)
            )
            cells = [_named(result), figure.name, *numbers, figure.verdict]
            rows.append(f"| {' | '.join(map(markdown_cell, cells))} |")
    verdicts, notes = (
        [f"- {markdown_text(line.removeprefix('- '))}" for line in lines]
        for lines in (_legend(results), _notes(results))
    )
    return "\n".join([*rows, "", "Verdicts:", "", *verdicts, "", "Notes:", "", *notes]) + "\n"


def cases_as_lines(results: Sequence[CaseResult]) -> Iterator[str]:
    """The same as lines for a terminal: each number is whole, and one that all agree on is shown once."""
    for result in results:
        if result.figures:
            yield _named(result)
        for figure in result.figures:
            numbers = {"published": figure.published, "library": figure.library, "ours": figure.variant}
            spelled = {name: repr(number) for name, number in numbers.items() if number is not None}
            if len({*spelled.values()}) == 1 and len(spelled) > 1:
                spelled = {"": spelled.popitem()[1]}
            told = ", ".join(f"{name} {number}".strip() for name, number in spelled.items()) or "-"
            yield f"  {figure.name}: {told}; {figure.verdict}"
    for head, lines in (("Verdicts:", _legend(results)), ("Notes:", _notes(results))):
        yield from ["", head, *(f"  {line}" for line in lines)]


def _named(result: CaseResult) -> str:
    """A case with the document that has it, and the library that ran."""
    ran = f", {result.case.library.name} {result.version}" if result.case.library and result.version else ""
    return f"{result.case.document.code} {result.case.id}{ran}"


def _legend(results: Sequence[CaseResult]) -> list[str]:
    from metrologue.comparison.documents import VERDICTS

    given = {figure.verdict for result in results for figure in result.figures}
    return [f"- {verdict}: {meaning}" for verdict, meaning in VERDICTS.items() if verdict in given]


def _notes(results: Sequence[CaseResult]) -> list[str]:
    notes = []
    for result in results:
        told = [figure for figure in result.figures if figure.note]
        notes += [f"- {result.case.id}, {figure.name}: {figure.verdict}; {figure.note}" for figure in told]
        notes += [f"- {result.case.id}: {result.missing}"] * bool(result.missing)
    return notes
