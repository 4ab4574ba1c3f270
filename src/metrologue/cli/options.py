"""The options that several commands share, and the scorers that they choose."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, TypedDict, get_args, get_origin

import click
from click.core import ParameterSource

from metrologue.cli.completion import complete_metric, complete_setting, complete_variant
from metrologue.cli.faults import Refused, shown_path
from metrologue.cli.gathering import F, Settings, gathered
from metrologue.cli.logs import name_of_run
from metrologue.errors import shown
from metrologue.files.values import number_of_text
from metrologue.scorers.core.engine import fields_for, source_for, with_fields
from metrologue.scorers.core.names import metric_of, read_name
from metrologue.scorers.core.typed import Typed, options_and_number, with_number

if TYPE_CHECKING:
    from metrologue.language_models import NamedModel
    from metrologue.representations import NamedEncoder
    from metrologue.scorers import Scorer


class Keys(TypedDict):
    """The arguments of ``metrologue.files.parts.read_segments`` with these names, and `resegment`."""

    prediction_key: str | None
    reference_key: str | None
    plain: bool
    resegment: bool


class _Input(click.Path):
    """A file to read, or "-" for standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-" and sys.stdin is None:
            raise Refused("'-' stands for standard input, which is closed.")
        return super().convert(value, param, ctx)


INPUT = _Input(exists=True, dir_okay=False, allow_dash=True)
OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)


def files_options(
    several_systems: bool,
    required: bool = True,
    kind: click.ParamType[Any] | None = None,
) -> Callable[[F], F]:
    """The options for text files. The command gets the names of keys or columns as its argument `keys`.

    `kind` is the type of the predictions, if they are more than files.
    """

    def keys_of(values: dict[str, Any]) -> Keys:
        return Keys(
            prediction_key=values.pop("prediction_key"),
            reference_key=values.pop("reference_key"),
            plain=values.pop("plain"),
            resegment=values.pop("resegment"),
        )

    return gathered(
        "keys",
        keys_of,
        click.option(
            "-p",
            "--predictions",
            "predictions",
            type=kind or INPUT,
            required=required,
            multiple=several_systems,
            help="The system's output, one segment per line." + (" Repeat for each further system." * several_systems),
        ),
        click.option(
            "-r",
            "--references",
            "references",
            type=INPUT,
            multiple=True,
            help="The references, one per line. Repeat for further references of each segment.",
        ),
        *(
            click.option(
                f"--{side}-key",
                metavar="NAME",
                help=f"The key of the {side} in .jsonl files, or its column in .tsv, .parquet, Arrow and CoNLL files.",
            )
            for side in ("prediction", "reference")
        ),
        click.option("--plain", is_flag=True, help="Read every file as plain text, a segment per line."),
        click.option(
            "--resegment",
            is_flag=True,
            help="Cut each output anew where its lines are not the references', with the least edit distance.",
        ),
    )


def metrics_argument(told: str, default: tuple[str, ...] = (), required: bool = False) -> Callable[[F], F]:
    """The metrics of a command, as words or after ``-m``. `told` is what the help text of ``-m`` says."""

    words = "METRIC..." if required else "[METRIC]..."

    def all_of(values: dict[str, Any]) -> tuple[str, ...]:
        chosen = (*values.pop("metrics"), *values.pop("more_metrics")) or default
        if required and not chosen:
            raise click.UsageError("Missing argument 'METRIC...'.", click.get_current_context())
        return chosen

    return gathered(
        "metrics",
        all_of,
        click.argument("metrics", nargs=-1, metavar=words, shell_complete=complete_metric),
        click.option(
            "-m", "--metric", "--metrics", "more_metrics", multiple=True, metavar="METRIC", help=told,
            shell_complete=complete_metric,
        ),
    )  # fmt: skip


variant_option = click.option(
    "--variant",
    help="The variant: a name that `metrologue list` shows, or a signature.",
    shell_complete=complete_variant,
)
language_option = click.option(
    "--language",
    metavar="CODE",
    help="The language of the references, such as zh, ja or th: metrics get the tokenizer that finds its words.",
)


settings_option = gathered(
    "settings",
    lambda values: Settings(values.pop("settings"), values.pop("language")),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="FIELD=VALUE",
        shell_complete=complete_setting,
        help="Change a field of the variant, such as lowercase=true. With several metrics, name one: bleu.max_order=2. "
        "`metrologue list METRIC` shows the fields, their values and what they mean.",
    ),
    language_option,
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 1024), help="How many threads. Default: $METROLOGUE_THREADS, or 1."
)
out_option = click.option("--out", type=OUTPUT, help="Also write an HTML report to this file.")


def format_option(*formats: str) -> Callable[[F], F]:
    """The option ``--format``, as the argument `output_format`. ``--json`` and ``--markdown`` are its former names."""

    def format_of(values: dict[str, Any]) -> str:
        default = str(values.pop("output_format"))
        chosen = {each for each in ("json", "markdown") if values.pop(f"as_{each}", False)}
        if click.get_current_context().get_parameter_source("output_format") == ParameterSource.COMMANDLINE:
            chosen.add(default)
        if len(chosen) > 1:
            raise click.UsageError(f"{' and '.join(sorted(chosen))} are two formats; choose one.")
        return chosen.pop() if chosen else default

    return gathered(
        "output_format",
        format_of,
        *(
            click.option(f"--{each}", f"as_{each}", is_flag=True, hidden=True)
            for each in ("json", "markdown")
            if each in formats
        ),
        click.option(
            "--format",
            "output_format",
            type=click.Choice(formats),
            default="text",
            show_default=True,
            help="What to print.",
        ),
    )


def read_limits(text: str, expected: str) -> tuple[float, float]:
    """The two numbers of LEAST:GREATEST, the value of ``--scale``; `expected` is what a message asks for."""
    least, greatest = map(number_of_text, text.split(":")) if text.count(":") == 1 else (None, None)
    if least is None or greatest is None:
        raise click.BadParameter(f"{shown(text)} is not {expected}, such as 1:5.", param_hint="--scale")
    return least, greatest


def system_names(paths: Sequence[str]) -> list[str]:
    """The names of files as tables show them: without their folders, unless two names would be equal.

    A file that is given again has its number. The log of a run whose folder was given has the folder's name.
    """
    names = [name_of_run(path) or shown_path(Path(path).name) for path in paths]
    if len(set(names)) == len(names):
        return names
    again = [[*paths[:place]].count(path) for place, path in enumerate(paths)]
    numbers = [f" ({count + 1})" if count else "" for count in again]
    return [shown_path(path) + number for path, number in zip(paths, numbers, strict=True)]


def made_scorers(
    metrics: Sequence[str],
    variant: str | None,
    settings: Sequence[str] = (),
    model: NamedModel | NamedEncoder | None = None,
) -> list[Scorer]:
    """A scorer for each metric, as ``scorers.core.typed`` has it, or a signature.

    `variant` is for metrics that name no variant; `model` is for the metrics that take a language model or an encoder.
    """
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.needs import model_field
    from metrologue.scorers.core.options import options_of

    if variant and "|" in variant and len(metrics) > 1:
        raise click.UsageError(
            "a signature belongs to one metric; give several metrics as NAME:VARIANT or as signatures."
        )
    given = [_typed(metric, variant) for metric in metrics]
    chosen = [_named(each.head, variant) for each in given]
    names = [name for name, _ in chosen]
    texts = _settings(settings)
    for metric, field in texts:
        if metric and metric not in names:
            raise click.BadParameter(f"{metric!r} is not one of the metrics {', '.join(names)}.", param_hint="--set")
        if not metric and len(names) > 1 and not any(field in options_of(get_scorer(name)) for name in names):
            raise click.BadParameter(f"none of {', '.join(names)} has a field {field!r}.", param_hint="--set")
    if model and not any(model_field(get_scorer(name)) for name in names):
        raise click.UsageError(f"{' and '.join(names)} takes no model; leave out --model.")
    scorers = []
    for (name, whose), each in zip(chosen, given, strict=True):
        own, number = options_and_number(get_scorer(name), each)
        fields = {**_of_language(name, getattr(settings, "language", None)), **own} | {
            field: text
            for (metric, field), text in texts.items()
            if metric == name or (not metric and (len(names) == 1 or field in options_of(get_scorer(name))))
        }
        scorers.append(with_number(_made(name, whose, fields, model), number))
    made = [(scorer, scorer.primary) for scorer in scorers]
    if any(each in made[:i] for i, each in enumerate(made)):
        raise click.UsageError("one metric is given twice with the same fields.")
    return scorers


def _typed(metric: str, variant: str | None) -> Typed:
    """The parts of a score; a signature, and a file by mistake, are one part."""
    return Typed(metric, {}, ()) if os.path.isfile(metric) else read_name(metric, variant)


def _of_language(metric: str, language: str | None) -> dict[str, str]:
    """The fields of a metric for a language, as text. Standard error says which they are, and who gives the advice."""
    if language is None:
        return {}
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.options import spelled
    from metrologue.text.scripts import language_of

    advised = language_of(language)
    kind = get_scorer(metric)
    texts = {name: spelled(value) for name, value in fields_for(kind, advised).items()}
    chosen = " ".join(f"--set {name}={text}" for name, text in texts.items())
    told = f"{chosen}: {source_for(kind, advised)}" if chosen else "nothing changes"
    click.echo(f"{metric}, {language}: {told}.", err=True)
    return texts


def made_scorer(
    metric: str, variant: str | None, settings: Sequence[str] = (), model: NamedModel | NamedEncoder | None = None
) -> Scorer:
    """The scorer of a metric: of a variant by its name, of a signature, or with the metric's defaults."""
    [scorer] = made_scorers([metric], variant, settings, model)
    return scorer


def _settings(settings: Sequence[str]) -> dict[tuple[str, str], str]:
    """The values of FIELD=VALUE by metric and field. The metric is empty if the setting names none."""
    texts: dict[tuple[str, str], str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"{setting!r} is not FIELD=VALUE, such as lowercase=true.", param_hint="--set")
        metric, _, field = name.rpartition(".")
        if (metric, field) in texts:
            raise click.BadParameter(f"{name!r} is set twice.", param_hint="--set")
        texts[metric, field] = text
    return texts


def _named(metric: str, variant: str | None) -> tuple[str, str | None]:
    """The name of a metric, and its variant or signature."""
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.registry import is_metric

    if "|" not in metric:
        name, _, named = metric.partition(":")
        if name.replace(".", "", 1).isdecimal():
            raise click.UsageError(f"{name!r} is no metric; a level of confidence is given by --level {name}.")
        if not is_metric(name) and os.path.isfile(metric):
            raise click.UsageError(f"{shown_path(metric)} is a file, not a metric; give files after -p and -r.")
        return get_scorer(name).name, named or variant
    return metric_of(metric), metric


def _made(
    metric: str, variant: str | None, texts: Mapping[str, str], model: NamedModel | NamedEncoder | None
) -> Scorer:
    from metrologue.scorers import Scorer, get_scorer
    from metrologue.scorers.core.needs import model_field
    from metrologue.scorers.core.options import field_types, fitted_fields, parsed_fields, table_fields

    kind = get_scorer(metric)
    kinds = field_types(kind)
    holds = model_field(kind)
    model = model if holds else None
    if not variant or "|" not in variant:
        values = parsed_fields(kind, {field: _bracketed(text, kinds.get(field)) for field, text in texts.items()})
        if model:
            values[str(holds)] = model
            if is_ngram_model(model) and "kenlm" in kind.variants():
                variant = variant or "kenlm"  # whose summary users of n-gram models know
        for field in values.keys() & set(fitted_fields(kind)):
            values[field] = _saved_table(values[field])
        return kind.variant(variant, **values) if variant else with_fields(kind, values)
    if not texts.keys() <= set(table_fields(kind)):
        raise click.UsageError("--set changes a variant, not a signature; change the signature itself.")
    scorer = Scorer.from_signature(variant, **texts)
    if scorer.name != metric:
        raise click.UsageError(f"the signature belongs to {scorer.name!r}, but the metric is {metric!r}.")
    if model and getattr(scorer, str(holds), None) != model:
        raise click.UsageError(f"the signature has another model than {model}; leave out --model.")
    return scorer


def is_ngram_model(model: object) -> bool:
    """Whether a model is an n-gram model, from an ARPA file or from KenLM."""
    return hasattr(getattr(model, "model", None), "without_boundaries")


def _bracketed(text: str, declared: Any) -> str:
    """The text of a field. A list of names may come without its brackets: rouge1,rougeL. 0,5 may be one number."""
    from metrologue.scorers.core.options import LabelText

    kind = get_args(declared)[0] if isinstance(declared, UnionType) else declared
    of_names = get_origin(kind) is tuple and get_args(kind)[0] in (str, LabelText)
    is_bare = of_names and not (text.startswith("[") or (kind is not declared and text == "null"))
    return f"[{text}]" if is_bare else text


def _saved_table(text: Any) -> Any:
    """The table that `fit` made, from its file; other text stays text."""
    from metrologue.text.lexicon.resource import Resource

    return Resource.load(text) if isinstance(text, str) and os.path.isfile(text) else text


def missing(argument: str) -> click.MissingParameter:
    """The error for an option that is not given, with all names that the command has for it."""
    context = click.get_current_context()
    option = next(each for each in context.command.params if each.name == argument)
    return click.MissingParameter(ctx=context, param=option)


def check_references(scorers: Sequence[Scorer | type[Scorer]], references: Sequence[str]) -> None:
    """Refuse references that are missing, and references that no scorer uses."""
    inputs = [scorer.input("references") for scorer in scorers]
    if not references and any(each is not None and each.required for each in inputs):
        raise missing("references")
    if references and not any(scorer.input("references") for scorer in scorers):
        names = " and ".join(scorer.name for scorer in scorers)
        raise click.UsageError(f"{names} uses predictions only; leave out -r.")
