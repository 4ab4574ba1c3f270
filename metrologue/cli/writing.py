"""The HTML report that commands write."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.faults import shown_path

if TYPE_CHECKING:
    from metrologue.comparison.documents import CaseResult
    from metrologue.comparison.findings import Comparison

__all__ = ["require_plots", "write_report"]


def require_plots() -> None:
    """Raise an ImportError before the work if matplotlib, which the report needs, is not installed."""
    from metrologue.comparison.plots import require_matplotlib

    require_matplotlib()


def write_report(path: Path, cases: Sequence[CaseResult] = (), comparison: Comparison | None = None) -> None:
    from metrologue.comparison.report import document_traces, render, write

    command = shown_path(shlex.join(["metrologue", *sys.argv[1:]]))
    write(path, render(comparison, cases, document_traces(cases), command=command))
    click.echo(f"The report is in {shown_path(str(path.resolve()))}", err=True)
