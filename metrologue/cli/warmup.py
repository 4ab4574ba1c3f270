"""``metrologue warmup``: compile the code of metrics before their first use."""

from __future__ import annotations

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.faults import Refused
from metrologue.output import progress_bar

__all__ = ["warmup"]


@click.command()
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
def warmup(metrics: tuple[str, ...]) -> None:
    """Compile the code of METRICs, or of all metrics, and put it into the cache before its first use.

    \b
    Examples:
      metrologue warmup
      METROLOGUE_CACHE=/opt/metrologue metrologue warmup bleu chrf
    """
    from metrologue.cache import cache_folder
    from metrologue.warmup import scorers_to_warm, warm_up

    try:
        folder = cache_folder()
    except RuntimeError as error:
        raise Refused(f"there is no folder for the cache ({error}); set METROLOGUE_CACHE to a folder.") from error
    scorers = scorers_to_warm(metrics)
    lacking = []
    with progress_bar(total=len(scorers)) as update:
        for scorer, lack in zip(scorers, warm_up(scorers), strict=True):
            update(description=f"{scorer.name} {scorer.variant_name}", advance=1)
            lacking += [f"{scorer.name} {scorer.variant_name}: {lack}"] if lack else []
    for line in lacking:
        click.echo(line, err=True)
    if not any((folder / "kernels").glob("*")):
        raise click.ClickException(f"nothing could be written to the cache {folder}.")
    click.echo(f"{len(scorers) - len(lacking)} of {len(scorers)} variants are ready; the cache is {folder}")
