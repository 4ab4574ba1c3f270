"""``metrologue meta``: how well metrics agree with people."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.faults import echo_warning
from metrologue.cli.inputs import InputCommand, Inputs
from metrologue.cli.models import model_options
from metrologue.cli.options import (
    INPUT,
    format_option,
    made_scorers,
    metrics_argument,
    out_option,
    read_limits,
    settings_option,
    system_names,
    threads_option,
)
from metrologue.cli.tables import Table, print_table, say
from metrologue.cli.writing import write_page
from metrologue.errors import shown
from metrologue.files.values import number_of_text
from metrologue.output import as_json, markdown_text
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from metrologue.language_models import NamedModel
    from metrologue.meta import AnnotatorAgreement, Judgements, MetaEvaluation
    from metrologue.representations import NamedEncoder
    from metrologue.scorers import Scorer

# These repeat what metrologue.meta has, whose import takes long; a test compares them.
READERS = ("jsonl", "fed", "fed-dialogues", "usr", "summeval", "flickr8k-expert", "wmt-da", "mt-metrics-eval")
METHODS = (
    "pearson", "spearman", "kendall-b", "kendall-c", "kendall-23", "acc23",
    "kendall-wmt12", "kendall-wmt13", "kendall-wmt14", "kendall-wmt20", "spa",
)  # fmt: skip
UNITS = ("segment", "item", "system")
# The readers of data that may have scores of metrics.
_WITH_SCORES = ("wmt-da",)


@click.command(cls=InputCommand)
@click.option(
    "--data",
    type=click.Path(exists=True),
    required=True,
    multiple=True,
    help="The rated texts: .jsonl, .json, .tsv, .csv, a harness's log, or what --reader says. A log's own scores of "
    "samples are the ratings. Repeat for other language pairs, whose correlations are averaged.",
)
@click.option("--reader", type=click.Choice(READERS), default="jsonl", show_default=True, help="The form of the data.")
@click.option(
    "--column", "columns", multiple=True, metavar="NAME=COLUMN",
    help="The data's key or column for hypothesis, references, system, segment, source, context or annotator, if it "
    "has another name, as in hypothesis=sys_ref.",
)  # fmt: skip
@metrics_argument("NAME, NAME:VARIANT or a signature; a METRIC says the same.")
@settings_option
@model_options
@click.option(
    "--scores", "--scores-from", "scores_from", type=INPUT, multiple=True,
    help="Scores of other metrics: .tsv or .jsonl with the columns system, segment (none for scores of whole systems), "
    "and one for each metric; or WMT's .seg.score and .sys.score.",
)  # fmt: skip
@click.option("--lower-is-better", multiple=True, metavar="NAME", help="A metric of --scores that is an error.")
@click.option(
    "--combine", multiple=True, metavar="NAMES",
    help='Also the mean of the z-scores of these metrics, separated by commas, or of "all"; with the share of each.',
)  # fmt: skip
@click.option("--quality", "qualities", multiple=True, metavar="NAME", help="Only this quality. Repeat for others.")
@click.option("--leave-out", multiple=True, metavar="SYSTEM", help="Leave out this system. Repeat for others.")
@click.option("--leave-out-copies", is_flag=True, help="Leave out texts that are equal to one of their references.")
@click.option(
    "--references", type=click.Choice(("all", "mean", "first")), default="all", show_default=True,
    help="How several references count. all: in the metric's own way; mean: the mean of the scores with each alone; "
    "first: only the first.",
)  # fmt: skip
@click.option(
    "--scale", "scales", multiple=True, metavar="[QUALITY=]LEAST:GREATEST", help="Refuse ratings outside this scale."
)
@click.option("--normalize", is_flag=True, help="Take the z-scores of each annotator's ratings.")
@click.option(
    "--least-agreement",
    type=float,
    metavar="X",
    help="Leave out qualities on which annotators agree less, such as 0.6.",
)
@click.option(
    "--agreement-by", type=click.Choice(("alpha", "kappa", "others")), default="alpha", show_default=True,
    help="The measure for --least-agreement; others: an annotator's correlation with the mean of the others.",
)  # fmt: skip
@click.option(
    "--ratings", "measured", type=click.Choice(("nominal", "ordinal", "interval", "ratio")), default="ordinal",
    show_default=True, help="What ratings are, for Krippendorff's alpha.",
)  # fmt: skip
@click.option(
    "--judges", type=click.Choice(("mean", "each")), default="mean", show_default=True,
    help="Compare a score with the mean of the text's ratings, or with every rating alone.",
)  # fmt: skip
@click.option("--correlation", "method", type=click.Choice(METHODS), default="spearman", show_default=True,
              help="The coefficient; spa: soft pairwise accuracy of systems.")  # fmt: skip
@click.option(
    "--unit", type=click.Choice(UNITS),
    help="Correlate all texts, systems on each segment (item), or systems. Default: segment; system for spa.",
)  # fmt: skip
@click.option(
    "--system-score", type=click.Choice(("corpus", "mean")),
    help="The score of a system: that of all its texts, or the mean of its segments. Default: corpus.",
)  # fmt: skip
@click.option(
    "--tie", metavar="X",
    help="Scores that differ by at most X are ties, for coefficients of pairs; calibrated: the best X, for acc23. "
    "Default: 0; calibrated for acc23.",
)  # fmt: skip
@click.option(
    "--test", "metric_test", type=click.Choice(("perm-both", "williams")),
    help="Test every two metrics, and print the ranks of WMT's clusters; perm-both permutes --resamples times.",
)  # fmt: skip
@click.option("--agreement", "agreement_alone", is_flag=True, help="Only show how well annotators agree; no metric.")
@click.option("--p-values", is_flag=True, help="Print p-values in place of intervals.")
@click.option("--confidence/--no-confidence", "-ci", default=True, show_default=True, help="Give intervals.")
@click.option("--level", type=float, default=0.95, show_default=True, help="The level of confidence.")
@click.option("--confidence-n", "--resamples", "-cin", "resamples", type=click.IntRange(2), default=1000,
              show_default=True, help="Resamples.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), help="The random seed. Default: 12345.")
@threads_option
@format_option("text", "json", "markdown", "tsv")
@out_option
def meta(
    data: tuple[str, ...], reader: str, columns: tuple[str, ...], metrics: tuple[str, ...], settings: tuple[str, ...],
    model: NamedModel | NamedEncoder | None, inputs: Inputs, scores_from: tuple[str, ...],
    lower_is_better: tuple[str, ...], combine: tuple[str, ...], qualities: tuple[str, ...],
    leave_out: tuple[str, ...], leave_out_copies: bool, references: str, scales: tuple[str, ...], normalize: bool,
    least_agreement: float | None, agreement_by: str, measured: str, judges: str, method: str, unit: str | None,
    system_score: str | None, tie: str | None, metric_test: str | None, agreement_alone: bool,
    p_values: bool, confidence: bool, level: float, resamples: int, seed: int | None, threads: int | None,
    output_format: str, out: Path | None,
) -> None:  # fmt: skip
    """Show how well metrics agree with people: correlations by quality, with intervals, and the annotators' agreement.

    A text is an object, or a row of a table: hypothesis (or prediction), and perhaps segment, system, references,
    source or context: a text, or a list of turns. An object has ratings: {"fluency": 3}, or {"fluency": [3, 4]} with a
    number for each annotator, or {"fluency": {"ann": 3, "bob": null}}, or {"worker_1": {"fluency": 3}}. In a table,
    other columns of numbers are ratings. With annotator, a row is what one of them said of a text. Ratings that begin
    with "N/A" are missing, and are counted. `metrologue train` takes the same files. Contexts may also come from a file
    of their own.

    \b
    Examples:
      metrologue meta bleu:nltk chrf rouge --data rated.jsonl
      metrologue meta chrf --data rated.jsonl --scores comet.tsv --unit system --correlation pearson --test perm-both
      metrologue meta bleu chrf ter --data rated.jsonl --combine all --out report.html
      metrologue meta meteor:pycocoevalcap --data unieval_topical_chat.json --reader usr --quality overall
      metrologue meta 'rouge:rouge-1.5.5[rouge1,recall]' --data rated.tsv --unit item --correlation kendall-b
      metrologue meta chrf bleu --data wmt23/human-scores/en-de.mqm.seg.score --reader mt-metrics-eval --correlation spa
      metrologue meta --data rated.jsonl --agreement
      metrologue meta chrf bleu samples.jsonl
      metrologue meta fed --data rated.jsonl --model llm --contexts contexts.jsonl --quality overall
      metrologue meta lexical_diversity --data fed_data.json --reader fed-dialogues --agreement-by others
    """
    from metrologue.inference.correlation import UndefinedCorrelationWarning
    from metrologue.meta import agreeing, agreement_of, meta_evaluate, read_judgements, with_scores_from

    if agreement_alone and (metrics or scores_from or out):
        raise click.UsageError("--agreement shows people only; leave out metrics, --scores and --out.")
    if len(data) > 1 and (inputs.files or scores_from or out):
        raise click.UsageError(
            "several --data have no --scores, no --out and no files of other inputs; give one --data."
        )
    scorers = _named(metrics, settings, model)
    inputs.check([*scorers.values()], in_data=True)
    if not (scorers or scores_from or agreement_alone or reader in _WITH_SCORES):
        raise click.UsageError("there is no metric; name one, or give --scores.")

    def read(path: str) -> Judgements:
        judgements = read_judgements(path, reader, dict(map(_named_column, columns)))
        judgements = replace(judgements, inputs={**judgements.inputs, **inputs.read(len(judgements), path)})
        for scored in scores_from:
            judgements = with_scores_from(judgements, scored)
        judgements.check_scale(_scales(scales))
        judgements = judgements.without_systems(leave_out)
        judgements = judgements.without_copies() if leave_out_copies else judgements
        judgements = judgements.of_qualities(qualities) if qualities else judgements
        return judgements if least_agreement is None else agreeing(judgements, least_agreement, agreement_by, measured)

    parts = {path: read(path) for path in data}
    if agreement_alone:
        for judgements in parts.values():
            each = {
                name: agreement_of(ratings, measured, resamples if confidence else 0, seed)
                for name, ratings in judgements.ratings.items()
            }
            _print_agreement(each, output_format)
            if output_format != "json":
                say(*judgements.notes)
        return
    evaluations = {}
    with warnings.catch_warnings(), progress_bar(total=len(parts) * (len(scorers) + 1)) as update:
        warnings.simplefilter("ignore", UndefinedCorrelationWarning)  # told() has them
        for path, judgements in parts.items():
            evaluations[path] = meta_evaluate(
                judgements, scorers,
                combine=_combinations(combine, [*judgements.scores, *judgements.system_scores, *scorers]),
                lower_is_better=lower_is_better, references=references, judges=judges, normalize=normalize,
                method=method, level=unit, system_score=system_score, tie=None if tie is None else _tie(tie),
                test=metric_test,
                confidence=level if confidence else None, resamples=resamples, seed=seed, scale=measured,
                threads=threads, begin=lambda name: update(description=name.replace(":", " "), advance=1),
            )  # fmt: skip
    for evaluation in evaluations.values():
        for told in (*map(str, evaluation.gaps), *evaluation.undefined):
            echo_warning(told.rstrip(".") + ".")
    if len(evaluations) > 1:
        _print_average(evaluations, output_format)
        return
    if out:
        from metrologue.pages.meta_page import render

        write_page(out, lambda command: render(evaluation, command=command))
    _print(evaluation, output_format, p_values)


def _named(
    metrics: Sequence[str], settings: Sequence[str], model: NamedModel | NamedEncoder | None
) -> dict[str, Scorer]:
    """The scorers by the names that tables show."""
    from metrologue.scorers.core.typed import printed

    if not metrics:
        if settings:
            raise click.UsageError("--set changes a metric; name one.")
        if model:
            raise click.UsageError("--model belongs to a metric; name one.")
        return {}
    scorers = made_scorers(metrics, None, settings, model)
    names = [
        printed(scorer) if settings or set("|[ ") & {*metric} else metric
        for metric, scorer in zip(metrics, scorers, strict=True)
    ]
    if twice := [name for name in names if names.count(name) > 1]:
        raise click.UsageError(f"the metric {twice[0]} is given twice.")
    return dict(zip(names, scorers, strict=True))


def _combinations(combine: Sequence[str], names: Sequence[str]) -> list[list[str]]:
    from metrologue.scorers.core.typed import split_at_commas

    return [
        [*names] if each == "all" else [_printed(name, names) for name in split_at_commas(each)] for each in combine
    ]


def _printed(typed: str, names: Sequence[str]) -> str:
    """The name that a table has for a metric that is typed in another form."""
    from metrologue.scorers.core.typed import printed

    if typed in names or not set("[ ") & {*typed}:
        return typed
    return printed(made_scorers([typed], None)[0])


def _scales(scales: Sequence[str]) -> dict[str, tuple[float, float]]:
    """The limits of [QUALITY=]LEAST:GREATEST by quality; "" for all others."""
    by_quality: dict[str, tuple[float, float]] = {}
    for text in scales:
        quality, _, limits = text.rpartition("=")
        by_quality[quality] = read_limits(limits, "LEAST:GREATEST or QUALITY=LEAST:GREATEST")
    return by_quality


def _named_column(text: str) -> tuple[str, str]:
    name, equals, column = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{shown(text)} is not NAME=COLUMN, as in hypothesis=sys_ref.", param_hint="--column")
    return name, column


def _tie(text: str) -> float | str:
    tie = text if text == "calibrated" else number_of_text(text)
    if tie is None:
        raise click.BadParameter(f"{shown(text)} is not a number or 'calibrated'.", param_hint="--tie")
    return tie


def _print(evaluation: MetaEvaluation, output_format: str, p_values: bool) -> None:
    if output_format == "json":
        click.echo(as_json(evaluation.to_dict()))
    elif output_format == "tsv":
        _print_tsv(evaluation)
    else:
        _print_text(evaluation, output_format, p_values)


def _print_tsv(evaluation: MetaEvaluation) -> None:
    """Print a row for each metric and quality, with all digits."""
    keys = ("value", "low", "high", "p_value", "units", "is_among_best", "tie", *["cluster"] * bool(evaluation.test))
    rows = [
        [metric["name"], quality, *("" if correlation[key] is None else str(correlation[key]) for key in keys)]
        for metric in evaluation.to_dict()["metrics"]
        for quality, correlation in metric["correlations"].items()
    ]
    print_table(Table(["metric", "quality", *keys], rows, words=2), "tsv")


def _print_agreement(agreement: Mapping[str, AnnotatorAgreement], output_format: str) -> None:
    """Print how well annotators agree on each quality, and what it means."""
    from metrologue.meta import tables

    if output_format == "json":
        click.echo(as_json({name: each.to_dict() for name, each in agreement.items()}))
        return
    if output_format == "tsv" or any(each.annotators > 1 for each in agreement.values()):
        header = ["agreement", "annotators", "texts", "alpha", "kappa", "others", "N/A"]
        print_table(Table(header, tables.agreement_rows(agreement)), output_format)
        click.echo()
    if output_format != "tsv" and (told := tables.agreement_told(agreement)):
        say(markdown_text(told) if output_format == "markdown" else told, "")


def _print_average(evaluations: Mapping[str, MetaEvaluation], output_format: str) -> None:
    """Print the correlations of each metric with each of several data sets, and their means."""
    from metrologue.meta import average_correlations, tables

    average = average_correlations(evaluations)
    if output_format == "json":
        click.echo(as_json(average.to_dict()))
        return
    for quality, ranking in average.qualities.items():
        rows = tables.average_rows(average, quality)
        header = [quality, *system_names(list(evaluations)), "mean", *(["cluster"] if ranking.clusters else [])]
        print_table(Table(header, rows), output_format)
        if output_format != "tsv":
            click.echo()
    if output_format != "tsv":
        say(*(markdown_text(line) if output_format == "markdown" else line for line in tables.average_legend(average)))


def _print_text(evaluation: MetaEvaluation, output_format: str, p_values: bool) -> None:
    """Print tables and sentences, for a terminal or in Markdown."""
    from metrologue.meta import tables

    def tell(*lines: str) -> None:
        say(*(map(markdown_text, lines) if output_format == "markdown" else lines))

    def show(table: Table) -> None:
        print_table(table, output_format)
        click.echo()

    tell(tables.headline(evaluation), "")
    _print_agreement(evaluation.agreement, output_format)
    qualities = [*evaluation.judgements.qualities]
    names = [each.name for each in evaluation.metrics]
    rows = [
        [
            tables.metric_name(evaluation, name),
            *(tables.cell(evaluation, name, quality, p_values) for quality in qualities),
        ]
        for name in names
    ]
    best = {
        (row, column)
        for row, name in enumerate(names)
        for column, quality in enumerate(qualities, 1)
        if tables.mark(evaluation, name, quality) == "*"
    }
    lines = tables.legend(evaluation, p_values)
    if output_format == "markdown":  # where the best one is bold, and a star would be a sign of its own
        rows = [[" ".join(cell.replace("*", "").split()) for cell in row] for row in rows]
        lines = [line.replace("*:", "Bold:") for line in lines]
    show(Table([evaluation.method, *qualities], rows, best=frozenset(best)))
    if ties := tables.tie_rows(evaluation):
        show(Table(["tie", *qualities], ties))
    if clusters := tables.cluster_rows(evaluation):
        show(Table(["cluster", *qualities], clusters))
    tell(*lines)
    for name in evaluation.shares:
        click.echo()
        show(Table(["share", *qualities], tables.share_rows(evaluation, name)))
        tell(f"share: the Shapley value of each part of {name}; the shares add up to its correlation.")
    if lines := evaluation.told():
        click.echo()
        tell(*lines)
