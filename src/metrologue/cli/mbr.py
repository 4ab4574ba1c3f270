"""``metrologue mbr``: the candidate with the greatest expected utility (minimum Bayes risk decoding)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.options import (
    INPUT,
    format_option,
    made_scorer,
    settings_option,
    threads_option,
    variant_option,
)
from metrologue.errors import InputError

if TYPE_CHECKING:
    from metrologue.files.nbest import NBest
    from metrologue.scorers import Scorer

__all__ = ["mbr"]

# The most pairs whose matrices are in memory at once.
_MOST_PAIRS = 1 << 22


@click.command()
@click.option(
    "-c",
    "--candidates",
    type=INPUT,
    required=True,
    help="JSON Lines: on each line a list of strings, or an object with candidates, and perhaps references, weights.",
)
@click.option("-m", "--metric", required=True, shell_complete=complete_metric, help="The utility, such as chrf.")
@variant_option
@settings_option
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
    candidates: str, metric: str, variant: str | None, settings: tuple[str, ...], references: str | None,
    weights: str | None, top: int, aggregate: bool, threads: int | None, output_format: str,
) -> None:  # fmt: skip
    """Print the candidate of each line with the greatest mean utility: minimum Bayes risk decoding.

    The utility of a candidate is its mean score with all references, which are the candidates themselves unless others
    are given. Of equally good ones, the first is printed. For a metric such as TER, the least mean is the best.

    \b
    Examples:
      metrologue mbr --candidates nbest.jsonl --metric chrf
      metrologue mbr --candidates nbest.jsonl --metric bleu:sacrebleu-sentence --top 5 --format json
      metrologue mbr --candidates nbest.jsonl --metric chrf --references samples.txt --weights weights.jsonl
      metrologue mbr --candidates nbest.jsonl --metric chrf --aggregate
    """
    from metrologue.files.lines import read_lines

    scorer = made_scorer(metric, variant, settings)
    if aggregate and scorer.name != "chrf":
        raise click.UsageError(f"--aggregate is for chrf; {scorer.name} has no mean reference.")
    fixed = None if references is None else read_lines(references).to_pylist()
    if fixed == []:
        raise InputError(f"{references}: the file is empty; give at least one reference.")
    lists: Iterable[NBest] = _with_weights(_nbest(candidates), weights, fixed)
    if not scorer._is_fitted:
        known = lists = [*lists]
        scorer = _fitted(scorer, known, fixed)
    line = 0
    for batch in _batches(lists, fixed):
        for each, utilities in zip(batch, _utilities(scorer, batch, fixed, aggregate, threads), strict=True):
            line += 1
            for rank, index in enumerate(_best(scorer, utilities)[:top], 1):
                _print(each, line, rank, index, utilities[index], output_format)
    if not line:
        raise InputError(f"{candidates}: the file is empty; give at least one list of candidates.")


def _nbest(path: str) -> Iterator[NBest]:
    from metrologue.files.nbest import stream_nbest

    return stream_nbest(path)


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


def _fitted(scorer: Scorer, lists: Sequence[NBest], fixed: Sequence[str] | None) -> Scorer:
    """The scorer with its tables, made from all references."""
    from metrologue.segments import Segments

    texts = [text for each in lists for text in each.references or each.candidates] if fixed is None else [*fixed]
    return scorer.fit(Segments(texts, texts)) if texts else scorer


def _batches(lists: Iterable[NBest], fixed: Sequence[str] | None) -> Iterator[list[NBest]]:
    batch: list[NBest] = []
    pairs = 0
    for each in lists:
        batch.append(each)
        pairs += len(each.candidates) * len(fixed or each.references or each.candidates)
        if pairs >= _MOST_PAIRS:
            yield batch
            batch, pairs = [], 0
    if batch:
        yield batch


def _utilities(
    scorer: Scorer, batch: Sequence[NBest], fixed: Sequence[str] | None, aggregate: bool, threads: int | None
) -> list[Any]:
    """The expected utility of each candidate of each list."""
    import numpy as np

    from metrologue.scorers.core.pairwise import pairwise_groups

    groups = [each.candidates for each in batch]
    same = fixed is None and all(each.references is None for each in batch)
    references = None if same else [fixed or each.references or each.candidates for each in batch]
    weights = [None if each.weights is None else np.array(each.weights) for each in batch]
    if aggregate:
        from metrologue.scorers.chrf.aggregate import aggregate_groups

        return aggregate_groups(scorer, groups, references, weights)  # type: ignore[arg-type]  # it is a Chrf
    if fixed is not None:  # the references are read once for all lists
        flat = [text for group in groups for text in group]
        [matrix] = pairwise_groups(scorer, [flat], [fixed], threads)
        matrices = np.split(matrix, np.cumsum([*map(len, groups)])[:-1])
    else:
        matrices = pairwise_groups(scorer, groups, references, threads)
    return [np.average(matrix, axis=1, weights=each) for matrix, each in zip(matrices, weights, strict=True)]


def _best(scorer: Scorer, utilities: Any) -> list[int]:
    """The indices of the candidates, the best one first; of equally good ones the first."""
    costs = -utilities if scorer.higher_is_better[scorer.primary] else utilities
    order: list[int] = costs.argsort(kind="stable").tolist()
    return order


def _print(each: NBest, line: int, rank: int, index: int, utility: float, output_format: str) -> None:
    text = each.candidates[index]
    if output_format == "json":
        found = {"line": line, "rank": rank, "index": index, "utility": float(utility), "candidate": text}
        click.echo(json.dumps(found, ensure_ascii=False))
    elif "\n" in text or "\r" in text:
        raise InputError(f"{each.place}: the candidate {index} has a line break; take --format json.")
    else:
        click.echo(text)
