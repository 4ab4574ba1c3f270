"""Traces as plain text, for a terminal: one function for each kind of block."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from metrologue.tracing.blocks import (
    FUNCTION_WORD,
    MARKS,
    SHAPES,
    Alignment,
    Block,
    Cell,
    Grid,
    Legend,
    Listing,
    Notes,
    Section,
    Span,
    Table,
    Texts,
    piece_text,
)
from metrologue.tracing.curve import Curve
from metrologue.tracing.graph import Graph
from metrologue.tracing.matrix import Matrix
from metrologue.tracing.spelling import in_place, visible, width_of

if TYPE_CHECKING:
    from rich.console import RenderableType

Parts: TypeAlias = "Iterable[RenderableType]"

# The width of a terminal's line, for columns that may be broken in certain places only.
LINE = 80
# Between two columns of a table, and the least width of its first one.
_GAP, _NARROWEST = 2, 20


def render_text(head: Sequence[str], blocks: Sequence[Block]) -> str:
    """The lines of the head and, below them, the blocks. Legends come last, next to a terminal's prompt."""
    from rich.console import Console

    # Wide enough that nothing is ever cut. A terminal can wrap a long line, but nobody can undo an ellipsis.
    file = io.StringIO()
    console = Console(file=file, width=100_000, color_system=None, markup=False, highlight=False, emoji=False)
    before: RenderableType = ""
    for part in _parts(head, blocks):
        if part != "" or before != "":
            console.print(part)
        before = part
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().split("\n"))


def _parts(head: Sequence[str], blocks: Sequence[Block]) -> Parts:
    yield from head
    legends = [block for block in blocks if isinstance(block, Legend)]
    for block in blocks:
        if not isinstance(block, Legend):
            yield from ("", *_of_block(block))
    yield ""
    for legend in legends:
        yield from _legend(legend)


def _of_block(block: Block) -> Parts:
    return _RENDERERS[type(block)](block)


def _legend(legend: Legend) -> Parts:
    title = f"{legend.title}: " if legend.title else ""
    yield title + " · ".join(f"{key.mark} {key.meaning}".strip() for key in legend.keys)


def cell_text(cell: Cell) -> str:
    """A cell of a table, or tokens of a listing, with their mark and their note."""
    if isinstance(cell, Span):
        return " ".join(filter(None, (MARKS.get(cell.state), *map(visible, cell.tokens), cell.note)))
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _texts(texts: Texts) -> Parts:
    sizes = any(text.size for text in texts.texts)
    rows = [
        (name, *([size] if sizes else []), " ".join(map(piece_text, sentence)))
        for text in texts.texts
        for name, size, sentence in zip_longest([text.name], [text.size], text.sentences, fillvalue="")
    ]
    grid = _grid_of_cells(padding=(0, 2))
    for row in rows:
        grid.add_row(*row)
    yield grid


def _grid_of_cells(padding: tuple[int, int]) -> Any:
    from rich.table import Table

    return Table.grid(padding=padding)


def _table(table: Table) -> Parts:
    if table.caption:
        yield table.caption
    if not table.rows:
        return
    rows = [[*map(cell_text, row.cells)] for row in table.rows]
    grid = _ruled(table.header)
    # A long first cell, such as an n-gram, is broken, so that a terminal breaks no row.
    numbers = sum(max(map(width_of, column)) + _GAP for column in [*zip(table.header, *rows, strict=False)][1:])
    grid.columns[0].max_width = max(_NARROWEST, LINE - numbers - _GAP)
    for row in rows:
        grid.add_row(*row)
    yield grid


def _ruled(header: Sequence[str]) -> Any:
    """An empty table with these headings. All columns but the first are aligned to the right."""
    from rich.table import Table as Grid

    grid = Grid(box=None, padding=(0, _GAP, 0, 0))
    for index, column in enumerate(header):
        grid.add_column(column, justify="right" if index else "left")
    return grid


def units_text(units: Sequence[str], characters: bool) -> str:
    """The units of one cell of a grid."""
    if not units:
        return ""
    return visible("".join(units)) if characters else " ".join(map(visible, units))


def _grid(grid: Grid) -> Parts:
    """Both texts, and below them the letters, and brackets where something was shifted."""
    rows = [
        *(
            (name, tuple(units_text(getattr(column, side), grid.characters) for column in grid.columns))
            for name, side in zip(grid.names, ("hypothesis", "reference"), strict=True)
        ),
        ("", tuple(column.letter.replace("H", "") for column in grid.columns)),
        ("", tuple(column.bracket for column in grid.columns)),
    ]
    yield ""
    yield from _in_columns(rows, gap=0 if grid.characters else 1)
    yield ""


def _alignment(alignment: Alignment) -> Parts:
    """Each row of words, with the numbers and marks of its links below it."""
    width = max(map(len, alignment.names))
    for name, row in zip(alignment.names, alignment.rows, strict=True):
        words = [visible(word.text) for word in row] or [visible("")]
        marks = [
            (f"{word.link}{SHAPES[alignment.links[word.link - 1].shape]}" if word.link else "")
            + FUNCTION_WORD * word.function
            for word in row
        ] or [""]
        yield ""
        yield from _in_columns([(f"{name:{width}}", words), ("", marks)], gap=1)
    yield ""


def _matrix(matrix: Matrix) -> Parts:
    yield matrix.orientation
    grid = _ruled([matrix.corner, *matrix.headers])
    for i, (label, numbers) in enumerate(matrix.rows):
        marks = ["*" if matrix.marked and matrix.is_marked(i, j) else "" for j in range(len(numbers))]
        grid.add_row(label, *(number + mark for number, mark in zip(numbers, marks, strict=True)))
    yield grid


def _in_columns(rows: Sequence[tuple[str, Sequence[str]]], gap: int) -> Parts:
    """Named rows with their cells in columns. The rows are broken before a line is too long."""
    room = LINE - 2 - max(width_of(name) for name, _ in rows)
    columns = list(zip(*(map(in_place, cells) for _, cells in rows), strict=True))
    for start, stop in _breaks([gap + max(map(width_of, column)) for column in columns], room):
        grid = _grid_of_cells(padding=(0, 0))
        for (name, _), cells in zip(rows, zip(*columns[start:stop], strict=True), strict=True):
            if name or any(cells):
                grid.add_row(f"{name}  ", *(cell + gap * " " for cell in cells))
        if start:
            yield ""
        yield grid


def _breaks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """The first and the last column of each line. A column that is too wide has its own line."""
    start = used = 0
    for index, width in enumerate(widths):
        used += width
        if used > room and index > start:
            yield start, index
            start, used = index, width
    if widths:
        yield start, len(widths)


_RENDERERS: dict[type[Block], Callable[[Any], Parts]] = {
    Alignment: _alignment,
    Curve: lambda curve: (curve.sentence, curve.bars),
    Graph: lambda graph: (graph.title, *graph.lines),
    Grid: _grid,
    Legend: _legend,
    Listing: lambda listing: (f"{listing.name}: {' · '.join(map(cell_text, listing.spans))}",),
    Matrix: _matrix,
    Notes: lambda notes: notes.lines,
    Section: lambda section: (section.title, *chain.from_iterable(map(_of_block, section.blocks))),
    Table: _table,
    Texts: _texts,
}
