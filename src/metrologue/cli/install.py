"""``metrologue install``: our modules by their bare names, for programs that call ``evaluate.load("rouge")``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from metrologue.cli.completion import complete_module
from metrologue.cli.tables import Table, print_table, terminal_width
from metrologue.errors import number_of
from metrologue.output import filled

if TYPE_CHECKING:
    from metrologue.bare_names import BareName

_WIDTH = 100  # columns of a line in a file or a pipe


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_module)
@click.option("--replace", is_flag=True, help="Put ours before another module of its name that the cache has.")
@click.option("--remove", is_flag=True, help="Take ours away; another module of the name loads again.")
@click.option("--list", "listed", is_flag=True, help="List which file is loaded now for each name.")
def install(names: tuple[str, ...], replace: bool, remove: bool, listed: bool) -> None:
    """Let `evaluate.load("rouge")` find our modules, in programs that do not know metrologue.

    Without NAMEs, all modules. `evaluate` takes them from its cache of modules (HF_MODULES_CACHE, or a folder in
    HF_HOME) if it does not reach the Hub: without a network, or with HF_EVALUATE_OFFLINE=1. A module of somebody else
    that is in the cache still loads, unless --replace is given. After an update of metrologue, nothing needs to be
    installed again.

    \b
    Examples:
      metrologue install
      metrologue install rouge sacrebleu --replace
      metrologue install --list
      metrologue install --remove
    """
    from metrologue import bare_names

    if replace + remove + listed > 1:
        raise click.UsageError("--replace, --remove and --list exclude each other; give one.")
    if listed:
        print_table(_table(bare_names.bare_names(names or None)), "text")
        return
    found = bare_names.install(names or None, replace=replace, remove=remove)
    folder = bare_names.modules_cache()
    if remove:
        _say(f"Removed from {folder}", (each.name for each in found if not each.is_ours))
        for each in found:
            if each.path:
                click.echo(f"{each.name} is again {each.path}")
        return
    _say(f"Installed in {folder}", (each.name for each in found if each.is_ours))
    if others := [each for each in found if not each.is_ours]:
        for each in others:
            where = each.path or f"{folder} has a folder of this name without the file"
            click.echo(f"Skipped, because another module has the name: {each.name}, {where}")
        click.echo(f"To put ours first: metrologue install {' '.join(each.name for each in others)} --replace")
    setting = "set HF_EVALUATE_OFFLINE=1" if sys.platform == "win32" else "export HF_EVALUATE_OFFLINE=1"
    click.echo(f"Where there is a network, `evaluate` takes the Hub's modules, unless this is set: {setting}")


def _say(what: str, names: Iterable[str]) -> None:
    """Print what was done to how many names, and to which."""
    listed = [*names]
    click.echo(f"{what}: {number_of(len(listed), 'module')}")
    if listed:
        click.echo(filled(" ".join(listed), terminal_width() or _WIDTH, "  ", "  "))


def _table(found: list[BareName]) -> Table:
    rows = [[each.name, "yes" if each.is_ours else "no" if each.path else "-", str(each.path or "-")] for each in found]
    return Table(["name", "ours", "loaded without a network"], rows, words=3)
