"""``metrologue score``: the numbers of one or several systems."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from metrologue.cli.faults import shown_path
from metrologue.cli.options import (
    check_references,
    files_options,
    json_option,
    made_scorer,
    settings_option,
    threads_option,
    variant_option,
)
from metrologue.cli.printing import as_json_text, progress_bar, size_in_bytes
from metrologue.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from metrologue.scorers import Scorer, Totals
    from metrologue.segments import Segments

__all__ = ["score"]

Chunks = Iterable[tuple[list["pa.Array"], "pa.Array"]]


@click.command()
@click.argument("metric")
@files_options(several_systems=True)
@variant_option
@settings_option
@threads_option
@click.option("--per-segment", is_flag=True, help="Print the numbers of every segment, tab-separated.")
@json_option
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

    scorer = made_scorer(metric, variant, settings)
    check_references(scorer, references)
    paths = [*predictions, *references]
    # Rows that run over a terminal show the progress themselves.
    with progress_bar(size_in_bytes(paths), in_bytes=True, hidden=per_segment and sys.stdout.isatty()) as update:
        chunks = stream_segments(predictions, references, progress=lambda size: update(advance=size))
        if per_segment:
            _print_segments(scorer, predictions, chunks, threads)
            return
        totals = _accumulate(scorer, predictions, chunks, threads)
    results = [scorer.score_totals(each) for each in totals]
    if as_json:
        systems = [
            {"name": shown_path(name), "segments": each.segments, "value": result.value, "scores": result.scores}
            for name, each, result in zip(predictions, totals, results, strict=True)
        ]
        facts = {"metric": scorer.name, "primary": scorer.primary, "signature": scorer.signature}
        click.echo(as_json_text({**facts, "systems": systems}))
        return
    for name, result in zip(predictions, results, strict=True):
        click.echo(f"{result.primary} = {result.value:.4f}  {shown_path(name)}")
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
    cells = [re.sub(r'[\s"]', "_", shown_path(name)) for name in names]
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
