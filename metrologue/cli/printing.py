"""What commands print: JSON, Markdown, tables, and the progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Markdown

__all__ = ["as_json_text", "print_results", "print_rich", "progress_bar", "size_in_bytes"]


def print_results(output_format: str, to_json: Callable[[], str], to_markdown: Callable[[], str]) -> None:
    """Print JSON or Markdown; Markdown is laid out on a terminal unless it was asked for as such."""
    if output_format == "json":
        click.echo(to_json())
    elif output_format == "markdown" or not sys.stdout.isatty():
        click.echo(to_markdown(), nl=False)
    else:
        print_rich(_laid_out(to_markdown()))


def _laid_out(markdown: str) -> Markdown:
    """Markdown for rich, with tables that break a long word rather than cut it off."""
    from rich.markdown import Markdown, TableElement
    from rich.table import Table

    class WholeTable(TableElement):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for part in super().__rich_console__(console, options):
                for column in part.columns if isinstance(part, Table) else ():
                    column.overflow = "fold"
                yield part

    class WholeMarkdown(Markdown):
        elements = {**Markdown.elements, "table_open": WholeTable}  # noqa: RUF012 - as rich declares it

    return WholeMarkdown(markdown)


def print_rich(*what: object) -> None:
    """Print with rich: as wide as the terminal, and without a limit into a file, where nobody could undo a cut."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 100_000, markup=False, highlight=False).print(*what)


def as_json_text(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


@contextmanager
def progress_bar(
    total: int | None = None, in_bytes: bool = False, hidden: bool = False
) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal, nothing elsewhere; yields what updates it, as ``rich.Progress.update`` does."""
    if hidden or not sys.stderr.isatty():
        yield lambda **state: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    done = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = TextColumn("{task.description}"), BarColumn(), done, TimeElapsedColumn()
    # rich would send what a command prints to standard error, below which the bar runs.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield partial(progress.update, progress.add_task("", total=total))


def size_in_bytes(paths: Sequence[str]) -> int | None:
    """Bytes of text in files; not known of what comes packed or from a pipe."""
    known = not any(path == "-" or path.endswith((".gz", ".parquet")) for path in paths)
    return sum(map(os.path.getsize, paths)) if known else None
