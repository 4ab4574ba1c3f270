"""The options that several commands share, and what they stand for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from metrologue.cli.faults import Refused

if TYPE_CHECKING:
    from metrologue.scorers import Scorer

__all__ = [
    "OUTPUT",
    "check_references",
    "files_options",
    "json_option",
    "made_scorer",
    "markdown_option",
    "out_option",
    "settings_option",
    "threads_option",
    "variant_option",
]

F = TypeVar("F", bound=Callable[..., Any])


class _Input(click.Path):
    """A file to read, or "-"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-" and sys.stdin is None:
            raise Refused("'-' stands for standard input, which is closed.")
        return super().convert(value, param, ctx)


INPUT = _Input(exists=True, dir_okay=False, allow_dash=True)
OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)


def files_options(several_systems: bool, required: bool = True) -> Callable[[F], F]:
    """The options for text files."""
    predictions = click.option(
        "-p",
        "--predictions",
        type=INPUT,
        required=required,
        multiple=several_systems,
        help="The system's output, one segment a line." + (" Again for each other system." * several_systems),
    )
    references = click.option(
        "-r",
        "--references",
        type=INPUT,
        multiple=True,
        help="The references, one a line. Again for further references of each segment.",
    )
    return lambda function: predictions(references(function))


variant_option = click.option("--variant", help="Whose number: a name that `metrologue list` shows, or a signature.")
settings_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Change a field of the variant, such as lowercase=true or max_order=2.",
)
threads_option = click.option("--threads", type=click.IntRange(1), help="Default: $METROLOGUE_THREADS, or 1.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
markdown_option = click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
out_option = click.option("--out", type=OUTPUT, help="Also write an HTML report to this file.")


def made_scorer(metric: str, variant: str | None, settings: Sequence[str] = ()) -> Scorer:
    """The scorer of a variant's name, of a signature, or of neither: the metric's defaults."""
    from metrologue.scorers import Scorer, get_scorer

    scorer = get_scorer(metric)
    texts: dict[str, str] = {}
    for setting in settings:
        field, equals, text = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"{setting!r} is not FIELD=VALUE, such as lowercase=true.", param_hint="--set")
        if field in texts:
            raise click.BadParameter(f"{field!r} is set twice.", param_hint="--set")
        texts[field] = text
    if not variant or "|" not in variant:
        values = scorer.parsed(texts)
        return scorer.variant(variant, **values) if variant else scorer.from_fields(values)
    if not texts.keys() <= set(scorer.table_fields()):
        raise click.UsageError("--set changes a variant, not a signature; change the signature itself.")
    if (named := variant.strip().partition("|")[0]) != metric:
        raise click.UsageError(f"the signature is one of {named!r}, but the metric is {metric!r}.")
    return Scorer.from_signature(variant, **texts)


def check_references(scorer: Scorer | type[Scorer], references: Sequence[str]) -> None:
    if scorer.needs_references and not references:
        raise click.UsageError("Missing option '-r' / '--references'.")
    if references and not scorer.needs_references:
        raise click.UsageError(f"{scorer.name} looks at predictions alone; leave out -r.")
