"""``metrologue which``: which setting of a metric prints a given number."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.faults import located
from metrologue.cli.inputs import Files, InputCommand, Inputs
from metrologue.cli.options import INPUT, Keys, files_options, format_option, language_option, missing, system_names
from metrologue.cli.tables import say
from metrologue.output import as_json
from metrologue.scorers.core.engine import fields_for
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    _OfAny = click.ParamType[Any]
else:  # older versions of click have no types of it
    _OfAny = click.ParamType


class _Numbered(_OfAny):
    """A file to read, and perhaps the number that is printed for it: FILE=NUMBER."""

    name = "FILE[=NUMBER]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str | None]:
        if isinstance(value, tuple):
            return value
        path, equals, number = value.rpartition("=")
        if equals and not os.path.exists(value):
            return INPUT.convert(path, param, ctx), number
        return INPUT.convert(value, param, ctx), None


@click.command(cls=InputCommand)
@click.argument("metric", shell_complete=complete_metric)
@click.argument("number", required=False)
@files_options(several_systems=True, kind=_Numbered(), required=False)
@click.option(
    "--changes",
    type=click.IntRange(0, 3),
    help="How many choices of a variant are changed at once; the tokenizer and the case count as one. By default up to "
    "2, and no more than in the likeliest setting that prints the number.",
)
@click.option(
    "--tokenizer",
    "tokenizers",
    multiple=True,
    help="Try this tokenizer, too, such as one with options. Repeat for others.",
)
@language_option
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=8.0,
    show_default=True,
    help="Seconds of a processor for each metric and system. The output says what was not tried.",
)
@click.option(
    "--systems",
    type=click.Path(exists=True, file_okay=False),
    help="For a table: the folder with the output of each system, a file for each, named as its row.",
)
@format_option("text", "json", "markdown", "html")
@click.pass_context
def which(
    ctx: click.Context,
    metric: str,
    number: str | None,
    predictions: tuple[tuple[str, str | None], ...],
    references: tuple[str, ...],
    keys: Keys,
    inputs: Inputs,
    changes: int | None,
    tokenizers: tuple[str, ...],
    language: str | None,
    seconds: float,
    systems: str | None,
    output_format: str,
) -> None:
    """Find the settings of a METRIC that print NUMBER: variant, tokenizer, case, smoothing, averaging, and so on.

    In place of METRIC, a file has a table of systems by metrics: TSV, CSV, Markdown or LaTeX's tabular. Each cell is
    found, near, copied from another setting, swapped with another system's, or unexplained; the exit status is 1 if one
    is unexplained.

    The number may be on a scale of 1 or of 100; its digits count. For several systems, write -p FILE=NUMBER for each.
    A setting then has to print all of them. METRIC may be a number of a metric, such as rouge2, or "all". Of
    NAME:VARIANT, and of options after it in brackets, nothing is changed.

    \b
    Examples:
      metrologue which bleu 27.3 -p hyp.txt -r ref.txt
      metrologue which bleu -p a.txt=27.3 -p b.txt=25.1 -r ref.txt
      metrologue which 'rouge:rouge-1.5.5[rouge1,recall]' 0.318 -p hyp.txt -r ref.txt
      metrologue which rougeL 0.412 -p hyp.txt -r ref.txt --seconds 60 --format json
      metrologue which table.tsv --systems FOLDER -r ref.txt
    """
    if systems or os.path.isfile(metric):
        options = {"changes": 2 if changes is None else changes, "tokenizers": tokenizers, "seconds": seconds}
        _check_table(ctx, metric, systems, references, keys, output_format, options)
        return
    if output_format not in ("text", "json"):
        raise click.UsageError(f"--format {output_format} is for a table; a number has text and json.")
    from metrologue.comparison.which.search import asked_for, families, which
    from metrologue.scorers import get_scorer
    from metrologue.text.scripts import language_of

    if not predictions:
        raise missing("predictions")
    kind = get_scorer(families(asked_for(metric).head.partition(":")[0])[0])
    if not references and kind.input("references"):
        raise missing("references")
    paths, numbers = [path for path, _ in predictions], _numbers(number, predictions)
    if twice := next((path for path in paths if paths.count(path) > 1), None):
        raise click.UsageError(f"{twice} is given twice; a system has one number.")
    inputs.check([kind.variant(next(iter(kind.variants())))])
    if language and (tokenizer := fields_for(kind, language_of(language)).get("tokenizer")):
        tokenizers += (tokenizer,)
    part = Files(paths, references, keys, inputs).read([kind])
    columns, texts = part.systems, part.references if references else None
    names = system_names(paths)
    with located(paths[0], references, ids=part.ids), progress_bar() as update:
        update(description=f"{metric}: the settings", total=None)
        settings = which(
            metric,
            dict(zip(names, numbers, strict=True)),
            dict(zip(names, columns, strict=True)),
            texts,
            changes=changes,
            tokenizers=tokenizers,
            seconds=seconds,
            progress=update,
            **inputs.values(part.others),
        )
    if output_format == "json":
        click.echo(as_json(settings.to_dict(_options(paths, references, keys, inputs))))
    else:
        say(*settings.lines(_options(paths, references, keys, inputs)))
        if not settings.answers and references:
            from metrologue.comparison.doctor.diagnosis import doctor, told

            say(*told(doctor(dict(zip(names, columns, strict=True)), texts), len(names)))


def _check_table(
    ctx: click.Context,
    table: str,
    folder: str | None,
    references: Sequence[str],
    keys: Keys,
    output_format: str,
    options: dict[str, Any],
) -> None:
    """Print what is known of a table, and leave with status 1 if a cell of it is unexplained."""
    from metrologue.comparison.which.table import check_table

    if not os.path.isfile(table):
        raise click.UsageError(f"{table} is no file; with --systems, a table is expected in place of METRIC.")
    if folder is None:
        raise click.UsageError("give --systems FOLDER: the output of each system, a file for each row of the table.")
    if not references:
        raise missing("references")
    names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    paths = [path for name in names if os.path.isfile(path := os.path.join(folder, name))]
    if not paths:
        raise click.UsageError(f"{folder} has no file; the output of each system is expected there.")
    inputs = Inputs({}, {}, {}, None)
    part = Files(paths, references, keys, inputs).read([])
    outputs = dict(zip((os.path.basename(path) for path in paths), part.systems, strict=True))
    with located(paths[0], references, ids=part.ids), progress_bar() as update:
        checked = check_table(table, outputs, part.references, progress=update, **options)
    path_of, is_plain = dict(zip(outputs, paths, strict=True)), not any(keys.values())

    def files(systems: Sequence[str]) -> tuple[Mapping[str, Sequence[str]], Sequence[str], Sequence[str]]:
        chosen = [path_of[system] for system in systems]
        return _options(chosen, references, keys, inputs), chosen if is_plain else (), references

    if output_format == "text":
        say(*checked.lines(files))
    elif output_format == "json":
        click.echo(as_json(checked.to_dict(files)))
    else:
        click.echo(checked.to_html(files) if output_format == "html" else checked.to_markdown(files))
    ctx.exit(0 if checked.is_explained else 1)


def _options(paths: Sequence[str], references: Sequence[str], keys: Keys, inputs: Inputs) -> dict[str, list[str]]:
    """The options of ``metrologue score`` for the files, by the names that ``which`` gives to what it compares."""
    from metrologue.comparison.which.settings import ALL

    prediction_key, reference_key = keys["prediction_key"], keys["reference_key"]

    def spelled(predictions: Sequence[str], others: Sequence[str], *own: str | None) -> str:
        given = [*(("-p", path) for path in predictions), *(("-r", path) for path in others)]
        given += [(name, key) for name, key in zip(("--prediction-key", "--reference-key"), own, strict=True) if key]
        given += inputs.options
        flags = ["--plain"] * keys["plain"] + ["--resegment"] * keys["resegment"]
        return shlex.join([*(part for each in given for part in each), *flags])

    options = {ALL: [spelled(paths, references, prediction_key, reference_key)]}
    if len(references) == 1:  # swapped, the system is the reference: each system has a command
        return {**options, "swapped": [spelled(references, [path], reference_key, prediction_key) for path in paths]}
    alone = {f"reference {place} alone": path for place, path in enumerate(references, 1)}
    return {
        **options,
        **{name: [spelled(paths, [path], prediction_key, reference_key)] for name, path in alone.items()},
    }


def _numbers(number: str | None, predictions: tuple[tuple[str, str | None], ...]) -> list[str]:
    """The number of each system: the one after its file, or the only one."""
    given = [each for _, each in predictions if each is not None]
    if number is not None and not given and len(predictions) == 1:
        return [number]
    if number is None and len(given) == len(predictions):
        return given
    raise click.UsageError("give one number for each system: NUMBER for one, or -p FILE=NUMBER for each of several.")
