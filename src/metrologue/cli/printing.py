"""Functions that print for commands: JSON, Markdown, tables and progress bars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Markdown


def print_results(output_format: str, to_json: Callable[[], str], to_markdown: Callable[[], str]) -> None:
    """Print JSON or Markdown. With the format "text", rich lays the Markdown out."""
    if output_format == "json":
        click.echo(to_json())
    elif output_format == "markdown" or not sys.stdout.isatty():
        click.echo(to_markdown(), nl=False)
    else:
        print_rich(laid_out(to_markdown()))


def laid_out(markdown: str) -> Markdown:
    """Markdown for rich. Its tables break a long word and do not cut it off."""
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


def may_have_style() -> bool:
    """Whether rich may print colours: on a terminal, or where the environment asks for them."""
    return sys.stdout.isatty() or any(map(os.environ.get, ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")))


def print_rich(*what: object) -> None:
    """Print with rich, as wide as the terminal. A file has no limit, because nobody could undo a cut there."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 100_000, markup=False, highlight=False).print(*what, crop=False)


def size_in_bytes(paths: Sequence[str]) -> int | None:
    """The number of bytes of text in files; None if a file is packed, a table or a pipe."""
    from metrologue.files.packed import PACKED
    from metrologue.files.records import TABLES, kind_of

    is_text = not any(path == "-" or path.endswith(PACKED) or kind_of(path) in TABLES for path in paths)
    return sum(map(os.path.getsize, paths)) if is_text else None
