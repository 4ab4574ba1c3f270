"""A table of numbers in every format that commands print: text, LaTeX, Markdown and tab-separated values."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from metrologue.cli.printing import may_have_style, print_rich
from metrologue.output import filled, html_comment, latex_text, markdown_cell, markdown_text, one_line, tsv_cell

_GAP = 2  # between columns
_LINE = 64  # characters on a line of LaTeX's article
_NARROW = 12  # characters of a column that need not be broken
# Where a word is broken that is too wide: never in a number.
_BREAK = re.compile(r"(?<=[\s_/|=;])|(?<=[-.:,])(?!\d)")


@dataclass(frozen=True)
class Score:
    """A cell of a number with what belongs to it: ± the margin, a mark such as a star, and letters."""

    value: str
    margin: str = ""
    mark: str = ""
    letters: str = ""

    def __str__(self) -> str:
        parts = (self.value, self.margin and f"± {self.margin}", self.mark + self.letters)
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class Table:
    """A table of texts and scores.

    Attributes
    ----------
    header : sequence of k str
    rows : sequence of sequences of k str or Score
    words : int
        How many columns from the left are words. The others are numbers.
    best : set of (row, column)
        Cells that are highlighted if the format allows it.
    details : set of int
        Columns that text leaves out if the terminal has no room for them.
    caption : sequence of str
        Sentences below a table in LaTeX or Markdown.
    remarks : sequence of str
        Comments beside a table in LaTeX or Markdown, such as signatures in full.
    width : int
        How many columns of a line text may take in a file or a pipe; 0: any number.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str | Score]]
    words: int = 1
    best: frozenset[tuple[int, int]] = frozenset()
    details: frozenset[int] = frozenset()
    caption: Sequence[str] = ()
    remarks: Sequence[str] = ()
    width: int = 0

    @property
    def scores(self) -> set[int]:
        """The columns that have a Score."""
        return {j for row in self.rows for j, cell in enumerate(row) if isinstance(cell, Score)}


def print_table(table: Table, output_format: str) -> None:
    """Print a table in one of ``FORMATS``."""
    FORMATS[output_format](table)


def terminal_width() -> int:
    """The columns of the terminal that text is printed to; 0 for a file or a pipe, which has no limit."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def say(*lines: str) -> None:
    """Print sentences, as wide as the terminal; those that are indented go on further to the right.

    A command that people copy is whole, however long it is.
    """
    width = terminal_width()
    for line in lines:
        text = line.lstrip(" ")
        indent = " " * (len(line) - len(text))
        is_whole = not width or text.startswith("metrologue ")
        click.echo(line if is_whole else filled(text, width, indent, indent and indent + "  "))


def widths_of(table: Table) -> list[int]:
    """How many columns of a terminal each column of the table takes."""
    return [max(map(width_of, column)) for column in zip(*_lines(table), strict=True)]


def _text(table: Table) -> None:
    """Print a table with columns of equal width. On a terminal it has colours, and is as wide as the terminal.

    If it does not fit, wide words are broken, details are left out, and further numbers follow below. No number is
    broken.
    """
    lines, natural, width = _lines(table), widths_of(table), terminal_width() or table.width
    parts, left_out = _parts(table, natural, width) if width else ([[*range(len(natural))]], [])
    show = _show_in_colours if may_have_style() else _show
    for i, columns in enumerate(parts):
        if i:
            click.echo()
        widths = _narrowed(table, natural, columns, width)
        for row, line in enumerate(lines, -1):
            styles = ["bold cyan" if row < 0 else "bold green" * ((row, j) in table.best) for j in columns]
            for cells in _stacked(table, line, columns, widths):
                show(cells, styles)
    if left_out:
        names = ", ".join(table.header[j] for j in left_out)
        say(f"Left out at {width} columns: {names}. A wider terminal or --format tsv shows them.")


def _stacked(
    table: Table, line: Sequence[str], columns: Sequence[int], widths: Sequence[int]
) -> Iterator[tuple[str, ...]]:
    """The cells of a line, padded; several times if a word is broken."""
    folded = [
        _folded(line[j], width) if j < table.words else [line[j]] for j, width in zip(columns, widths, strict=True)
    ]
    for cells in zip_longest(*folded, fillvalue=""):
        padded = [" " * (width - width_of(cell)) for cell, width in zip(cells, widths, strict=True)]
        yield tuple(
            cell + pad if j < table.words else pad + cell for j, cell, pad in zip(columns, cells, padded, strict=True)
        )


def _show(cells: Sequence[str], styles: Sequence[str]) -> None:
    """Print a line to a file. To import rich takes longer than to score a file."""
    click.echo((" " * _GAP).join(cells).rstrip())


def _show_in_colours(cells: Sequence[str], styles: Sequence[str]) -> None:
    from rich.text import Text

    print_rich(Text(" " * _GAP, no_wrap=True, overflow="ignore").join(map(Text, cells, styles)))


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii() or text.replace("±", "").isascii():
        return len(text)
    from rich.cells import cell_len

    return int(cell_len(text))


def _lines(table: Table) -> list[list[str]]:
    """The header and the rows as text. The parts of a score stand below each other."""
    columns = []
    for j, name in enumerate(table.header):
        cells = [row[j] for row in table.rows]
        texts = [one_line(str(cell)) for cell in (name, *cells)]
        columns.append(_aligned(name, cells) if j in table.scores else texts)
    return [[*line] for line in zip(*columns, strict=True)]


def _aligned(name: str, cells: Sequence[str | Score]) -> list[str]:
    """A column of scores, below its name."""
    scores = [cell if isinstance(cell, Score) else Score(cell) for cell in cells]
    value, margin, mark, letters = (
        max(len(getattr(score, part)) for score in scores) for part in ("value", "margin", "mark", "letters")
    )
    lines = [name.rjust(value)]
    for score in scores:
        text = score.value.rjust(value)
        if margin:
            text += f" ± {score.margin.rjust(margin)}" if score.margin else " " * (margin + 3)
        if mark + letters:
            text += f" {score.mark.rjust(mark)}{score.letters.ljust(letters)}"
        lines.append(text)
    width = max(map(len, lines))
    return [cell.ljust(width) for cell in lines]


def _parts(table: Table, natural: Sequence[int], width: int) -> tuple[list[list[int]], list[int]]:
    """The columns of each part of the table, the words in all of them; and the details that have no room."""
    words = [*range(min(table.words, len(natural)))]
    # Words are not broken for further numbers if they take no more than a quarter of the terminal.
    least: int = sum(max(_longest_piece(table, j, width), min(natural[j], width // 4)) + _GAP for j in words)

    def used(columns: Sequence[int]) -> int:
        return least + sum(natural[j] + _GAP for j in columns) - _GAP

    numbers, left_out = [*range(len(words), len(natural))], list[int]()
    for j in sorted(table.details, reverse=True):
        if used(numbers) > width:
            numbers.remove(j)
            left_out.insert(0, j)
    parts: list[list[int]] = [[]]
    for j in numbers:
        if parts[-1] and used([*parts[-1], j]) > width:
            parts.append([])
        parts[-1].append(j)
    return [[*words, *part] for part in parts], left_out


def _narrowed(table: Table, natural: Sequence[int], columns: Sequence[int], width: int) -> list[int]:
    """The width of each column. The widest words are narrowed first, until all columns fit."""
    widths = {j: natural[j] for j in columns}
    least = {j: _longest_piece(table, j, width) for j in columns if j < table.words}
    while width and sum(widths.values()) + _GAP * (len(columns) - 1) > width:
        wide = [j for j in least if widths[j] > least[j]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return [*widths.values()]


def _longest_piece(table: Table, column: int, width: int) -> int:
    """The least width of a column of words, but no more than half of the terminal."""
    texts = [table.header[column], *(str(row[column]) for row in table.rows)]
    return min(width // 2, max(width_of(piece.rstrip()) for text in texts for piece in _BREAK.split(text)))


def _folded(text: str, width: int) -> list[str]:
    """The lines of a text that is broken where it may be."""
    lines = [""]
    for piece in _BREAK.split(text):
        if lines[-1] and width_of(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _markdown(table: Table) -> None:
    rule = ["---"] * table.words + ["---:"] * (len(table.header) - table.words)
    for i, row in enumerate([table.header, rule, *table.rows], -2):
        click.echo(f"| {' | '.join(_in_markdown(cell, (i, j) in table.best) for j, cell in enumerate(row))} |")
    for sentence in table.caption:
        click.echo("\n" + markdown_text(sentence))
    for i, remark in enumerate(table.remarks):
        click.echo("\n" * (i == 0) + html_comment(remark))


def _in_markdown(cell: str | Score, best: bool) -> str:
    if isinstance(cell, Score):
        rest = str(cell)[len(cell.value) :].replace("*", r"\*")
        return (f"**{cell.value}**" if best else cell.value) + rest
    text = markdown_cell(cell)
    return f"**{text}**" if best else text


def _latex(table: Table) -> None:
    """Print a table for LaTeX's package booktabs; with a caption, as a float that is ready for a paper."""

    shares = _shares_of_line(table)

    def line(i: int, row: Sequence[str | Score]) -> str:
        cells = [_in_latex(cell, (i, j) in table.best) for j, cell in enumerate(row)]
        for j in shares:  # a long name may be broken in a paragraph
            cells[j] = r"\raggedright " + re.sub(r"(=|\\_|,)(?=\S)", r"\1\\allowbreak{}", cells[j])
        return " & ".join(cells) + r" \\"

    words = [rf"p{{{shares[j]:.2f}\linewidth}}" if j in shares else "l" for j in range(table.words)]
    kinds = "".join(words) + "r" * (len(table.header) - table.words)
    rows = [line(i, row) for i, row in enumerate(table.rows)]
    lines = [r"\toprule", line(-1, table.header), r"\midrule", *rows, r"\bottomrule"]
    lines = [rf"\begin{{tabular}}{{{kinds}}}", *lines, r"\end{tabular}"]
    if table.caption:
        # A signature is one long word, which LaTeX may break at its bars.
        caption = latex_text(" ".join(table.caption)).replace(r"\textbar{}", r"\textbar\allowbreak{}")
        lines = [r"\begin{table}", r"\centering", *lines, rf"\caption{{{caption}}}", r"\end{table}"]
    click.echo("\n".join([*(f"% {one_line(remark)}" for remark in table.remarks), *lines]))


def _shares_of_line(table: Table) -> dict[int, float]:
    """The columns of words that are paragraphs, because the table is wider than a page, and their shares of a line."""
    widths = widths_of(table)
    wide = {j: widths[j] for j in range(table.words) if widths[j] > _NARROW}
    room = _LINE - sum(widths) - _GAP * len(widths) + sum(wide.values())
    if room >= sum(wide.values()):
        return {}
    return {j: max(room, _NARROW) / _LINE * width / sum(wide.values()) for j, width in wide.items()}


def _in_latex(cell: str | Score, best: bool) -> str:
    value = re.sub(r"^-(?=\d)", "$-$", latex_text(cell.value if isinstance(cell, Score) else cell))
    value = value.replace("↑", r"$\uparrow$").replace("↓", r"$\downarrow$")
    text = rf"\textbf{{{value}}}" if best else value
    if not isinstance(cell, Score):
        return text
    sign = f"$^{{{cell.mark}\\mathrm{{{cell.letters}}}}}$" if cell.mark + cell.letters else ""
    return text + (rf" $\pm$ {cell.margin}" if cell.margin else "") + sign


def _tsv(table: Table) -> None:
    for row in [table.header, *table.rows]:
        click.echo("\t".join(str(cell) if isinstance(cell, Score) else tsv_cell(cell) for cell in row))


FORMATS: Mapping[str, Callable[[Table], None]] = {"text": _text, "latex": _latex, "markdown": _markdown, "tsv": _tsv}
