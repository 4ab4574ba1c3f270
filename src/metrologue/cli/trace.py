"""``metrologue trace``: what matched in one segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.faults import located
from metrologue.cli.inputs import Files, InputCommand, Inputs
from metrologue.cli.models import model_options
from metrologue.cli.options import OUTPUT, Keys, files_options, made_scorer, settings_option, variant_option
from metrologue.cli.tables import terminal_width, width_of
from metrologue.errors import InputError, number_of, shown
from metrologue.output import filled

if TYPE_CHECKING:
    from metrologue.language_models import NamedModel
    from metrologue.representations import NamedEncoder
    from metrologue.scorers import Scorer
    from metrologue.scorers.families.edits import Edits
    from metrologue.scorers.families.error_rates import ErrorRate
    from metrologue.segments import Segments


@click.command(cls=InputCommand)
@click.argument("metric", shell_complete=complete_metric)
@files_options(several_systems=False)
@variant_option
@settings_option
@model_options
@click.option(
    "--segment",
    type=click.IntRange(1),
    help="The segment, counted from 1. Without it, labels and numbered lines are shown all together.",
)
@click.option(
    "--all",
    "of_all",
    is_flag=True,
    help="Of an error rate such as wer: the edits of all segments and their sums, as jiwer prints them.",
)
@click.option(
    "-w",
    "--width",
    "digits",
    type=click.IntRange(0, 17),
    help="How many decimals the score has. Default: six digits on a terminal; all elsewhere.",
)
@click.option("--html", type=OUTPUT, help="Write the trace to this file as an HTML fragment.")
def trace(
    metric: str,
    predictions: str,
    references: tuple[str, ...],
    keys: Keys,
    inputs: Inputs,
    variant: str | None,
    settings: tuple[str, ...],
    model: NamedModel | NamedEncoder | None,
    segment: int | None,
    of_all: bool,
    digits: int | None,
    html: Path | None,
) -> None:
    """Show what matched in one segment: the counts behind its score under a METRIC.

    Of an error rate such as wer, without --segment: the most frequent confusions, insertions and deletions of all
    segments, and the rates of each speaker and file, if the files say who speaks. With --all, show the alignment of a
    whole file. Segments without an edit are left out, and the others are counted from 1. For a metric of
    classification, show the confusion matrix of all segments.

    \b
    Examples:
      metrologue trace bleu -p hyp.txt -r ref.txt --segment 3
      metrologue trace wer -p hyp.trn -r ref.trn
      metrologue trace wer -p hyp.txt -r ref.txt --all
      metrologue trace bleu --variant nltk --set max_order=2 -p hyp.txt -r ref.txt --segment 1 --html trace.html
      metrologue trace likelihood_hashed -p out.tsv -r expected.tsv --html trace.html
      metrologue trace perplexity --model news.arpa -p text.txt --segment 1
      metrologue trace fed --model llm -p responses.txt --contexts contexts.txt --segment 1
      metrologue trace confusion_matrix -p predicted.txt -r right.txt
    """
    from metrologue.scorers.core.trace import has_report, report, trace
    from metrologue.writing import write_whole

    scorer = made_scorer(metric, variant, settings, model)
    files = Files([predictions], references, keys, inputs)
    files.check([scorer])
    if of_all:
        if segment is not None or html:
            raise click.UsageError(f"--all prints text of all segments; leave out {'--html' if html else '--segment'}.")
        _print_alignments(scorer, files)
        return
    reported = segment is None and has_report(scorer)
    if segment is None and not (scorer.about.whole_trace or reported):
        raise click.UsageError("Missing option '--segment'.")
    [system], texts, others, ids, groups = files.read([scorer])
    if segment is not None and segment > len(system):
        raise InputError(f"--segment {segment}: {predictions} has {number_of(len(system), 'segment')}, counted from 1.")
    with located(predictions, references, ids=ids):
        if reported:
            traced = report(scorer, system, texts, groups(), **inputs.rows(others))
        else:
            at = None if segment is None else segment - 1
            traced = trace(scorer, system, texts, segment=at, **inputs.rows(others))
    if html:
        write_whole(html, traced.html().encode())
    else:
        if ids and segment is not None:
            click.echo(f"{shown(ids[segment - 1])}, segment {segment} of {len(ids)}")
        _print_whole(traced.text(), digits)


# The score at the end of the first line; what stands before the words of a text; columns of a table.
_SCORE = re.compile(r"= (-?\d+\.\d+(?:e-?\d+)?)$")
_NAMED = re.compile(r"\A\S+(?: \d+)? +(?:[\d,]+ \w+  )?")
_TABLE = re.compile(r"\S {2,}\S.* {2,}\S.* {2,}\S")


def _print_whole(text: str, digits: int | None = None) -> None:
    """Print a trace as wide as the terminal. Its tables are as wide as they are, and a note says so."""
    width = terminal_width()
    first, *others = text.split("\n")
    if digits is not None or width:
        form = f".{_DIGITS}g" if digits is None else f".{digits}f"
        first = _SCORE.sub(lambda found: f"= {float(found[1]):{form}}", first)
    lines = [_folded(line, width) if width and width_of(line) > width else line for line in (first, *others)]
    text = "\n".join(lines)
    click.echo(text)
    if width and any(width_of(line) > width for line in text.splitlines()):
        told = f"Some lines are wider than these {width} columns: `| less -S` or --html FILE shows them whole."
        click.echo(told, err=True)


def _folded(line: str, width: int) -> str:
    """A line that is wider than the terminal on several lines, unless it is one of a table."""
    if _TABLE.search(line):
        return line
    found = _NAMED.match(line)
    head = found[0] if found and "  " in found[0] else ""
    return head + filled(line[len(head) :], width, " " * width_of(head), "    ").lstrip(" ")


def _print_alignments(scorer: Scorer, files: Files) -> None:
    from metrologue.cli.streams import require_lines
    from metrologue.scorers.families.error_rates import ErrorRate
    from metrologue.segments import Segments

    if not isinstance(scorer, ErrorRate):
        raise click.UsageError(f"--all is for error rates, such as wer; {scorer.name} shows one --segment.")
    [system], texts, _, ids, _ = files.read([scorer])
    require_lines(len(system))
    with located(files.predictions[0], files.references, ids=ids):
        for line in alignment_lines(scorer, Segments(system, texts), terminal_width()):
            click.echo(line)


_DIGITS = 6  # of a score
_START = 5  # the width of "REF: "


def alignment_lines(scorer: ErrorRate, segments: Segments, width: int = 0) -> Iterator[str]:
    """The edits of every segment that has any, and then the counts and the rates of all.

    Parameters
    ----------
    segments : Segments
        If a segment has several references, the edits are those to its best one; ties: the first.
    width : int
        Lines are broken before a unit that would go beyond it; 0: they are not broken.
    """
    gap = "" if scorer.tokenizer.startswith(("char", "graphemes")) else " "
    for index in range(len(segments)):
        prediction, references = segments.pair(index)
        edits = scorer.edits(prediction, _best(scorer, prediction, references))
        if any(step.kind != "H" for step in edits.operations):
            yield f"=== SENTENCE {index + 1} ===\n"
            yield from _rows(edits, gap, width)
            yield ""
    scores = scorer.corpus(segments).scores
    yield "=== SUMMARY ==="
    yield f"number of sentences: {len(segments)}"
    yield " ".join(f"{name}={scores[name]:.0f}" for name in ("substitutions", "deletions", "insertions", "hits"))
    yield ""
    rates = ("mer", "wil", "wip", "wer") if "wer" in scores else ("cer",)
    yield from (f"{name}={100 * scores[name] / scorer.scale:.2f}%" for name in rates)


def _best(scorer: ErrorRate, prediction: str, references: Sequence[str]) -> str:
    if len(references) == 1:
        return references[0]
    values = scorer.segments([prediction] * len(references), [*references])
    return references[int(values.argmax() if scorer.higher_is_better[scorer.primary] else values.argmin())]


def _rows(edits: Edits, gap: str, width: int) -> Iterator[str]:
    """Three lines: the reference, the hypothesis, and the letter of each edit. Further three if they are broken."""
    rows = ["REF: ", "HYP: ", " " * _START]
    for kind, i, j in edits.operations:
        in_reference = "" if kind == "I" else edits.reference[j]
        in_hypothesis = "" if kind == "D" else edits.hypothesis[i]
        size = max(width_of(in_reference), width_of(in_hypothesis), 1)
        if width and width_of(rows[0]) > _START and width_of(rows[0]) + size > width:
            yield from (row.removesuffix(gap) for row in rows)
            yield ""
            rows = ["REF: ", "HYP: ", " " * _START]
        for row, unit in enumerate(
            (in_reference or "*" * size, in_hypothesis or "*" * size, "" if kind == "H" else kind)
        ):
            rows[row] += " " * (size - width_of(unit)) + unit + gap
    yield from (row.removesuffix(gap) for row in rows)
