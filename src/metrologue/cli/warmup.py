"""``metrologue warmup``: make the tables of metrics before their first use."""

from __future__ import annotations

import os
import warnings
from contextlib import suppress

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.faults import Refused
from metrologue.scorers.core.variants import variant_of
from metrologue.writing import progress_bar


@click.command()
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
def warmup(metrics: tuple[str, ...]) -> None:
    """Make the tables of METRICs, or of all metrics, and put them into the cache before their first use.

    METEOR has tables, of synonyms and paraphrases, that take seconds to convert.

    \b
    Examples:
      metrologue warmup
      METROLOGUE_CACHE=/opt/metrologue metrologue warmup meteor
    """
    from metrologue.cache import cache_folder
    from metrologue.scorers.core.registry import scorers_to_warm, warm_up

    try:
        folder = cache_folder()
    except RuntimeError as error:
        raise Refused(f"there is no folder for the cache ({error}); set METROLOGUE_CACHE to a folder.") from error
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise Refused(f"nothing can be written to the cache {folder}; set METROLOGUE_CACHE to another folder.")
    scorers = scorers_to_warm(metrics)
    lacking = []
    with progress_bar(total=len(scorers)) as update, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the few words that are scored
        for scorer, lack in zip(scorers, warm_up(scorers), strict=True):
            update(description=f"{scorer.name} {variant_of(scorer)}", advance=1)
            lacking += [f"{scorer.name} {variant_of(scorer)}: {lack}"] if lack else []
    for line in lacking:
        click.echo(line, err=True)
    click.echo(f"{len(scorers) - len(lacking)} of {len(scorers)} variants are ready; the cache is {folder}")
