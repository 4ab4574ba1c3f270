"""A table of numbers in every format that commands print: text, LaTeX, Markdown and tab-separated values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import click

from metrologue.cli.printing import may_have_style, print_rich
from metrologue.output import latex_text

__all__ = ["FORMATS", "Table", "print_table"]


@dataclass(frozen=True)
class Table:
    """A table whose cells are text.

    Attributes
    ----------
    header : sequence of k str
    rows : sequence of sequences of k str
    words : int
        How many columns from the left are words. The others are numbers.
    best : set of (row, column)
        Cells that are highlighted if the format allows it.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    best: frozenset[tuple[int, int]] = field(default=frozenset())


def print_table(table: Table, output_format: str) -> None:
    """Print a table in one of ``FORMATS``."""
    FORMATS[output_format](table)


def _text(table: Table) -> None:
    """Print a table with columns of equal width, on a terminal in colours."""
    cells = [cell for row in (table.header, *table.rows) for cell in row]
    if not may_have_style() and all(cell.isascii() and cell.isprintable() and cell == cell.strip() for cell in cells):
        _plain(table)
        return
    from rich.table import Column
    from rich.table import Table as RichTable
    from rich.text import Text

    columns = [
        Column(name, justify="left" if i < table.words else "right", overflow="fold")
        for i, name in enumerate(table.header)
    ]
    made = RichTable(*columns, box=None, pad_edge=False, padding=(0, 1), header_style="bold cyan")
    for i, row in enumerate(table.rows):
        made.add_row(*(Text(cell, "bold green" if (i, j) in table.best else "") for j, cell in enumerate(row)))
    print_rich(made)


def _plain(table: Table) -> None:
    """Print a table of ASCII as rich would print it to a file. To import rich takes longer than to score a file."""
    rows = [table.header, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{'<' if i < table.words else '>'}{widths[i]}}" for i, cell in enumerate(row))
        click.echo("  ".join(cells))


def _markdown(table: Table) -> None:
    rule = ["---"] * table.words + ["---:"] * (len(table.header) - table.words)
    for i, row in enumerate([table.header, rule, *table.rows], -2):
        cells = (cell.replace("|", r"\|") for cell in row)
        click.echo(f"| {' | '.join(f'**{c}**' if (i, j) in table.best else c for j, c in enumerate(cells))} |")


def _latex(table: Table) -> None:
    """Print a table for LaTeX's package booktabs."""

    def line(i: int, row: Sequence[str]) -> str:
        cells = [*map(latex_text, row)]
        return " & ".join(rf"\textbf{{{c}}}" if (i, j) in table.best else c for j, c in enumerate(cells)) + r" \\"

    kinds = "l" * table.words + "r" * (len(table.header) - table.words)
    click.echo(rf"\begin{{tabular}}{{{kinds}}}" + "\n\\toprule\n" + line(-1, table.header) + "\n\\midrule")
    for i, row in enumerate(table.rows):
        click.echo(line(i, row))
    click.echo("\\bottomrule\n\\end{tabular}")


def _tsv(table: Table) -> None:
    for row in [table.header, *table.rows]:
        click.echo("\t".join(re.sub(r"[\t\r\n]", " ", cell) for cell in row))


FORMATS: Mapping[str, Callable[[Table], None]] = {"text": _text, "latex": _latex, "markdown": _markdown, "tsv": _tsv}
