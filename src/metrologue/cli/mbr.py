"""``metrologue mbr``: the candidate with the greatest expected utility (minimum Bayes risk decoding)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from metrologue.cli.models import model_options
from metrologue.cli.options import (
    INPUT,
    format_option,
    made_scorer,
    metrics_argument,
    settings_option,
    threads_option,
    variant_option,
)
from metrologue.errors import InputError

if TYPE_CHECKING:
    from metrologue.files.nbest import NBest
    from metrologue.language_models import NamedModel
    from metrologue.representations import NamedEncoder


@click.command()
@click.option(
    "-c",
    "--candidates",
    type=INPUT,
    required=True,
    help="JSON Lines: on each line a list of strings, or an object with candidates, and perhaps references, weights, "
    "and the source.",
)
@metrics_argument("The utility, such as chrf; a METRIC says the same.")
@variant_option
@settings_option
@model_options
@click.option("--sources", type=INPUT, help="What the candidates of each line translate, one per line, for comet.")
@click.option(
    "-r", "--references", type=INPUT, help="Pseudo-references for all lines, one per line, in place of the candidates."
)
@click.option(
    "--weights",
    type=INPUT,
    help="JSON Lines: the weights of the references of each line. One line serves all lines with --references.",
)
@click.option("--top", "--nbest", "top", type=click.IntRange(1), default=1, help="Print the best K.", metavar="K")
@click.option("--aggregate", is_flag=True, help="Compare with the mean of all references at once (chrF): much quicker.")
@threads_option
@format_option("text", "json")
def mbr(
    candidates: str, metrics: tuple[str, ...], variant: str | None, settings: tuple[str, ...],
    model: NamedModel | NamedEncoder | None, sources: str | None, references: str | None,
    weights: str | None, top: int, aggregate: bool, threads: int | None, output_format: str,
) -> None:  # fmt: skip
    """Print the candidate of each line with the greatest mean utility: minimum Bayes risk decoding.

    The utility of a candidate is its mean score with all references, which are the candidates themselves unless others
    are given. Of equally good ones, the first is printed. For a metric such as TER, the least mean is the best.

    \b
    Examples:
      metrologue mbr chrf --candidates nbest.jsonl
      metrologue mbr bleu:sacrebleu-sentence --candidates nbest.jsonl --top 5 --format json
      metrologue mbr chrf --candidates nbest.jsonl --references samples.txt --weights weights.jsonl
      metrologue mbr chrf --candidates nbest.jsonl --aggregate
      metrologue mbr comet --candidates nbest.jsonl --sources src.txt --model folder --encoder xlm-r
    """
    from metrologue.files.lines import read_lines
    from metrologue.scorers.core.mbr import ranked

    if len(metrics) != 1:
        raise click.UsageError(f"{len(metrics)} metrics; name one as the utility, such as chrf.")
    scorer = made_scorer(metrics[0], variant, settings, model)
    if aggregate and scorer.name != "chrf":
        raise click.UsageError(f"--aggregate is for chrf; {scorer.name} has no mean reference.")
    fixed = None if references is None else read_lines(references).to_pylist()
    if fixed == []:
        raise InputError(f"{references}: the file is empty; give at least one reference.")
    lists = _with_weights(_with_sources(_nbest(candidates), sources), weights, fixed)
    line = 0
    for line, (each, ranking) in enumerate(ranked(scorer, lists, fixed, aggregate=aggregate, threads=threads), 1):
        for rank, index in enumerate(ranking.order[:top], 1):
            _print(each, line, rank, index, ranking.utilities[index], output_format)
    if not line:
        raise InputError(f"{candidates}: the file is empty; give at least one list of candidates.")


def _nbest(path: str) -> Iterator[NBest]:
    from metrologue.files.nbest import stream_nbest

    return stream_nbest(path)


def _with_sources(lists: Iterator[NBest], path: str | None) -> Iterator[NBest]:
    """The n-best lists with the sources of a file, a line for each."""
    from metrologue.files.lines import read_lines

    if path is None:
        yield from lists
        return
    texts: list[str] = read_lines(path).to_pylist()
    count = 0
    for each in lists:
        if each.source is not None:
            raise InputError(f"{each.place}: the line has a source, and --sources gives others; give one of them.")
        if count == len(texts):
            raise InputError(f"{path}: {len(texts)} sources, but {each.place} needs one more.")
        yield each._replace(source=texts[count])
        count += 1
    if count < len(texts):
        raise InputError(f"{path}: {len(texts)} sources for {count} lines of candidates.")


def _with_weights(lists: Iterator[NBest], path: str | None, fixed: Sequence[str] | None) -> Iterator[NBest]:
    """The n-best lists with the weights of a file, each checked."""
    from metrologue.files.nbest import stream_weights

    rows = None if path is None else [*stream_weights(path)]
    count = 0
    for each in lists:
        if rows is not None:
            if each.weights is not None:
                raise InputError(f"{each.place}: the line has weights, and --weights gives others; give one of them.")
            if len(rows) <= count and not (fixed and len(rows) == 1):
                raise InputError(f"{path}: {len(rows)} lines of weights, but {each.place} needs one more.")
            each = each._replace(weights=rows[0 if len(rows) == 1 and fixed else count])
        if fixed is not None and each.references is not None:
            raise InputError(f"{each.place}: the line has references, and --references gives others; give one of them.")
        compared = fixed or each.references or each.candidates
        if each.weights is not None and len(each.weights) != len(compared):
            raise InputError(f"{each.place}: {len(each.weights)} weights for {len(compared)} references.")
        count += 1
        yield each
    if rows is not None and len(rows) > count and not (fixed and len(rows) == 1):
        raise InputError(f"{path}: {len(rows)} lines of weights for {count} lines of candidates.")


def _print(each: NBest, line: int, rank: int, index: int, utility: float, output_format: str) -> None:
    text = each.candidates[index]
    if output_format == "json":
        record = {"line": line, "rank": rank, "index": index, "utility": float(utility), "candidate": text}
        click.echo(json.dumps(record, ensure_ascii=False))
    elif "\n" in text or "\r" in text:
        raise InputError(f"{each.place}: the candidate {index} has a line break; take --format json.")
    else:
        click.echo(text)
