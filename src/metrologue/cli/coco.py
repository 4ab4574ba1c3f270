"""``metrologue coco``: the table of coco-caption, from the files of COCO."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.faults import echo_warning
from metrologue.cli.options import format_option, threads_option
from metrologue.cli.tables import FORMATS, Table, print_table
from metrologue.errors import InputError, number_of
from metrologue.output import as_json, tsv_cell
from metrologue.scorers.core.engine import hints_of
from metrologue.scorers.core.variants import short_signature
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from metrologue.scorers import Scorer

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(hidden=True)  # `score` and `compare` take both files as they are
@click.option("--annotations", type=_FILE, required=True, help="The human captions, such as captions_val2014.json.")
@click.option("--results", type=_FILE, required=True, help="The captions of a system: a list of image_id and caption.")
@click.option(
    "--references",
    "most",
    type=click.IntRange(1),
    metavar="N",
    help="Use only the first N captions of each image: 5 for c5, 40 for c40. Default: all.",
)
@click.option("--subset", is_flag=True, help="Score only the images that have a result.")
@click.option(
    "--document-frequency",
    type=click.Path(dir_okay=False, path_type=Path),
    help="CIDEr's table of n-grams, saved here or pickled; coco-val-df is COCO's. Default: these references.",
)
@click.option("--documents", type=float, metavar="N", help="The number of images of a pickled table without it.")
@threads_option
@click.option("--per-segment", is_flag=True, help="Print the numbers of every image, tab-separated.")
@click.option(
    "-w", "--width", "digits", type=click.IntRange(0, 17), help="How many decimals. Default: 3; all in json and tsv."
)
@format_option(*FORMATS, "json")
def coco(
    annotations: Path,
    results: Path,
    most: int | None,
    subset: bool,
    document_frequency: Path | None,
    documents: float | None,
    threads: int | None,
    per_segment: bool,
    digits: int | None,
    output_format: str,
) -> None:
    """Print the table of coco-caption: BLEU, METEOR, ROUGE-L and CIDEr (which is CIDEr-D) over PTB tokens.

    The same numbers: ``metrologue score bleu:coco meteor:coco rouge:coco cider:coco -p results.json -r captions.json``.

    METEOR needs the tables of its program. Without them its row is empty, and a warning says what to install.

    \b
    Examples:
      metrologue coco --annotations captions_val2014.json --results results.json
      metrologue coco --annotations captions.json --results results.json --references 5 --format json
      metrologue coco --annotations captions.json --results results.json --per-segment | sort -g -k 8 | head
    """
    from metrologue.files.captions import NUMBERS, read_captions
    from metrologue.segments import Segments

    if per_segment and output_format != "text":
        raise click.UsageError("--per-segment prints a table of its own; choose no other format.")
    if documents is not None and document_frequency is None:
        raise click.UsageError("--documents belongs to --document-frequency.")
    captions = read_captions(annotations, results, most, subset)
    segments = Segments(captions.predictions, captions.references)
    names = list(dict.fromkeys(metric for metric, _ in NUMBERS.values()))
    scorers: dict[str, Scorer] = {}
    scores: dict[str, Mapping[str, Any]] = {}
    with progress_bar(total=len(names)) as update:
        for name in names:
            update(description=name)
            try:
                scorer = _scorer(name, document_frequency, documents)
                whole = scorer.corpus(segments, threads=threads).scores
                scores[name] = scorer.segment_scores(segments, threads=threads) if per_segment else whole
            except InputError as error:
                if name != "meteor":
                    raise
                echo_warning(f"METEOR is left out: {error}")
                continue
            finally:
                update(advance=1)
            scorers[name] = scorer
            for hint in hints_of(scorer, segments):
                echo_warning(hint)
    numbers = {row: scores[metric][key] for row, (metric, key) in NUMBERS.items() if metric in scores}
    if per_segment:
        _print_images(captions.images, numbers)
    elif output_format == "json":
        rounded = {row: round(float(numbers[row]), 17 if digits is None else digits) for row in numbers}
        click.echo(as_json(_as_object(len(captions.images), rounded, scorers)))
    else:
        width = digits if digits is not None else None if output_format == "tsv" else 3
        rows = [[row, _spelled(numbers.get(row), width)] for row in NUMBERS]
        table = Table(["metric", "score"], rows)
        if output_format in ("latex", "markdown"):
            told = "; ".join(short_signature(scorer) for scorer in scorers.values())
            images = f"coco-caption's table of {number_of(len(captions.images), 'image')}."
            remarks = [scorer.signature for scorer in scorers.values()]
            table = replace(table, caption=[images, f"{told}."], remarks=remarks)
        print_table(table, output_format)


def _scorer(name: str, table: Path | None, documents: float | None) -> Scorer:
    """The scorer of coco-caption, with the given table of CIDEr."""
    from metrologue.scorers import Cider, get_scorer

    scorer = get_scorer(name).variant("coco")
    return scorer.with_table(table, documents) if isinstance(scorer, Cider) and table else scorer


def _spelled(value: float | None, digits: int | None) -> str:
    if value is None:
        return "-"
    return repr(float(value)) if digits is None else f"{value:.{digits}f}"


def _as_object(images: int, scores: Mapping[str, float], scorers: Mapping[str, Scorer]) -> dict[str, Any]:
    """What ``--format json`` prints. A number that is missing is null."""
    from metrologue.files.captions import NUMBERS

    return {
        "images": images,
        "scores": {row: scores.get(row) for row in NUMBERS},
        "signatures": {name: scorer.signature for name, scorer in scorers.items()},
    }


def _print_images(images: Sequence[int | str], numbers: Mapping[str, Any]) -> None:
    """A line for each image: its id, then the numbers of the table."""
    import pyarrow as pa
    from pyarrow.csv import WriteOptions, write_csv

    sys.stdout.buffer.write(("\t".join(["image_id", *numbers]) + "\n").encode())
    ids = [tsv_cell("".join("_" if mark in '\t\r\n"' else mark for mark in str(image))) for image in images]
    options = WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
    write_csv(pa.table({"image_id": ids, **numbers}), sys.stdout.buffer, options)
