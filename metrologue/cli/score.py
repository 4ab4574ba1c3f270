"""``metrologue score``: the numbers of one or several systems."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.faults import shown_path
from metrologue.cli.options import (
    Keys,
    bleu_options,
    check_references,
    files_options,
    format_option,
    made_scorers,
    settings_option,
    system_names,
    threads_option,
    variant_option,
)
from metrologue.cli.printing import as_json_text, progress_bar, size_in_bytes
from metrologue.cli.significance import Inference, Inferred, infer, inference_options
from metrologue.cli.tables import FORMATS, Table, print_table
from metrologue.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from metrologue.scorers import Result, Scorer, Totals
    from metrologue.segments import Segments

__all__ = ["score"]

Chunks = Iterable[tuple[list["pa.Array"], "pa.Array"]]


@click.command()
@click.argument("metrics", nargs=-1, required=True, metavar="METRIC...", shell_complete=complete_metric)
@files_options(several_systems=True, required=False)
@variant_option
@settings_option
@bleu_options
@threads_option
@inference_options
@click.option("--per-segment", is_flag=True, help="Print the numbers of every segment, tab-separated.")
@click.option("-w", "--width", "digits", type=click.IntRange(0, 17), help="Decimals. Default: 4; all in json and tsv.")
@click.option("-b", "--score-only", is_flag=True, help="Print only scores: a line per system, a column per metric.")
@click.option("--cite", is_flag=True, help="Print how to report the score, and the papers to cite, as BibTeX.")
@format_option(*FORMATS, "json")
def score(
    metrics: tuple[str, ...],
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    variant: str | None,
    settings: tuple[str, ...],
    threads: int | None,
    inference: Inference,
    per_segment: bool,
    digits: int | None,
    score_only: bool,
    cite: bool,
    output_format: str,
) -> None:
    """Score one or several systems with one or several METRICs. A METRIC is a name, NAME:VARIANT or a signature.

    \b
    Examples:
      metrologue score bleu -p hyp.txt -r ref.txt
      metrologue score bleu chrf ter rouge -p a.txt -p b.txt -r ref.txt --format latex -w 1
      metrologue score bleu --variant nltk -p a.txt -p b.txt -r ref1.txt -r ref2.txt
      metrologue score bleu --variant 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0' -p hyp.txt -r ref.txt
      metrologue score bleu chrf -p baseline.txt -p a.txt -p b.txt -r ref.txt --paired-bs
      zcat hyp.gz | metrologue score bleu -tok intl -lc -p - -r ref.txt --format json
      metrologue score bleu -p hyp.txt -r ref.txt --per-segment | sort -g -k 3 | head
    """
    if per_segment and (output_format != "text" or score_only or len(metrics) > 1):
        raise click.UsageError("--per-segment prints a table of one metric; choose one metric, and no other format.")
    if per_segment and inference.wanted:
        raise click.UsageError("--per-segment has no intervals and no tests.")
    scorers = made_scorers(metrics, variant, settings)
    if cite and not predictions:
        _print_citation(scorers)
        return
    if not predictions:
        raise click.UsageError("Missing option '-p' / '--predictions'.")
    check_references(scorers, references)
    if per_segment:
        _print_segments(scorers[0], predictions, references, keys, threads)
        return
    kept: list[Segments] = []
    with _streamed(scorers, predictions, references, keys, whole=inference.wanted) as chunks:
        count, results = _scored(scorers, predictions, chunks, threads, kept if inference.wanted else None)
    names = system_names(predictions)
    inferred = [infer(scorer, names, kept, inference, threads) for scorer in scorers if inference.wanted]
    if score_only:
        for row in results:
            click.echo("\t".join(_number(result.value, digits, 4) for result in row))
    elif output_format == "json":
        click.echo(as_json_text(_as_object(scorers, predictions, count, results, inferred, digits)))
    else:
        in_full = output_format == "tsv"
        print_table(_table(scorers, predictions, results, inferred, digits, in_full), output_format)
        if output_format == "text":
            click.echo("\n".join(scorer.signature for scorer in scorers))
            _print_matrices(scorers, names, results)
            for line in inferred[0].notes(names[0]) if inferred else ():
                click.echo(line)
    if cite and output_format != "json":
        click.echo()
        _print_citation(scorers)


def _print_matrices(scorers: Sequence[Scorer], names: Sequence[str], results: Sequence[Sequence[Result]]) -> None:
    """Print the confusion matrix of each system, if that is the metric."""
    for i, scorer in enumerate(scorers):
        for name, row in zip(names, results, strict=True):
            if scorer.name == "confusion_matrix" and (confusion := row[i].confusion):
                from metrologue.scorers.classification.trace import matrix_blocks
                from metrologue.tracing.text import render_text

                click.echo(f"\n{render_text((name,), matrix_blocks(scorer, confusion))}")


def _print_citation(scorers: Sequence[Scorer]) -> None:
    from metrologue.citing import how_to_report

    click.echo(how_to_report(scorers), nl=False)


def _as_object(
    scorers: Sequence[Scorer],
    paths: Sequence[str],
    count: int,
    results: Sequence[Sequence[Result]],
    inferred: Sequence[Inferred],
    digits: int | None,
) -> Any:
    """What ``--format json`` prints: an object, or a list of objects if there are several metrics."""

    def rounded(value: float) -> float:
        return value if digits is None else round(value, digits)

    found = []
    for i, (scorer, column) in enumerate(zip(scorers, zip(*results, strict=True), strict=True)):
        systems = [
            {
                "name": shown_path(path),
                "segments": count,
                "value": rounded(result.value),
                "scores": {key: rounded(value) for key, value in result.scores.items()},
                **({"confusion": result.confusion.to_json()} if result.confusion else {}),
                **(inferred[i].of_system(system) if inferred else {}),
            }
            for system, (path, result) in enumerate(zip(paths, column, strict=True))
        ]
        facts = {"metric": scorer.name, "primary": scorer.primary, "signature": scorer.signature}
        found.append({**facts, "short_signature": scorer.short_signature, "systems": systems})
    return found if len(found) > 1 else found[0]


def _table(
    scorers: Sequence[Scorer],
    paths: Sequence[str],
    results: Sequence[Sequence[Result]],
    inferred: Sequence[Inferred],
    digits: int | None,
    in_full: bool,
) -> Table:
    """A table with a row for each system. It has each metric's summary, or with `in_full` a column for each number."""
    extras: list[tuple[str, list[str]]] = []
    columns: list[tuple[str, int, tuple[str, ...]]] = []
    for i, (scorer, label) in enumerate(zip(scorers, _labels(scorers), strict=True)):
        alone = label == scorer.name
        if inferred:
            found = inferred[i].in_full() if in_full else inferred[i].columns(lambda value: _number(value, digits, 4))
            extras += [(f"{label}_{name}" if in_full else f"{label} {name}", cells) for name, cells in found.items()]
        if in_full:
            keys_shown = [key for keys in scorer.summary.values() for key in keys]
            columns += [(key if alone else f"{label}.{key}", i, (key,)) for key in keys_shown]
            continue
        for j, (heading, keys) in enumerate(scorer.summary.items()):
            name = heading if alone or j else label if heading == scorer.primary else f"{label} {heading}"
            columns.append((name, i, keys))
    least = None if in_full else 4
    rows = [
        [
            name,
            *("/".join(_number(row[i].scores[key], digits, least) for key in keys) for _, i, keys in columns),
            *(cells[at] for _, cells in extras),
        ]
        for at, (name, row) in enumerate(zip(system_names(paths), results, strict=True))
    ]
    header = ["system", *(name for name, _, _ in columns), *(name for name, _ in extras)]
    return Table(header, rows, best=_best(scorers, results, columns))


def _best(
    scorers: Sequence[Scorer], results: Sequence[Sequence[Result]], columns: Sequence[tuple[str, int, tuple[str, ...]]]
) -> frozenset[tuple[int, int]]:
    """The cells with the best score, if there are several systems."""
    found = set()
    for j, (_, i, keys) in enumerate(columns, 1):
        if len(results) > 1 and keys == (scorers[i].primary,):
            values = [row[i].value for row in results]
            best = (max if scorers[i].higher_is_better[scorers[i].primary] else min)(values)
            found |= {(row, j) for row, value in enumerate(values) if value == best}
    return frozenset(found)


def _labels(scorers: Sequence[Scorer]) -> list[str]:
    """Labels of the scorers: the metric's name; if two have it, also the variant and the fields that differ from it."""
    names = [scorer.name for scorer in scorers]
    labels = []
    for scorer in scorers:
        parts = scorer.short_signature.split("|")[1:-1]
        own = [part.removeprefix("variant=") for part in parts if not part.startswith("mirrors=")]
        labels.append(scorer.name if names.count(scorer.name) == 1 else f"{scorer.name}:{','.join(own)}")
    return labels


def _number(value: float, digits: int | None, otherwise: int | None) -> str:
    """A number with `digits` decimals, or with the default `otherwise`, or in full. Integers have no decimals."""
    decimals = otherwise if digits is None else digits
    return repr(value) if decimals is None or isinstance(value, int) else f"{value:.{decimals}f}"


@contextmanager
def _streamed(
    scorers: Sequence[Scorer],
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    hidden: bool = False,
    whole: bool = False,
) -> Iterator[Chunks]:
    """The chunks of files, with a progress bar; one chunk if a scorer needs all references at once, or if `whole`."""
    from metrologue.files import read_segments, stream_segments

    if whole or _need_all(scorers):
        systems, texts = read_segments(predictions, references, **keys)
        yield [(systems, texts)] if len(systems[0]) else []
        return
    size = size_in_bytes([*predictions, *references])
    with progress_bar(size, in_bytes=True, hidden=hidden) as update:
        yield stream_segments(predictions, references, **keys, progress=lambda read: update(advance=read))


def _need_all(scorers: Sequence[Scorer]) -> bool:
    return any(getattr(scorer, field) is None for scorer in scorers for field in scorer.fitted_fields())


def _scored(
    scorers: Sequence[Scorer], names: Sequence[str], chunks: Chunks, threads: int | None, kept: list[Segments] | None
) -> tuple[int, list[list[Result]]]:
    """The number of segments, and the results of each system with each scorer. `kept` gets the segments if it is there.

    Texts are read once for all scorers, and references once for all systems.
    """
    results: list[list[Result]] = [[] for _ in names]
    totals: list[list[Totals | None]] = [[None] * len(scorers) for _ in names]
    owner = type(scorers[0]).__name__ if len(scorers) == 1 else "score"
    whole, count = _need_all(scorers), 0
    for start, systems, references in _counted(chunks):
        count = start + len(systems[0])
        segments: Segments | None = None
        for name, system, found, own in zip(names, systems, results, totals, strict=True):
            with _located(name, start):
                segments = _beside(segments, system, references, owner, len(systems) > 1)
                if kept is not None:
                    kept.append(segments)
                for i, scorer in enumerate(scorers):
                    _warn(scorer, name, segments, start)
                    if whole:
                        found.append(scorer.score_segments(segments, threads))
                    else:
                        own[i] = scorer.accumulate_segments(segments, own[i], threads)
        segments = None  # what was counted is not kept while the next chunk is read
    if not whole:
        pairs = [[*zip(scorers, own, strict=True)] for own in totals]
        results = [[scorer.score_totals(each) for scorer, each in row if each] for row in pairs]
    return count, results


def _print_segments(
    scorer: Scorer, predictions: Sequence[str], references: Sequence[str], keys: Keys, threads: int | None
) -> None:
    # On a terminal, the rows themselves show the progress.
    with _streamed([scorer], predictions, references, keys, hidden=sys.stdout.isatty()) as chunks:
        _write_rows(scorer, predictions, chunks, threads)


def _write_rows(scorer: Scorer, names: Sequence[str], chunks: Chunks, threads: int | None) -> None:
    """Write a line for each segment of each system: its index, the system, the primary number, all other numbers."""
    import numpy as np
    import pyarrow as pa
    from pyarrow.csv import WriteOptions, write_csv

    options = WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
    cells = [re.sub(r'[\s"]', "_", shown_path(name)) for name in names]
    for start, systems, references in _counted(chunks):
        numbers = []
        segments: Segments | None = None
        for name, system in zip(names, systems, strict=True):
            with _located(name, start):
                segments = _beside(segments, system, references, type(scorer).__name__, len(systems) > 1)
                _warn(scorer, name, segments, start, of_each=True)
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
        segments = None


def _warn(scorer: Scorer, name: str, segments: Segments, start: int, of_each: bool = False) -> None:
    """Warn about what may be surprising in a system's score. Only the first chunk is checked."""
    for hint in scorer.hints(segments, of_each) if start == 0 else ():
        warnings.warn(f"{shown_path(name)}: {hint}", UserWarning, stacklevel=2)


def _beside(
    segments: Segments | None, system: pa.Array, references: pa.Array | None, owner: str, shared: bool
) -> Segments:
    """The segments of a system. The references of the previous system are not read again."""
    from metrologue.segments import Segments

    return segments.with_predictions(system, owner) if segments else Segments(system, references, owner, shared)


def _counted(chunks: Chunks) -> Iterator[tuple[int, list[pa.Array], pa.Array | None]]:
    """The chunks, each with the index of its first segment. Files without a line are refused."""
    start = 0
    for systems, references in chunks:
        yield start, systems, references
        start += len(systems[0])
    if not start:
        raise InputError("the files have no lines; a score needs at least one segment.")


@contextmanager
def _located(name: str, start: int) -> Iterator[None]:
    """Add to a message the line from which it counts segments, because a scorer sees only a part of a streamed file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}, counted from line {start + 1}: {error}") from error
