"""``metrologue score``: the numbers of one or several systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.faults import located, shown_path
from metrologue.cli.foreign import answer_option, sacrebleu_options
from metrologue.cli.inputs import Files, InputCommand, Inputs
from metrologue.cli.logs import name_of_run
from metrologue.cli.models import as_query_prints, is_query_summary, model_options
from metrologue.cli.options import (
    OUTPUT,
    Keys,
    files_options,
    format_option,
    made_scorers,
    metrics_argument,
    missing,
    settings_option,
    system_names,
    threads_option,
    variant_option,
)
from metrologue.cli.printing import size_in_bytes
from metrologue.cli.rows import print_segments, print_worst
from metrologue.cli.scoreboard import captioned, full_table, score_table, shown_number, with_short_names
from metrologue.cli.significance import Inference, Inferred, infer, inference_options
from metrologue.cli.streams import Chunk, beside, need_all, streamed, warning_once
from metrologue.cli.tables import FORMATS, Table, print_table, say
from metrologue.cli.tasks import Tested
from metrologue.cli.whose import beside_printed
from metrologue.output import as_json
from metrologue.scorers.core.capabilities import blocks_below
from metrologue.scorers.core.variants import short_signature
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from metrologue.cli.checkpoints import Checkpoint
    from metrologue.language_models import NamedModel
    from metrologue.representations import NamedEncoder
    from metrologue.scorers import Result, Scorer, Totals
    from metrologue.segments import Segments


_MOST_READ_AGAIN = 1 << 24  # bytes of texts that are scored once more, by the variant to report


@click.command(cls=InputCommand)
@metrics_argument("A metric; a METRIC says the same.", required=True)
@files_options(several_systems=True, required=False)
@answer_option
@variant_option
@settings_option
@model_options
@sacrebleu_options
@threads_option
@inference_options
@click.option("--per-segment", is_flag=True, help="Print the numbers of every segment, counted from 1, tab-separated.")
@click.option(
    "--worst", type=click.IntRange(1), metavar="N", help="Print the N segments with the worst scores, counted from 1."
)
@click.option(
    "-w",
    "--width",
    "digits",
    type=click.IntRange(0, 17),
    help="How many decimals. Default: 4; all in json and tsv, and of segments.",
)
@click.option("--details", is_flag=True, help="With several metrics, too, print the parts of each score, and p-values.")
@click.option("-b", "--score-only", is_flag=True, help="Print only scores: a line per system, a column per metric.")
@click.option(
    "--checkpoint",
    "checkpoint_file",
    type=OUTPUT,
    metavar="FILE",
    help="Keep what was counted in this file, about every ten seconds. If the command was ended, the same command "
    "goes on from there. The file stays when all is counted.",
)
@click.option(
    "--signature",
    "whose_signature",
    type=click.Choice(["short", "full", "sacrebleu"]),
    default="short",
    show_default=True,
    help="Which signatures the text output ends with; short: the variant and what differs from it; full: every field; "
    "sacrebleu: its own, of each metric that it has; so has LaTeX, unless this says full.",
)
@click.option("--cite", is_flag=True, help="Print how to report the score, and the papers to cite, as BibTeX.")
@format_option(*FORMATS, "json")
def score(
    metrics: tuple[str, ...],
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    inputs: Inputs,
    variant: str | None,
    settings: tuple[str, ...],
    model: NamedModel | NamedEncoder | None,
    threads: int | None,
    inference: Inference,
    per_segment: bool,
    worst: int | None,
    digits: int | None,
    details: bool,
    score_only: bool,
    checkpoint_file: Path | None,
    whose_signature: str,
    cite: bool,
    output_format: str,
) -> Tested | None:
    """Score one or several systems with one or several METRICs.

    The log of a harness (samples of lm-evaluation-harness, details of lighteval, a log of inspect_ai or HELM) is given
    alone, or the folder of a run, whose metrics are taken if no METRIC is given.

    A METRIC is NAME, NAME:VARIANT, NAME:VARIANT[OPTION,…], what a table prints in its place, or a signature. An OPTION
    is FIELD=VALUE, an item of a list such as rouge1, or the number that is the score, such as recall.

    \b
    Examples:
      metrologue score bleu -p hyp.txt -r ref.txt
      metrologue score bleu chrf ter rouge -p a.txt -p b.txt -r ref.txt --format latex -w 1
      metrologue score 'rouge:rouge_score[rouge1,recall]' 'rouge:rouge_score[rouge2,recall]' -p hyp.txt -r ref.txt
      metrologue score bleu --variant nltk -p a.txt -p b.txt -r ref1.txt -r ref2.txt
      metrologue score bleu --variant 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0' -p hyp.txt -r ref.txt
      metrologue score chrf samples_a.jsonl samples_b.jsonl --paired-bs
      metrologue score bleu chrf -p baseline.txt -p a.txt -p b.txt -r ref.txt --paired-bs
      zcat hyp.gz | metrologue score bleu -tok intl -lc -p - -r ref.txt --format json
      metrologue score bleu -p hyp.txt -r ref.txt --worst 20
      metrologue score bleu -p hyp.txt -r ref.txt --per-segment | sort -g -k 3 | head
      metrologue score bleu -p hyp.txt.zst -r ref.txt.zst --checkpoint kept
      metrologue score perplexity --model news.arpa -p text.txt
      metrologue score fed --model llm -p responses.txt --contexts contexts.txt --per-segment
      metrologue score likelihood_hashed -p out.tsv -r expected.tsv.xz
    """
    if per_segment and worst:
        raise click.UsageError("--per-segment prints all segments and --worst some of them; choose one.")
    rows = "--per-segment" if per_segment else "--worst" if worst else ""
    if rows and (output_format != "text" or score_only or len(metrics) > 1):
        raise click.UsageError(f"{rows} prints a table of one metric; choose one metric, and no other format.")
    if rows and inference.wanted:
        raise click.UsageError(f"{rows} has no intervals and no tests.")
    if worst and len(predictions) > 1:
        raise click.UsageError("--worst prints segments of one system; give -p once.")
    if score_only and output_format not in ("text", "tsv"):
        raise click.UsageError(f"-b prints bare scores, which are no {output_format}; leave out -b or --format.")
    if checkpoint_file and (rows or inference.wanted):
        what = rows or "an interval or a test"
        raise click.UsageError(f"--checkpoint keeps sums, but {what} needs every segment; leave one of them out.")
    if checkpoint_file and keys["resegment"]:
        raise click.UsageError("--checkpoint keeps sums, but --resegment needs the whole output; choose one.")
    scorers = made_scorers(metrics, variant, settings, model)
    if worst and scorers[0].primary not in scorers[0].higher_is_better:
        what = f"{scorers[0].name} is a measurement: no value of {scorers[0].primary} is better than another"
        raise click.UsageError(f"--worst prints the segments with the worst scores, but {what}.")
    if cite and not predictions:
        _print_citation(scorers)
        return None
    if not predictions:
        raise missing("predictions")
    files = Files(predictions, references, keys, inputs)
    files.check(scorers)
    if per_segment:
        print_segments(scorers[0], files, threads, digits)
        return None
    if worst:
        print_worst(scorers[0], worst, files, threads, digits)
        return None
    kept: list[Segments] = []
    checkpoint = _checkpoint(checkpoint_file, scorers, files)
    whole = inference.wanted
    reading = streamed(scorers, files, whole=whole, chunked=checkpoint.rest if checkpoint else None)
    # The bar of files that are read part by part is that of `streamed`.
    bar = progress_bar(len(scorers) * len(predictions), hidden=not (whole or need_all(scorers)))
    with reading as chunks, closing(checkpoint) if checkpoint else nullcontext(), bar as update:
        keeping = kept if whole else None
        count, results = _scored(scorers, files, chunks, threads, keeping, checkpoint, update)
    names = system_names(predictions)
    inferred = infer(scorers, names, kept, inference, threads)
    # A paper has sacrebleu's signature wherever sacrebleu has the metric.
    whose = "sacrebleu" if output_format == "latex" and whose_signature == "short" else whose_signature
    signatures = [_signature(scorer, whose, references, inference) for scorer in scorers]
    if score_only:
        for row in results:
            click.echo("\t".join(shown_number(result.value, digits, 4) for result in row))
    elif output_format == "json":
        click.echo(as_json(_as_object(scorers, predictions, count, results, inferred, digits)))
    elif output_format == "text" and digits is None and not inferred and is_query_summary(scorers, len(predictions)):
        click.echo(as_query_prints(results[0][0]))
        click.echo(signatures[0])
    elif output_format == "tsv":
        print_table(full_table(scorers, names, results, inferred, digits), output_format)
    else:
        # A column of a paper is too narrow for the details of even one metric.
        with_details = details or (len(scorers) == 1 and output_format != "latex")
        table = score_table(scorers, names, results, inferred, digits, with_details, output_format == "latex")
        notes = [*dict.fromkeys(line for each in inferred for line in each.notes(names[0], count))]
        if output_format == "text":
            print_table(with_short_names(table), output_format)
            click.echo("\n".join(signatures))
            _print_blocks(scorers, names, results)
            say(*beside_printed(scorers, predictions, names, results, keys["prediction_key"]))
            say(*notes)
        else:
            print_table(captioned(table, scorers, signatures, notes, output_format == "latex"), output_format)
    if cite:
        # What programs read on standard output has no prose in it.
        to_errors = output_format in ("json", "tsv") or score_only
        click.echo(err=to_errors)
        measured = [_measured(scorers, names, results, inferred, i, digits) for i in range(len(scorers))]
        _print_citation(scorers, measured, count, err=to_errors)
    if output_format == "text" and not score_only:
        for line in _to_report(scorers, files, names, threads):
            click.echo(line, err=True)
    return Tested(scorers, inferred, names, kept, inference) if inference.test else None


def _signature(scorer: Scorer, whose: str, references: Sequence[str], inference: Inference) -> str:
    """A scorer's signature: the short one, the full one, or sacrebleu's; the short one where sacrebleu has none."""
    if whose != "sacrebleu":
        return scorer.signature if whose == "full" else short_signature(scorer)
    from metrologue.inference.resampling import chosen_seed
    from metrologue.scorers.core.sacrebleu_signatures import signature_of

    about: dict[str, Any] = {}
    if inference.wanted and inference.resampling_of(scorer) == "sacrebleu":
        kind, count = "bs", inference.interval_resamples
        if inference.test == "randomization":
            kind, count = "ar", inference.test_resamples
        about = {kind: count, "seed": chosen_seed(inference.seed, "sacrebleu")}
    # A line of JSON may hold any number of references.
    count_of = "var" if any(".jsonl" in Path(each).name for each in references) else len(references)
    return signature_of(scorer, count_of, **about) or short_signature(scorer)


def _print_blocks(scorers: Sequence[Scorer], names: Sequence[str], results: Sequence[Sequence[Result]]) -> None:
    """Print what metrics show below the numbers of each system, such as a confusion matrix."""
    for i, scorer in enumerate(scorers):
        for name, row in zip(names, results, strict=True):
            if blocks := blocks_below(scorer, row[i]):
                from metrologue.tracing.text import render_text

                click.echo(f"\n{render_text((name,), blocks)}")


def _print_citation(
    scorers: Sequence[Scorer], measured: Sequence[str] = (), segments: int = 0, err: bool = False
) -> None:
    from metrologue.scorers.core.citing import how_to_report

    click.echo(how_to_report(scorers, measured, segments), nl=False, err=err)


def _measured(
    scorers: Sequence[Scorer],
    names: Sequence[str],
    results: Sequence[Sequence[Result]],
    inferred: Sequence[Inferred],
    place: int,
    digits: int | None,
) -> str:
    """A scorer's numbers for a sentence: of each system, with ± and what that is."""
    values = [row[place].value for row in results]
    if not inferred:
        cells = [shown_number(value, digits, 4) for value in values]
    else:
        own = inferred[place].cells(scorers[place].primary, values, digits)
        cells = [" ± ".join(filter(None, (each.value, each.margin))) for each in own]
    shown = [f"{cell} for {name}" if len(names) > 1 else cell for cell, name in zip(cells, names, strict=True)]
    return ", ".join(shown) + (inferred[place].of_intervals if inferred else "")


def _cell(table: Table, row: Sequence[object], place: int) -> str:
    """A number with the name of its column, if there are several."""
    return f"{row[place]}" if len(table.header) == 2 else f"{table.header[place]} {row[place]}"


def _to_report(scorers: Sequence[Scorer], files: Files, names: Sequence[str], threads: int | None) -> Iterator[str]:
    """For each metric whose default is not the variant to report: that variant's number.

    Nothing is said of texts that the variant is not for, of which it would warn.
    """
    from metrologue.errors import InputError
    from metrologue.scorers.core.numbers import main_headings
    from metrologue.scorers.core.variants import recommended

    paths = [*files.predictions, *files.references, *files.inputs.paths]
    if (size_in_bytes(paths) or _MOST_READ_AGAIN) >= _MOST_READ_AGAIN:
        return
    for scorer in scorers:
        advised = recommended(scorer.variants())
        if advised is None or scorer.variant(advised[0]) == scorer or scorer != type(scorer)():
            continue
        other = scorer.variant(advised[0])
        try:
            with warnings.catch_warnings(record=True) as warned, streamed([other], files, hidden=True) as chunks:
                warnings.simplefilter("always")
                _, results = _scored([other], files, chunks, threads, None, None, lambda **_: None)
        except (InputError, ImportError):
            continue
        if not warned:
            table = score_table([other], names, results, (), None, with_details=False)
            places = [place for place, head in enumerate(table.header) if head in (scorer.name, *main_headings(scorer))]
            heads = [f"{table.header[place]} " if len(places) > 1 else "" for place in places]
            shown = [
                ", ".join(f"{head}{row[at]}" for head, at in zip(heads, places, strict=True)) for row in table.rows
            ]
            told = [f"{numbers} for {name}" for numbers, name in zip(shown, names, strict=True)]
            yield f"to report: {scorer.name}:{advised[0]} {'; '.join(told if len(names) > 1 else shown)}"


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

    objects = []
    for i, (scorer, column) in enumerate(zip(scorers, zip(*results, strict=True), strict=True)):
        systems = [
            {
                "name": name_of_run(path) or shown_path(path),
                "segments": count,
                "value": rounded(result.value),
                "scores": {key: rounded(value) for key, value in result.scores.items()},
                **result.more_json(),
                **(inferred[i].of_system(system, count) if inferred else {}),
            }
            for system, (path, result) in enumerate(zip(paths, column, strict=True))
        ]
        facts = {"metric": scorer.name, "primary": scorer.primary, "signature": scorer.signature}
        objects.append({**facts, "short_signature": short_signature(scorer), "systems": systems})
    return objects if len(objects) > 1 else objects[0]


def _checkpoint(path: Path | None, scorers: Sequence[Scorer], files: Files) -> Checkpoint | None:
    if path is None:
        return None
    from metrologue.cli.checkpoints import Checkpoint

    for scorer in scorers:
        if need_all([scorer]):
            raise click.UsageError(
                f"--checkpoint keeps sums, but {scorer.name} needs all segments at once, unless it is fitted before."
            )
    return Checkpoint(path, scorers, files.predictions, files.references, files.inputs.paths)


def _scored(
    scorers: Sequence[Scorer],
    files: Files,
    chunks: Iterable[Chunk],
    threads: int | None,
    kept: list[Segments] | None,
    checkpoint: Checkpoint | None,
    update: Callable[..., None],
) -> tuple[int, list[list[Result]]]:
    """The number of segments, and the results of each system with each scorer. `kept` gets the segments if it is there.

    Texts are read once for all scorers, and references once for all systems.
    """
    results: list[list[Result]] = [[] for _ in files.predictions]
    totals: list[list[Totals | None]] = [[None] * len(scorers) for _ in files.predictions]
    owner = type(scorers[0]).__name__ if len(scorers) == 1 else "score"
    whole, count = need_all(scorers), 0
    if checkpoint:
        totals, count = [[*row] for row in checkpoint.totals], checkpoint.segments
    for chunk in chunks:
        start, count = chunk.start, chunk.start + len(chunk.systems[0])
        segments: Segments | None = None
        with warning_once() as note:
            for name, system, scored, counted in zip(files.predictions, chunk.systems, results, totals, strict=True):
                with located(name, files.references, start, chunk.ids):
                    segments = beside(segments, system, chunk, files.inputs, owner)
                    if kept is not None:
                        kept.append(segments)
                    for i, scorer in enumerate(scorers):
                        note(scorer, name, segments, start)
                        update(description=f"{scorer.name}, {shown_path(name)}")
                        if whole:
                            scored.append(scorer.corpus(segments, threads=threads))
                        else:
                            counted[i] = scorer.accumulate(segments, totals=counted[i], threads=threads)
                        update(advance=1)
        if checkpoint:
            checkpoint.keep(chunk, totals)
        del segments, system, chunk  # what was counted is not kept while the next chunk is read
    if not whole:
        pairs = [[*zip(scorers, row, strict=True)] for row in totals]
        results = [[scorer.score_totals(each) for scorer, each in row if each] for row in pairs]
    return count, results
