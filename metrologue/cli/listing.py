"""``metrologue list``: the metrics with their variants, and the tokenizers."""

from __future__ import annotations

import click

from metrologue.cli.printing import print_rich

__all__ = ["list_"]


@click.command(name="list")
def list_() -> None:
    """List metrics with their variants, and tokenizers.

    \b
    Example:
      metrologue list
    """
    from rich.table import Table

    from metrologue.scorers import get_scorer, list_scorers
    from metrologue.tokenizers import list_tokenizers

    table = Table("metric", "variant", "mirrors", "about")
    for metric in list_scorers():
        for name, variant in get_scorer(metric).variants().items():
            table.add_row(metric, name, f"{variant.library} {variant.version}", variant.about)
    print_rich(table)
    click.echo(f"tokenizers: {' '.join(list_tokenizers())}")
