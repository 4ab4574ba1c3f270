"""The HTML report that commands write."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.faults import shown_path

if TYPE_CHECKING:
    from metrologue.comparison.documents import CaseResult
    from metrologue.comparison.showing.results import Comparison, Study


def write_page(path: Path, page: Callable[[str], str]) -> None:
    """Write an HTML page, which is made for the text of the command that runs, and say where it is."""
    from metrologue.comparison.report.page import write

    write(path, page(shown_path(shlex.join(["metrologue", *sys.argv[1:]]))))
    click.echo(f"The report is in {shown_path(str(path.resolve()))}", err=True)


def write_report(
    path: Path, cases: Sequence[CaseResult] = (), found: Comparison | Study | None = None, built: bool = False
) -> None:
    from metrologue.comparison.report.page import render

    write_page(path, lambda command: render(found, cases, command=command, built=built))
