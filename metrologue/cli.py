"""The command line: ``metrologue score``, ``compare``, ``documents``, ``report``, ``explain``, ``trace`` and ``list``.

A command imports what it needs when it runs: ``--help`` loads no kernel and ``score`` no library.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from metrologue import InputError, __version__

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Markdown
    from rich.table import Table

    from metrologue.attribution import Explanation
    from metrologue.comparison.documents import CaseResult
    from metrologue.comparison.harness import Comparison
    from metrologue.scorers import Scorer, Totals
    from metrologue.segments import Segments

F = TypeVar("F", bound=Callable[..., Any])
Chunks = Iterable[tuple[list["pa.Array"], "pa.Array"]]


class _Refused(click.ClickException):
    """Bad input: one line on standard error, and the exit status of a wrong call."""

    exit_code = 2


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except ModuleNotFoundError as error:
            raise _Refused(f"{error.name} is not installed; pip install 'metrologue[compare]'.") from error
        except (InputError, ImportError) as error:
            raise _Refused(str(error)) from error
        except BrokenPipeError:  # who read it has seen enough
            ctx.exit(128 + 13)  # the status of a process that SIGPIPE ended
        except OSError as error:
            raise click.ClickException(told(error)) from error
        except MemoryError as error:
            raise click.ClickException("there is not enough memory for this.") from error


def told(error: OSError) -> str:
    """What went wrong with which file, on one line."""
    what = error.strerror or str(error)
    return what if error.filename is None else f"{os.fsdecode(error.filename)}: {what}"


def _shown(path: str) -> str:
    """A path as text: bytes of it that are not UTF-8 are written as ``\\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class _Input(click.Path):
    """A file to read, or "-"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-" and sys.stdin is None:
            raise _Refused("'-' stands for standard input, which is closed.")
        return super().convert(value, param, ctx)


_INPUT = _Input(exists=True, dir_okay=False, allow_dash=True)
_OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)


def _files(several_systems: bool, required: bool = True) -> Callable[[F], F]:
    """The options for text files."""
    predictions = click.option(
        "-p",
        "--predictions",
        type=_INPUT,
        required=required,
        multiple=several_systems,
        help="The system's output, one segment a line." + (" Again for each other system." * several_systems),
    )
    references = click.option(
        "-r",
        "--references",
        type=_INPUT,
        multiple=True,
        help="The references, one a line. Again for further references of each segment.",
    )
    return lambda function: predictions(references(function))


_variant = click.option("--variant", help="Whose number: a name that `metrologue list` shows, or a signature.")
_settings = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Change a field of the variant, such as lowercase=true or max_order=2.",
)
_threads = click.option("--threads", type=click.IntRange(1), help="Default: $METROLOGUE_THREADS, or 1.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_markdown = click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
_out = click.option("--out", type=_OUTPUT, help="Also write an HTML report to this file.")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def main() -> None:
    """Text-generation metrics: every library's number, and the reason why they differ.

    Files are text (a segment a line), gzipped or not, JSON Lines if named .jsonl, or "-" for standard input.
    """


@main.command()
@click.argument("metric")
@_files(several_systems=True)
@_variant
@_settings
@_threads
@click.option("--per-segment", is_flag=True, help="Print the numbers of every segment, tab-separated.")
@_json
def score(
    metric: str,
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    variant: str | None,
    settings: tuple[str, ...],
    threads: int | None,
    per_segment: bool,
    as_json: bool,
) -> None:
    """Score one or several systems with one METRIC.

    \b
    Examples:
      metrologue score bleu -p hyp.txt -r ref.txt
      metrologue score bleu --variant nltk -p a.txt -p b.txt -r ref1.txt -r ref2.txt
      zcat hyp.gz | metrologue score bleu --set tokenizer=intl -p - -r ref.txt --json
      metrologue score bleu -p hyp.txt -r ref.txt --per-segment | sort -g -k 3 | head
    """
    if per_segment and as_json:
        raise click.UsageError("--per-segment prints a table and --json an object; choose one.")
    from metrologue.files import stream_segments

    scorer = _scorer(metric, variant, settings)
    _check_references(scorer, references)
    paths = [*predictions, *references]
    # Rows that run over a terminal show the progress themselves.
    with _bar(_size(paths), in_bytes=True, hidden=per_segment and sys.stdout.isatty()) as update:
        chunks = stream_segments(predictions, references, progress=lambda size: update(advance=size))
        if per_segment:
            _print_segments(scorer, predictions, chunks, threads)
            return
        totals = _accumulate(scorer, predictions, chunks, threads)
    results = [scorer.score_totals(each) for each in totals]
    if as_json:
        systems = [
            {"name": _shown(name), "segments": each.segments, "value": result.value, "scores": result.scores}
            for name, each, result in zip(predictions, totals, results, strict=True)
        ]
        facts = {"metric": scorer.name, "primary": scorer.primary, "signature": scorer.signature}
        click.echo(_as_json({**facts, "systems": systems}))
        return
    for name, result in zip(predictions, results, strict=True):
        click.echo(f"{result.primary} = {result.value:.4f}  {_shown(name)}")
    click.echo(scorer.signature)


def _accumulate(scorer: Scorer, names: Sequence[str], chunks: Chunks, threads: int | None) -> list[Totals]:
    """The totals of each system."""
    totals: dict[int, Totals] = {}
    for start, systems, references in _counted(chunks):
        segments: Segments | None = None
        for i, system in enumerate(systems):
            with _located(names[i], start):
                segments = _beside(segments, system, references, type(scorer).__name__, len(systems) > 1)
                totals[i] = scorer.accumulate_segments(segments, totals.get(i), threads)
    return list(totals.values())


def _print_segments(scorer: Scorer, names: Sequence[str], chunks: Chunks, threads: int | None) -> None:
    """A line for each segment of each system: its index, the system, the primary number, all others."""
    import numpy as np
    import pyarrow as pa
    from pyarrow.csv import WriteOptions, write_csv

    options = WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
    cells = [re.sub(r'[\s"]', "_", _shown(name)) for name in names]
    for start, systems, references in _counted(chunks):
        numbers = []
        segments: Segments | None = None
        for name, system in zip(names, systems, strict=True):
            with _located(name, start):
                segments = _beside(segments, system, references, type(scorer).__name__, len(systems) > 1)
                numbers.append(scorer.score_each(segments, threads))
        keys = sorted(numbers[0], key=lambda key: key != scorer.primary)
        if start == 0:
            sys.stdout.buffer.write(("\t".join(["index", "system", *keys]) + "\n").encode())
        columns = {
            "index": np.repeat(np.arange(start, start + len(systems[0])), len(names)),
            "system": cells * len(systems[0]),
            **{key: np.stack([each[key] for each in numbers], axis=1).ravel() for key in keys},
        }
        write_csv(pa.table(columns), sys.stdout.buffer, options)


def _beside(
    segments: Segments | None, system: pa.Array, references: pa.Array | None, owner: str, shared: bool
) -> Segments:
    """The segments of a system; the references that came with the system before are not read again."""
    from metrologue.segments import Segments

    return segments.with_predictions(system, owner) if segments else Segments(system, references, owner, shared)


def _counted(chunks: Chunks) -> Iterator[tuple[int, list[pa.Array], pa.Array | None]]:
    """The chunks, each after the index of its first segment; files without a line are refused."""
    start = 0
    for systems, references in chunks:
        yield start, systems, references
        start += len(systems[0])
    if not start:
        raise InputError("the files hold no line; a score needs at least one segment.")


@contextmanager
def _located(name: str, start: int) -> Iterator[None]:
    """Say from where a message counts its segments: a stream shows a scorer only a part of the file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}, counted from line {start + 1}: {error}") from error


@main.command()
@click.argument("metric")
@click.argument("a")
@click.argument("b")
@_files(several_systems=False)
@_json
def explain(metric: str, a: str, b: str, predictions: str, references: tuple[str, ...], as_json: bool) -> None:
    """Share the gap between variants (or signatures) A and B of a METRIC among the choices that differ.

    \b
    Examples:
      metrologue explain bleu nltk sacrebleu -p hyp.txt -r ref.txt
      metrologue explain bleu evaluate pycocoevalcap -p hyp.txt -r ref1.txt -r ref2.txt --json
    """
    from metrologue.attribution import explain
    from metrologue.files import read_segments

    first, second = _scorer(metric, a), _scorer(metric, b)
    _check_references(first, references)
    [system], texts = read_segments([predictions], references)
    explanation = explain(first, second, system, texts)
    if as_json:
        click.echo(_as_json(asdict(explanation)))
    else:
        _print(_explanation_table(explanation, a, b, in_points=bool(first.perfect_score and second.perfect_score)))


def _explanation_table(explanation: Explanation, a: str, b: str, in_points: bool) -> Table:
    from rich.table import Column, Table

    factor, unit = (100, "points of 100") if in_points else (1, "difference")
    table = Table("choice", a, b, Column(unit, justify="right"))
    for contribution in explanation.contributions:
        table.add_row(contribution.choice, contribution.a, contribution.b, f"{factor * contribution.share:+.4f}")
    table.add_section()
    gap = f"{factor * explanation.gap:+.4f}"
    table.add_row("score", f"{explanation.value_a:.4f}", f"{explanation.value_b:.4f}", gap)
    return table


@main.command()
@click.argument("metric")
@_files(several_systems=False)
@_variant
@_settings
@click.option("--segment", type=click.IntRange(0), required=True, help="Which segment, counted from 0.")
@click.option("--html", type=_OUTPUT, help="Write the trace to this file as an HTML fragment.")
def trace(
    metric: str,
    predictions: str,
    references: tuple[str, ...],
    variant: str | None,
    settings: tuple[str, ...],
    segment: int,
    html: Path | None,
) -> None:
    """Show what matched in one segment: the counts behind its score under a METRIC.

    \b
    Examples:
      metrologue trace bleu -p hyp.txt -r ref.txt --segment 3
      metrologue trace bleu --variant nltk --set max_order=2 -p hyp.txt -r ref.txt --segment 0 --html trace.html
    """
    from metrologue.files import read_segments
    from metrologue.output import write_whole
    from metrologue.segments import Segments
    from metrologue.trace import trace

    scorer = _scorer(metric, variant, settings)
    _check_references(scorer, references)
    [system], texts = read_segments([predictions], references)
    if segment >= len(system):
        raise InputError(f"--segment {segment}: {predictions} holds {len(system)} segments, counted from 0.")
    found = trace(scorer, *Segments(system, texts).pair(segment))
    if html:
        write_whole(html, found.html().encode())
    else:
        click.echo(found.text())


@main.command()
@_files(several_systems=True)
@click.option("--metric", default="bleu", show_default=True)
@click.option("--library", "libraries", multiple=True, help="Only this library. Again for others.")
@click.option("--variant", "variants", multiple=True, help="Only this variant of ours. Again for others.")
@_json
@_markdown
@_out
def compare(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    metric: str,
    libraries: tuple[str, ...],
    variants: tuple[str, ...],
    as_json: bool,
    as_markdown: bool,
    out: Path | None,
) -> None:
    """Run every library and every variant on the same files: which numbers are equal, and why others are not.

    The Hub's modules come over the network, or from the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue compare -p hyp.txt -r ref.txt
      metrologue compare -p a.txt -p b.txt -r ref1.txt -r ref2.txt --out report.html
      metrologue compare -p hyp.txt -r ref.txt --library nltk --variant nltk --variant sacrebleu --markdown
    """
    comparison = _compare(predictions, references, metric, libraries or None, variants or None)
    _print_results(as_json, as_markdown, comparison.to_json, comparison.to_markdown)
    if out:
        _write_report(out, comparison=comparison)


@main.command()
@_json
@_markdown
@_out
def documents(as_json: bool, as_markdown: bool, out: Path | None) -> None:
    """Run every figure again that the documents publish: live library and our variant beside it.

    The exit status is 1 if a figure disagrees with both and nothing says why. The Hub's modules come over the network,
    or from the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue documents
      metrologue documents --json | jq '.[].figures[].verdict'
      metrologue documents --out report.html
    """
    results = _run_documents()
    _print_results(
        as_json,
        as_markdown,
        lambda: _as_json([case.to_dict() for case in results]),
        partial(_cases_as_markdown, results),
    )
    if out:
        _write_report(out, results)
    sys.exit(not all(case.as_expected for case in results))


@main.command()
@_files(several_systems=True, required=False)
@click.option("--out", type=_OUTPUT, default="report.html", show_default=True, help="The HTML file to write.")
def report(predictions: tuple[str, ...], references: tuple[str, ...], out: Path) -> None:
    """Write one HTML page: the documents' figures, the traces of their sentences, and a comparison of files.

    Without files, a small sample that comes with the package is compared.

    \b
    Examples:
      metrologue report
      metrologue report -p a.txt -p b.txt -r ref.txt --out mine.html
    """
    if bool(predictions) != bool(references):
        raise click.UsageError("Predictions and references come together: give both -p and -r, or neither.")
    if not predictions:
        sample = Path(str(resources.files("metrologue.comparison") / "sample"))
        predictions = tuple(str(sample / f"{name}.txt") for name in ("amber", "birch", "cedar"))
        references = tuple(str(sample / f"reference_{number}.txt") for number in (1, 2))
    results = _run_documents()
    _write_report(out, results, _compare(predictions, references))
    sys.exit(not all(case.as_expected for case in results))


@main.command()
@click.argument("metrics", nargs=-1, metavar="[METRIC]...")
def warmup(metrics: tuple[str, ...]) -> None:
    """Compile what METRICs need, or all of them, and put it into the cache, before the first number is asked for.

    \b
    Examples:
      metrologue warmup
      METROLOGUE_CACHE=/opt/metrologue metrologue warmup bleu chrf
    """
    from metrologue.cache import cache_folder
    from metrologue.warmup import scorers_to_warm, warm_up

    try:
        folder = cache_folder()
    except RuntimeError as error:
        raise _Refused(f"there is no folder to keep anything in ({error}); set METROLOGUE_CACHE to one.") from error
    scorers = scorers_to_warm(metrics)
    lacking = []
    with _bar(total=len(scorers)) as update:
        for scorer, lack in zip(scorers, warm_up(scorers), strict=True):
            update(description=f"{scorer.name} {scorer.variant_name}", advance=1)
            lacking += [f"{scorer.name} {scorer.variant_name}: {lack}"] if lack else []
    for line in lacking:
        click.echo(line, err=True)
    if not any((folder / "kernels").glob("*")):
        raise click.ClickException(f"nothing could be kept in {folder}.")
    click.echo(f"{len(scorers) - len(lacking)} of {len(scorers)} variants are ready; the cache is {folder}")


@main.command(name="list")
def list_() -> None:
    """List metrics with their variants, and tokenizers.

    \b
    Example:
      metrologue list
    """
    from rich.table import Table

    from metrologue.scorers import get_scorer, list_scorers
    from metrologue.tokenizers import list_tokenizers

    table = Table("metric", "variant", "mirrors", "about")
    for metric in list_scorers():
        for name, variant in get_scorer(metric).variants().items():
            table.add_row(metric, name, f"{variant.library} {variant.version}", variant.about)
    _print(table)
    click.echo(f"tokenizers: {' '.join(list_tokenizers())}")


def _scorer(metric: str, variant: str | None, settings: Sequence[str] = ()) -> Scorer:
    """The scorer of a variant's name, of a signature, or of neither: the metric's defaults."""
    from metrologue.scorers import Scorer, get_scorer

    scorer = get_scorer(metric)
    texts: dict[str, str] = {}
    for setting in settings:
        field, equals, text = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"{setting!r} is not FIELD=VALUE, such as lowercase=true.", param_hint="--set")
        if field in texts:
            raise click.BadParameter(f"{field!r} is set twice.", param_hint="--set")
        texts[field] = text
    if not variant or "|" not in variant:
        values = scorer.parsed(texts)
        return scorer.variant(variant, **values) if variant else scorer.from_fields(values)
    if not texts.keys() <= set(scorer.table_fields()):
        raise click.UsageError("--set changes a variant, not a signature; change the signature itself.")
    if (named := variant.strip().partition("|")[0]) != metric:
        raise click.UsageError(f"the signature is one of {named!r}, but the metric is {metric!r}.")
    return Scorer.from_signature(variant, **texts)


def _check_references(scorer: Scorer | type[Scorer], references: Sequence[str]) -> None:
    if scorer.needs_references and not references:
        raise click.UsageError("Missing option '-r' / '--references'.")
    if references and not scorer.needs_references:
        raise click.UsageError(f"{scorer.name} looks at predictions alone; leave out -r.")


def _compare(
    predictions: Sequence[str],
    references: Sequence[str],
    metric: str = "bleu",
    libraries: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
) -> Comparison:
    from metrologue.comparison.harness import compare
    from metrologue.comparison.libraries import LibraryError
    from metrologue.files import read_segments
    from metrologue.scorers import get_scorer

    _check_references(get_scorer(metric), references)
    names = [_shown(Path(path).name) for path in predictions]
    if len(set(names)) < len(names):
        names = [*map(_shown, predictions)]
    systems, texts = read_segments(predictions, references)
    with _bar() as update:
        try:
            return compare(
                dict(zip(names, systems, strict=True)),
                texts,
                metric,
                libraries,
                variants,
                lambda what, done, total: update(description=what, completed=done, total=total),
            )
        except LibraryError as error:
            raise _Refused(str(error)) from error


def _run_documents() -> list[CaseResult]:
    from metrologue.comparison.documents import load_cases, run_cases

    cases = load_cases()
    with _bar(total=len(cases)) as update:
        return run_cases(cases, lambda case: update(description=case.id, advance=1))


def _cases_as_markdown(results: Sequence[CaseResult]) -> str:
    """A row for each figure, and below the table what the verdicts mean and what they leave out."""
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


def _print_results(
    as_json: bool, as_markdown: bool, to_json: Callable[[], str], to_markdown: Callable[[], str]
) -> None:
    """Print JSON or Markdown; Markdown is laid out on a terminal unless it was asked for as such."""
    if as_json:
        click.echo(to_json())
    elif as_markdown or not sys.stdout.isatty():
        click.echo(to_markdown(), nl=False)
    else:
        _print(_laid_out(to_markdown()))


def _laid_out(markdown: str) -> Markdown:
    """Markdown for rich, with tables that break a long word rather than cut it off."""
    from rich.markdown import Markdown, TableElement
    from rich.table import Table

    class WholeTable(TableElement):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for part in super().__rich_console__(console, options):
                for column in part.columns if isinstance(part, Table) else ():
                    column.overflow = "fold"
                yield part

    class WholeMarkdown(Markdown):
        elements = {**Markdown.elements, "table_open": WholeTable}  # noqa: RUF012 - as rich declares it

    return WholeMarkdown(markdown)


def _write_report(path: Path, cases: Sequence[CaseResult] = (), comparison: Comparison | None = None) -> None:
    from metrologue.comparison.report import document_traces, render, write

    command = _shown(shlex.join(["metrologue", *sys.argv[1:]]))
    write(path, render(comparison, cases, document_traces(cases), command=command))
    click.echo(f"The report is in {_shown(str(path.resolve()))}", err=True)


def _print(*what: object) -> None:
    """Print with rich: as wide as the terminal, and without a limit into a file, where nobody could undo a cut."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 100_000, markup=False, highlight=False).print(*what)


def _as_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


@contextmanager
def _bar(total: int | None = None, in_bytes: bool = False, hidden: bool = False) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal, nothing elsewhere; yields what updates it, as ``rich.Progress.update`` does."""
    if hidden or not sys.stderr.isatty():
        yield lambda **state: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    done = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = TextColumn("{task.description}"), BarColumn(), done, TimeElapsedColumn()
    # rich would send what a command prints to standard error, below which the bar runs.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield partial(progress.update, progress.add_task("", total=total))


def _size(paths: Sequence[str]) -> int | None:
    """Bytes of text in files; not known of what comes packed or from a pipe."""
    known = not any(path == "-" or path.endswith(".gz") for path in paths)
    return sum(map(os.path.getsize, paths)) if known else None
