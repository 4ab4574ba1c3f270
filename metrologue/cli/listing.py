"""``metrologue list``: the metrics with their variants and fields, and the tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.tables import Table, print_table

if TYPE_CHECKING:
    from metrologue.scorers import Scorer

__all__ = ["list_"]


@click.command(name="list")
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
def list_(metrics: tuple[str, ...]) -> None:
    """List metrics with their variants, and tokenizers. With a METRIC, list its variants and fields.

    \b
    Examples:
      metrologue list
      metrologue list bleu
    """
    from metrologue.scorers import get_scorer, list_scorers
    from metrologue.tokenizers import list_tokenizers

    scorers = [get_scorer(metric) for metric in metrics or list_scorers()]
    print_table(_variants(scorers), "text")
    for scorer in scorers if metrics else ():
        click.echo(f"\nThe fields of {scorer.name}, for --set FIELD=VALUE:\n")
        print_table(_fields(scorer), "text")
    if not metrics:
        click.echo(f"\ntokenizers: {' '.join(list_tokenizers())}")


def _variants(scorers: list[type[Scorer]]) -> Table:
    rows = [
        [scorer.name, name, f"{variant.library} {variant.version}", variant.about]
        for scorer in scorers
        for name, variant in scorer.variants().items()
    ]
    return Table(["metric", "variant", "mirrors", "about"], rows, words=4)


def _fields(scorer: type[Scorer]) -> Table:
    """The fields with their defaults, their values, and the choice to which they belong in ``explain``."""
    from metrologue.scorers.core.options import spelled, values_of

    default = scorer()
    rows = [
        [name, spelled(getattr(default, name)), values_of(scorer, name).replace("`", ""), declared.choice or "-"]
        for name, declared in scorer.options().items()
    ]
    return Table(["field", "default", "values", "choice"], rows, words=4)
